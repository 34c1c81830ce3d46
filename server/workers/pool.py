"""Searches in worker processes, in order of who waits for them and in fair shares of the people who ask.

At most one search runs in a worker and nothing waits inside one, so a person's opponent is never behind more than the
one search that each worker is busy with. There are as many workers as there is work for, up to a bound, and never less
than one. A worker that dies or hangs costs its own search one retry; where none can be started it is tried again, after
growing pauses, and nothing that waits is lost.

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
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from engine.analysis.verdict import MoveVerdict
from engine.bots.player import Decision
from engine.rules.termination import FaultTermination
from engine.search.warm import stages
from server.play.rate_limit import Refusal
from server.workers import child
from server.workers.child import Answered, Asked, Done, Failed, Job, NotJudged, Ready, ReviewJob
from server.workers.children import Child, Ending, ForkServer, Pauses
from server.workers.search_queue import Bounds, Owner, SearchQueue
from server.workers.slot import SearchSlot
from server.workers.warm_up import WarmUp

log = logging.getLogger(__name__)

PROGRESS_S = 0.25
"""How often running searches are polled; `thinking` is sent at most this often."""

OBEY_S = 0.1
"""A worker that goes on for so long after its search was stopped is killed: another one costs some milliseconds."""

START_S = 120.0
"""A worker that is not ready after so long hangs, and with it the fork server, which loads what it needs."""

HOME_OBEY_S = 5.0
"""The same of the worker whose engines remember their games, all of which would be lost with it."""

IDLE_S = 60.0
"""A worker that has nothing to do for so long is ended, but for the last one."""

PRELOAD: Final = ("server.workers.child", "server.workers.preload")

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
    """the answer and the microseconds it took"""
    failed: Callable[[SearchFailure], None]
    faulted: Callable[[FaultTermination, str], None] = lambda termination, what: None
    """The bot did something wrong, which ends a sentence that begins with its name."""
    needs: frozenset[str] = frozenset()
    """The stages of `engine.search.warm` without which it would have to compile."""
    interpretable: bool = False
    """Its kernels may run as plain Python until they are compiled."""
    attempts: int = 0
    worker: Worker | None = None
    """while it runs"""
    begun_s: float = 0.0
    """by the loop's clock, while it runs"""
    seen: int = 0
    stopped: bool = False
    makes_way: bool = False
    """It was broken off for a person and begins again."""
    is_elsewhere: bool = False
    """It runs on another machine."""
    is_lost_elsewhere: bool = False
    """Another machine has lost it, so it runs here."""


class Elsewhere(Protocol):
    """Workers of other machines."""

    @property
    def running(self) -> Collection[Search[Any]]:
        """What was begun and has not ended, those that are stopped among them."""

    def start(self, freed: Callable[[], None], ended: Callable[[Search[Any], Done | Failed | None], None]) -> None:
        """`freed` is called when there is more room, `ended` once for each search: with None where it was lost."""

    def takes(self, search: Search[Any]) -> bool:
        """Whether it has room for this one."""

    def suits(self, search: Search[Any]) -> bool:
        """Whether this one is worth the way."""

    def begin(self, search: Search[Any]) -> None: ...
    def stop(self, search: Search[Any]) -> None: ...
    def note(self, job: Job | ReviewJob, took_ms: float) -> None:
        """What a search has taken, wherever it ran."""

    def close(self) -> None:
        """Nothing is told any more."""


@dataclass(eq=False, slots=True)
class Worker:
    """One process, and what it is busy with."""

    child: Child
    warm: bool
    """It was forked when the kernels were loaded."""
    interprets: bool = False
    """Its kernels are plain Python."""
    ready: bool = False
    search: Search[Any] | None = None
    asked: int = 0
    """how many jobs it was given; each answer names its job's number"""
    leaving: asyncio.TimerHandle | None = None
    """while it is idle"""

    def answers(self, number: int) -> bool:
        """Whether an answer of that number is one to what it searches."""
        return self.search is not None and number == self.asked


class Workers:
    """The pool and the queue before it. At most `count` workers; `nice` and `own_session` set how far they step back.

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
        self._settings = (nice, own_session)
        self._queue: SearchQueue[Search[Any]] = SearchQueue(bounds)
        self._reviews: SearchQueue[Search[Any]] = SearchQueue(UNBOUNDED)
        """apart, since whoever asks for them bounds them and they take nobody's place; they wait for the kernels too"""
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        """those without a search; who was last busy goes first, so that the others may leave"""
        self._home: Worker | None = None
        """the worker whose engines remember their games, once there is such a game: its next move must come to it"""
        self._pauses = Pauses()
        self._next_start: asyncio.TimerHandle | None = None
        """while no worker is started, since the last attempt failed"""
        self._trouble = ""
        """why it failed, in a few words"""
        self._loop: asyncio.AbstractEventLoop
        self._fork_server = fork_server
        self._forks: ForkServer
        self._look: asyncio.TimerHandle | None = None
        self._warm_up = WarmUp(child.warm_up, (nice,), stages(), os.cpu_count() or 1) if warm_up else None
        self._is_warm = not warm_up
        self._plain_forks: ForkServer
        self._interpreter: Worker | None = None
        """the worker that interprets, once somebody waits for a search that may be interpreted"""
        self._interprets = warm_up
        """until all is compiled, or an interpreter has died"""
        self._are_loaded = False
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
        """Of the workers that are ready."""
        return [worker.child.pid for worker in self._workers if worker.ready and worker.child.pid is not None]

    @property
    def unready(self) -> str | None:
        """Why no search can run now, in one sentence; None where one can, or soon will."""
        if not self._trouble or any(worker.ready for worker in self._workers):
            return None
        return f"No worker can be started: {self._trouble}."

    def refusal(self, owner: Owner) -> Refusal | None:
        """Why no search of theirs would be taken now, None where one would."""
        return self._queue.refusal(owner)

    def start(self) -> None:
        """Start the first worker now, so that the first search does not wait for it."""
        self._loop = asyncio.get_running_loop()
        self._forks = self._new_fork_server()
        self._plain_forks = self._new_fork_server({"NUMBA_DISABLE_JIT": "1"})
        if self._elsewhere is not None:
            self._elsewhere.start(self._dispatch, self._on_end_elsewhere)
        self._grow()
        if self._warm_up is not None:
            self._warming = self._loop.create_task(self._warm(self._warm_up))

    def submit(self, search: Search[Any]) -> None:
        """Queue a search. Raises QueueFull, but for reviews."""
        self._queue_of(search).put(search, search.priority, search.owner)
        self._dispatch()
        starting = self._starting
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
            self._stop(search.worker)
        elif search.is_elsewhere:
            assert self._elsewhere is not None
            self._elsewhere.stop(search)
        else:  # gone at once: it must not keep others out of a full queue
            self._queue_of(search).remove(search)
        self._tell_of_people()

    async def close(self) -> None:
        """End the workers and whatever they search."""
        self._closed = True
        self._queue.clear()
        self._reviews.clear()
        if self._warming is not None:
            self._warming.cancel()
            with suppress(asyncio.CancelledError):
                await self._warming
        for timer in (self._look, self._next_start, *(worker.leaving for worker in self._idle)):
            if timer is not None:
                timer.cancel()
        for search in (*self._running, *self._away):
            search.stopped = True
        if self._elsewhere is not None:
            self._elsewhere.close()
        self._workers.clear()
        self._idle.clear()
        self._forks.close()
        self._plain_forks.close()

    def _new_fork_server(self, environment: Mapping[str, str] = MappingProxyType({})) -> ForkServer:
        return self._fork_server(PRELOAD, self._loop, environment=environment)

    async def _warm(self, warm_up: WarmUp) -> None:
        """Have the kernels compiled, then loaded for all new workers, then serve who has waited for that."""
        begun_s = self._loop.time()
        await warm_up.run(self._forks, self._dispatch, self._wanted_stages)
        if warm_up.complete:  # else the fork server would compile them itself, and fork nobody meanwhile
            await self._load()
        log.info("bots are ready", extra={"took_ms": round((self._loop.time() - begun_s) * 1000)})
        self._is_warm = True
        self._interprets = False
        if self._interpreter is not None and self._interpreter.search is None:
            self._dismiss_interpreter(self._interpreter)
        self._dispatch()

    def _wanted_stages(self) -> list[str]:
        """Those that searches wait for, the first in the queue first."""
        return [stage for search in self._queue for stage in sorted(search.needs)]

    async def _load(self) -> None:
        """Workers that are forked from now on have the kernels, and take over."""
        loaded: asyncio.Future[bool] = self._loop.create_future()
        try:
            self._forks.load(child.load_kernels, lambda done: None if loaded.done() else loaded.set_result(done))
            async with asyncio.timeout(START_S):
                self._are_loaded = await loaded
        except TimeoutError:
            self._forks.restart()
        except OSError as error:
            log.warning("the fork server cannot be told to load", extra={"error": str(error)})
        if not self._are_loaded:
            log.warning("the kernels cannot be loaded beforehand, so each worker loads them")
            return
        for worker in [worker for worker in self._idle if not worker.warm and worker is not self._home]:
            self._dismiss(worker)

    @property
    def _running(self) -> list[Search[Any]]:
        workers = self._workers if self._interpreter is None else [*self._workers, self._interpreter]
        return [worker.search for worker in workers if worker.search is not None]

    @property
    def _away(self) -> Collection[Search[Any]]:
        """What runs elsewhere."""
        return () if self._elsewhere is None else self._elsewhere.running

    def _dispatch(self) -> None:
        if self._closed:
            return
        if self._elsewhere is not None:
            self._send_away(self._elsewhere, self._elsewhere.suits)
        for queue in (self._queue, self._reviews):
            while self._idle and (search := queue.pop(self._can_run)) is not None:
                worker = self._idle_for(search)
                self._idle.remove(worker)
                self._leave_not(worker)
                self._run(search, worker)
        self._grow()
        self._interpret()
        if self._elsewhere is not None and len(self._workers) >= self.count and not self._starting:
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
        return self._is_ready(search) and (not search.job.stays or self._home is None or self._home in self._idle)

    def _idle_for(self, search: Search[Any]) -> Worker:
        """Who may stay free for games that stay with it does."""
        if search.job.stays:
            self._home = self._home or self._idle[-1]
            return self._home
        return next((worker for worker in reversed(self._idle) if worker is not self._home), self._idle[-1])

    def _interpret(self) -> None:
        """Have plain Python search what may be interpreted and waits for the compiler."""
        if not self._interprets or not self._queue.waiting(self._is_better_interpreted, 1):
            return
        worker = self._interpreter
        if worker is None and self._next_start is None:
            self._interpreter = self._fork_worker(self._plain_forks, interprets=True)
        elif worker is not None and worker.ready and worker.search is None:
            search = self._queue.pop(self._is_better_interpreted)
            assert search is not None
            self._run(search, worker)

    def _is_better_interpreted(self, search: Search[Any]) -> bool:
        return search.interpretable and not self._is_ready(search)

    def _grow(self) -> None:
        """A worker for every search that waits for one, up to the bound."""
        while self._next_start is None and len(self._workers) < self.count and self._are_too_few:
            self._start_worker()

    @property
    def _are_too_few(self) -> bool:
        return len(self._workers) < max(1, len(self._running) + self._waiting(*Priority, most=self.count))

    @property
    def _starting(self) -> int:
        return sum(not worker.ready for worker in self._workers)

    def _waiting(self, *priorities: Priority, most: int) -> int:
        """Searches that a worker could run now, of each queue `most` at most."""
        return sum(
            queue.waiting(lambda search: search.priority in priorities and self._is_ready(search), most)
            for queue in (self._queue, self._reviews)
        )

    def _start_worker(self) -> None:
        worker = self._fork_worker(self._forks)
        if worker is not None:
            self._workers.append(worker)

    def _fork_worker(self, forks: ForkServer, interprets: bool = False) -> Worker | None:
        """None where it cannot be forked: it is tried again after a pause.

        One that interprets steps back no further than the compiler, beside which it works.
        """
        worker: Worker
        try:
            forked = forks.fork(
                child.work,
                (min(self._settings[0], child.WARM_UP_NICE), False) if interprets else self._settings,
                SearchSlot,
                lambda message: self._hear(worker, message),
                lambda ending: self._on_end(worker, ending),
            )
        except OSError as error:
            self._pause(error.strerror or repr(error))
            return None
        worker = Worker(forked, warm=self._are_loaded, interprets=interprets)
        forked.limit(START_S)
        return worker

    def _pause(self, trouble: str) -> None:
        """Starting a worker has failed, or it was of no use: try again, each time after a longer pause."""
        self._trouble = trouble
        pause_s = self._pauses.after_failure()
        log.warning("a worker cannot be started", extra={"trouble": trouble, "again_s": pause_s})
        self._next_start = self._loop.call_later(pause_s, self._start_again)

    def _start_again(self) -> None:
        self._next_start = None
        self._dispatch()

    def _hear(self, worker: Worker, message: Ready | Answered) -> None:
        if isinstance(message, Ready):
            worker.ready = True
            self._trouble = ""
            self._rest(worker)
        elif isinstance(message, Answered) and worker.answers(message.number):
            self._pauses.reset()
            self._end(worker, message.outcome)
        else:
            log.warning("a worker answers what it was not asked", extra={"answer": repr(message)})
            worker.child.kill()
            self._on_end(worker, Ending())
        self._dispatch()

    def _on_end(self, worker: Worker, ending: Ending) -> None:
        if worker.interprets:
            self._on_interpreters_end(worker, ending)
            return
        self._workers.remove(worker)
        if worker is self._home:
            self._home = None
        if worker.search is not None:
            self._end(worker, ending)
        else:
            if worker in self._idle:
                self._idle.remove(worker)
            self._leave_not(worker)
            if ending.hung:
                self._forks.restart()
            self._pause(f"the last one {ending}")
        self._dispatch()

    def _on_interpreters_end(self, worker: Worker, ending: Ending) -> None:
        """That costs its search nothing but time: it waits for compiled kernels now, as all others do."""
        log.warning("the worker that interprets has died", extra={"ending": str(ending)})
        self._interprets = False
        self._dismiss_interpreter(worker)
        search = worker.search
        if search is not None:
            search.makes_way = True
            self._end(worker, ending)
        self._dispatch()

    def _dismiss_interpreter(self, worker: Worker) -> None:
        worker.child.kill()
        self._interpreter = None
        self._plain_forks.close()

    def _rest(self, worker: Worker) -> None:
        """It has nothing to do now."""
        worker.child.limit(None)
        if worker.interprets:
            if not self._interprets:
                self._dismiss_interpreter(worker)
            return
        if self._are_loaded and not worker.warm and worker is not self._home:
            self._workers.remove(worker)
            worker.child.kill()
            return
        self._idle.append(worker)
        worker.leaving = self._loop.call_later(IDLE_S, self._leave, worker)

    def _leave(self, worker: Worker) -> None:
        """It has had nothing to do for long."""
        if len(self._workers) > 1 and worker is not self._home:
            self._dismiss(worker)

    def _dismiss(self, worker: Worker) -> None:
        self._leave_not(worker)
        self._idle.remove(worker)
        self._workers.remove(worker)
        worker.child.kill()

    def _leave_not(self, worker: Worker) -> None:
        if worker.leaving is not None:
            worker.leaving.cancel()
            worker.leaving = None

    def _tell_of_people(self) -> None:
        waits = self.human_waiting
        if waits != self._people_waited:
            self._people_waited = waits
            self._on_human_waiting(waits)

    def _break_off_a_review(self) -> None:
        """Free a worker for a person. What is lost is some tenths of a second of work."""
        for worker in self._workers:
            search = worker.search
            if search is not None and search.priority == Priority.REVIEW and not (search.makes_way or search.stopped):
                search.makes_way = True
                self._stop(worker)
                return

    def _stop(self, worker: Worker) -> None:
        worker.child.slot.stop = 1
        worker.child.limit(HOME_OBEY_S if worker is self._home else OBEY_S)

    def _run(self, search: Search[Any], worker: Worker) -> None:
        slot = worker.child.slot
        slot.stop = 0
        search.seen = slot.version
        search.worker, worker.search = worker, search
        search.attempts += 1
        search.begun_s = self._loop.time()
        worker.asked += 1
        worker.child.send(Asked(worker.asked, search.job))
        worker.child.limit((search.job.start_ms + search.job.budget_ms + self.grace_ms) / 1000)
        search.started()

    def _end(self, worker: Worker, outcome: Done | Failed | Ending) -> None:
        search = worker.search
        assert search is not None
        self._queue_of(search).finish(search.owner, (self._loop.time() - search.begun_s) * 1000)
        search.worker = worker.search = None
        if not isinstance(outcome, Ending):
            self._rest(worker)
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
    """For who waits for an answer alone."""
