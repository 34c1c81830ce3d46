"""The first compile: one process compiles every kernel into the cache while people already play.

Whatever becomes of it, the server goes on: without a cache each worker compiles for itself, only later and again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, TypeAlias

from server.workers.children import Child, ForkServer, cpu_ms

log = logging.getLogger(__name__)

IDLE_S: Final = 120.0
"""A warm-up that uses no processor time for so long hangs, however slow the machine is."""
STAGE_S: Final = 3600.0
"""A stage that takes longer hangs, whatever it uses."""

Report: TypeAlias = "tuple[int, int] | tuple[int, int, str] | str"
"""How many stages are done, of how many, and the last one's name; or a sentence for the log."""


class WarmUp:
    """`entry` runs in a process of its own and sends Reports."""

    def __init__(
        self,
        entry: Callable[..., None],
        arguments: tuple[object, ...],
        *,
        idle_s: float = IDLE_S,
        stage_s: float = STAGE_S,
    ) -> None:
        self.done = 0
        self.of = 0
        self.compiled: frozenset[str] = frozenset()
        """the names of the stages that are done"""
        self.over = False
        """True at the end, however it came."""
        self._entry = entry
        self._arguments = arguments
        self._idle_s = idle_s
        self._stage_s = stage_s
        self._explained = False
        self._on_stage: Callable[[], None] = lambda: None

    @property
    def complete(self) -> bool:
        """Whether every kernel is in the cache."""
        return 0 < self.of == self.done

    async def run(self, forks: ForkServer, on_stage: Callable[[], None] = lambda: None) -> None:
        """From the start of the process to its end; `on_stage` is called after each stage."""
        self._on_stage = on_stage
        ended: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        try:
            child = forks.fork(self._entry, self._arguments, None, self._take, ended.set_result)
            try:
                await self._until_over(child, ended)
            finally:
                child.kill()
        except OSError as error:
            log.warning("the bots' warm-up cannot be started", extra={"error": str(error)})
        finally:
            self.over = True
        if not self._explained and not self.complete:
            log.warning("the bots' warm-up came to nothing, so workers warm up by themselves")

    async def _until_over(self, child: Child, ended: asyncio.Future[object]) -> None:
        """Its end, or until it makes no progress any more: it then has done no stage, and used no time."""
        loop = asyncio.get_running_loop()
        seen, stage, stage_since_s = None, self.done, loop.time()
        while not (await asyncio.wait([ended], timeout=self._idle_s))[0]:
            used_ms = cpu_ms(child.pid) if child.pid is not None else None
            if self.done != stage:
                stage, stage_since_s = self.done, loop.time()
            elif (used_ms is not None and used_ms == seen) or loop.time() - stage_since_s >= self._stage_s:
                log.warning("the bots' warm-up hangs and is ended", extra={"done": self.done, "of": self.of})
                self._explained = True
                return
            seen = used_ms

    def _take(self, report: Report) -> None:
        if isinstance(report, str):
            log.warning(report)
            self._explained = True
            return
        self.done, self.of = report[:2]
        self.compiled |= set(report[2:])
        log.info("bots warm up", extra={"done": self.done, "of": self.of})
        self._on_stage()
