"""How many moves were legal at each ply of recorded games. Pure.

On flat boards that is arithmetic. On nested boards all games are played at once, a ply at a time, with numpy: the rules
of `engine.rules.nested` without judging, since recorded games ended where they ended.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.rules.nested import HAS_LINE
from engine.rules.position import Rules

Cells: TypeAlias = NDArray[np.int16]
"""A row for each game with the cell of each ply; -1 after its end."""

_MARKED: Final = np.array([bin(marks).count("1") for marks in range(512)], dtype=np.int16)
_WON: Final = np.array([bool(HAS_LINE[marks]) for marks in range(512)])
_FULL: Final = 511
_FREE: Final = -1


def legal_moves(rules: Rules, cells: Cells) -> Cells:
    """How many moves there were to choose from, in the place of each move; -1 after the end."""
    if rules.nested:
        return _nested(cells, closes_won_boards=bool(getattr(rules, "closes_won_boards", True)))
    counts = np.broadcast_to(rules.cells - np.arange(cells.shape[1], dtype=np.int16), cells.shape)
    return np.where(cells >= 0, counts, np.int16(-1))


def _nested(cells: Cells, *, closes_won_boards: bool) -> Cells:
    games, plies = cells.shape
    every = np.arange(games)
    marks = np.zeros((2, games, 9), dtype=np.int16)
    closed = np.zeros((games, 9), dtype=bool)
    forced = np.full(games, _FREE, dtype=np.int16)
    counts = np.full_like(cells, -1)
    for ply in range(plies):
        running = cells[:, ply] >= 0
        rooms = np.where(closed, 0, 9 - _MARKED[marks[0] | marks[1]])
        counts[:, ply] = np.where(running, _choices(rooms, forced, every), -1)
        games_here, side = every[running], ply % 2
        board, square = np.divmod(cells[running, ply], 9)
        marks[side, games_here, board] |= np.left_shift(1, square).astype(np.int16)
        won = _WON[marks[side, games_here, board]]
        full = (marks[0] | marks[1])[games_here, board] == _FULL
        closed[games_here, board] |= (won & closes_won_boards) | full
        forced[running] = np.where(closed[games_here, square], _FREE, square)
    return counts


def _choices(rooms: Any, forced: Cells, every: Any) -> Any:
    return np.where(forced == _FREE, rooms.sum(axis=1), rooms[every, np.maximum(forced, 0)])
