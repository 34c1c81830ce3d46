"""Searches in a pool of processes, in order of who waits for them and in fair shares of the people who ask.

At most one search runs in a worker and nothing waits inside the pool, so a person's opponent is never behind more than
the one search that each worker is busy with. A worker that dies or hangs costs its own search one retry, also where the
pool loses sight of it: each search notes its process.

Moves of finished games are reviewed by the same workers while no search waits. A review keeps no search out of the
queue, and one that runs when a person's search finds no free worker is broken off, to be begun again.

Kernels are compiled once, by a process beside the pool. Until it is done, searches that need them wait, and the others
run in workers that have loaded none; then a pool whose workers load them from the cache takes over.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as SearchTimeout
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, Literal, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from engine.analysis.verdict import MoveVerdict
from server.play.rate_limit import Refusal
from server.workers import child
from server.workers.child import Job, NotJudged, ReviewJob
from server.workers.search_queue import Bounds, Owner, SearchQueue
from server.workers.slot import SearchSlot
from server.workers.warm_up import WarmUp

log = logging.getLogger(__name__)

PROGRESS_S = 0.25
"""How often running searches are polled; `thinking` is sent at most this often."""

JOIN_S = 1.5
"""How long stopping waits for workers to end; they die with their parent anyway."""

MISSED_LOOKS = 8
"""Consecutive polls that find a process dead before we declare a crash that the pool did not report."""

LOAD_S = 300.0
"""How long a new pool may take to load the kernels, or to compile them where there is no cache."""

BOUNDS = Bounds(total=1000, person=8, address=64)
UNBOUNDED = Bounds(total=1_000_000, person=1_000_000, address=1_000_000)
REVIEWER = Owner("")
"""of all reviews"""

SearchFailure = Literal["crash", "stall"]
Answer = TypeVar("Answer")


class Priority(IntEnum):
    PERSON = 0
    """a person waits for their opponent"""
    WATCHED = 1
    BACKGROUND = 2
    REVIEW = 3
    """a move of a finished game is judged"""


@dataclass(eq=False, slots=True)
class Search(Generic[Answer]):
    """One search on its way. The callbacks run on the event loop; none is called after it was stopped.

    A `Job` is answered by a `Decision`; a `ReviewJob`, whose priority is REVIEW, by what was judged.
    """

    job: Job | ReviewJob
    priority: Priority
    owner: Owner
    started: Callable[[], None]
    progressed: Callable[[int, int, float, tuple[int, ...]], None]
    """nodes, depth, value, principal variation"""
    finished: Callable[[Answer, int], None]
    """the answer and the milliseconds it took"""
    failed: Callable[[SearchFailure], None]
    compiled: bool = False
    """It needs kernels."""
    attempts: int = 0
    slot: int | None = None
    begun_s: float = 0.0
    """by the loop's clock, while it runs"""
    seen: int = 0
    stopped: bool = False
    future: ProcessFuture[tuple[Any, int]] | None = None
    """of the pool, while it runs"""
    gone: int = 0
    """At how many looks its worker was gone."""
    makes_way: bool = False
    """It was broken off for a person and begins again."""


class Workers:
    """The pool and the queue before it. `count` workers; `nice` and `own_session` set how far they step back.

    With `warm_up` the first compile runs in a process of its own, else each worker compiles what is not cached.
    `on_human_waiting` is called with True when a person begins to wait for a search, and with False when the last one
    has stopped.
    """

    def __init__(
        self,
        *,
        count: int,
        nice: int = 0,
        own_session: bool = False,
        bounds: Bounds = BOUNDS,
        grace_ms: int = 2000,
        warm_up: bool = False,
        on_human_waiting: Callable[[bool], None] = lambda wait: None,
    ) -> None:
        self.count = count
        self.grace_ms = grace_ms
        self.done = 0
        self.judged = 0
        self.retried = 0
        self.failures = 0
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([child.__name__, "server.workers.preload"])
        self._slots: Any = self._context.RawArray(SearchSlot, count)
        self._settings = (nice, own_session)
        self._free = list(range(count))
        self._queue: SearchQueue[Search[Any]] = SearchQueue(bounds)
        self._reviews: SearchQueue[Search[Any]] = SearchQueue(UNBOUNDED)
        """apart, since whoever asks for them bounds them and they take nobody's place; they wait for the kernels too"""
        self._running: dict[int, Search[Any]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._look: asyncio.TimerHandle | None = None
        self._pool: ProcessPool | None = None
        self._warm_up = WarmUp(self._context, child.warm_up, (nice,)) if warm_up else None
        self._is_warm = not warm_up
        self._warming: asyncio.Task[None] | None = None
        self._closed = False
        self._on_human_waiting = on_human_waiting
        self._people_waited = False

    @property
    def human_waiting(self) -> bool:
        """Whether a search is running or queued for which a person waits."""
        return self._queue.has(Priority.PERSON) or any(
            search.priority == Priority.PERSON and not search.stopped for search in self._running.values()
        )

    @property
    def queued(self) -> int:
        """Searches that wait, reviews not among them."""
        return len(self._queue)

    @property
    def warming(self) -> tuple[int, int] | None:
        """How many stages of the first compile are done, of how many (0 before it has begun); None once all is."""
        return None if self._is_warm else (self.warm_up_done, self.warm_up_of)

    @property
    def warm_up_done(self) -> int:
        return self._warm_up.done if self._warm_up is not None else 0

    @property
    def warm_up_of(self) -> int:
        return self._warm_up.of if self._warm_up is not None else 0

    @property
    def running(self) -> int:
        return len(self._running)

    def refusal(self, owner: Owner) -> Refusal | None:
        """Why no search of theirs would be taken now, None where one would."""
        return self._queue.refusal(owner)

    def start(self) -> None:
        """Start the workers now, so that the first search does not wait for them."""
        self._loop = asyncio.get_running_loop()
        self._pool = self._new_pool()
        # In a thread, since it waits for the fork server, which may be loading.
        self._loop.run_in_executor(None, self._pool.schedule, _nothing)
        if self._warm_up is not None:
            self._warming = self._loop.create_task(self._warm(self._warm_up))

    def submit(self, search: Search[Any]) -> None:
        """Queue a search. Raises QueueFull, but for reviews."""
        self._queue_of(search).put(search, search.priority, search.owner)
        self._dispatch()
        if search.priority == Priority.PERSON and search.slot is None and self._is_ready(search):
            self._break_off_a_review()

    async def judge(self, job: ReviewJob) -> MoveVerdict:
        """What a review says of a move, once no search waits for a worker. Raises NotJudged; may be cancelled."""
        answer: asyncio.Future[MoveVerdict] = asyncio.get_running_loop().create_future()

        def finished(judged: MoveVerdict, took_ms: int) -> None:
            if not answer.done():
                answer.set_result(judged)

        def failed(reason: SearchFailure) -> None:
            if not answer.done():
                answer.set_exception(NotJudged(reason))

        search = Search(job, Priority.REVIEW, REVIEWER, _nothing, lambda *report: None, finished, failed, compiled=True)
        self.submit(search)
        try:
            return await answer
        except asyncio.CancelledError:
            self.stop(search)
            raise

    def stop(self, search: Search[Any]) -> None:
        """The answer is no longer wanted."""
        search.stopped = True
        if search.slot is not None:
            self._slots[search.slot].stop = 1
        else:  # gone at once: it must not keep others out of a full queue
            self._queue_of(search).remove(search)
        self._tell_of_people()

    async def close(self) -> None:
        """Stop every search and end the workers."""
        self._closed = True
        self._queue.clear()
        self._reviews.clear()
        if self._warming is not None:
            self._warming.cancel()
            with suppress(asyncio.CancelledError):
                await self._warming
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
            initializer=child.prepare,
            initargs=[self._slots, *self._settings, self._warm_up is None or self._warm_up.over],
        )

    async def _warm(self, warm_up: WarmUp) -> None:
        """Have the kernels compiled, then loaded by workers that take over, then serve who has waited for that."""
        begun = time.monotonic()
        await warm_up.run()
        cold, warm = self._pool, self._new_pool()
        assert cold is not None
        try:
            await self._loaded(warm)
        except BaseException as error:
            warm.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(warm.join, JOIN_S)
            if not isinstance(error, Exception):
                raise
            log.error("workers cannot load the kernels, so searches do", extra={"error": repr(error)})
        else:
            self._pool = warm
        log.info("bots are ready", extra={"took_ms": round((time.monotonic() - begun) * 1000)})
        self._is_warm = True
        self._dispatch()
        if self._pool is warm:
            await asyncio.to_thread(_retire, cold)

    async def _loaded(self, pool: ProcessPool) -> None:
        """Until a worker of the pool is ready. Raises whatever keeps it from that."""
        ready: Future[None] = await asyncio.to_thread(pool.schedule, _nothing)
        async with asyncio.timeout(LOAD_S):
            await asyncio.wrap_future(ready)

    def _dispatch(self) -> None:
        for queue in (self._queue, self._reviews):
            while self._free and (search := queue.pop(self._is_ready)) is not None:
                self._run(search)
        if self._running and self._look is None and self._loop is not None:
            self._look = self._loop.call_later(PROGRESS_S, self._report_progress)
        self._tell_of_people()

    def _tell_of_people(self) -> None:
        waits = self.human_waiting
        if waits != self._people_waited:
            self._people_waited = waits
            self._on_human_waiting(waits)

    def _break_off_a_review(self) -> None:
        """Free a worker for a person. What is lost is some tenths of a second of work."""
        for slot, search in self._running.items():
            if search.priority == Priority.REVIEW and not (search.makes_way or search.stopped):
                search.makes_way = True
                self._slots[slot].stop = 1
                return

    def _run(self, search: Search[Any]) -> None:
        slot = self._free.pop()
        shared = self._slots[slot]
        shared.stop = shared.pid = 0
        search.gone = 0
        search.seen = shared.version
        search.slot = slot
        search.attempts += 1
        self._running[slot] = search
        loop = self._loop
        assert loop is not None, "start() comes first"
        search.begun_s = loop.time()
        future = search.future = self._schedule(search.job, slot)
        search.started()
        future.add_done_callback(lambda done: _call_soon(loop, self._done, search, done))

    def _schedule(self, job: Job | ReviewJob, slot: int) -> ProcessFuture[tuple[Any, int]]:
        """Hand a job to the pool. A pool that broke down as a whole is replaced."""
        timeout_s = (job.budget_ms + self.grace_ms) / 1000
        if self._pool is None or not self._pool.active:
            log.error("worker pool broken, starting another")
            self._pool = self._new_pool()
        work: Callable[..., tuple[Any, int]] = child.search if isinstance(job, Job) else child.review
        return self._pool.schedule(work, args=[job, slot], timeout=timeout_s)

    def _done(self, search: Search[Any], future: ProcessFuture[tuple[Any, int]]) -> None:
        if self._closed or future is not search.future:
            return
        error = future.exception()
        self._end(search, error, future.result() if error is None else None)

    def _end(self, search: Search[Any], error: BaseException | None, answer: tuple[Any, int] | None) -> None:
        assert search.slot is not None
        assert self._loop is not None
        self._queue_of(search).finish(search.owner, (self._loop.time() - search.begun_s) * 1000)
        self._free.append(search.slot)
        del self._running[search.slot]
        search.slot = search.future = None
        if not search.stopped:
            self._settle(search, error, answer)
        self._dispatch()

    def _settle(self, search: Search[Any], error: BaseException | None, answer: tuple[Any, int] | None) -> None:
        made_way, search.makes_way = search.makes_way, False
        if answer is not None:
            self._count(search)
            search.finished(*answer)
            return
        if made_way:
            search.attempts -= 1
            self._put_in_front(search)
            return
        reason: SearchFailure = "stall" if isinstance(error, SearchTimeout) else "crash"
        who = search.job.bot if isinstance(search.job, Job) else "review"
        log.warning("search failed", extra={"reason": reason, "bot": who, "error": repr(error)})
        if search.attempts == 1:
            self.retried += 1
            self._put_in_front(search)
        else:
            self.failures += 1
            search.failed(reason)

    def _put_in_front(self, search: Search[Any]) -> None:
        """Of its own kind: it has waited once already."""
        self._queue_of(search).put_back(search, search.priority, search.owner)

    def _queue_of(self, search: Search[Any]) -> SearchQueue[Search[Any]]:
        return self._reviews if search.priority == Priority.REVIEW else self._queue

    def _is_ready(self, search: Search[Any]) -> bool:
        """Whether what it needs is compiled."""
        return self._is_warm or not search.compiled

    def _count(self, search: Search[Any]) -> None:
        if search.priority == Priority.REVIEW:
            self.judged += 1
        else:
            self.done += 1

    def _report_progress(self) -> None:
        self._look = None
        for slot, search in list(self._running.items()):
            shared = self._slots[slot]
            search.gone = search.gone + 1 if _is_gone(shared.pid) else 0
            if search.gone >= MISSED_LOOKS:
                missed = ProcessExpired("the pool has missed its end", pid=shared.pid)  # type: ignore[no-untyped-call]
                self._end(search, missed, None)
                continue
            version = shared.version
            if version == search.seen or version % 2 or search.stopped:
                continue
            report = (shared.nodes, shared.depth, shared.value, tuple(shared.pv[: shared.pv_length]))
            if shared.version == version:
                search.seen = version
                search.progressed(*report)
        if self._running and self._loop is not None:
            self._look = self._loop.call_later(PROGRESS_S, self._report_progress)


def _is_gone(pid: int) -> bool:
    """Whether there was such a process and is none any more."""
    try:
        os.kill(pid, 0)  # for 0, our own group
    except ProcessLookupError:
        return True
    return False


def _nothing() -> None:
    """Given to a pool, it makes it start its workers, and is done when one of them is ready."""


def _retire(pool: ProcessPool) -> None:
    """End a pool once its running searches are done."""
    pool.close()  # type: ignore[no-untyped-call]
    pool.join()


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[..., None], *args: object) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback, *args)
