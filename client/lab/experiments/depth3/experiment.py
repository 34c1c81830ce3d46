"""The experiments of the report on depth3, and its four styles against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from client.lab.experiments.depth3 import examples, pruning
from client.lab.experiments.estimates import average, compared, share
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Table
from client.lab.experiments.lab import RANDOM, Lab, move_ms, points, results, times_us
from engine.bots.literature import depth3
from engine.bots.match import Played, Task
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.rules.position import O, Side, X
from engine.rules.registry import rules
from engine.stats.score import wilson

STYLES: Final = ("balanced", "aggressive", "defensive", "switching")
GAMES: Final = 100
"""Games of each of the report's experiments."""
SHARE: Final = 70
"""Percent won against the defensive style, of which the report says that it does not completely dominate."""

_BALANCED: Final = "depth3:balanced,3"
_AT_2: Final = "depth3:balanced,2"
_DEFENSIVE: Final = "depth3:defensive,2"
_OTHER: Final = "alphabeta:2"

_MATCHES: Final = (
    (_BALANCED, RANDOM),
    (_BALANCED, _AT_2),
    (_BALANCED, _OTHER),
    (_BALANCED, _DEFENSIVE),
    (_BALANCED, _BALANCED),
)
_OPPONENTS: Final = {
    RANDOM: "random",
    _AT_2: "itself at 2 plies",
    _OTHER: "`alphabeta:2`",
    _DEFENSIVE: "defensive at 2 plies",
    _BALANCED: "itself",
}
Games = list[Played]


def run(lab: Lab) -> list[Section]:
    names = {style: f"depth3:{style},3" for style in STYLES}
    pairs = [*_MATCHES, *((names[a], names[b]) for a, b in combinations(STYLES, 2))]
    found = lab.play("games", {(a, b): _tasks(lab, a, b) for a, b in pairs})
    return [
        _figures(found),
        examples.section(found[_BALANCED, _AT_2], found[_BALANCED, _DEFENSIVE]),
        pruning.section(lab, found[_BALANCED, _DEFENSIVE]),
        _styles({(a, b): found[names[a], names[b]] for a, b in combinations(STYLES, 2)}),
        _times(found),
    ]


def _tasks(lab: Lab, a: str, b: str) -> list[Task]:
    """Sampled games, or all that there are: between two of its programs the first move alone is drawn."""
    if not b.startswith("depth3"):
        return lab.swapped("qubic", a, b)
    swapped = ((X, a, b), (O, b, a))
    return [
        Task(0, pair, side, "qubic", bot(x), bot(o), NO_LIMIT, NO_LIMIT, (cell,), 0)
        for pair, cell in enumerate(depth3.best_cells(rules("qubic").initial))
        for side, x, o in swapped
    ]


def _figures(found: dict[tuple[str, str], Games]) -> Section:
    return Section(
        "Its experiments",
        [
            "Each of two bots moves first in every second game. The one that begins draws its first move from the "
            "best cells, 16 by our reading, and nothing else is left to chance: so two such programs can play 32 "
            "games, 16 for each that begins. All are played, and the shares are exact. Which of several blocks and of "
            "equal moves is played is not in the report, and each such choice changes every game.",
        ],
        [
            _dominates(found[_BALANCED, RANDOM], "random"),
            _dominates(found[_BALANCED, _AT_2], "itself at 2 plies"),
            _dominates(found[_BALANCED, _OTHER], "`alphabeta:2`, another program of 2 plies"),
            _against_defensive(found[_BALANCED, _DEFENSIVE]),
            *_against_itself(found[_BALANCED, _BALANCED]),
            *(_drawn(found[_BALANCED, other], whom) for other, whom in _OPPONENTS.items()),
        ],
        [
            Table(
                "All games",
                ["bot", "against", "games", "won %", "lost %", "drawn %", "X won %", "plies"],
                [_row(a, b, found[a, b]) for a, b in _MATCHES],
            ),
            _openings(found[_BALANCED, _DEFENSIVE]),
        ],
        [
            Plot(
                "results",
                "Results of the first bot",
                "stacked",
                "% of games",
                "",
                results([found[pair] for pair in _MATCHES]),
                [f"{_short(a)} - {_short(b)}" for a, b in _MATCHES],
            )
        ],
    )


def _shares(games: Games) -> list[Estimate | None]:
    """Won, lost and drawn by the first bot, in percent."""
    return [_share(games, [game.a_points == points for game in games]) for points in (1.0, 0.0, 0.5)]


def _share(games: Games, true_of: Sequence[bool]) -> Estimate | None:
    return Estimate(100 * sum(true_of) / len(games)) if _all_played(games) else share(sum(true_of), len(games))


def _mean(games: Games, values: Sequence[float]) -> Estimate | None:
    return Estimate(sum(values) / len(values)) if _all_played(games) else average(values)


def _all_played(games: Games) -> bool:
    """Whether these are all the games that there are, each from the first move that the task sets."""
    return bool(games[0].task.start)


def _dominates(games: Games, whom: str) -> Figure:
    """A program that dominates wins more than the share of which the report says that it does not completely."""
    ours = _shares(games)[0]
    dominates = ours is not None and (ours.value if ours.low is None else ours.low) > SHARE
    return Figure(
        f"won against {whom}",
        "dominates",
        ours,
        "%",
        _all_played(games),
        agrees=dominates,
        note=""
        if dominates
        else f"{_told(games)}. The report says of {SHARE} % that this is not complete, so it means more. Of equal "
        "moves and blocks another choice makes other games.",
    )


def _drawn(games: Games, whom: str) -> Figure:
    return Figure(f"drawn against {whom}", "", _shares(games)[2], "%", _all_played(games))


def _against_defensive(games: Games) -> Figure:
    low, high = (100 * bound for bound in wilson(SHARE * GAMES / 100, GAMES))
    ours, lost, drawn = _shares(games)
    note = (
        f"The rest: {_percent(lost)} lost, {_percent(drawn)} drawn. Of 70 in 100 games chance makes {low:.1f} to "
        f"{high:.1f} %; which first moves are the best and who begins is left open."
    )
    return compared("won against defensive at 2 plies", f"{SHARE} %", ours, low, high, "%", exact=True, note=note)


def _against_itself(games: Games) -> list[Figure]:
    drawn = _part(games, None)
    half = Estimate((100 - drawn.value) / 2)
    forks = sum(examples.threes(examples.moves(game)) > 0 for game in games)
    what = "lost by each against itself, taking turns to begin"
    figures = [compared(what, "half of the time", half, 40, 60, "%", exact=True)]
    for loser, winner in ((X, O), (O, X)):
        figures.append(
            compared(
                f"lost by {loser.upper()} against itself",
                "half of the time",
                _part(games, winner),
                40,
                60,
                "%",
                exact=True,
                otherwise=f"X won {_percent(_part(games, X))}, {_percent(drawn)} were drawn: by sides, what is not "
                "near a half hangs on the first move alone.",
            )
        )
    by_fork = Estimate(100 * forks / len(games))
    figures.append(Figure("games against itself won by a fork", "due to forks", by_fork, "%", True, agrees=forks > 0))
    return figures


def _part(games: Games, winner: Side | None) -> Estimate:
    """The share that a side won, or that was drawn."""
    return Estimate(100 * sum(game.record.winner == winner for game in games) / len(games))


def _openings(games: Games) -> Table:
    """Results against defensive, by what the report leaves open: which first moves are best, and who begins."""
    readings = {
        "all": games,
        "corners alone are best": [game for game in games if _is_corner(game.task.start[0])],
        "centre cells alone are best": [game for game in games if not _is_corner(game.task.start[0])],
        "it always begins": [game for game in games if game.task.a_side == X],
        "the other always begins": [game for game in games if game.task.a_side == O],
    }
    rows: list[list[Cell]] = [[what, len(some), *_shares(some)] for what, some in readings.items()]
    return Table(
        "3 plies against defensive 2, by what is left open", ["games", "number", "won %", "lost %", "drawn %"], rows
    )


def _is_corner(cell: int) -> bool:
    return all(place in (0, 3) for place in (cell % 4, cell // 4 % 4, cell // 16))


def _row(a: str, b: str, games: Games) -> list[Cell]:
    x_won = _share(games, [game.record.winner == X for game in games])
    plies = _mean(games, [float(len(game.record.cells())) for game in games])
    return [f"`{a}`", f"`{b}`", len(games), *_shares(games), x_won, plies]


def _styles(found: dict[tuple[str, str], Games]) -> Section:
    """The crosstable: the share of the points that the row's style makes against the column's."""
    rows: list[list[Cell]] = []
    totals: dict[str, float] = {}
    for row in STYLES:
        cells: list[Cell] = []
        all_points: list[float] = []
        for column in STYLES:
            made = points(found, row, column) if row != column else []
            cells.append(Estimate(sum(made) / len(made)) if made else "")
            all_points += made
        totals[row] = sum(all_points) / len(all_points)
        rows.append([row, *cells, Estimate(totals[row])])
    return Section(
        "The four styles against each other",
        [
            "All at 3 plies. The report gives no formula of aggressive and of switching, so their rows are "
            "those of our reading: aggressive mirrors defensive, switching is defensive while it is behind."
        ],
        [_of_style(style, totals) for style in STYLES],
        tables=[Table("Points of the row against the column, in %", ["style", *_heads(STYLES), "all %"], rows)],
        plots=[
            Plot(
                "styles",
                "The styles at 3 plies, results of the first",
                "stacked",
                "% of games",
                "",
                results(list(found.values())),
                [f"{a} - {b}" for a, b in found],
            )
        ],
    )


def _of_style(style: str, totals: dict[str, float]) -> Figure:
    """The report says that the balanced style wins the most of all types tried."""
    what, ours = f"points of {style} against the other styles", Estimate(totals[style])
    if style != "balanced":
        return Figure(what, "", ours, "%", exact=True)
    return Figure(
        what,
        "the most",
        ours,
        "%",
        exact=True,
        agrees=totals[style] == max(totals.values()),
        note="Two of the formulas are ours, and the report does not say against whom its types played.",
    )


def _heads(styles: Sequence[str]) -> list[str]:
    return [f"{style} %" for style in styles]


def _value(estimate: Estimate | None) -> float:
    return estimate.value if estimate else 0.0


def _percent(estimate: Estimate | None) -> str:
    return f"{_value(estimate):.1f} %"


def _told(games: Games) -> str:
    won_, lost, drawn = _shares(games)
    return f"{_percent(won_)} won, {_percent(lost)} lost, {_percent(drawn)} drawn"


def _short(name: str) -> str:
    return name.removeprefix("depth3:")


def _times(found: dict[tuple[str, str], Games]) -> Section:
    rows: list[list[Cell]] = []
    for name in (_BALANCED, _AT_2, _DEFENSIVE, *(f"depth3:{style},3" for style in STYLES[1:])):
        games = [game for pair, played in found.items() if name in pair for game in played]
        rows.append([f"`{name}`", move_ms(games, name), max(_all_ms(games, name), default=None)])
    games = [game for (a, b), played in found.items() if _BALANCED in (a, b) for game in played]
    slowest = max(_all_ms(games, _BALANCED), default=0.0)
    return Section(
        "Times",
        [
            "The report wishes for progressive deepening, heuristic pruning, the cube's 24 symmetries, a transposition "
            "table and a better order of moves. `alphabeta` deepens and orders its moves; from `level:4` on the levels "
            "have a table too, whose key is the least over the board's symmetries, 192 on Qubic, in the opening. "
            "`strongest` has a table as well, and of first moves that are alike it tries one. Heuristic pruning at the "
            "root no bot has; what it would save is measured above."
        ],
        [
            Figure(
                "ms of the slowest move at 3 plies",
                "up to 5,000",
                Estimate(slowest),
                "ms",
                note="Of all moves in the games above; compiled kernels, and moves that the rule makes take no search.",
            )
        ],
        [Table("Times of a move", ["bot", "ms a move", "slowest, ms"], rows)],
        timed=True,
    )


def _all_ms(games: Games, name: str) -> list[float]:
    return [us / 1000 for game in games for us in times_us(game, name)]
