"""The first compile: one process compiles every kernel into the cache while people already play.

Whatever becomes of it, the server goes on: without a cache each worker compiles for itself, only later and again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import TypeAlias

log = logging.getLogger(__name__)

LIMIT_S = 300.0
"""A compile that takes longer hangs."""

Report: TypeAlias = "tuple[int, int] | str"
"""How many stages are done, of how many; or a sentence for the log."""


class WarmUp:
    """`target(reports, *arguments)` runs in a process of its own and sends Reports."""

    def __init__(
        self,
        context: ForkServerContext,
        target: Callable[..., None],
        arguments: tuple[object, ...],
        *,
        limit_s: float = LIMIT_S,
    ) -> None:
        self.done = 0
        self.of = 0
        self.over = False
        """True at the end, however it came."""
        self._explained = False
        self._context = context
        self._target = target
        self._arguments = arguments
        self._limit_s = limit_s

    async def run(self) -> None:
        """From the start of the process to its end."""
        reports, sending = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=self._target, args=(sending, *self._arguments), name="warm-up", daemon=True
        )
        try:
            # In a thread, since the start waits for the fork server, which may be loading.
            await asyncio.to_thread(process.start)
            sending.close()
            async with asyncio.timeout(self._limit_s):
                while (report := await asyncio.to_thread(_receive, reports)) is not None:
                    self._take(report)
        except TimeoutError:
            log.warning("the bots' warm-up hangs and is ended", extra={"after_s": self._limit_s})
            self._explained = True
        finally:
            self.over = True
            if process.is_alive():
                process.kill()
        if not self._explained and (not self.done or self.done < self.of):
            log.warning("the bots' warm-up came to nothing, so workers warm up by themselves")

    def _take(self, report: Report) -> None:
        if isinstance(report, str):
            log.warning(report)
            self._explained = True
            return
        self.done, self.of = report
        log.info("bots warm up", extra={"done": self.done, "of": self.of})


def _receive(reports: Connection) -> Report | None:
    """The next report, None at the end of the process."""
    with suppress(EOFError, OSError):
        report: Report = reports.recv()
        return report
    return None
