"""What alpha-beta saves Bragstad's bots, and how long they think."""

from __future__ import annotations

from typing import Any, Final

from client.lab.experiments.bragstad.tables import ALPHABETA, MINIMAX, RANDOM, ROWS, THREE, Pair, Row
from client.lab.experiments.estimates import average, compared, ratio, series
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import Lab, Measured, a_move, gain, measured, node_count, of_cut, unless_random
from engine.bots.literature import bragstad
from engine.bots.literature.answer import depth_of
from engine.bots.match import Played, Task, Watches
from engine.bots.player import NO_LIMIT
from engine.rules.position import O, Position, Side, X
from engine.search.fixed import Cut

SAVED: Final = {5: 6.1, 9: 27.6}
"""Minimax's time a move to alpha-beta's, by his plies: 0.02587 s to 0.00423, and 1.15218 s to 0.04169."""
_SAVING_PLIES: Final = range(5, 10)
_SAVING_GAMES: Final = 200
"""Most games for each number of plies and side: the ratios of nodes hardly differ from game to game."""
_HIS_SIDE: Final = {5: O, 9: X}
"""The side that searches, by plies, in the tables that have both programs at these plies."""
Saving = tuple[int, Side]
"""Plies, and the side that searches."""


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched with minimax and with alpha-beta."""
    return measured(task, watches, (Cut.NONE, Cut.LOOSE), unless_random(_searched))


def _searched(position: Position, values: tuple[Any, ...], cut: Cut) -> Any:
    return bragstad.searched(position, depth_of(position, values[0], NO_LIMIT), cut)


def groups(lab: Lab) -> dict[Saving, list[Task]]:
    games = min(lab.games, _SAVING_GAMES)
    return {
        (ply, side): lab.fixed(THREE, *((name, RANDOM) if side == X else (RANDOM, name)), games)
        for ply in _SAVING_PLIES
        for side in (X, O)
        for name in (f"{ALPHABETA}:{ply}",)
    }


def section(savings: dict[Saving, list[Measured]]) -> Section:
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
    for ply in SAVED:
        nodes = a_move(of_cut(savings[ply, O], Cut.LOOSE), node_count)
        figures.append(Figure(f"alpha-beta's nodes a move, {ply} plies, as O against random", "", nodes))
    return Section(
        "What alpha-beta saves",
        [
            f"The same positions of {min(map(len, savings.values()))} games against random each, searched by both; "
            "both chose the same move everywhere, which was checked. He compares times a move, from about 6 times at 5 "
            "plies (his bot as O) to 28 at 9 (as X); in his words about ten times, at 5."
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


def times_section(games: dict[Pair, list[Played]], savings: dict[Saving, list[Measured]]) -> Section:
    gains = [_time_gain(ply, author, savings[ply, _HIS_SIDE[ply]]) for ply, author in SAVED.items()]
    return Section(
        "Times",
        [
            "The time of a game is that of all its moves, and that of a move all that the bot does for it; of minimax "
            "and alpha-beta beside each other, that of the search alone. He prints seconds with five digits, so his 0 "
            "is less than 0.005 ms. His times are of another machine and an interpreter: only their ratios can be "
            "compared with ours.",
        ],
        [*(figure for row in ROWS for figure in _row_times(row, games[row.pair])), _nine(savings[9, X]), *gains],
        timed=True,
    )


def _row_times(row: Row, games: list[Played]) -> list[Figure]:
    game = average([sum(one.think_us) / 1000 for one in games])
    found = (("a game", row.game_s, game), *(_move_time(row, games, side) for side in (X, O)))
    return [Figure(f"{row.name}: ms of {what}", f"{1000 * his_s:g}", ours, "ms") for what, his_s, ours in found]


def _move_time(row: Row, games: list[Played], side: Side) -> tuple[str, float, Estimate | None]:
    return f"a move of {side.upper()}", row.move_s[0 if side == X else 1], _side_ms(games, side)


def _nine(games: list[Measured]) -> Figure:
    ms = a_move(of_cut(games, Cut.NONE), lambda search: search.us / 1000)
    nodes = a_move(of_cut(games, Cut.NONE), node_count)
    assert ms is not None
    assert nodes is not None
    (his_s,) = (row.move_s[0] for row in ROWS if row.pair == (THREE, f"{MINIMAX}:9", RANDOM))
    his, ours = nodes.value / his_s, nodes.value / (ms.value / 1000)
    return Figure(
        "ms of a move, minimax:9 as X against random",
        f"{1000 * his_s:,.0f}",
        ms,
        "ms",
        note=f"Interpreted against compiled: with our positions a move his are {his:,.0f} a second, ours {ours:,.0f}.",
    )


def _time_gain(ply: int, author: float, games: list[Measured]) -> Figure:
    times, nodes = gain(games, lambda search: search.us), gain(games, node_count)
    assert times is not None
    assert nodes is not None
    if times.value < nodes.value:
        note = (
            "Calling a search takes the same time with and without cuts, so that the ratio of times falls behind that "
            "of nodes."
        )
    else:
        note = "A position costs minimax more time than it costs alpha-beta here, so the ratio exceeds that of nodes."
    what = f"minimax's time a move to alpha-beta's, {ply} plies, as {_HIS_SIDE[ply].upper()}"
    return compared(what, str(author), times, author, author, otherwise=note)


def _side_ms(games: list[Played], side: Side) -> Estimate | None:
    """The time of a move of a side, in milliseconds."""
    moves = [game.think_us[0 if side == X else 1 :: 2] for game in games]
    return ratio((sum(times) / 1000, len(times)) for times in moves)
