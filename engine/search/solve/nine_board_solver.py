"""Solving positions of nine-board: who wins with best play.

The kernel answers whether one side, the attacker, can force a line. X is asked for first; if it cannot, O is, and if
neither can, the position is drawn. The search is exact but for 64-bit hashes, so a result is certain once its proof
(`nine_board_strategy`) is written and checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine.kernels import nine_board_proof as kernel
from engine.kernels import nine_board_walk as walks
from engine.kernels.nine_board_proof import ENTRY_BYTES, INFINITY
from engine.rules.nested import ALL_BOARDS, LINE_MASKS, NestedPosition
from engine.rules.position import Move, O, Side, X, other
from engine.search.solve.nine_board_outlook import board_values, guesses
from engine.search.solve.solver import Stopped, Value

ENTRIES: Final = 1 << 22
"""Positions that the large table holds: 84 MB."""
_SMALL_ENTRIES: Final = 1 << 15
_FIRST_SLICE: Final = 1 << 10
_LARGEST_SLICE: Final = 1 << 20
_MOST_MOVES: Final = 1 << 14
"""Moves of a proof between two calls of `between`: 40 ms or more."""
_PART: Final = 1 << 22
"""Entries of a table that are looked at together."""
FREE: Final = 9
"""Stands for a forced board where there is none."""
_COMPLETING: Final = tuple(
    sum({line & ~marks for line in LINE_MASKS if (line & ~marks).bit_count() == 1}) for marks in range(512)
)
"""Squares that complete a line with each set of a side's squares in a board."""

__all__ = [
    "ENTRIES",
    "ENTRY_BYTES",
    "FREE",
    "INFINITY",
    "Known",
    "Place",
    "Solution",
    "Solver",
    "Stopped",
    "Unsound",
    "completes",
    "target",
    "winning_move",
]


Place = tuple[int, int, int]
"""A position: the cells of one side and of the other, and the forced board or FREE."""


class Unsound(Exception):
    """What was found is wrong; the text says why."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of best play from a position."""

    value: Value
    best: Move | None
    """A move with this result; None where every move has it because the side to move loses."""


@dataclass(slots=True)
class Known:
    """How far a solve has come."""

    attacker: Side
    """The side that is asked whether it can force a line."""
    proof: int = 1
    """How far the question is from yes; 0: it is answered so."""
    disproof: int = 1


_UNSOUND: Final = "Two positions had the same hash, so the result is wrong: solve with --fresh and another --memory."


class Solver:
    """Solves positions of nine-board. What it has found out about one helps with the next."""

    def __init__(
        self,
        entries: int = ENTRIES,
        between: Callable[[], None] = lambda: None,
        plan: kernel.Plan = kernel.Plan(),  # noqa: B008 - immutable
        most_nodes: int = 1 << 60,
        largest_slice: int = _LARGEST_SLICE,
    ) -> None:
        """`entries` are those of the large table. `between` is called after at most `largest_slice` positions each
        time, twice as many while a proof is written, and may raise Stopped to give up.
        """
        self.search = kernel.search(board_values(), guesses())
        self._large = kernel.table(entries)
        self._small = kernel.table(_SMALL_ENTRIES)
        self._plan = plan
        self._between = between
        self._most_nodes = most_nodes
        self._slice = _FIRST_SLICE
        self._largest_slice = largest_slice
        self.known = Known(X)

    def beside(self, between: Callable[[], None]) -> Solver:
        """A solver for another thread, which keeps what it finds in the same large table."""
        other = Solver(kernel.WAYS, between, self._plan, self._most_nodes, self._largest_slice)
        other._large = self._large
        return other

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self.search.counters[kernel.NODES])

    def solve(self, position: NestedPosition) -> Solution:
        """The result of best play from a position that is not over.

        Raises Stopped when `between` does or `most_nodes` are made; `known` then says how far it has come.
        """
        winning = winning_move(position)
        if winning is not None:
            return Solution(position.to_move, winning)
        value: Value = "draw"
        if self.can_win(position, X):
            value = X
        elif self.can_win(position, O):
            value = O
        return self.solution(position, value)

    def solution(self, position: NestedPosition, value: Value) -> Solution:
        """Adds the move to a known result, where nobody completes a line at once. Raises Stopped and Unsound."""
        mover = position.to_move
        return Solution(value, None if value == other(mover) else self._good_move(position, value))

    def can_win(self, position: NestedPosition, attacker: Side) -> bool:
        """Whether this side can force a line, in a position in which the mover cannot complete one. Raises Stopped."""
        self.known = Known(attacker)
        marks = (position.x, position.o) if attacker == X else (position.o, position.x)
        return self._ask(*marks, position.forced, attacker == position.to_move)

    def remembered(self, most: int) -> tuple[Any, Any, Any]:
        """What is known of the positions that cost most, at most `most` of them, for `recall`. See kernel.Table."""
        table, least = self._large, 0.0
        kept = np.zeros(0, np.int64)
        # Part by part: the indices of a large table take more memory than the table.
        for start in range(0, len(table.work), _PART):
            kept = np.append(kept, start + np.flatnonzero(table.work[start : start + _PART] > least))
            if len(kept) > most:
                kept = kept[np.argpartition(-table.work[kept], most)[:most]]
                least = table.work[kept].min(initial=np.inf)
        numbers = table.numbers[kept]
        return table.keys[kept] ^ kernel.seals(numbers), numbers, table.work[kept]

    def recall(self, keys: Any, numbers: Any, work: Any) -> None:
        """Begin with what another solver `remembered`."""
        kernel.recall(self._large, keys, numbers, work)

    def look(self, place: Place, attacking: bool, most_nodes: int) -> tuple[int, int]:
        """Proof and disproof number of a position, the attacker's cells first, after up to `most_nodes` more positions.

        Neither side may be able to complete a line at once. 0 and INFINITY, or the other way round, are certain. Raises
        Stopped.
        """
        self._set_up(*place, attacking)
        end = self.nodes + most_nodes
        while True:
            phi, delta = self._grow(end)
            numbers = (phi, delta) if attacking else (delta, phi)
            if phi in (0, INFINITY) or self.nodes >= end:
                return numbers
            self.known.proof, self.known.disproof = numbers
            self._between()

    def learn(self, place: Place, attacking: bool, wins: bool, work: int) -> None:
        """Keep that the attacker can force a line, or not, as long as a result that took this much work."""
        self._set_up(*place, attacking)
        phi, delta = (0, INFINITY) if wins == attacking else (INFINITY, 0)
        kernel.learn(self.search, self._large, phi, delta, float(work))

    def next_moves(self, walk: walks.Walk, side: int) -> bytes:
        """Moves of a strategy that one slice finds, so that a position may be left that needs a longer one; `walks` has
        their order. Raises Stopped and Unsound."""
        chosen = np.zeros(_MOST_MOVES, np.uint8)
        count, phi = walks.go_on(
            self.search, self._large, self._small, self._plan, walk, side, self._most_nodes, self._slice, chosen
        )
        if phi == INFINITY:
            raise Unsound(_UNSOUND)
        if phi:
            self._slice = min(2 * self._slice, self._largest_slice)
        self._between()
        if walk.counts[walks.PENDING] and self.nodes >= self._most_nodes:
            raise Stopped
        return chosen[:count].tobytes()

    def _good_move(self, position: NestedPosition, value: Value) -> Move:
        """A move by which the mover reaches its goal, which it must be able to: a line, or that the opponent gets none.

        Raises Stopped, and Unsound if it cannot after all.
        """
        needs_line = value != "draw"
        own, others = (position.x, position.o) if position.to_move == X else (position.o, position.x)
        marks = (own, others) if needs_line else (others, own)
        if self._ask(*marks, position.forced, needs_line) != needs_line:
            raise Unsound(_UNSOUND)
        return int(self.search.moves[0, self.search.chosen[0]])

    def _ask(self, attacker: int, defender: int, forced: int | None, attacking: bool) -> bool:
        kernel.set_up(self.search, attacker, defender, forced, attacking)
        while True:
            phi, delta = self._grow(self._most_nodes)
            if phi in (0, INFINITY):
                return (phi == 0) == attacking
            self.known.proof, self.known.disproof = (phi, delta) if attacking else (delta, phi)
            self._between()
            if self.nodes >= self._most_nodes:
                raise Stopped

    def _set_up(self, attacker: int, defender: int, forced: int, attacking: bool) -> None:
        kernel.set_up(self.search, attacker, defender, None if forced == FREE else forced, attacking)

    def _grow(self, most_nodes: int) -> tuple[int, int]:
        """phi and delta of the root after one more slice; the next is longer."""
        whole = self.nodes + self._slice
        self.search.counters[kernel.UNTIL] = min(whole, most_nodes)
        phi, delta = kernel.grow(self.search, self._large, self._small, self._plan)
        if phi not in (0, INFINITY) and whole <= most_nodes:
            self._slice = min(2 * self._slice, self._largest_slice)
        return int(phi), int(delta)


def target(taken: int, cell: int) -> int:
    """The board that a move leads to."""
    square = cell % 9
    return FREE if taken >> 9 * square & ALL_BOARDS == ALL_BOARDS else square


def completes(own: int, taken: int, forced: int) -> bool:
    """Whether the side with these cells, which is to move, can complete a line at once."""
    boards = range(9) if forced == FREE else (forced,)
    return any(_COMPLETING[own >> 9 * board & ALL_BOARDS] & ~(taken >> 9 * board) for board in boards)


def winning_move(position: NestedPosition) -> Move | None:
    """A move that completes a line."""
    for move in position.legal_moves():
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner is not None:
            return move
    return None
