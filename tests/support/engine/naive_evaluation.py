"""The value of a whole position, line by line: what the tables and the gains of the kernels must add up to."""

from __future__ import annotations

from engine.rules.flat import FlatPosition
from engine.rules.nested import ALL_BOARDS, LINE_MASKS, NestedPosition
from engine.rules.position import Position
from engine.search.evaluation import line_weight, places

SMALL = (0, 1, 8, 0)
BIG = (0, 12, 60, 0)
BOARD = 10


def value(position: Position) -> int:
    """From the view of the side to move."""
    sign = -1 if position.ply & 1 else 1
    if isinstance(position, FlatPosition):
        return sign * _flat_value(position)
    assert isinstance(position, NestedPosition)
    return sign * _nested_value(position)


def _flat_value(position: FlatPosition) -> int:
    worth = places(position.rules)
    marks = {cell: position.mark(cell) for cell in range(position.rules.cells)}
    total = sum({"x": worth[cell], "o": -worth[cell], None: 0}[mark] for cell, mark in marks.items())
    for line in position.rules.lines:
        weights = [line_weight(n) for n in range(len(line) + 1)]
        if position.rules.exact:
            weights[-1] = 0
        total += _open([marks[cell] for cell in line], weights)
    return total


def _nested_value(position: NestedPosition) -> int:
    owners: list[str | None] = [position.board_owner(board) for board in range(9)]
    dead = [bool(position.closed >> board & 1) and owners[board] is None for board in range(9)]
    total = BOARD * (owners.count("x") - owners.count("o"))
    for mask in LINE_MASKS:
        boards = [board for board in range(9) if mask >> board & 1]
        if not any(dead[board] for board in boards):
            total += _open([owners[board] for board in boards], list(BIG))
    for board in range(9):
        if owners[board] is None:
            for mask in LINE_MASKS:
                squares = [square for square in range(9) if mask & ALL_BOARDS & 1 << square]
                total += _open([position.mark(9 * board + square) for square in squares], list(SMALL))
    return total


def _open(marks: list[str | None], weights: list[int]) -> int:
    """A line counts for the only side that has marks on it."""
    x, o = marks.count("x"), marks.count("o")
    return 0 if x and o else weights[x] - weights[o]
