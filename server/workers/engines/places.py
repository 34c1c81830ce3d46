"""How CodinGame writes cells: a row and a column from 0, on nine boards over all of them. Pure."""

from __future__ import annotations

from engine.rules.position import Move, Rules


def place(rules: Rules, cell: Move) -> str:
    """`4 7` of a cell of a flat or nested game."""
    if not rules.nested:
        row, column = divmod(cell, rules.dimensions[0])
    else:
        board, square = divmod(cell, 9)
        row, column = board // 3 * 3 + square // 3, board % 3 * 3 + square % 3
    return f"{row} {column}"


def cell(rules: Rules, row: int, column: int) -> Move | None:
    """None for a place off the board."""
    columns, rows = rules.dimensions
    if not (0 <= row < rows and 0 <= column < columns):
        return None
    if not rules.nested:
        return columns * row + column
    return 9 * (row // 3 * 3 + column // 3) + row % 3 * 3 + column % 3
