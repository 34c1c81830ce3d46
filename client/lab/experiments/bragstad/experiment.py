"""Bragstad's thirteen tables, on 3 x 3 also by the whole tree, and the readings of his description that were tried."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from client.lab.experiments.bragstad import averages, costs
from client.lab.experiments.bragstad.averages import own_moves
from client.lab.experiments.bragstad.readings import DESCRIBED, READINGS, Reading, log_likelihood, pairing, played
from client.lab.experiments.bragstad.tables import (
    ALPHABETA,
    MINIMAX,
    RANDOM,
    ROWS,
    THREE,
    VARIABLE,
    Pair,
    Row,
    short,
    square,
    x_moves_recounted,
)
from client.lab.experiments.estimates import compared, meets, series
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Table
from client.lab.experiments.lab import Lab, by_side
from engine.bots.literature import bragstad
from engine.bots.literature.answer import depth_of, first
from engine.bots.match import Played, Task
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition
from engine.rules.position import Move, O, Position, Side, X
from engine.rules.registry import rules
from engine.search.fixed import Cut
from engine.stats.exact import Ends, Policy, always, average_plies, ends, mixed, uniform, winners
from engine.stats.score import wilson

SIDES: Final[tuple[Side | None, ...]] = (X, O, None)
SAID: Final = {X: "X wins", O: "O wins", None: "ties"}
PAIRS: Final = tuple(dict.fromkeys(row.pair for row in ROWS))


def run(lab: Lab) -> list[Section]:
    exact = _exact_pairs(lab)
    games = lab.play("games of his tables", {pair: _tasks(lab, pair) for pair in PAIRS})
    savings = lab.measure("games against random, searched with and without cuts", costs.groups(lab), costs.play)
    return [
        _tables(exact, games),
        averages.section(exact, games),
        averages.reckoned_section(),
        _readings(lab),
        costs.section(savings),
        costs.times_section(games, savings),
    ]


def _tasks(lab: Lab, pair: Pair) -> list[Task]:
    """As many games as are asked for; where nothing is left to chance, as many as he played."""
    drawn = RANDOM in pair
    return lab.fixed(*pair, games=None if drawn else min(row.games for row in ROWS if row.pair == pair))


# Whole trees.


def _exact_pairs(lab: Lab) -> dict[Pair, Ends]:
    """The chance of each end, for the pairs on 3 x 3."""
    found: dict[Pair, Ends] = {}
    pairs = [pair for pair in PAIRS if pair[0] == THREE]
    with lab.step("whole trees of 3x3", len(pairs)) as step:
        for pair in pairs:
            _, x, o = pair
            found[pair] = ends(rules(THREE).initial, policy(x), policy(o))
            step.advance()
    return found


def policy(name: str) -> Policy:
    """How a bot chooses, as chances."""
    if name == RANDOM:
        return uniform
    if name == VARIABLE:
        return mixed(tuple(_searching(ply, Cut.NONE) for ply in range(1, bragstad.MOST_PLIES + 1)))
    values = dict(bot(name).parameters)
    return _searching(int(values["ply"]), Cut.NONE if bot(name).entry.family == MINIMAX else Cut.LOOSE)


def _searching(ply: int, cut: Cut) -> Policy:
    def choose(position: Position) -> Move:
        assert isinstance(position, FlatPosition)
        return _move(position, depth_of(position, ply, NO_LIMIT), cut)

    return always(choose)


@cache
def _move(position: FlatPosition, depth: int, cut: Cut) -> Move:
    found = bragstad.searched(position, depth, cut)
    index = first(found)
    assert index is not None
    return found.moves[index]


def _percent(chances: Ends) -> tuple[float, float, float]:
    by_winner = winners(chances)
    return tuple(float(100 * by_winner[side]) for side in SIDES)  # type: ignore[return-value]


# His tables.


def _tables(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Section:
    figures = [figure for row in ROWS for figure in _row_figures(row, exact, games)]
    differ = sum(figure.agrees is False for figure in figures)
    return Section(
        "His thirteen tables",
        [
            "Each side's and the ties' share of the games, X moving first. On 3x3 ours are computed over the whole "
            "tree with fractions; larger boards are sampled. A figure of his agrees if the interval that chance gives "
            f"it in the number of his games meets ours: {len(figures) - differ} of {len(figures)} do.",
            _covering(exact, games),
        ],
        [*figures, _first_player()],
        [_check(exact, games)],
        [_plot("x-wins", X, exact, games), _plot("ties", None, exact, games)],
    )


def _first_player() -> Figure:
    """Minimax against alpha-beta with as many plies, too few to see the whole tree: does X win, as he says?"""
    start = rules(THREE).initial
    by_ply = {ply: ends(start, policy(f"{MINIMAX}:{ply}"), policy(f"{ALPHABETA}:{ply}")) for ply in range(1, 9)}
    won = [ply for ply, found in by_ply.items() if winners(found)[X] == 1]
    tied = [ply for ply, found in by_ply.items() if winners(found)[None] == 1]
    assert len(won) + len(tied) == len(by_ply)
    return Figure(
        "numbers of plies from 1 to 8 with which X wins, minimax - alphabeta",
        "all; 3 is shown",
        Estimate(float(len(won))),
        exact=True,
        agrees=not tied,
        note=f"X wins with {_listed(won)} plies; with {_listed(tied)} they do not see the whole tree and tie all the "
        "same.",
    )


def _listed(numbers: Sequence[int]) -> str:
    return " and ".join(", ".join(map(str, numbers)).rsplit(", ", 1))


def _row_figures(row: Row, exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> list[Figure]:
    ours = _ours(row.pair, exact, games)
    found = []
    for side, percent, one in zip(SIDES, row.percent, ours, strict=True):
        low, high = _chance(percent, row.games)
        found.append(
            compared(
                f"{row.name}: {SAID[side]}",
                f"{percent} % of {row.games} ({low:.1f} to {high:.1f})",
                one,
                low,
                high,
                "%",
                exact=row.pair in exact,
                otherwise=_why(row, side, percent, one),
            )
        )
    return found


def _ours(pair: Pair, exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> tuple[Estimate | None, ...]:
    if pair in exact:
        return tuple(Estimate(percent) for percent in _percent(exact[pair]))
    return by_side(games[pair])


def _chance(percent: float, games: int) -> tuple[float, float]:
    low, high = wilson(percent * games / 100, games)
    return 100 * low, 100 * high


def _why(row: Row, side: Side | None, percent: int, ours: Estimate | None) -> str:
    if ours is None:
        return "No games."
    more = "more" if percent > ours.value else "less"
    twin = _twin(row)
    told = (
        f" His table of {short(twin.pair[1])}, which chooses the same moves, has {twin.percent[SIDES.index(side)]} %."
        if twin
        else ""
    )
    if row.pair[0] == THREE:
        return (
            f"He saw {more} than the whole tree gives.{told} Of so many comparisons at 95 % about one in twenty misses "
            "by chance."
        )
    return (
        f"He saw {more} than we do.{told} On larger boards few moves of 3 plies lead to a win or a loss in sight, and "
        "then the first move in the order of the cells is played: what stands there decides these games."
    )


def _twin(row: Row) -> Row | None:
    """His table of the same game with the other of minimax and alpha-beta, which play alike."""
    game, x, o = row.pair
    swap = {MINIMAX: ALPHABETA, ALPHABETA: MINIMAX}
    family, _, ply = x.partition(":")
    if family not in swap:
        return None
    other = (game, f"{swap[family]}:{ply}", o)
    return next((one for one in ROWS if one.pair == other), None)


def _covering(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> str:
    covered = [
        meets(sampled, value, value)
        for pair in exact
        if RANDOM in pair
        for sampled, value in zip(by_side(games[pair]), _percent(exact[pair]), strict=True)
    ]
    return (
        f"Sampling checks the computing: of {len(covered)} sampled shares that leave something to chance, the 95 % "
        f"intervals of {sum(map(bool, covered))} cover the exact value, and of {len(covered)} about "
        f"{0.95 * len(covered):.0f} should."
    )


def _check(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Table:
    rows: list[list[Cell]] = []
    for pair, found in games.items():
        game, x, o = pair
        computed: tuple[float | None, ...] = _percent(exact[pair]) if pair in exact else (None,) * 3
        cells = [cell for both in zip(computed, by_side(found), strict=True) for cell in both]
        rows.append([square(game), f"{short(x)} - {short(o)}", len(found), *cells])
    head = ["board", "X - O", "games"]
    head += [f"{SAID[side]}, {how} %" for side in SIDES for how in ("exact", "sampled")]
    return Table("Computed and sampled", head, rows)


def _plot(name: str, side: Side | None, exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Plot:
    index = SIDES.index(side)
    his = [Estimate(row.percent[index], *_chance(row.percent[index], row.games)) for row in ROWS]
    ours = [by_side(games[row.pair])[index] for row in ROWS]
    computed = [Estimate(_percent(exact[row.pair])[index]) if row.pair in exact else None for row in ROWS]
    return Plot(
        name,
        f"{SAID[side]}: his tables, ours, and the whole tree",
        "points",
        "",
        "% of games",
        [series("he", his), series("we, sampled", ours), series("whole tree", computed)],
        [row.name for row in ROWS],
    )


# Other readings of his description.


def _readings(lab: Lab) -> Section:
    rows: list[list[Cell]] = [_his_reading_row()]
    likeliest = 0.0
    with lab.step("readings of his description on 3x3", len(READINGS)) as step:
        for reading in READINGS:
            found = played(reading)
            if reading == DESCRIBED:
                likeliest = log_likelihood(found, recounted=True)
            rows.append(_reading_row(reading, found, likeliest))
            step.advance()
    return Section(
        "The readings tried",
        [
            "Each reading is one way to understand his description, computed over the whole tree in plain Python. The "
            "first is his text to the letter, and our bots: a call at depth 0 tests for a win of the other, then of "
            "its own, then for a tie; it goes on to each move in turn while the depth is below the number of plies, "
            "and else a move scores 0; so wins are tested down to as many plies below the root. The first of equal "
            "moves is played, by minimax and by alpha-beta.",
            "The fit is the likelihood of all his figures of 3x3 (wins, ties, moves to win, and so moves to the end) "
            "as a power of ten, against that of the first reading with X's moves recounted. A reading that cannot "
            "give one of his figures at all is impossible. With X's moves as he prints them, no reading comes near: "
            "the best is two million times less likely. So the average is what is wrong, and no reading.",
            "Some others fit as well as the first, within a factor of three: a root that counts as a ply (each bot of "
            "N plies is then ours of N - 1), a leaf worth a half either way or as much as a win, and the last of equal "
            "moves, which on this board is the first one turned round. It is his text that speaks against them: his "
            "figures cannot tell.",
        ],
        tables=[
            Table(
                "3x3, X wins / O wins / ties in %",
                [
                    "reading",
                    "random - 5",
                    "X's moves to win",
                    "random - 10",
                    "9 - random",
                    "variable - random",
                    "9 - 9",
                    "3 - 3",
                    "fit",
                    "fit, as printed",
                ],
                rows,
            )
        ],
    )


_PAIRINGS: Final = (*((RANDOM, "5"), (RANDOM, "10"), ("9", RANDOM), (VARIABLE, RANDOM), ("9", "9"), ("3", "3")),)


def _his_reading_row() -> list[Cell]:
    five = [row for row in ROWS if row.pair[2] in (f"{MINIMAX}:5", f"{ALPHABETA}:5")]
    moves = " and ".join(f"{x_moves_recounted(row) / row.ended[0]:.2f}" for row in five)
    shown = [
        " and ".join("/".join(map(str, row.percent)) for row in ROWS if row.pair[0] == THREE and pairing(row) == pair)
        for pair in _PAIRINGS
    ]
    return ["he", shown[0], f"{moves}, recounted", *shown[1:], None, None]


def _reading_row(reading: Reading, found: Mapping[tuple[str, str], Ends], likeliest: float) -> list[Cell]:
    shown = ["/".join(f"{percent:.1f}" for percent in _percent(found[pair])) for pair in _PAIRINGS]
    plies = average_plies(found[RANDOM, "5"], (X,))
    moves = None if plies is None else round(own_moves(float(plies), X), 2)
    fits = [_fit(log_likelihood(found, recounted) - likeliest) for recounted in (True, False)]
    return [reading.what, shown[0], moves, *shown[1:], *fits]


def _fit(power: float) -> Cell:
    return "impossible" if math.isinf(power) else round(power, 1) + 0.0
