"""Bragstad's thirteen tables and six averages, on 3 x 3 computed over the whole tree too, and what alpha-beta saves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from client.lab.experiments.estimates import average, compared, meets, ratio, series
from client.lab.experiments.experiment import Experiment
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import (
    RANDOM,
    Lab,
    Measured,
    Searcher,
    a_move,
    by_side,
    gain,
    measured,
    mover,
    node_count,
    of_cut,
)
from engine.bots.literature import bragstad
from engine.bots.literature.answer import depth_of, first
from engine.bots.match import Played, Task, Watches
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition
from engine.rules.position import Move, O, Position, Side, X
from engine.rules.registry import rules
from engine.search.fixed import Cut
from engine.stats.exact import Ends, Policy, always, average_plies, ends, mixed, uniform, winners
from engine.stats.score import wilson

Pair = tuple[str, str, str]
"""Game, X and O."""
SIDES: Final[tuple[Side | None, ...]] = (X, O, None)
SAID: Final = {X: "X wins", O: "O wins", None: "ties"}
_THREE: Final = "tictactoe"
_SQUARES: Final = {_THREE: "3x3", "mnk:4,4,4": "4x4", "mnk:5,5,5": "5x5"}
_MINIMAX: Final = "bragstad-minimax"
_ALPHABETA: Final = "bragstad-alphabeta"
_VARIABLE: Final = "bragstad-variable"


@dataclass(frozen=True, slots=True)
class Row:
    """One of his tables."""

    pair: Pair
    percent: tuple[int, int, int]
    """X wins, O wins, ties."""
    games: int = 100
    again: str = ""
    """Tells his second table of the same two from the first."""

    @property
    def name(self) -> str:
        game, x, o = self.pair
        return f"{_SQUARES[game]}, {_short(x)} - {_short(o)}{self.again}"


ROWS: Final = (
    Row((_THREE, RANDOM, RANDOM), (56, 28, 16)),
    Row((_THREE, RANDOM, RANDOM), (58, 23, 19), again=" (again)"),
    Row((_THREE, _VARIABLE, RANDOM), (95, 4, 1)),
    Row((_THREE, RANDOM, f"{_MINIMAX}:5"), (11, 77, 12)),
    Row((_THREE, RANDOM, f"{_ALPHABETA}:5"), (11, 78, 11)),
    Row((_THREE, RANDOM, f"{_ALPHABETA}:10"), (0, 82, 18)),
    Row((_THREE, f"{_MINIMAX}:9", RANDOM), (100, 0, 0)),
    Row((_THREE, f"{_ALPHABETA}:9", RANDOM), (98, 0, 2)),
    Row(("mnk:4,4,4", f"{_MINIMAX}:3", RANDOM), (77, 0, 23)),
    Row(("mnk:4,4,4", f"{_ALPHABETA}:3", RANDOM), (79, 2, 19)),
    Row(("mnk:5,5,5", f"{_ALPHABETA}:3", RANDOM), (79, 0, 21)),
    Row((_THREE, f"{_MINIMAX}:9", f"{_ALPHABETA}:9"), (0, 0, 100), games=10),
    Row((_THREE, f"{_MINIMAX}:3", f"{_ALPHABETA}:3"), (100, 0, 0), games=10),
)
PAIRS: Final = tuple(dict.fromkeys(row.pair for row in ROWS))
NINE_MS: Final = 1_150
"""Of a move of his minimax at 9 plies."""
SAVED: Final = {5: 6, 9: 27}
"""For plies of his, minimax's time a move to alpha-beta's."""
_SAVING_PLIES: Final = range(5, 10)
_SAVING_GAMES: Final = 200
"""For each number of plies and side, at most: the ratios of nodes hardly differ from game to game."""


def run(lab: Lab) -> list[Section]:
    exact = _exact_pairs(lab)
    games = lab.play("games of his tables", {pair: _tasks(lab, pair) for pair in PAIRS})
    savings = lab.measure("games against random, searched with and without cuts", _saving_groups(lab), play)
    return [_tables(exact, games), _averages(exact, games), _saving(savings), _times(games, savings)]


EXPERIMENT: Final = Experiment(
    "bragstad",
    "minimax and alpha-beta on n x n boards",
    "Bragstad 2023, github.com/Theobragstad/tictactoe",
    1000,
    run,
)


def _tasks(lab: Lab, pair: Pair) -> list[Task]:
    """As many games as are asked for; where nothing is left to chance, as many as he played."""
    drawn = RANDOM in pair
    return lab.fixed(*pair, games=None if drawn else min(row.games for row in ROWS if row.pair == pair))


def _short(name: str) -> str:
    return name.removeprefix("bragstad-")


# Whole trees.


def _exact_pairs(lab: Lab) -> dict[Pair, Ends]:
    """The chance of each end, for the pairs on 3 x 3."""
    found: dict[Pair, Ends] = {}
    pairs = [pair for pair in PAIRS if pair[0] == _THREE]
    with lab.step("whole trees of 3x3", len(pairs)) as step:
        for pair in pairs:
            _, x, o = pair
            found[pair] = ends(rules(_THREE).initial, policy(x), policy(o))
            step.advance()
    return found


def policy(name: str) -> Policy:
    """How a bot chooses, as chances."""
    if name == RANDOM:
        return uniform
    if name == _VARIABLE:
        return mixed(tuple(_searching(ply, Cut.NONE) for ply in range(1, bragstad.MOST_PLIES + 1)))
    values = dict(bot(name).parameters)
    return _searching(int(values["ply"]), Cut.NONE if bot(name).entry.family == _MINIMAX else Cut.LOOSE)


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
        figures,
        [_check(exact, games)],
        [_plot("x-wins", X, exact, games), _plot("ties", None, exact, games)],
    )


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
        f" His table of {_short(twin.pair[1])}, which chooses the same moves, has {twin.percent[SIDES.index(side)]} %."
        if twin
        else ""
    )
    if row.pair[0] == _THREE:
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
    swap = {_MINIMAX: _ALPHABETA, _ALPHABETA: _MINIMAX}
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
        rows.append([_SQUARES[game], f"{_short(x)} - {_short(o)}", len(found), *cells])
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


# His averages of moves; those of times are below.


def _averages(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Section:
    rows: list[list[Cell]] = []
    for pair, found in games.items():
        game, x, o = pair
        rows.append([_SQUARES[game], f"{_short(x)} - {_short(o)}", *_moves_cells(found, exact.get(pair))])
    head = ["board", "X - O"]
    head += [
        f"{what}, {how}"
        for what in ("X's moves to win", "O's moves to win", "moves to the end")
        for how in ("exact", "sampled")
    ]
    return Section(
        "His averages of moves",
        [
            "For each simulation he prints six averages: of the game's and of each side's move time (below, under "
            "times), of the winner's own moves to a win for each side, and of all moves to the end. The report's "
            "values are not at hand; these are ours. A dash stands where there is no such game."
        ],
        tables=[Table("Average moves", head, rows)],
    )


def _moves_cells(games: list[Played], exact: Ends | None) -> list[Cell]:
    cells: list[Cell] = []
    for side in (X, O):
        sampled = average([own_moves(len(game.record.cells()), side) for game in games if game.record.winner == side])
        plies = average_plies(exact, (side,)) if exact else None
        cells += [None if plies is None else own_moves(float(plies), side), sampled]
    plies = average_plies(exact) if exact else None
    cells += [None if plies is None else float(plies), average([float(len(game.record.cells())) for game in games])]
    return cells


def own_moves(plies: float, side: Side) -> float:
    """Moves of the winner, in a game of this many plies whose last move it made."""
    return (plies + 1) / 2 if side == X else plies / 2


# What alpha-beta saves.


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched with minimax and with alpha-beta."""
    return measured(task, watches, (Cut.NONE, Cut.LOOSE), _searcher)


def _searcher(task: Task, position: Position) -> Searcher | None:
    family, values = mover(task, position)
    if family == RANDOM:
        return None

    def search(position: Position, cut: Cut) -> Any:
        return bragstad.searched(position, depth_of(position, values[0], NO_LIMIT), cut)

    return search


Saving = tuple[int, Side]
"""Plies, and the side that searches."""


def _saving_groups(lab: Lab) -> dict[Saving, list[Task]]:
    games = min(lab.games, _SAVING_GAMES)
    return {
        (ply, side): lab.fixed(_THREE, *((name, RANDOM) if side == X else (RANDOM, name)), games)
        for ply in _SAVING_PLIES
        for side in (X, O)
        for name in (f"{_ALPHABETA}:{ply}",)
    }


_HIS_SIDE: Final = {5: O, 9: X}
"""In the tables that have both programs at these plies."""


def _saving(savings: dict[Saving, list[Measured]]) -> Section:
    rows: list[list[Cell]] = [
        [
            ply,
            side.upper(),
            a_move(of_cut(games, Cut.NONE), node_count),
            a_move(of_cut(games, Cut.LOOSE), node_count),
            gain(games, node_count),
        ]
        for (ply, side), games in savings.items()
    ]
    figures = []
    for ply, author in SAVED.items():
        side = _HIS_SIDE[ply]
        figures.append(
            compared(
                f"minimax's nodes to alpha-beta's, {ply} plies, as {side.upper()} against random",
                f"{author} (in time)",
                gain(savings[ply, side], node_count),
                author,
                author,
                otherwise="His are times a move and ours nodes: a node of alpha-beta costs no more than one of minimax,"
                " but each move also has a part that no cut saves. His tables of the two are of different games, ours "
                "are the same positions.",
            )
        )
    return Section(
        "What alpha-beta saves",
        [
            f"The same positions of {min(map(len, savings.values()))} games against random each, searched by both; "
            "both chose the same move everywhere, which was checked. He compares times a move, from about 6 times at 5 "
            "plies (his bot as O) to 27 at 9 (as X)."
        ],
        figures,
        [Table("Nodes of a move", ["plies", "side", "minimax", "alpha-beta", "ratio"], rows)],
        [
            Plot(
                "saving",
                "Minimax's nodes a move to alpha-beta's",
                "points",
                "plies",
                "times",
                [
                    *(
                        _saving_series(f"ours, as {side.upper()}", {ply: savings[ply, side] for ply in _SAVING_PLIES})
                        for side in (X, O)
                    ),
                    Series(
                        "he (time)",
                        [float(_SAVING_PLIES.index(ply)) for ply in SAVED],
                        [float(times) for times in SAVED.values()],
                    ),
                ],
                [str(ply) for ply in _SAVING_PLIES],
            )
        ],
    )


def _saving_series(name: str, by_ply: dict[int, list[Measured]]) -> Series:
    return series(name, [gain(games, node_count) for games in by_ply.values()])


# Times.


def _times(games: dict[Pair, list[Played]], savings: dict[Saving, list[Measured]]) -> Section:
    rows: list[list[Cell]] = []
    for (game, x, o), found in games.items():
        total = average([sum(one.think_us) / 1000 for one in found])
        rows.append([_SQUARES[game], f"{_short(x)} - {_short(o)}", total, _side_ms(found, X), _side_ms(found, O)])
    gains = [_time_gain(ply, author, savings[ply, _HIS_SIDE[ply]]) for ply, author in SAVED.items()]
    return Section(
        "Times",
        ["In the table a move's time is that of all that the bot does, in the figures that of the search alone."],
        [_nine(savings[9, X]), *gains],
        [Table("Averages of times", ["board", "X - O", "game, ms", "X's move, ms", "O's move, ms"], rows)],
        timed=True,
    )


def _nine(games: list[Measured]) -> Figure:
    ms = a_move(of_cut(games, Cut.NONE), lambda search: search.us / 1000)
    nodes = a_move(of_cut(games, Cut.NONE), node_count)
    assert ms is not None
    assert nodes is not None
    his, ours = nodes.value / (NINE_MS / 1000), nodes.value / (ms.value / 1000)
    return Figure(
        "ms of a move, minimax:9 as X against random",
        f"{NINE_MS:,}",
        ms,
        "ms",
        note=f"Interpreted against compiled: with our positions a move his are {his:,.0f} a second, ours {ours:,.0f}.",
    )


def _time_gain(ply: int, author: int, games: list[Measured]) -> Figure:
    times, nodes = gain(games, lambda search: search.us), gain(games, node_count)
    assert times is not None
    assert nodes is not None
    if times.value < nodes.value:
        note = (
            "A small search ends in less time than it takes to call it, which is the same for both, so that the ratio "
            "of times falls behind that of nodes."
        )
    else:
        note = "A position costs minimax more time than it costs alpha-beta here, so the ratio exceeds that of nodes."
    what = f"minimax's time a move to alpha-beta's, {ply} plies, as {_HIS_SIDE[ply].upper()}"
    return compared(what, str(author), times, author, author, otherwise=note)


def _side_ms(games: list[Played], side: Side) -> Estimate | None:
    """The time of a move of a side, in milliseconds."""
    moves = [game.think_us[0 if side == X else 1 :: 2] for game in games]
    return ratio((sum(times) / 1000, len(times)) for times in moves)
