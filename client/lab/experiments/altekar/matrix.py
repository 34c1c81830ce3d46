"""Altekar's threat-win matrix and his two ways to find a win. The search has its own; these check and time his."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.rules.lines import cube_lines
from engine.rules.position import O, Position, Side, X

LINES: Final = cube_lines(4)
LINE_MATRIX: Final[NDArray[np.int8]] = np.zeros((76, 64), dtype=np.int8)
for _row, _line in enumerate(LINES):
    LINE_MATRIX[_row, list(_line)] = 1


def state_of(position: Position) -> NDArray[np.int8]:
    """A Qubic position as his 64 x 2 state: 1 where a side has a mark, X in the first column."""
    return np.array([[position.mark(cell) == side for side in (X, O)] for cell in range(64)], dtype=np.int8)


def threat_win_matrix(state: NDArray[np.int8]) -> NDArray[np.int8]:
    """The marks of each side in each line, 76 x 2."""
    return LINE_MATRIX @ state


def winner_by_matrix(state: NDArray[np.int8]) -> Side | None:
    """Who has four in a line, by the matrix."""
    full = (threat_win_matrix(state) == 4).any(axis=0)
    return X if full[0] else O if full[1] else None


def winner_by_loops(state: NDArray[np.int8]) -> Side | None:
    """Who has four in a line, cell by cell."""
    for line in LINES:
        for side, column in ((X, 0), (O, 1)):
            if all(state[cell, column] for cell in line):
                return side
    return None


def look_ups(state: NDArray[np.int8]) -> int:
    """How many cells `winner_by_loops` looks at."""
    looked = 0
    for line in LINES:
        for column in (0, 1):
            marks = [bool(state[cell, column]) for cell in line]
            looked += marks.index(False) + 1 if False in marks else len(marks)
            if all(marks):
                return looked
    return looked
