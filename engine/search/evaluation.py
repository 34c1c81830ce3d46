"""Judging a position without looking ahead: the tables that a kernel sums up, in whole numbers.

A flat board is worth the sum of its lines and of the places of its marks; a position on the nine boards the sum of the
boards that nobody has won, and of the lines that the won ones can still form. Both sides are judged alike: swapped, the
value is the negative.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from engine.kernels import nested
from engine.rules.flat import FlatRules
from engine.rules.nested import LINE_MASKS

# Growth by 4 makes one line of n + 1 marks worth four of n. The exponent stops growing so that no move on 20 x 20, with
# up to 40 lines through a cell, gains as much as a win.
_LINE_UNIT: Final = 32
_LINE_BASE: Final = 4
_HIGHEST_EXPONENT: Final = 5

# In units of one open line with a single mark in a small board.
_SMALL_WEIGHTS: Final = (0, 1, 8, 0)
_BIG_WEIGHTS: Final = (0, 12, 60, 0)
_BOARD_WEIGHT: Final = 10


def line_weight(marks: int) -> int:
    """The value of an open line with this many marks of one side and none of the other."""
    return _LINE_UNIT * _LINE_BASE ** min(marks - 1, _HIGHEST_EXPONENT) if marks else 0


def line_values(length: int, exact: bool = False) -> tuple[tuple[int, ...], ...]:
    """`[own][others]`: an open line counts for the side that has marks on it, a line with marks of both for nobody.

    On an exact board a full line counts for nobody either: where the game goes on, it is a part of a longer one.
    """
    weights = [line_weight(marks) for marks in range(length + 1)]
    if exact:
        weights[length] = 0
    return tuple(
        tuple(weights[own] if not others else 0 if own else -weights[others] for others in range(length + 1))
        for own in range(length + 1)
    )


@lru_cache(maxsize=128)
def places(rules: FlatRules) -> tuple[int, ...]:
    """Nearness of each cell to the centre of a flat board, at most 19 and so less than one line.

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


def small_value(own: int, others: int) -> int:
    """A small board that nobody has won: its open lines, as two 9-bit sets of squares."""
    total = 0
    for mask in LINE_MASKS:
        if not others & mask:
            total += _SMALL_WEIGHTS[(own & mask).bit_count()]
        elif not own & mask:
            total -= _SMALL_WEIGHTS[(others & mask).bit_count()]
    return total


def big_values() -> Any:
    """int32[4**9]: won boards and their open lines, for each state of `engine.kernels.nested`, from side 0's view.

    A board that nobody can win any more closes the lines through it.
    """
    own, others, dead = nested.boards_of_states()
    total = _BOARD_WEIGHT * (_count(own) - _count(others))
    weights = np.array(_BIG_WEIGHTS)
    for mask in LINE_MASKS:
        ours, theirs = _count(own & mask), _count(others & mask)
        alive = dead & mask == 0
        total += np.where(alive & (theirs == 0), weights[ours], 0)
        total -= np.where(alive & (ours == 0), weights[theirs], 0)
    return total.astype(np.int32)


def no_big_values() -> Any:
    """int32[4**9]: a big board that does not matter."""
    return np.zeros(nested.STATES, np.int32)


def _count(boards: Any) -> Any:
    return sum(boards >> board & 1 for board in range(9))
