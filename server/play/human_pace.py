"""How long a person would take over a move, for bots that are asked to answer at a human pace. Pure.

Nobody ponders the only move, a win at once or a block, nor the first moves of a game; many choices take longer.
"""

from __future__ import annotations

import math
import zlib

from engine.rules.flat import FlatPosition
from engine.rules.position import Move, Position

LEAST_MS = 800
MOST_MS = 3_000
SHARE_OF_CLOCK = 10
"""One answer takes at most this fraction of the time left: one part in ten."""

_OBVIOUS = 0.15
"""How hard an obvious move is, if the hardest is 1."""
_MANY_CHOICES = 64
_OPENING_PLIES = 6


def delay_ms(position: Position, move: Move, seed: int, left_ms: int | None) -> int:
    """Milliseconds from the beginning of the turn to the answer `move`, a legal one of `position`.

    `left_ms` is what the mover's clock has left, None without one. The same arguments give the same delay.
    """
    chance = zlib.crc32(f"{seed}/{position.ply}".encode()) / 2**32
    pondered_ms = (MOST_MS - LEAST_MS) * weight(position, move) * (0.4 + 0.6 * chance)
    taken_ms = LEAST_MS + round(pondered_ms)
    return taken_ms if left_ms is None else min(taken_ms, left_ms // SHARE_OF_CLOCK)


def weight(position: Position, move: Move) -> float:
    """How much there is to think about, from 0.15 to 1."""
    choices = len(position.legal_moves())
    if choices == 1 or is_urgent(position, move):
        return _OBVIOUS
    rich = min(1.0, math.log(choices) / math.log(_MANY_CHOICES))
    developed = min(1.0, (position.ply + 1) / _OPENING_PLIES)
    return _OBVIOUS + (1 - _OBVIOUS) * rich * developed


def is_urgent(position: Position, move: Move) -> bool:
    """The move ends the game, or on a flat board takes the cell with which the other side would have won."""
    if position.play(move).outcome is not None:
        return True
    if not isinstance(position, FlatPosition):
        return False
    passed = FlatPosition(position.rules, position.x, position.o, position.ply + 1)
    answered = passed.play(move).outcome
    return answered is not None and answered.winner is not None
