"""Bots that do one thing wrong on command, to test programs that play games. Otherwise they play at random."""

from __future__ import annotations

import faulthandler
from random import Random
from typing import Final

from engine.bots import uniform
from engine.rules.limit import Limit
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.watch import Watch

LATE_MS: Final = 1_000
"""How late a move is that loses on time."""
_NOWHERE: Final = 1 << 14


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`values`: the fault, and in how many of a hundred games it happens, at the bot's first move after an opening.

    A search of depth 1 has no fault: warming up asks for it.
    """
    fault, percent = values
    if position.ply not in (2, 3) or limit.depth == 1 or random.randrange(100) >= int(percent):
        return uniform.decide((), position, limit, random, watch)
    if fault == "crash":
        raise RuntimeError("a crash on command")
    if fault == "die":
        faulthandler._sigsegv()  # type: ignore[attr-defined] # as a fault in compiled code does
    if fault == "illegal":
        return Decision(_NOWHERE)
    while fault == "stall" or (fault == "flag" and limit.move_ms and watch.elapsed_ms() <= limit.move_ms + LATE_MS):
        pass
    return uniform.decide((), position, limit, random, watch)
