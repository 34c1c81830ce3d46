"""Pawar and Ren's figures for Qubic: what pruning gains, and what the last of equal moves gains over a coin's."""

from __future__ import annotations

from typing import Any, Final

from client.lab.experiments.estimates import compared, meets, ratio, series
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import RANDOM, Lab, Measured, by_bot, gain, measured, node_count, unless_random
from client.lab.experiments.pawar_ren import readings
from engine.bots.literature import pawar_ren
from engine.bots.match import Played, Task, Watches
from engine.rules.position import O, Position
from engine.search.fixed import Cut
from engine.stats.score import wilson

PLIES: Final = (2, 3)
GAIN: Final = 180 / 30
"""Without pruning a game against random took 3 minutes, with it 30 seconds."""
WINS: Final = {"last": 76, "coin": 55}
"""Percent."""
_OPPONENTS: Final = (RANDOM, "alphabeta:1", "alphabeta:2", "depth3:balanced,2", "altekar-alphabeta:2,sum")
_OPENING: Final = 2


def run(lab: Lab) -> list[Section]:
    searched = lab.measure("games against random, searched with and without pruning", _against_random(lab), play)
    ties = lab.play("last and coin against several bots", _tie_groups(lab))
    return [_nodes(searched), _ties(ties), readings.section(lab), _times(searched)]


# What pruning gains.


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched without pruning and with."""
    return measured(task, watches, (Cut.NONE, Cut.LOOSE), unless_random(_searched))


def _searched(position: Position, values: tuple[Any, ...], cut: Cut) -> Any:
    return pawar_ren.searched(position, min(values[0], 64 - position.ply), cut)


def _against_random(lab: Lab) -> dict[int, list[Task]]:
    half = (lab.games + 1) // 2
    return {
        ply: [
            *lab.fixed("qubic", f"pawar-ren:{ply}", RANDOM, half),
            *lab.fixed("qubic", RANDOM, f"pawar-ren:{ply}", lab.games - half, a_side=O),
        ]
        for ply in PLIES
    }


def _nodes(searched: dict[int, list[Measured]]) -> Section:
    figures = []
    for ply, games in searched.items():
        found = gain(games, node_count)
        what = f"nodes of a game against random without pruning to those with, {ply} plies"
        figures.append(compared(what, "6 (in time)", found, GAIN, GAIN, otherwise=_why(found, ply)))
    rows: list[list[Cell]] = [
        [ply, _sum(games, Cut.NONE), _sum(games, Cut.LOOSE), _length(games)] for ply, games in searched.items()
    ]
    return Section(
        "What pruning gains",
        [
            "They give times alone, 3 minutes and 30 seconds for a game against random, a sixth, and no depth. We "
            "count nodes too, which no machine changes. Equal moves at the root are told apart exactly, for which its "
            "window has to stay open by one: that costs a part of the gain, and without it the last of equal moves "
            "could be a worse one."
        ],
        figures,
        [Table("A game against random", ["plies", "nodes without", "nodes with", "moves of the bot"], rows)],
    )


def _why(gain: Estimate | None, ply: int) -> str:
    if gain is None:
        return "No searches."
    less = "less" if gain.value < GAIN else "more"
    return (
        f"Pruning gains {less} than in their games at {ply} plies; the gain grows with the depth and hangs on the "
        "order of the moves, and neither is given."
    )


def _sum(games: list[Measured], cut: Cut) -> Estimate | None:
    return ratio((sum(search.nodes for search in game.of(cut)), 1) for game in games)


def _length(games: list[Measured]) -> Estimate | None:
    return ratio((len(game.of(Cut.LOOSE)), 1) for game in games)


# Which of equal moves.


def _tie_groups(lab: Lab) -> dict[tuple[str, str], list[Task]]:
    opponents = [*_OPPONENTS, "pawar-ren:2,last"]
    groups = {
        (tie, opponent): lab.swapped("qubic", f"pawar-ren:2,{tie}", opponent, _OPENING)
        for tie in WINS
        for opponent in opponents
    }
    del groups["last", "pawar-ren:2,last"]
    return groups


def _ties(found: dict[tuple[str, str], list[Played]]) -> Section:
    rows: list[list[Cell]] = [
        [f"`{opponent}`", f"`{tie}`", len(games), *by_bot(games)]
        for (tie, opponent), games in sorted(found.items(), key=lambda one: (_order(one[0][1]), one[0][0] != "last"))
    ]
    return Section(
        "The last of equal moves, or a coin",
        [
            "They report that player 1's win rate fell from 76, when a later equal move replaces the choice, to 55, "
            "when a coin decides; player 2 is the random mover, and the number of games is not given. Ours wins every "
            "game against it with either. To see whether the coin costs anything at all, both also play other "
            f"programs, at 2 plies, in pairs of games from openings of {_OPENING} random plies, without which games "
            "between programs that leave nothing to chance would be one game again and again.",
            _which(found),
        ],
        [_wins(found, tie, author) for tie, author in WINS.items()],
        [Table("Results", ["against", "of equals", "games", "won %", "lost %", "drawn %"], rows)],
        [
            Plot(
                "ties",
                "Games won by the last and by a coin's choice",
                "points",
                "",
                "% won",
                [_series(found, tie) for tie in WINS],
                list(_OPPONENTS),
            )
        ],
    )


def _order(opponent: str) -> int:
    return _OPPONENTS.index(opponent) if opponent in _OPPONENTS else len(_OPPONENTS)


def _series(found: dict[tuple[str, str], list[Played]], tie: str) -> Series:
    return series(tie, [by_bot(found[tie, opponent])[0] for opponent in _OPPONENTS])


def _which(found: dict[tuple[str, str], list[Played]]) -> str:
    """Where the last is better than the coin beyond chance, in words."""
    better = [opponent for opponent in _OPPONENTS if _apart(found["last", opponent], found["coin", opponent])]
    worse = [opponent for opponent in _OPPONENTS if _apart(found["coin", opponent], found["last", opponent])]
    told = []
    if better:
        told.append(f"the last wins more against {_listed(better)}")
    if worse:
        told.append(f"the coin wins more against {_listed(worse)}")
    if not told:
        return "Against none of them is one better than the other beyond chance (intervals that do not meet)."
    rest = "; against the others the intervals meet" if len(better) + len(worse) < len(_OPPONENTS) else ""
    return f"Beyond chance (intervals that do not meet), {' and '.join(told)}{rest}."


def _apart(more: list[Played], less: list[Played]) -> bool:
    high, low = by_bot(more)[0], by_bot(less)[0]
    return high is not None and low is not None and (high.low or 0) > (low.high or 100)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _wins(found: dict[tuple[str, str], list[Played]], tie: str, author: int) -> Figure:
    """Wins against random, their player 2."""
    games = found[tie, RANDOM]
    ours = by_bot(games)[0]
    fitting = [
        opponent for opponent in _OPPONENTS if meets(by_bot(found[tie, opponent])[0], *_bounds(author, len(games)))
    ]
    note = f"No reading of their table as printed loses to a random mover. {author} % would fit " + (
        f"our games against {_listed(fitting)}." if fitting else "none of our opponents."
    )
    return Figure(f"games won, {tie}", f"{author}", ours, "%", agrees=meets(ours, author, author), note=note)


def _bounds(author: int, games: int) -> tuple[float, float]:
    """What chance would do to their figure in as many games as ours; theirs are not given."""
    low, high = wilson(author / 100 * games, games)
    return 100 * low, 100 * high


# Times.


def _times(searched: dict[int, list[Measured]]) -> Section:
    figures = []
    for ply, games in searched.items():
        for cut, author, how in ((Cut.NONE, "180 s", "without"), (Cut.LOOSE, "30 s", "with")):
            taken = ratio((sum(search.us for search in game.of(cut)) / 1000, 1) for game in games)
            figures.append(Figure(f"ms of a game against random {how} pruning, {ply} plies", author, taken, "ms"))
        times, nodes = gain(games, lambda search: search.us), gain(games, node_count)
        figures.append(
            compared(
                f"time without pruning to that with, {ply} plies",
                "6",
                times,
                GAIN,
                GAIN,
                note="A search of so few positions ends in microseconds, of which a part goes into calling it; so the "
                "gain in time is less than that in nodes."
                if times and nodes and times.value < nodes.value
                else "",
            )
        )
    rows: list[list[Cell]] = [["they", "-", "-", "-", "180,000", "30,000", "6"]]
    rows += [_beside(ply, games) for ply, games in searched.items()]
    return Section(
        "Times",
        ["The times of the bot's searches in a game, and the nodes beside them."],
        figures,
        [
            Table(
                "A game against random",
                ["plies", "nodes without", "with", "times fewer", "ms without", "with", "times as fast"],
                rows,
            )
        ],
        timed=True,
    )


def _beside(ply: int, games: list[Measured]) -> list[Cell]:
    without, with_ = (
        ratio((sum(search.us for search in game.of(cut)) / 1000, 1) for game in games) for cut in (Cut.NONE, Cut.LOOSE)
    )
    nodes, times = gain(games, node_count), gain(games, lambda search: search.us)
    return [str(ply), _sum(games, Cut.NONE), _sum(games, Cut.LOOSE), nodes, without, with_, times]
