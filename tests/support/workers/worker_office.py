"""A pool whose workers are no processes: they answer, end and get ready when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from engine.analysis.verdict import MoveVerdict
from engine.bots import roster
from engine.bots.player import Decision, Limit
from engine.bots.roster import Bot, UnknownBot
from server.workers import child
from server.workers.child import Answered, Asked, Done, Failed, GameOver, Job, Ready, ReviewJob
from server.workers.children import Ending, ForkServer
from server.workers.engines.engine import Engine
from server.workers.pool import BOUNDS, Workers
from server.workers.search import Priority, Search
from server.workers.search_queue import Bounds, Owner
from server.workers.slot import SearchSlot

ANN, BOB = Owner("ann", "a"), Owner("bob", "b")
NOTHING, FLAT, NESTED = frozenset[str](), frozenset({"flat"}), frozenset({"nested"})
PERSON, WATCHED, BACKGROUND = Priority.PERSON, Priority.WATCHED, Priority.BACKGROUND
JUDGED = MoveVerdict("drawn", True, 0.0, None, False, (4,), "drawn", None, 9)
DECISION = Decision(move=3, value=0.0, win_in=None, proven=False, depth=1, nodes=9, pruned=0, pv=(3,))
KILLED, HUNG, FAILED = Ending(status=-9), Ending(hung=True), Failed("ValueError()")


def job(bot: str = "random", game: str = "tictactoe", budget_ms: int = 1000, limit: Limit | None = None) -> Job:
    return Job(game=game, cells=(), bot=_named(bot), limit=limit or Limit(), budget_ms=budget_ms, seed=1)


def _named(name: str) -> Bot:
    """One of the roster, an engine that remembers its games, or a bot that is only a name."""
    if name.startswith("stays"):
        return Engine(name, name, "/", "codingame").bot
    try:
        return roster.bot(name)
    except UnknownBot:
        return Bot(name, name, (), 1)


def up_to(total: int) -> Bounds:
    return Bounds(total, total, total)


def review_job(game: str) -> ReviewJob:
    return ReviewJob(game=game, cells=(), move=4, budget_ms=1000)


class Asker:
    """A search that keeps what it is told, in order."""

    def __init__(
        self,
        name: str = "",
        priority: Priority = PERSON,
        what: Job | None = None,
        needs: frozenset[str] = NOTHING,
        owner: Owner = ANN,
        interpretable: bool = False,
    ) -> None:
        self.name = name
        self.told: list[str] = []
        self.news = asyncio.Event()
        self.decision: Decision | None = None
        self.reports: list[tuple[int, int, float, tuple[int, ...]]] = []
        self.search = Search(
            what or job(name),
            priority,
            owner,
            started=lambda: self._tell("started"),
            progressed=self._progressed,
            finished=self._finished,
            failed=self._tell,
            faulted=lambda termination, what: self._tell(f"{termination}: {what}"),
            needs=needs,
            interpretable=interpretable,
        )

    def _tell(self, what: str) -> None:
        self.told.append(what)
        self.news.set()

    def _progressed(self, *report: Any) -> None:
        self.reports.append(report)
        self.news.set()

    def _finished(self, decision: Decision, think_us: int) -> None:
        self.decision = decision
        self._tell("finished")

    async def until(self, what: str) -> None:
        async with asyncio.timeout(60):
            while what not in self.told:
                self.news.clear()
                await self.news.wait()


class FakeChild:
    """A process that answers, or ends, when a test says so."""

    def __init__(self, on_message: Callable[[Any], None], on_end: Callable[[Ending], None]) -> None:
        self.pid = 1
        self.slot = SearchSlot()
        self.heard = on_message
        self.ended = on_end
        self.job: Job | ReviewJob | None = None
        self.number = 0
        self.limit_s: float | None = None
        self.is_patient = False
        self.games_over: list[int] = []
        """their seeds"""
        self.is_ready = False
        self.alive = True
        self.is_open = True

    def send(self, asked: Asked | GameOver) -> None:
        assert self.alive
        assert self.is_ready
        if isinstance(asked, GameOver):
            self.games_over.append(asked.seed)
            return
        assert self.job is None, "one search at a time"
        self.number, self.job = asked

    def limit(self, seconds: float | None, *, patient: bool = False) -> None:
        self.limit_s, self.is_patient = seconds, patient

    def kill(self) -> None:
        self.alive = False


class FakeForks:
    """Forks children, unless it has `trouble`."""

    def __init__(self) -> None:
        self.children: list[FakeChild] = []
        self.trouble: OSError | None = None
        self.loads: list[Callable[[bool], None]] = []
        self.restarts = 0
        self.closed = False
        self.is_loaded = False

    def fork(self, entry: Any, arguments: Any, slot: Any, on_message: Any, on_end: Any) -> FakeChild:
        assert (entry, slot) == (child.work, SearchSlot)
        if self.trouble is not None:
            raise self.trouble
        self.children.append(FakeChild(on_message, on_end))
        return self.children[-1]

    def load(self, entry: Any, on_loaded: Callable[[bool], None]) -> None:
        assert entry == child.load_kernels
        self.loads.append(on_loaded)

    def restart(self) -> None:
        self.restarts += 1
        for on_loaded in self.loads:
            on_loaded(False)

    def close(self) -> None:
        self.closed = True

    @property
    def alive(self) -> list[FakeChild]:
        return [child for child in self.children if child.alive]

    @property
    def running(self) -> list[str]:
        """In the order in which they were begun."""
        return [_name(child.job) for child in self.alive if child.job is not None]

    def at_work(self, name: str) -> FakeChild:
        return next(child for child in self.alive if child.job is not None and _name(child.job) == name)

    def get_ready(self) -> None:
        """All that are starting."""
        while starting := [child for child in self.alive if not child.is_ready]:
            starting[0].is_ready = True
            starting[0].heard(Ready())

    def answer(self, name: str, what: Any = DECISION) -> None:
        self._say(name, Done(what, 5))

    def fail(self, name: str, how: Ending | Failed) -> None:
        if isinstance(how, Failed):
            self._say(name, how)
        else:
            self.end(self.at_work(name), how)

    def end(self, child: FakeChild, how: Ending) -> None:
        child.alive = False
        child.ended(how)
        self.get_ready()

    def _say(self, name: str, message: Done | Failed) -> None:
        child = self.at_work(name)
        child.job = None
        child.heard(Answered(child.number, message))
        self.get_ready()


def fork_server(forks: FakeForks) -> ForkServer:
    return cast("ForkServer", forks)


def _name(job: Job | ReviewJob) -> str:
    """A bot's, or of a review its game."""
    return job.bot.name if isinstance(job, Job) else job.game


class Office:
    """Workers whose processes are no processes."""

    def __init__(
        self, count: int = 1, bounds: Bounds = BOUNDS, warm_up: bool = False, elsewhere: FakeElsewhere | None = None
    ) -> None:
        self.forks = FakeForks()
        self.people: list[bool] = []
        self.plain_forks = FakeForks()
        self.workers = Workers(
            count=count,
            bounds=bounds,
            warm_up=warm_up,
            on_human_waiting=self.people.append,
            fork_server=lambda *_, environment: fork_server(self.plain_forks if environment else self.forks),
            elsewhere=elsewhere,
        )
        self.warm_up = FakeWarmUp()
        if warm_up:
            self.workers._warm_up = self.warm_up  # type: ignore[assignment]
        self.workers.start()
        self.forks.get_ready()

    def submit(
        self,
        name: str,
        priority: Priority = PERSON,
        needs: frozenset[str] = NOTHING,
        owner: Owner = ANN,
        interpretable: bool = False,
    ) -> Asker:
        asker = Asker(name, priority, needs=needs, owner=owner, interpretable=interpretable)
        self.workers.submit(asker.search)
        self.forks.get_ready()
        return asker

    async def review(self, name: str) -> asyncio.Task[MoveVerdict]:
        """Asked for, and begun if it can be."""
        task = asyncio.create_task(self.workers.judge(review_job(name)))
        await asyncio.sleep(0)
        self.forks.get_ready()
        return task

    async def warm(self, complete: bool = True, loaded: bool = True) -> None:
        """Everything is compiled, then loaded."""
        self.warm_up.end(complete)
        await self.some_turns()
        for on_loaded in self.forks.loads:
            on_loaded(loaded)
        await self.some_turns()

    async def some_turns(self) -> None:
        for _ in range(3):  # the task of the warm-up goes on
            await asyncio.sleep(0)
        self.forks.get_ready()

    def stopped(self, name: str) -> bool:
        return bool(self.forks.at_work(name).slot.stop)


class FakeElsewhere:
    """Another machine for one search that is called long, and one for a person; it answers when a test says so."""

    def __init__(self) -> None:
        self.running: list[Search[Any]] = []
        self.stopped: list[Search[Any]] = []
        self.noted: list[float] = []
        self.closed = False

    def start(self, freed: Callable[[], None], ended: Callable[[Search[Any], Done | Failed | None], None]) -> None:
        self.freed, self.ended = freed, ended

    def takes(self, search: Search[Any]) -> bool:
        return len(self.running) < (2 if search.priority == PERSON else 1)

    def suits(self, search: Search[Any]) -> bool:
        return "long" in _name(search.job)

    def begin(self, search: Search[Any]) -> None:
        self.running.append(search)

    def stop(self, search: Search[Any]) -> None:
        self.stopped.append(search)

    def note(self, job: Job | ReviewJob, took_ms: float) -> None:
        self.noted.append(took_ms)

    def close(self) -> None:
        self.closed = True

    @property
    def names(self) -> list[str]:
        return [_name(search.job) for search in self.running]

    def end(self, outcome: Done | Failed | None) -> None:
        """Of the oldest."""
        self.ended(self.running.pop(0), outcome)


class FakeWarmUp:
    """Goes on and ends when a test says so."""

    done, of, over, complete = 0, 0, False, False
    compiled: frozenset[str] = NOTHING

    def __init__(self) -> None:
        self._end = asyncio.Event()

    async def run(self, forks: Any, on_stage: Callable[[], None], wanted: Callable[[], list[str]]) -> None:
        self._on_stage, self.wanted = on_stage, wanted
        await self._end.wait()
        self.over = True

    def compile(self, stages: frozenset[str]) -> None:
        self.compiled |= stages
        self._on_stage()

    def end(self, complete: bool) -> None:
        self.complete = complete
        self._end.set()


@asynccontextmanager
async def office(
    count: int = 1, bounds: Bounds = BOUNDS, warm_up: bool = False, elsewhere: FakeElsewhere | None = None
) -> AsyncIterator[Office]:
    opened = Office(count, bounds, warm_up, elsewhere)
    yield opened
    await opened.workers.close()
