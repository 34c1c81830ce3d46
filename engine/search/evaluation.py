"""Judging a position without looking ahead, in whole numbers and from one side's view.

A search never asks for a whole position but for the *gain* of a move, which needs only the lines through one cell:
the value of the next position is the value of this one plus the gain, and from the other side's view its negative.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np

from engine.kernels import nested
from engine.position import Move, Position, Rules
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import cells_of
from engine.rules.nested import ALL_BOARDS, HAS_LINE, LINE_MASKS, NestedPosition, NestedRules


class Evaluation(Protocol):
    """Values from the view of the side to move. Both sides are judged alike: swapped, the value is the negative."""

    def value(self, position: Position) -> int:
        """Judges the whole position."""

    def gain(self, position: Position, move: Move) -> int:
        """What a legal move adds to the value of the side that makes it.

        For a move that does not end the game `-value(position.play(move)) == value(position) + gain(position, move)`.
        A move that ends it has some large gain, good for trying it early and for nothing else.
        """


def evaluation_of(rules: Rules) -> Evaluation:
    """How positions of a game are judged; a game nobody has thought about yet is judged equal throughout."""
    if isinstance(rules, FlatRules):
        return FlatEvaluation(rules)
    if isinstance(rules, NestedRules):
        return NestedEvaluation()
    return BlindEvaluation()


class BlindEvaluation:
    """Sees no difference between positions; the ends of the game remain for the search to find."""

    def value(self, position: Position) -> int:
        return 0

    def gain(self, position: Position, move: Move) -> int:
        return 0


# Growth by 4 makes one line of n + 1 marks worth four of n. The exponent stops growing so that no move on 19 x 19, with
# up to 76 lines through a cell, gains as much as a win.
_LINE_UNIT: Final = 32
_LINE_BASE: Final = 4
_HIGHEST_EXPONENT: Final = 5


def line_weight(marks: int) -> int:
    """The value of an open line with this many marks of one side and none of the other."""
    return _LINE_UNIT * _LINE_BASE ** min(marks - 1, _HIGHEST_EXPONENT) if marks else 0


def line_values(length: int) -> tuple[tuple[int, ...], ...]:
    """`[own][others]`: an open line counts for the side that has marks on it, a line with marks of both for nobody."""
    weights = [line_weight(marks) for marks in range(length + 1)]
    return tuple(
        tuple(weights[own] if not others else 0 if own else -weights[others] for others in range(length + 1))
        for own in range(length + 1)
    )


def places(rules: FlatRules) -> tuple[int, ...]:
    """For each cell, its nearness to the centre of a flat board, at most 18 and so less than one line.

    On a big board all cells away from the edges lie on equally many lines, and a block costs as many lines as it
    closes; without this the first stones would lie far apart. In a cube the lines alone favour the good cells.
    """
    if len(rules.dimensions) == 3:
        return (0,) * rules.cells
    columns, rows = rules.dimensions
    reach = max(columns, rows) - 1
    return tuple(
        reach - max(abs(2 * x - columns + 1), abs(2 * y - rows + 1)) for y in range(rows) for x in range(columns)
    )


class FlatEvaluation:
    """Open lines, weighted by their marks, own minus the other's; between equal lines, nearness to the centre."""

    def __init__(self, rules: FlatRules) -> None:
        self._masks: Final = rules.masks
        self._places: Final = places(rules)
        self._every_mask: Final = {mask for masks in rules.masks for mask in masks}
        weights = [line_weight(marks) for marks in range(rules.length + 1)]
        self._weights: Final = weights
        self._steps: Final = [weights[marks + 1] - weights[marks] for marks in range(rules.length)]

    def value(self, position: Position) -> int:
        own, theirs = _marks(position)
        total = sum(self._places[cell] for cell in cells_of(own))
        total -= sum(self._places[cell] for cell in cells_of(theirs))
        for mask in self._every_mask:
            if not theirs & mask:
                total += self._weights[(own & mask).bit_count()]
            elif not own & mask:
                total -= self._weights[(theirs & mask).bit_count()]
        return total

    def gain(self, position: Position, move: Move) -> int:
        own, theirs = _marks(position)
        total = self._places[move]
        for mask in self._masks[move]:
            against = theirs & mask
            if not against:
                total += self._steps[(own & mask).bit_count()]
            elif not own & mask:
                total += self._weights[against.bit_count()]
        return total


def _marks(position: Position) -> tuple[int, int]:
    """The marks of the side to move and of the other."""
    assert isinstance(position, FlatPosition)
    if position.ply & 1:
        return position.o, position.x
    return position.x, position.o


# In units of one open line with a single mark in a small board.
_SMALL_WEIGHTS: Final = (0, 1, 4, 0)
_BIG_WEIGHTS: Final = (0, 12, 60, 0)
_BOARD_WEIGHT: Final = 10


def small_value(own: int, theirs: int) -> int:
    """A small board that nobody has won, as two 9-bit sets of squares."""
    return _small_value(own, theirs)


def big_values() -> Any:
    """int32[4**9]: the big board for each state of `engine.kernels.nested`, from side 0's view."""
    own, theirs, dead = nested.boards_of_states()
    total = _BOARD_WEIGHT * (_bits(own) - _bits(theirs))
    weights = np.array(_BIG_WEIGHTS)
    for mask in LINE_MASKS:
        ours, others = _bits(own & mask), _bits(theirs & mask)
        alive = dead & mask == 0
        total += np.where(alive & (others == 0), weights[ours], 0)
        total -= np.where(alive & (ours == 0), weights[others], 0)
    return total.astype(np.int32)


def no_big_values() -> Any:
    """int32[4**9]: a big board that does not matter."""
    return np.zeros(nested.STATES, np.int32)


def _bits(boards: Any) -> Any:
    return sum(boards >> board & 1 for board in range(9))


class NestedEvaluation:
    """Open lines in the boards that nobody has won, won boards, and the lines that these can still form."""

    def value(self, position: Position) -> int:
        assert isinstance(position, NestedPosition)
        own, theirs, own_boards, their_boards = _sides(position)
        dead = position.closed & ~(own_boards | their_boards)
        total = _big_value(own_boards, their_boards, dead)
        for board in range(9):
            if not (own_boards | their_boards) >> board & 1:
                total += _small_value(own >> 9 * board & ALL_BOARDS, theirs >> 9 * board & ALL_BOARDS)
        return total

    def gain(self, position: Position, move: Move) -> int:
        assert isinstance(position, NestedPosition)
        own, theirs, own_boards, their_boards = _sides(position)
        board, square = divmod(move, 9)
        board_bit = 1 << board
        if (own_boards | their_boards) & board_bit:
            return 0  # `super`: the board has its owner for good
        before = own >> 9 * board & ALL_BOARDS
        against = theirs >> 9 * board & ALL_BOARDS
        after = before | 1 << square
        small = _small_value(before, against)
        dead = position.closed & ~(own_boards | their_boards)
        if HAS_LINE[after]:
            won = _big_value(own_boards | board_bit, their_boards, dead)
            return won - _big_value(own_boards, their_boards, dead) - small
        if after | against == ALL_BOARDS:
            full = _big_value(own_boards, their_boards, dead | board_bit)
            return full - _big_value(own_boards, their_boards, dead) - small
        return _small_value(after, against) - small


def _sides(position: NestedPosition) -> tuple[int, int, int, int]:
    """Marks and won boards of the side to move and of the other: own, theirs, own boards, their boards."""
    if position.ply & 1:
        return position.o, position.x, position.won_o, position.won_x
    return position.x, position.o, position.won_x, position.won_o


@lru_cache(maxsize=3**9)
def _small_value(own: int, theirs: int) -> int:
    """Open lines of one small board, as two 9-bit sets of squares."""
    total = 0
    for mask in LINE_MASKS:
        if not theirs & mask:
            total += _SMALL_WEIGHTS[(own & mask).bit_count()]
        elif not own & mask:
            total -= _SMALL_WEIGHTS[(theirs & mask).bit_count()]
    return total


@lru_cache(maxsize=1 << 16)
def _big_value(own: int, theirs: int, dead: int) -> int:
    """Won boards and their open lines, as 9-bit sets of boards; nobody can win a dead board any more."""
    total = _BOARD_WEIGHT * (own.bit_count() - theirs.bit_count())
    for mask in LINE_MASKS:
        if dead & mask:
            continue
        if not theirs & mask:
            total += _BIG_WEIGHTS[(own & mask).bit_count()]
        elif not own & mask:
            total -= _BIG_WEIGHTS[(theirs & mask).bit_count()]
    return total
