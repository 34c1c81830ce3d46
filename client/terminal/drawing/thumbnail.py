"""A running game's board, small, for lists of games: marks without grid, ranks and files. Pure."""

from __future__ import annotations

from client.sdk.text import width
from client.terminal.drawing.boards import Look, Picture, Role, Span
from client.terminal.drawing.text import centred
from engine.rules.position import Rules

_GAP = 2


def thumbnail(rules: Rules, board: str, owners: str | None, last: int | None, look: Look) -> Picture:
    """`board` has x, o or a dot for each cell, in the order of the rules, and `owners` the same for each small board.

    The last move's role is `last`. A small board that was won shows nothing but its owner's mark. An empty picture
    where the board is of another size than the rules say.
    """
    if len(board) != rules.cells:
        return Picture()
    drawn = _Drawn(board, owners, last, look)
    if rules.nested:
        return Picture(lines=_nested(drawn))
    columns, rows = rules.dimensions[:2]
    levels = rules.cells // (columns * rows)
    return Picture(
        lines=[
            _row([[drawn.cell(x + columns * (y + rows * z)) for x in range(columns)] for z in range(levels)])
            for y in reversed(range(rows))
        ]
    )


class _Drawn:
    def __init__(self, board: str, owners: str | None, last: int | None, look: Look) -> None:
        self._board = board
        self._owners = owners
        self._last = last
        self._look = look
        self._wide = max(map(width, look.marks))

    def cell(self, cell: int) -> Span:
        return self._span(self._board[cell], "last" if cell == self._last else None)

    def square(self, board: int, square: int) -> Span:
        """A square of the nine boards."""
        owner = self._owners[board] if self._owners is not None and len(self._owners) == 9 else "."
        if owner == ".":
            return self.cell(9 * board + square)
        return self._span(owner) if square == 4 else (" " * self._wide, "")

    def _span(self, mark: str, role: Role | None = None) -> Span:
        if mark == "x":
            return centred(self._look.marks[0], self._wide), role or "x"
        if mark == "o":
            return centred(self._look.marks[1], self._wide), role or "o"
        return centred("." if self._look.ascii else "\u00b7", self._wide), "empty"


def _row(groups: list[list[Span]]) -> list[Span]:
    """Cells with a space between, groups of them with more."""
    line: list[Span] = []
    for number, group in enumerate(groups):
        line.append((" " * (_GAP + 1) if number else "", ""))
        for place, cell in enumerate(group):
            line += [(" " if place else "", ""), cell]
    return line


def _nested(drawn: _Drawn) -> list[list[Span]]:
    lines: list[list[Span]] = []
    for top in (0, 3, 6):
        if top:
            lines.append([])
        lines += [
            _row([[drawn.square(board, 3 * row + column) for column in range(3)] for board in range(top, top + 3)])
            for row in range(3)
        ]
    return lines
