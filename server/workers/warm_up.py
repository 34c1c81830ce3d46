"""The first compile: processes that compile every kernel into the cache while people already play.

They are handed a stage at a time, first those that somebody waits for. If they fail, the server goes on: without a
cache each worker compiles for itself, later and each time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from server.workers.child import Complaint
from server.workers.children import Child, Ending, ForkServer, Pauses, cpu_ms

log = logging.getLogger(__name__)

IDLE_S: Final = 120.0
"""A process that uses no processor time for this long hangs, however slow the machine is."""
STAGE_S: Final = 3600.0
"""A stage that takes longer hangs, whatever it uses."""
ATTEMPTS: Final = 3
"""Attempts at a stage whose process died, perhaps for lack of memory."""


News: TypeAlias = "str | Complaint | Ending | None"
"""What comes of a stage: its name once it is done, a complaint, the end of the process; None where it hangs."""


class WarmUp:
    """`entry` runs in each process: it is sent the names of stages, and answers each once it is compiled."""

    def __init__(
        self,
        entry: Callable[..., None],
        arguments: tuple[object, ...],
        stages: Sequence[str],
        processes: int,
        *,
        idle_s: float = IDLE_S,
        stage_s: float = STAGE_S,
    ) -> None:
        self.of = 0
        """how many stages there are, once it has begun"""
        self.compiled: frozenset[str] = frozenset()
        """the names of the stages that are done"""
        self.over = False
        """True at the end, however it came."""
        self._entry = entry
        self._arguments = arguments
        self._stages = tuple(stages)
        self._left = list(stages)
        self._processes = min(processes, len(stages))
        self._attempts: Counter[str] = Counter()
        self._idle_s = idle_s
        self._stage_s = stage_s
        self._explained = False
        self._on_stage: Callable[[], None] = lambda: None
        self._wanted: Callable[[], Iterable[str]] = tuple

    @property
    def done(self) -> int:
        return len(self.compiled)

    @property
    def complete(self) -> bool:
        """Whether every kernel is in the cache."""
        return self.compiled == {*self._stages}

    async def run(
        self,
        forks: ForkServer,
        on_stage: Callable[[], None] = lambda: None,
        wanted: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """Run until all is compiled or nothing more can be.

        `on_stage` is called after each stage; `wanted` names those that somebody waits for, the first to be done first.
        """
        self._on_stage, self._wanted = on_stage, wanted
        self.of = len(self._stages)
        self._tell()
        try:
            await asyncio.gather(*(self._compile(forks) for _ in range(self._processes)))
        finally:
            self.over = True
        if not self._explained and not self.complete:
            missing = ", ".join(stage for stage in self._stages if stage not in self.compiled)
            log.warning("workers compile for themselves what could not be compiled", extra={"missing": missing})

    async def _compile(self, forks: ForkServer) -> None:
        """Run one process after the other, as long as there is something left for one."""
        pauses = Pauses()
        while self._left and not self._explained:
            try:
                process = _Process(forks, self._entry, self._arguments)
            except OSError as error:
                log.warning("the bots' warm-up cannot be started", extra={"error": str(error)})
                return
            try:
                await self._feed(process)
            finally:
                process.child.kill()
            if self._left:
                await asyncio.sleep(pauses.after_failure())

    async def _feed(self, process: _Process) -> None:
        """Give it stages until none is left, or the process is of no use."""
        while self._left and not self._explained:
            stage = next((name for name in self._wanted() if name in self._left), self._left[0])
            self._left.remove(stage)
            news = await process.compile(stage, self._idle_s, self._stage_s)
            if news == stage:
                self.compiled |= {stage}
                self._tell()
                self._on_stage()
                continue
            if isinstance(news, Ending):
                self._attempts[stage] += 1
                log.warning("a process that compiles has died", extra={"stage": stage, "ending": str(news)})
                if self._attempts[stage] < ATTEMPTS:
                    self._left.append(stage)
                return
            if not self._explained:
                said = news.sentence if isinstance(news, Complaint) else "the bots' warm-up hangs and is ended"
                log.warning(said, extra={"done": self.done, "of": self.of})
                self._explained = True

    def _tell(self) -> None:
        log.info("bots warm up", extra={"done": self.done, "of": self.of})


class _Process:
    """Raises OSError where none is to be had."""

    def __init__(self, forks: ForkServer, entry: Callable[..., None], arguments: tuple[object, ...]) -> None:
        self._news: asyncio.Queue[str | Complaint | Ending] = asyncio.Queue()
        self.child: Child = forks.fork(entry, arguments, None, self._news.put_nowait, self._news.put_nowait)

    async def compile(self, stage: str, idle_s: float, stage_s: float) -> News:
        """Have a stage compiled. It hangs where it has used no time between two looks, or far too much."""
        self.child.send(stage)
        loop = asyncio.get_running_loop()
        since_s, seen = loop.time(), None
        while True:
            try:
                async with asyncio.timeout(idle_s):
                    return await self._news.get()
            except TimeoutError:
                used_ms = cpu_ms(self.child.pid) if self.child.pid is not None else None
                if (used_ms is not None and used_ms == seen) or loop.time() - since_s >= stage_s:
                    return None
                seen = used_ms
