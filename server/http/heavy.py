"""Answers that take many milliseconds of Python: made in a thread, one at a time, with a rest after each.

A thread that computes keeps the interpreter for 5 ms at a time, and several threads take turns. A move waits for the
interpreter several times, in the loop and in the database's thread. These answers take half of the time at most,
however many are asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from server.http.responses import Busy

WAITING = 64
"""Answers that may wait to be made; more are refused."""

Asked = ParamSpec("Asked")
Made = TypeVar("Made")


class HeavyAnswers:
    """`now_us` is a monotonic clock."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._one_at_a_time = asyncio.Lock()
        self._waiting = 0

    async def make(self, work: Callable[Asked, Made], *args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        """Return or raise what `work` does. Raises Busy if too many wait."""
        if self._waiting >= WAITING:
            raise Busy("Many pictures and exports are being made; try again in a moment.")
        self._waiting += 1
        try:
            await self._one_at_a_time.acquire()
        finally:
            self._waiting -= 1
        begun_us = self._now_us()
        try:
            return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            took_s = (self._now_us() - begun_us) / 1e6
            asyncio.get_running_loop().call_later(took_s, self._one_at_a_time.release)
