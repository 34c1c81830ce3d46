"""The experiments of the report on depth3, and its four styles against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from client.lab.experiments.estimates import average, compared, share
from client.lab.experiments.experiment import Experiment
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Table
from client.lab.experiments.lab import RANDOM, Lab, by_bot, by_side, move_ms, points, results, times_us, won
from engine.bots.match import Played, Task
from engine.rules.position import O, X
from engine.stats.score import wilson

STYLES: Final = ("balanced", "aggressive", "defensive", "switching")
GAMES: Final = 100
"""Of each of the report's experiments."""
SHARE: Final = 70
"""Percent won against the defensive style."""

_BALANCED: Final = "depth3:balanced,3"
_AT_2: Final = "depth3:balanced,2"
_DEFENSIVE: Final = "depth3:defensive,2"
_OTHER: Final = "alphabeta:2"

_READINGS: Final = {_AT_2: "both at 2 plies", _BALANCED: "3 plies against 2"}
_MATCHES: Final = (
    (_BALANCED, RANDOM),
    (_BALANCED, _AT_2),
    (_BALANCED, _OTHER),
    (_AT_2, _DEFENSIVE),
    (_BALANCED, _DEFENSIVE),
    (_BALANCED, _BALANCED),
)
Games = list[Played]


def run(lab: Lab) -> list[Section]:
    names = {style: f"depth3:{style},3" for style in STYLES}
    pairs = [*_MATCHES, *((names[a], names[b]) for a, b in combinations(STYLES, 2))]
    groups: dict[tuple[str, str], list[Task]] = {(a, b): lab.swapped("qubic", a, b) for a, b in pairs}
    found = lab.play("games", groups)
    return [
        _figures(found),
        _styles({(a, b): found[names[a], names[b]] for a, b in combinations(STYLES, 2)}),
        _times(found),
    ]


EXPERIMENT: Final = Experiment(
    "depth3", "alpha-beta with open lines for Qubic", "Boston University, CS640 report, 2019", 500, run
)


def _figures(found: dict[tuple[str, str], Games]) -> Section:
    defensive = _against_defensive(found)
    return Section(
        "Its experiments",
        [
            "Each of two bots moves first in every second game. The first move of each is drawn from the best cells, "
            "so that no two games need be the same.",
            _told_of_defensive(defensive),
        ],
        [
            _dominates(found[_BALANCED, RANDOM], "random"),
            _dominates(found[_BALANCED, _AT_2], "itself at 2 plies"),
            _dominates(found[_BALANCED, _OTHER], "`alphabeta:2`, another program of 2 plies"),
            *defensive,
            *_against_itself(found[_BALANCED, _BALANCED]),
        ],
        [
            Table(
                "All games",
                ["bot", "against", "games", "won %", "lost %", "drawn %", "X won %", "plies"],
                [_row(a, b, found[a, b]) for a, b in _MATCHES],
            )
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


def _dominates(games: Games, whom: str) -> Figure:
    """A program that dominates wins far more than half."""
    ours = by_bot(games)[0]
    dominates = ours is not None and (ours.low or 0) > 50
    return Figure(
        f"won against {whom}",
        "dominates",
        ours,
        "%",
        agrees=dominates,
        note="" if dominates else f"It does not: {_told(games)}.",
    )


def _against_defensive(found: dict[tuple[str, str], Games]) -> list[Figure]:
    low, high = (100 * bound for bound in wilson(SHARE * GAMES / 100, GAMES))
    figures = []
    for name, reading in _READINGS.items():
        games = found[name, _DEFENSIVE]
        ours, lost, drawn = by_bot(games)
        mostly = _value(drawn) > _value(lost)
        note = f"The rest: {_percent(lost)} lost, {_percent(drawn)} drawn; " + (
            "mostly draws, as the report says." if mostly else 'the report says "mostly draws".'
        )
        what = f"won against defensive, {reading}"
        figures.append(compared(what, f"{SHARE} %", ours, low, high, "%", note=note))
    return figures


def _told_of_defensive(figures: Sequence[Figure]) -> str:
    """What comes of the two readings of the report's "defensive at 2 plies"."""
    told = 'That it plays "defensive at 2 plies" may mean that both look 2 plies ahead or that the other does; '
    agreeing = sum(figure.agrees is True for figure in figures)
    if agreeing:
        return told + (
            "both readings agree with the report." if agreeing > 1 else "one of them agrees with the report."
        )
    values = [figure.ours.value for figure in figures if figure.ours]
    if min(values) < SHARE < max(values):
        told += "the report's share lies between those of the two readings. "
    else:
        told += "neither has the report's share. "
    return told + (
        "Which of several blocks and of equal moves is played is not in the report, and each such choice changes every "
        "game."
    )


def _against_itself(games: Games) -> list[Figure]:
    figures = []
    for loser, winner in ((X, O), (O, X)):
        lost = share(won(games, winner), len(games))
        drawn = share(won(games, None), len(games))
        figures.append(
            compared(
                f"lost by {loser.upper()} against itself",
                "about half",
                lost,
                40,
                60,
                "%",
                otherwise=f"X won {_percent(share(won(games, X), len(games)))}, {_percent(drawn)} were "
                "drawn: what is not near a half is the first player's advantage, or draws.",
            )
        )
    return figures


def _row(a: str, b: str, games: Games) -> list[Cell]:
    plies = average([float(len(game.record.cells())) for game in games])
    return [f"`{a}`", f"`{b}`", len(games), *by_bot(games), by_side(games)[0], plies]


def _styles(found: dict[tuple[str, str], Games]) -> Section:
    """The crosstable: the share of the points that the row's style makes against the column's."""
    rows: list[list[Cell]] = []
    for row in STYLES:
        cells: list[Cell] = []
        all_points: list[float] = []
        for column in STYLES:
            made = points(found, row, column) if row != column else []
            cells.append(average(made) if made else "")
            all_points += made
        rows.append([row, *cells, average(all_points)])
    return Section(
        "The four styles against each other",
        [
            "All at 3 plies. Aggressive and switching are named in the report and not described, so their rows are "
            "those of our reading: aggressive mirrors defensive, switching is defensive while it is behind."
        ],
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


def _heads(styles: Sequence[str]) -> list[str]:
    return [f"{style} %" for style in styles]


def _value(estimate: Estimate | None) -> float:
    return estimate.value if estimate else 0.0


def _percent(estimate: Estimate | None) -> str:
    return f"{_value(estimate):.1f} %"


def _told(games: Games) -> str:
    won_, lost, drawn = by_bot(games)
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
            "The report asks for deepening, symmetries, a table and better ordering to go deeper in its time; "
            "`alphabeta` and the levels have them. Its program as described needs none of them here."
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
