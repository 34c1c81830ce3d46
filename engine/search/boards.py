"""Makes the board of a kernel from a position. Tables are made once for each game and evaluation."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from engine.kernels import flat, nested, weighted
from engine.kernels.flat import FlatBoard, FlatTables
from engine.kernels.nested import NestedBoard
from engine.kernels.weighted import WeightedBoard, Weights
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import Line, cells_of, flat_lines
from engine.rules.nested import NestedPosition
from engine.rules.nine_board import NineBoardRules
from engine.rules.position import marks_of
from engine.rules.registry import rules as rules_of
from engine.rules.ultimate import SuperRules, UltimateCountRules
from engine.search import evaluation

LineValues: TypeAlias = tuple[tuple[int, ...], ...]
"""`[own][others]`: the worth of a line, by each side's marks on it, to the side to move at the root."""

BoardValue: TypeAlias = Callable[[int, int], int]
"""What a small board that nobody has won is worth to the side to move at the root, from the 9-bit sets of its own and
of the other side's marks."""


@lru_cache(maxsize=64)
def _flat_tables(game: str, values: LineValues, places: tuple[int, ...]) -> FlatTables:
    rules = rules_of(game)
    assert isinstance(rules, FlatRules)
    longer: tuple[tuple[Line, ...], ...] = ()
    if rules.exact:
        columns, rows = rules.dimensions
        longer = flat_lines(columns, rows, rules.length + 1), flat_lines(columns, rows, rules.length + 2)
    return flat.tables(rules.cells, rules.lines, values, rules.symmetries, places, longer)


def flat_board(
    position: FlatPosition,
    values: LineValues,
    plies: int,
    symmetries: int = 0,
    places: tuple[int, ...] = (),
) -> FlatBoard:
    """The board of a position that is to be searched at most `plies` deep; see `engine.kernels.flat`."""
    table = _flat_tables(position.rules.id, values, places)
    own, others = marks_of(position, position.to_move)
    return flat.board(table, cells_of(own), cells_of(others), plies, symmetries)


@lru_cache(maxsize=32)
def _board_values(value: BoardValue) -> Any:
    """int32[codes]: of every small board, by the code of `engine.kernels.nested`."""
    own, others = nested.marks_of_codes()
    return np.array([value(ours, theirs) for ours, theirs in zip(own.tolist(), others.tolist(), strict=True)], np.int32)


@lru_cache(maxsize=8)
def _big_values(big: Callable[[], Any]) -> Any:
    return big()


def nested_board(
    position: NestedPosition,
    value: BoardValue,
    big: Callable[[], Any],
    plies: int,
    symmetries: int = 0,
) -> NestedBoard:
    """The board of a position that is to be searched at most `plies` deep; see `engine.kernels.nested`.

    `value` and `big` (which makes the table of the big board) are functions of modules: tables are kept for each.
    """
    rules = position.rules
    board = nested.board(
        first_line_wins=isinstance(rules, NineBoardRules),
        closes_won_boards=not isinstance(rules, SuperRules),
        counts_boards=isinstance(rules, UltimateCountRules),
        values=_board_values(value),
        big_values=_big_values(big),
        plies=plies,
        symmetry_count=symmetries,
    )
    own, others = marks_of(position, position.to_move)
    won, lost = (position.won_o, position.won_x) if position.ply & 1 else (position.won_x, position.won_o)
    nested.set_up(board, own, others, won, lost, position.forced)
    return board


def _no_value(own: int, others: int) -> int:
    return 0


def weighted_board(position: NestedPosition, weights: Weights, plies: int, symmetries: int = 0) -> WeightedBoard:
    """The board of a position that is judged by learned weights; see `engine.kernels.weighted`."""
    return weighted.board(nested_board(position, _no_value, evaluation.no_big_values, plies, symmetries), weights)
