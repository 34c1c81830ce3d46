"""Alpha-beta for Qubic that cuts when alpha > beta and passes true values up: a third reading of Altekar's cut.

In the bot's strict cut a node without a move above alpha answers alpha itself. Here it answers its best value, though
that is below alpha, so that its parent is cut more often. It counts as `Cut.STRICT_SOFT` does, and is plain Python to
tell what compiling gains.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from client.lab.experiments.altekar.matrix import LINES
from engine.bots.literature import altekar
from engine.rules.position import O, Position, X

_INFINITY: Final = 1 << 30
_THROUGH: Final = tuple(tuple(number for number, line in enumerate(LINES) if cell in line) for cell in range(64))
"""The lines through each cell."""


@dataclass(slots=True)
class Counts:
    """The move of a search, and its counts."""

    move: int | None = None
    """The first of the best moves."""
    nodes: int = 0
    pruned: int = 0
    interior: int = 0


def count(position: Position, depth: int) -> Counts:
    """Searches with Altekar's `sum`, moves in the order of the cells, the window at the root closed at the best."""
    board = _Board(position)
    best = -_INFINITY
    for move in position.legal_moves():
        value = board.child(move, depth, 1, best, _INFINITY)
        if value > best:
            best, board.counts.move = value, move
    return board.counts


@dataclass(slots=True)
class _Board:
    """A board that moves are made on and taken back; side 1 is the root's, -1 the other."""

    position: Position
    counts: Counts = field(default_factory=Counts)
    free: set[int] = field(init=False)
    marks: dict[int, list[int]] = field(init=False)
    value: int = 0
    """The marks of the root's side in all lines minus the other's."""

    def __post_init__(self) -> None:
        self.free = set(self.position.legal_moves())
        self.marks = {1: [0] * len(LINES), -1: [0] * len(LINES)}
        for cell in range(64):
            mark = self.position.mark(cell)
            if mark in (X, O):
                self._put(cell, 1 if mark == self.position.to_move else -1, 1)

    def child(self, move: int, depth: int, side: int, alpha: int, beta: int) -> int:
        """A move's value for the side that makes it."""
        self.counts.nodes += 1
        self.free.remove(move)
        won = self._put(move, side, 1)
        if won:
            value = altekar.WIN
        elif not self.free:
            value = 0
        elif depth == 1:
            value = side * self.value
        else:
            value = -self._best(depth - 1, -side, -beta, -alpha)
        self._put(move, side, -1)
        self.free.add(move)
        return value

    def _best(self, depth: int, side: int, alpha: int, beta: int) -> int:
        self.counts.interior += 1
        best = -_INFINITY
        moves = sorted(self.free)
        for tried, move in enumerate(moves, 1):
            best = max(best, self.child(move, depth, side, max(alpha, best), beta))
            if best > beta:
                self.counts.pruned += len(moves) - tried
                break
        return best

    def _put(self, cell: int, side: int, change: int) -> bool:
        """Adds a mark, or with -1 takes it away; whether a line is full."""
        marks, full = self.marks[side], False
        for line in _THROUGH[cell]:
            marks[line] += change
            full = full or marks[line] == 4
        self.value += side * change * len(_THROUGH[cell])
        return full
