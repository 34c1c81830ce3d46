"""The process that counts games for the explorer, started when somebody explores and there are games to count.

The server itself only asks how many there are, and not at every request, since the query looks at every game.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable

from server.workers.program import Program

log = logging.getLogger(__name__)

ASK_EVERY_S = 2.0
REST_S = 5.0
"""How long to wait after a count: a ladder that plays on would otherwise have one begin every other second."""
AGAIN_AFTER_S = 30.0
"""The same after one that failed."""
HANG_S = 10.0
"""A count that uses no processor time for this long has hung. It waits at most three seconds for others' commits."""


def command(path: str) -> list[str]:
    return [sys.executable, "-m", "server.explorer.index", "--db", path]


class Counting:
    """`unexplored` returns how many games are left, `now` the seconds of a monotonic clock."""

    def __init__(self, command: list[str], unexplored: Callable[[], Awaitable[int]], now: Callable[[], float]) -> None:
        self._command = command
        self._unexplored = unexplored
        self._now = now
        self._asked_s: float | None = None
        self._pending = 0
        self._not_before_s = 0.0
        self._task: asyncio.Task[None] | None = None

    async def pending(self) -> int:
        """How many games are not counted yet; has them counted. Raises StoreUnavailable."""
        now = self._now()
        if self._asked_s is None or now - self._asked_s >= ASK_EVERY_S:
            self._asked_s = now
            self._pending = await self._unexplored()
        if self._pending and self._task is None and now >= self._not_before_s:
            self._task = asyncio.create_task(self._run(), name="explorer count")
            self._task.add_done_callback(self._ended)
        return self._pending

    async def close(self) -> None:
        """Ends a count that runs: what it has committed stays."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        failure = await self._counted()
        if failure is not None:
            log.warning("games cannot be counted for the explorer", extra={"reason": failure})
        self._not_before_s = self._now() + (REST_S if failure is None else AGAIN_AFTER_S)
        self._asked_s = None

    def _ended(self, task: asyncio.Task[None]) -> None:
        # Not at the end of `_run`, which never begins where a close comes first.
        self._task = None

    async def _counted(self) -> str | None:
        """Runs the process to its end; why it failed, if it did."""
        try:
            program = await Program.start(self._command, stdout=True)
        except OSError as error:
            return str(error)
        try:
            status, said = await program.finish_unless_hung(HANG_S)
        except TimeoutError:
            return f"the process used no processor time for {HANG_S:g} s and was killed"
        finally:
            await program.end()  # without asking: what it has committed stays, and one that hangs does not hear
        if status:
            return said[-500:] or f"exit status {status}"
        log.info("explorer", extra={"said": said})
        return None
