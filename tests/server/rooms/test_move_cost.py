"""What one move costs, counted instead of timed: calls, suspensions and memory, from the frame to the acknowledgement.

Whoever exceeds a bound on purpose writes the new count here.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from types import FrameType

from tests.support.rooms.measured_game import OURS, Counted, MeasuredGame

CALLS = 127
"""Of Python functions of ours, resumed coroutines among them, as CPython 3.11 counts them: later versions inline
comprehensions and come out a little lower."""
CALLS_MARGIN = 1.05
SUSPENSIONS = {
    "Commits.commit": "until the move is committed",
    "Room._run": "until there is something in the mailbox",
}
"""Where a move waits, in order. There may be three at most."""
BLOCKS_KEPT = 15
"""Objects that are still there after a move: its position, its text and its rows, which the fake store keeps too."""
BYTES_AT_ONCE = 4_500
"""The most that was allocated at any moment of a move."""
MEMORY_MARGIN = 2
"""Versions of Python lay out objects differently."""


async def test_calls() -> None:
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(OURS)

    game = MeasuredGame()
    sys.setprofile(count)
    try:
        found = await game.measured(lambda: calls)
    finally:
        sys.setprofile(None)
    assert CALLS / CALLS_MARGIN**3 <= found <= CALLS * CALLS_MARGIN


async def test_suspensions() -> None:
    loop = asyncio.get_running_loop()
    loop.set_task_factory(lambda loop, inner, **options: asyncio.Task(Counted(inner), loop=loop, **options))
    waits = Counted.waits
    waits.clear()
    try:
        assert await MeasuredGame().measured(lambda: len(waits)) == len(SUSPENSIONS)
    finally:
        loop.set_task_factory(None)
    assert waits[-len(SUSPENSIONS) :] == [*SUSPENSIONS]


async def test_memory_that_a_move_keeps() -> None:
    gc.collect()
    gc.disable()
    try:
        assert await MeasuredGame().measured(sys.getallocatedblocks) <= BLOCKS_KEPT * MEMORY_MARGIN
    finally:
        gc.enable()


async def test_memory_that_a_move_needs_at_once() -> None:
    game, total = MeasuredGame(), 0
    tracemalloc.start()

    def peak() -> float:
        nonlocal total
        now, highest = tracemalloc.get_traced_memory()
        total += highest - now
        tracemalloc.reset_peak()
        return total

    try:
        assert await game.measured(peak) <= BYTES_AT_ONCE * MEMORY_MARGIN
    finally:
        tracemalloc.stop()
