"""How hard each side's goal seems on nine-board: first numbers for positions that a proof search has not visited.

Each board is worth something to the attacker, by the lines that can still be completed in it. The sum is about the
logarithm of the odds that the attacker can force a line: the values are those of a logistic regression on solved
positions of such searches, which `client/lab/solve/nine_board/make_outlook.py` made.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from engine.kernels.nested import CODES
from engine.kernels.nine_board_proof import EVEN
from engine.search import weights_file

FILE: Final = "nine-board-outlook.weights"
"""File beside this module."""
_UNIT: Final = 8
"""Parts of a value of 1."""
_MOST: Final = EVEN // 9 - 1
"""Largest value, so that the sum of nine stays within the table."""
_TEMPO: Final = 1.0
"""Worth of having the move."""
_STEEPNESS: Final = 0.6
"""How fast a goal seems harder as the odds fall."""
_EVEN_NUMBER: Final = 4096
"""Number of a goal with even odds."""
_HARDEST: Final = 5.0
"""No goal seems harder than this, relative to one with even odds."""


@lru_cache(maxsize=1)
def board_values() -> Any:
    """int16[CODES], for a kernel's Search: what a board is worth to the attacker, side 0."""
    values, _ = weights_file.from_bytes(files("engine.search.solve").joinpath(FILE).read_bytes(), CODES)
    values.flags.writeable = False
    return values


def rounded(worths: Any) -> Any:
    """int16[CODES]: as a kernel takes them, what boards add to the logarithm of the odds (float[CODES])."""
    return np.rint(worths * _UNIT).clip(-_MOST, _MOST).astype(np.int16)


@lru_cache(maxsize=1)
def guesses() -> Any:
    """int64[2, 2, 2 * EVEN], for a kernel's Search."""
    attacker = (np.arange(2 * EVEN) - EVEN) / _UNIT
    after = np.stack((attacker - _TEMPO, attacker + _TEMPO))
    odds = np.stack((after, -after), axis=1)
    numbers = np.rint(_EVEN_NUMBER * np.minimum(np.exp(-_STEEPNESS * odds), _HARDEST)).clip(1).astype(np.int64)
    numbers.flags.writeable = False
    return numbers
