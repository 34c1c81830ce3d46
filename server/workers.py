"""Searches in a pool of processes, in order of who waits for them.

At most one search runs in a worker and nothing waits inside the pool, so a person's opponent is never behind more than
the one search that each worker is busy with. A worker that dies or hangs costs its own search one retry.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import multiprocessing
from collections.abc import Callable
from concurrent.futures import TimeoutError as SearchTimeout
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

from pebble import ProcessFuture, ProcessPool

from engine.player import Decision
from server import worker
from server.worker import Job, Slot

log = logging.getLogger(__name__)

PROGRESS_S = 0.25
"""How often running searches are looked at; `thinking` goes out at most this often."""

JOIN_S = 1.5
"""How long a stop waits for workers to end; they die with their parent anyway."""

SearchFailure = Literal["crash", "stall"]


class QueueFull(Exception):
    """As many searches wait as may."""


class Priority(IntEnum):
    PERSON = 0
    """a person waits for their opponent"""
    WATCHED = 1
    BACKGROUND = 2


@dataclass(eq=False, slots=True)
class Search:
    """One search on its way. The callbacks run on the event loop; none is called after it was stopped."""

    job: Job
    priority: Priority
    started: Callable[[], None]
    progressed: Callable[[int, int, float, tuple[int, ...]], None]
    """nodes, depth, value, principal variation"""
    finished: Callable[[Decision, int], None]
    """the decision and the milliseconds it took"""
    failed: Callable[[SearchFailure], None]
    attempts: int = 0
    slot: int | None = None
    seen: int = 0
    stopped: bool = False


class Workers:
    """The pool and the queue before it. `count` workers; `nice` and `own_session` set how far they step back."""

    def __init__(
        self, *, count: int, nice: int = 0, own_session: bool = False, queue_limit: int = 1000, grace_ms: int = 2000
    ) -> None:
        self.count = count
        self.queue_limit = queue_limit
        self.grace_ms = grace_ms
        self.done = 0
        self.retried = 0
        self.failures = 0
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([worker.__name__])
        self._slots: Any = self._context.RawArray(Slot, count)
        self._settings = (nice, own_session)
        self._free = list(range(count))
        self._queue: list[tuple[int, int, Search]] = []
        self._numbers = itertools.count()
        self._front = itertools.count(-1, -1)
        self._running: dict[int, Search] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._look: asyncio.TimerHandle | None = None
        self._pool: ProcessPool | None = None
        self._closed = False

    @property
    def queued(self) -> int:
        return len(self._queue)

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def full(self) -> bool:
        return len(self._queue) >= self.queue_limit

    def start(self) -> None:
        """Start the workers now, so that the first search does not wait for them."""
        self._loop = asyncio.get_running_loop()
        self._pool = self._new_pool()
        for _ in range(self.count):
            self._pool.schedule(_nothing)

    def submit(self, search: Search) -> None:
        """Queue a search. Raises QueueFull."""
        if self.full:
            raise QueueFull
        heapq.heappush(self._queue, (search.priority, next(self._numbers), search))
        self._dispatch()

    def stop(self, search: Search) -> None:
        """The answer is no longer wanted."""
        search.stopped = True
        if search.slot is not None:
            self._slots[search.slot].stop = 1
        else:  # gone at once: it must not keep others out of a full queue
            self._queue = [waiting for waiting in self._queue if waiting[2] is not search]
            heapq.heapify(self._queue)

    async def close(self) -> None:
        """Stop every search and end the workers."""
        self._closed = True
        self._queue.clear()
        if self._look is not None:
            self._look.cancel()
        for search in list(self._running.values()):
            self.stop(search)
        if self._pool is not None:
            pool = self._pool
            pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(pool.join, JOIN_S)

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self.count,
            context=self._context,
            initializer=worker.prepare,
            initargs=[self._slots, *self._settings],
        )

    def _dispatch(self) -> None:
        while self._free and self._queue:
            self._run(heapq.heappop(self._queue)[2])
        if self._running and self._look is None and self._loop is not None:
            self._look = self._loop.call_later(PROGRESS_S, self._report_progress)

    def _run(self, search: Search) -> None:
        slot = self._free.pop()
        shared = self._slots[slot]
        shared.stop = 0
        search.seen = shared.version
        search.slot = slot
        search.attempts += 1
        self._running[slot] = search
        future = self._schedule(search.job, slot)
        search.started()
        loop = self._loop
        assert loop is not None, "start() comes first"
        future.add_done_callback(lambda done: _call_soon(loop, self._done, search, done))

    def _schedule(self, job: Job, slot: int) -> ProcessFuture[tuple[Decision, int]]:
        """Hand a job to the pool. A pool that broke down as a whole is replaced."""
        timeout_s = (job.budget_ms + self.grace_ms) / 1000
        if self._pool is None or not self._pool.active:
            log.error("worker pool broken, starting another")
            self._pool = self._new_pool()
        return self._pool.schedule(worker.search, args=[job, slot], timeout=timeout_s)

    def _done(self, search: Search, future: ProcessFuture[tuple[Decision, int]]) -> None:
        if self._closed:
            return
        assert search.slot is not None
        self._free.append(search.slot)
        del self._running[search.slot]
        search.slot = None
        if not search.stopped:
            self._settle(search, future)
        self._dispatch()

    def _settle(self, search: Search, future: ProcessFuture[tuple[Decision, int]]) -> None:
        error = future.exception()
        if error is None:
            self.done += 1
            search.finished(*future.result())
            return
        reason: SearchFailure = "stall" if isinstance(error, SearchTimeout) else "crash"
        log.warning("search failed", extra={"reason": reason, "bot": search.job.bot, "error": repr(error)})
        if search.attempts == 1:
            # In front of its own kind: it has waited once already.
            self.retried += 1
            heapq.heappush(self._queue, (search.priority, next(self._front), search))
        else:
            self.failures += 1
            search.failed(reason)

    def _report_progress(self) -> None:
        self._look = None
        for slot, search in self._running.items():
            shared = self._slots[slot]
            version = shared.version
            if version == search.seen or version % 2 or search.stopped:
                continue
            report = (shared.nodes, shared.depth, shared.value, tuple(shared.pv[: shared.pv_length]))
            if shared.version == version:
                search.seen = version
                search.progressed(*report)
        if self._running and self._loop is not None:
            self._look = self._loop.call_later(PROGRESS_S, self._report_progress)


def _nothing() -> None:
    """Makes the pool start a worker."""


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[..., None], *args: object) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback, *args)
