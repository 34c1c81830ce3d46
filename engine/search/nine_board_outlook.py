"""How hard each side's goal seems on nine-board: first numbers for positions that a proof search has not visited.

Each board is worth something to the attacker, by the lines that can still be completed in it. The sum is about the
logarithm of the odds that the attacker can force a line: the values were fitted by logistic regression to 4,766
positions after 17 to 27 plies, reached by random safe moves and solved.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from engine.kernels.nested import CODES, marks_of_codes
from engine.kernels.nine_board_proof import EVEN
from engine.rules.nested import LINE_MASKS

_THREAT: Final = 4.1
"""A board in which this side can complete a line and the other cannot. Where both can, nobody moves: it is worth 0."""
_BEGUN: Final = np.array([0, 1.37, 1.78, 1.91, 1.98])
"""By the number of open lines with one mark, in a board in which nobody can complete a line."""
_BEGUN_BELOW_THREAT: Final = np.array([0, 1.25, 1.67])
"""So too, but the other side can complete one."""
_UNIT: Final = 8
"""Parts of a value of 1."""
_TEMPO: Final = 1.0
"""What the move is worth."""
_STEEPNESS: Final = 0.6
"""How fast a goal seems harder as the odds fall."""
_EVEN_NUMBER: Final = 4096
"""That of a goal with even odds."""
_HARDEST: Final = 3.0
"""No goal seems harder than this, relative to one with even odds."""


@lru_cache(maxsize=1)
def board_values() -> Any:
    """int16[CODES], for a kernel's Search: what a board is worth to the attacker, side 0."""
    marks = marks_of_codes()
    begun = np.zeros((2, CODES), np.int64)
    threatens = np.zeros((2, CODES), bool)
    for side in range(2):
        for line in LINE_MASKS:
            left = line & ~marks[side]
            is_open = line & marks[1 - side] == 0
            is_threat = is_open & (left & (left - 1) == 0)
            threatens[side] |= is_threat
            begun[side] += is_open & ~is_threat & (left != line)
    worth = np.zeros((2, CODES))
    for side in range(2):
        below = _BEGUN_BELOW_THREAT[np.minimum(begun[side], len(_BEGUN_BELOW_THREAT) - 1)]
        calm = _BEGUN[np.minimum(begun[side], len(_BEGUN) - 1)]
        worth[side] = np.where(threatens[side], _THREAT, np.where(threatens[1 - side], below, calm))
    values = np.where(threatens.all(axis=0), 0, np.rint((worth[0] - worth[1]) * _UNIT)).astype(np.int16)
    values.flags.writeable = False
    return values


@lru_cache(maxsize=1)
def guesses() -> Any:
    """int64[2, 2, 2 * EVEN], for a kernel's Search."""
    attacker = (np.arange(2 * EVEN) - EVEN) / _UNIT
    after = np.stack((attacker - _TEMPO, attacker + _TEMPO))
    odds = np.stack((after, -after), axis=1)
    numbers = np.rint(_EVEN_NUMBER * np.minimum(np.exp(-_STEEPNESS * odds), _HARDEST)).clip(1).astype(np.int64)
    numbers.flags.writeable = False
    return numbers
