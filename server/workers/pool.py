"""Searches in worker processes: by priority, and within one in fair shares among the people who ask.

At most one search runs in a worker and nothing waits inside one, so a person's opponent is never behind more than the
one search that each worker is busy with. A worker that dies or hangs costs its own search one retry, and while none can
be started nothing that waits is lost.

Moves of finished games are reviewed by the same workers while no search waits. A review keeps no search out of the
queue, and one that runs when a person's search finds no free worker is broken off, to be begun again.

Where there is a cluster, searches that take long go there, and a person's search also goes there when no worker is
free. One that a cluster has lost is searched here.

Kernels are compiled once, by processes beside the workers, in stages. A search runs once its own stages are done. One
that waits for them, and may be interpreted, runs in a worker that has the same kernels as plain Python: the same move,
only later. When all is compiled the fork server loads the kernels from the cache, and all new workers have them.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.analysis.verdict import MoveVerdict
from engine.bots.player import Decision
from engine.search.warm import stages
from server.play.rate_limit import Refusal
from server.workers import child
from server.workers.child import Asked, Done, Failed, Job, NotJudged, ReviewJob
from server.workers.children import ORPHANED, Ending, ForkServer
from server.workers.search import Elsewhere, Priority, Search, SearchFailure, Worker
from server.workers.search_queue import Bounds, Owner, SearchQueue
from server.workers.warm_up import WarmUp
from server.workers.worker_processes import WorkerProcesses

log = logging.getLogger(__name__)

PROGRESS_S = 0.25
"""How often running searches are polled; `thinking` is sent at most this often."""

COMPILE_MS = 600_000
"""Time for a worker to compile what a search needs, besides that of the search: ten times what all kernels take in
one process (docs/engine.md)."""

BOUNDS = Bounds(total=1000, person=8, address=64)
UNBOUNDED = Bounds(total=1_000_000, person=1_000_000, address=1_000_000)
REVIEWER = Owner("")
"""owner of all reviews"""


class Workers:
    """The pool and the queue before it. At most `count` workers; `nice` and `own_session` set their priority.

    With `warm_up` the first compile runs in processes of its own, else each worker compiles what is not cached.
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
        fork_server: Callable[..., ForkServer] = ForkServer,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.count = count
        self.grace_ms = grace_ms
        self.done = 0
        self.judged = 0
        self.retried = 0
        self.failures = 0
        self._processes = WorkerProcesses(
            count=count,
            nice=nice,
            own_session=own_session,
            interprets=warm_up,
            fork_server=fork_server,
            on_outcome=self._end,
            on_change=self._dispatch,
        )
        self._queue: SearchQueue[Search[Any]] = SearchQueue(bounds)
        self._reviews: SearchQueue[Search[Any]] = SearchQueue(UNBOUNDED)
        """apart, since whoever asks for them bounds them and they take nobody's place; they wait for the kernels too"""
        self._loop: asyncio.AbstractEventLoop
        self._look: asyncio.TimerHandle | None = None
        self._warm_up = WarmUp(child.warm_up, (nice,), stages(), os.cpu_count() or 1) if warm_up else None
        self._is_warm = not warm_up
        self._warming: asyncio.Task[None] | None = None
        self._closed = False
        self._on_human_waiting = on_human_waiting
        self._people_waited = False
        self._elsewhere = elsewhere

    @property
    def human_waiting(self) -> bool:
        """Whether a search is running or queued for which a person waits."""
        return self._queue.has(Priority.PERSON) or any(
            search.priority == Priority.PERSON and not search.stopped for search in (*self._running, *self._away)
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
        return len(self._running) + len(self._away)

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that are ready."""
        return self._processes.pids

    @property
    def unready(self) -> str | None:
        """Why no search can run now, in one sentence; None where one can, or soon will."""
        trouble = self._processes.trouble
        return f"No worker can be started: {trouble}." if trouble else None

    def refusal(self, owner: Owner) -> Refusal | None:
        """Why no search of theirs would be taken now, None where one would."""
        return self._queue.refusal(owner)

    def start(self) -> None:
        """Start the first worker now, so that the first search does not wait for it."""
        self._loop = asyncio.get_running_loop()
        self._processes.start(self._loop)
        if self._elsewhere is not None:
            self._elsewhere.start(self._dispatch, self._on_end_elsewhere)
        if self._warm_up is not None:
            self._warming = self._loop.create_task(self._warm(self._warm_up))

    def submit(self, search: Search[Any]) -> None:
        """Queue a search. Raises QueueFull, but for reviews."""
        self._queue_of(search).put(search, search.priority, search.owner)
        self._dispatch()
        starting = self._processes.starting
        if search.priority == Priority.PERSON and self._waiting(Priority.PERSON, most=starting + 1) > starting:
            self._break_off_a_review()

    async def judge(self, job: ReviewJob) -> MoveVerdict:
        """What a review says of a move, once no search waits for a worker. Raises NotJudged; may be cancelled."""
        answer: asyncio.Future[MoveVerdict] = asyncio.get_running_loop().create_future()

        def finished(judged: MoveVerdict, took_us: int) -> None:
            if not answer.done():
                answer.set_result(judged)

        def failed(reason: SearchFailure) -> None:
            if not answer.done():
                answer.set_exception(NotJudged(reason))

        search = Search(
            job, Priority.REVIEW, REVIEWER, _nothing, lambda *report: None, finished, failed, needs=frozenset(stages())
        )
        self.submit(search)
        try:
            return await answer
        except asyncio.CancelledError:
            self.stop(search)
            raise

    def stop(self, search: Search[Any]) -> None:
        """The answer is no longer wanted."""
        search.stopped = True
        if search.worker is not None:
            self._processes.stop(search.worker)
        elif search.is_elsewhere:
            assert self._elsewhere is not None
            self._elsewhere.stop(search)
        else:  # gone at once: it must not keep others out of a full queue
            self._queue_of(search).remove(search)
        self._tell_of_people()

    def end_game(self, seed: int) -> None:
        """Engines need remember the game of this seed no longer."""
        self._processes.end_game(seed)

    async def close(self) -> None:
        """End the workers and whatever they search."""
        self._closed = True
        self._queue.clear()
        self._reviews.clear()
        if self._warming is not None:
            self._warming.cancel()
            with suppress(asyncio.CancelledError):
                await self._warming
        if self._look is not None:
            self._look.cancel()
        for search in (*self._running, *self._away):
            search.stopped = True
        if self._elsewhere is not None:
            self._elsewhere.close()
        self._processes.close()

    async def _warm(self, warm_up: WarmUp) -> None:
        """Have the kernels compiled, then loaded for all new workers, then serve whoever has waited for that."""
        begun_s = self._loop.time()
        await warm_up.run(self._processes.forks, self._dispatch, self._wanted_stages)
        if warm_up.complete:  # else the fork server would compile them itself, and fork nobody meanwhile
            await self._processes.load()
        log.info("bots are ready", extra={"took_ms": round((self._loop.time() - begun_s) * 1000)})
        self._is_warm = True
        self._processes.end_interpreting()
        self._dispatch()

    def _wanted_stages(self) -> list[str]:
        """Stages that searches wait for, those of the first in the queue first."""
        return [stage for search in self._queue for stage in sorted(search.needs)]

    @property
    def _running(self) -> list[Search[Any]]:
        return [worker.search for worker in self._processes.busy if worker.search is not None]

    @property
    def _away(self) -> Collection[Search[Any]]:
        """Searches that run elsewhere."""
        return () if self._elsewhere is None else self._elsewhere.running

    def _dispatch(self) -> None:
        if self._closed:
            return
        if self._elsewhere is not None:
            self._send_away(self._elsewhere, self._elsewhere.suits)
        for queue in (self._queue, self._reviews):
            while self._processes.idle and (search := queue.pop(self._can_run)) is not None:
                self._run(search, self._processes.take(search.job.stays))
        self._grow()
        self._interpret()
        if self._elsewhere is not None and self._processes.are_all:
            self._send_away(self._elsewhere, lambda search: search.priority == Priority.PERSON)
        if self._look is None and self._running:
            self._look = self._loop.call_later(PROGRESS_S, self._report_progress)
        self._tell_of_people()

    def _send_away(self, elsewhere: Elsewhere, is_wanted: Callable[[Search[Any]], bool]) -> None:
        for queue in (self._queue, self._reviews):
            while search := queue.pop(
                lambda one: not one.is_lost_elsewhere and is_wanted(one) and elsewhere.takes(one)
            ):
                search.is_elsewhere = True
                search.attempts += 1
                search.begun_s = self._loop.time()
                elsewhere.begin(search)
                search.started()

    def _on_end_elsewhere(self, search: Search[Any], outcome: Done | Failed | None) -> None:
        self._queue_of(search).finish(search.owner, (self._loop.time() - search.begun_s) * 1000)
        search.is_elsewhere = False
        if not search.stopped:
            if outcome is not None:
                self._settle(search, outcome)
            else:
                search.is_lost_elsewhere = True
                search.attempts -= 1
                self._put_in_front(search)
        self._dispatch()

    def _can_run(self, search: Search[Any]) -> bool:
        """Whether a worker that is idle may have it."""
        return self._is_ready(search) and self._processes.can_take(search.job.stays)

    def _interpret(self) -> None:
        """Have plain Python search what may be interpreted and waits for the compiler."""
        if not self._processes.interprets or not self._queue.waiting(self._is_better_interpreted, 1):
            return
        worker = self._processes.free_interpreter()
        if worker is not None:
            search = self._queue.pop(self._is_better_interpreted)
            assert search is not None
            self._run(search, worker)

    def _is_better_interpreted(self, search: Search[Any]) -> bool:
        return search.interpretable and not self._is_ready(search)

    def _grow(self) -> None:
        """A worker for every search that waits for one, up to the bound."""
        if self._processes.may_grow:
            self._processes.grow(max(1, len(self._running) + self._waiting(*Priority, most=self.count)))

    def _waiting(self, *priorities: Priority, most: int) -> int:
        """Searches that a worker could run now, of each queue `most` at most."""
        return sum(
            queue.waiting(lambda search: search.priority in priorities and self._is_ready(search), most)
            for queue in (self._queue, self._reviews)
        )

    def _tell_of_people(self) -> None:
        waits = self.human_waiting
        if waits != self._people_waited:
            self._people_waited = waits
            self._on_human_waiting(waits)

    def _break_off_a_review(self) -> None:
        """Free a worker for a person, which loses some tenths of a second of work."""
        for worker in self._processes.all:
            search = worker.search
            if search is not None and search.priority == Priority.REVIEW and not (search.makes_way or search.stopped):
                search.makes_way = True
                self._processes.stop(worker)
                return

    def _run(self, search: Search[Any], worker: Worker) -> None:
        slot = worker.child.slot
        slot.stop = 0
        search.seen = slot.version
        search.worker, worker.search = worker, search
        search.attempts += 1
        search.begun_s = self._loop.time()
        worker.asked += 1
        worker.child.send(Asked(worker.asked, search.job))
        bound_ms = search.job.start_ms + search.job.budget_ms + self.grace_ms
        if self._compiles(search, worker):
            bound_ms += COMPILE_MS
        worker.child.limit(bound_ms / 1000, patient=not search.job.by_engine)
        search.started()

    def _compiles(self, search: Search[Any], worker: Worker) -> bool:
        """Whether the worker may have to compile for it: the first compile failed, or what it made cannot be kept.

        The budget of a review leaves time for that.
        """
        if not isinstance(search.job, Job) or worker.interprets:
            return False
        if self._warm_up is not None and self._warm_up.complete:
            return False
        return bool(search.needs - self._compiled - worker.compiled)

    def _end(self, worker: Worker, outcome: Done | Failed | Ending) -> None:
        search = worker.search
        assert search is not None
        self._queue_of(search).finish(search.owner, (self._loop.time() - search.begun_s) * 1000)
        search.worker = worker.search = None
        if not isinstance(outcome, Ending):
            if isinstance(search.job, Job):  # a review has needed only some of all stages
                worker.compiled |= search.needs
            self._processes.rest(worker)
        if not search.stopped:
            self._settle(search, _marked(outcome) if worker.interprets else outcome)

    def _settle(self, search: Search[Any], outcome: Done | Failed | Ending) -> None:
        made_way, search.makes_way = search.makes_way, False
        if isinstance(outcome, Done):
            self._count(search)
            if self._elsewhere is not None:
                self._elsewhere.note(search.job, outcome.took_us / 1000)
            search.finished(outcome.answer, outcome.took_us)
            return
        if isinstance(outcome, Failed) and outcome.termination is not None:
            self.failures += 1
            search.faulted(outcome.termination, outcome.error)
            return
        if made_way:
            search.attempts -= 1
            self._put_in_front(search)
            return
        reason: SearchFailure = "stall" if isinstance(outcome, Ending) and outcome.hung else "crash"
        who = search.job.bot.name if isinstance(search.job, Job) else "review"
        log.warning("search failed", extra={"reason": reason, "bot": who, "error": str(outcome)})
        if isinstance(outcome, Ending) and outcome.orphaned and search.orphaned < ORPHANED:
            search.orphaned += 1
            search.attempts -= 1
        if search.attempts <= 1:
            self.retried += 1
            self._put_in_front(search)
        else:
            self.failures += 1
            search.failed(reason)

    def _put_in_front(self, search: Search[Any]) -> None:
        """Put it before all others of its kind: it has waited once already."""
        self._queue_of(search).put_back(search, search.priority, search.owner)

    def _queue_of(self, search: Search[Any]) -> SearchQueue[Search[Any]]:
        return self._reviews if search.priority == Priority.REVIEW else self._queue

    def _is_ready(self, search: Search[Any]) -> bool:
        """Whether what it needs is compiled."""
        return self._is_warm or search.needs <= self._compiled

    @property
    def _compiled(self) -> frozenset[str]:
        """The stages that are done."""
        return self._warm_up.compiled if self._warm_up is not None else frozenset()

    def _count(self, search: Search[Any]) -> None:
        if search.priority == Priority.REVIEW:
            self.judged += 1
        else:
            self.done += 1

    def _report_progress(self) -> None:
        self._look = None
        for search in self._running:
            assert search.worker is not None
            slot = search.worker.child.slot
            version = slot.version
            if version == search.seen or version % 2 or search.stopped:
                continue
            report = (slot.nodes, slot.depth, slot.value, tuple(slot.pv[: slot.pv_length]))
            if slot.version == version:
                search.seen = version
                search.progressed(*report)
        if self._running:
            self._look = self._loop.call_later(PROGRESS_S, self._report_progress)


def _marked(outcome: Done | Failed | Ending) -> Done | Failed | Ending:
    """Found by an interpreter."""
    if isinstance(outcome, Done) and isinstance(outcome.answer, Decision):
        return outcome._replace(answer=replace(outcome.answer, interpreted=True))
    return outcome


def _nothing() -> None:
    """Does nothing, for callers who only wait for an answer."""
