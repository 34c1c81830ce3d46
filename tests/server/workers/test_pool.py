"""The queue before the workers, with processes that answer when told to; and what runs inside one."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import psutil
import pytest

from engine.analysis.verdict import MoveVerdict
from engine.bots import roster
from engine.bots.player import Decision, Limit
from engine.bots.roster import Bot, UnknownBot
from engine.search.finding import Stopped
from server.workers import child, worker_processes
from server.workers.child import Answered, Asked, Done, Failed, Job, NotJudged, Ready, ReviewJob
from server.workers.children import LONGEST_PAUSE_S, Ending
from server.workers.engines.engine import Engine
from server.workers.pool import BOUNDS, Workers
from server.workers.search import Priority, Search
from server.workers.search_queue import Bounds, Owner, QueueFull
from server.workers.slot import PV_LENGTH, SearchSlot
from server.workers.worker_processes import HOME_OBEY_S, OBEY_S, START_S

ANN, BOB = Owner("ann", "a"), Owner("bob", "b")
NOTHING, FLAT, NESTED = frozenset[str](), frozenset({"flat"}), frozenset({"nested"})
PERSON, WATCHED, BACKGROUND = Priority.PERSON, Priority.WATCHED, Priority.BACKGROUND
JUDGED = MoveVerdict("drawn", True, 0.0, None, False, (4,), "drawn", None, 9)
DECISION = Decision(move=3, value=0.0, win_in=None, proven=False, depth=1, nodes=9, pruned=0, pv=(3,))


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


KILLED, HUNG, FAILED = Ending(status=-9), Ending(hung=True), Failed("ValueError()")


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
        self.is_ready = False
        self.alive = True

    def send(self, asked: Asked) -> None:
        assert self.alive
        assert self.is_ready
        assert self.job is None, "one search at a time"
        self.number, self.job = asked

    def limit(self, seconds: float | None) -> None:
        self.limit_s = seconds

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
        self.workers = Workers(
            count=count, bounds=bounds, warm_up=warm_up, on_human_waiting=self.people.append, elsewhere=elsewhere
        )
        self.plain_forks = FakeForks()
        self.workers._processes._new_fork_server = lambda environment=None: (  # type: ignore[method-assign,assignment,misc]
            self.plain_forks if environment else self.forks
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


# Games that stay with their worker


async def test_engines_that_remember_their_games_are_asked_in_one_worker() -> None:
    async with office(count=2) as here:
        here.submit("stays-a")
        home = here.forks.at_work("stays-a")
        here.submit("stays-b")
        here.submit("c")
        assert here.forks.running == ["stays-a", "c"]
        here.submit("d")
        here.forks.answer("c")
        assert here.forks.running == ["stays-a", "d"]
        here.forks.answer("stays-a")
        assert here.forks.at_work("stays-b") is home
        here.forks.answer("stays-b")
        here.forks.answer("d")
        other = here.submit("e")
        assert here.forks.at_work("e") is not home
        other.search.stopped = True


async def test_their_worker_neither_leaves_nor_makes_room_for_one_with_kernels() -> None:
    async with office(count=2, warm_up=True) as here:
        here.submit("stays-a")
        home = here.forks.at_work("stays-a")
        here.submit("b")
        here.forks.answer("stays-a")
        await here.warm()
        assert home.alive
        here.submit("stays-c")
        assert here.forks.at_work("stays-c") is home
        here.forks.answer("stays-c")
        [worker] = [worker for worker in here.workers._processes.all if worker.child is home]  # type: ignore[comparison-overlap]
        here.workers._processes._leave(worker)
        assert home.alive


async def test_a_stop_gives_their_worker_more_time_to_end_one_process() -> None:
    async with office(count=2) as here:
        staying, other = here.submit("stays-a"), here.submit("b")
        here.workers.stop(staying.search)
        here.workers.stop(other.search)
        assert (here.forks.at_work("stays-a").limit_s, here.forks.at_work("b").limit_s) == (HOME_OBEY_S, OBEY_S)


async def test_another_worker_takes_their_place_when_it_dies() -> None:
    async with office(count=2) as here:
        asker = here.submit("stays-a")
        home = here.forks.at_work("stays-a")
        here.forks.fail("stays-a", KILLED)
        again = here.forks.at_work("stays-a")
        assert again is not home
        here.forks.answer("stays-a")
        assert asker.told == ["started", "started", "finished"]
        here.submit("stays-b")
        assert here.forks.at_work("stays-b") is again


# Order and bounds


async def test_one_search_a_worker_and_nothing_waits_in_the_pool() -> None:
    async with office(count=2) as here:
        for name in "abcd":
            here.submit(name)
        assert here.forks.running == ["a", "b"]
        assert (here.workers.running, here.workers.queued) == (2, 2)
        here.forks.answer("b")
        assert here.forks.running == ["a", "c"]


async def test_persons_come_before_watchers_and_those_before_the_rest() -> None:
    async with office() as here:
        here.submit("first", BACKGROUND)
        for name, priority in (("g1", BACKGROUND), ("w1", WATCHED), ("g2", BACKGROUND), ("p1", PERSON), ("w2", WATCHED),
                               ("p2", PERSON)):  # fmt: skip
            here.submit(name, priority)
        order = []
        while here.forks.running:
            [running] = here.forks.running
            order.append(running)
            here.forks.answer(running)
        assert order == ["first", "p1", "p2", "w1", "w2", "g1", "g2"]


async def test_it_is_told_when_people_wait() -> None:
    async with office() as here:
        here.submit("game", BACKGROUND)
        assert here.people == []
        first, second = here.submit("p1"), here.submit("p2")
        assert here.people == [True]
        here.forks.answer("game")
        here.workers.stop(second.search)
        assert here.people == [True]
        here.forks.answer("p1")
        assert first.decision is not None
        assert here.people == [True, False]
        here.submit("p3")
        here.forks.fail("p3", KILLED)
        assert here.people == [True, False, True]  # it is tried again
        here.forks.fail("p3", KILLED)
        assert here.people == [True, False, True, False]


async def test_a_stopped_search_holds_nobody_up() -> None:
    async with office() as here:
        person = here.submit("p1")
        here.workers.stop(person.search)
        assert here.people == [True, False]


@pytest.mark.parametrize("seed", range(5))
async def test_a_person_waits_for_one_search_a_worker_at_most(seed: int) -> None:
    """Whatever else is queued, a person's search is next."""
    rng = random.Random(seed)
    async with office(count=2) as here:
        for number in range(50):
            here.submit(f"g{number}", rng.choice([WATCHED, BACKGROUND]), owner=Owner(f"g{number}"))
        here.submit("person")
        here.forks.answer(rng.choice(here.forks.running))
        assert "person" in here.forks.running


async def test_one_person_keeps_nobody_waiting_for_all_they_ask() -> None:
    async with office() as here:
        for number in range(8):
            here.submit(f"ann {number}", owner=ANN)
        here.submit("bob", owner=BOB)
        here.forks.answer("ann 0")
        assert here.forks.running == ["bob"]


async def test_one_person_has_a_bound_in_the_queue() -> None:
    async with office(bounds=Bounds(total=10, person=2, address=10)) as here:
        for number in range(3):  # one runs
            here.submit(f"ann {number}", owner=ANN)
        with pytest.raises(QueueFull, match="2 moves of your bots"):
            here.submit("ann 3", owner=ANN)
        here.submit("bob", owner=BOB)


async def test_the_queue_is_bounded() -> None:
    async with office(bounds=up_to(2)) as here:
        for name in "abc":
            here.submit(name)
        assert here.workers.refusal(ANN)
        with pytest.raises(QueueFull):
            here.submit("d")
        here.forks.answer("a")
        assert not here.workers.refusal(ANN)
        here.submit("d")


async def test_what_is_told_in_order() -> None:
    async with office() as here:
        first, second = here.submit("a"), here.submit("b")
        assert (first.told, second.told) == (["started"], [])
        here.forks.answer("a")
        assert (first.told, second.told) == (["started", "finished"], ["started"])
        assert first.decision == DECISION
        assert here.workers.done == 1


async def test_the_budget_and_a_grace_bound_a_search() -> None:
    async with office() as here:
        here.submit("a")
        assert here.forks.at_work("a").limit_s == 3.0


# Stopping


async def test_a_stopped_search_hears_nothing_more() -> None:
    async with office() as here:
        asker = here.submit("a")
        here.workers.stop(asker.search)
        [worker] = here.forks.alive
        assert (worker.slot.stop, worker.limit_s) == (1, OBEY_S)
        here.forks.answer("a")
        assert asker.told == ["started"]
        # Who uses the worker next is not stopped with it.
        here.submit("b")
        assert worker.slot.stop == 0


async def test_a_search_stopped_while_it_waits_never_runs() -> None:
    async with office() as here:
        here.submit("a")
        waiting = here.submit("b")
        here.submit("c")
        here.workers.stop(waiting.search)
        here.forks.answer("a")
        assert here.forks.running == ["c"]
        assert waiting.told == []


async def test_a_search_stopped_while_it_waits_takes_nobodys_place() -> None:
    async with office(bounds=up_to(1)) as here:
        here.submit("a")
        waiting = here.submit("b")
        assert here.workers.refusal(ANN)
        here.workers.stop(waiting.search)
        assert not here.workers.refusal(ANN)
        here.submit("c")


async def test_a_stopped_search_that_fails_is_not_tried_again() -> None:
    async with office() as here:
        asker = here.submit("a")
        here.workers.stop(asker.search)
        here.forks.fail("a", KILLED)
        assert here.forks.running == []
        assert asker.told == ["started"]


# Failures


@pytest.mark.parametrize(("how", "reason"), [(KILLED, "crash"), (HUNG, "stall"), (FAILED, "crash")])
async def test_a_failed_search_is_tried_once_more(how: Ending | Failed, reason: str) -> None:
    async with office() as here:
        asker = here.submit("a")
        here.submit("waiting")
        here.forks.fail("a", how)
        # In front of those that wait, since it has waited already.
        assert here.forks.running == ["a"]
        assert (here.workers.retried, here.workers.failures) == (1, 0)
        here.forks.fail("a", how)
        assert asker.told == ["started", "started", reason]
        assert here.forks.running == ["waiting"]
        assert (here.workers.retried, here.workers.failures) == (1, 1)


async def test_what_a_bot_does_wrong_is_not_tried_again() -> None:
    async with office() as here:
        asker = here.submit("a")
        here.forks.fail("a", Failed("played 'b2': b2 is taken by X.", "illegal_move"))
        assert asker.told == ["started", "illegal_move: played 'b2': b2 is taken by X."]
        assert (here.workers.retried, here.workers.failures) == (0, 1)
        assert here.submit("b").told == ["started"], "its worker is free"


async def test_a_retry_that_works_is_as_good_as_any() -> None:
    async with office() as here:
        asker = here.submit("a")
        here.forks.fail("a", KILLED)
        here.forks.answer("a")
        assert asker.told == ["started", "started", "finished"]


async def test_a_retry_does_not_go_before_a_person() -> None:
    async with office() as here:
        here.submit("watched", WATCHED)
        here.submit("person", PERSON)
        here.forks.fail("watched", KILLED)
        assert here.forks.running == ["person"]


async def test_a_retry_finds_room_in_a_full_queue() -> None:
    async with office(bounds=up_to(1)) as here:
        here.submit("a")
        here.submit("b")
        here.forks.fail("a", KILLED)
        assert here.forks.running == ["a"]


async def test_nobody_is_told_anything_after_the_close() -> None:
    async with office() as here:
        asker = here.submit("a")
        waiting = here.submit("b")
        await here.workers.close()
        here.forks.answer("a")
        assert (asker.told, waiting.told) == (["started"], [])
        assert here.forks.closed


# Reviews


async def test_a_move_is_judged_when_no_search_waits() -> None:
    async with office() as here:
        here.submit("busy", BACKGROUND)
        first, second = await here.review("r1"), await here.review("r2")
        for name in ("b", "p"):
            here.submit(name, PERSON if name == "p" else BACKGROUND)
        order = []
        for _ in range(5):
            [running] = here.forks.running
            order.append(running)
            here.forks.answer(running, JUDGED if running.startswith("r") else DECISION)
        assert order == ["busy", "p", "b", "r1", "r2"], "searches that came later go first"
        assert [await first, await second] == [JUDGED, JUDGED]
        assert (here.workers.done, here.workers.judged) == (3, 2)


async def test_searches_queued_while_a_move_is_judged_go_before_the_next_review() -> None:
    async with office() as here:
        reviews = [await here.review("r1"), await here.review("r2")]
        here.submit("watched", WATCHED)
        assert here.forks.running == ["r1"]
        here.forks.answer("r1", JUDGED)
        assert here.forks.running == ["watched"]
        here.forks.answer("watched")
        here.forks.answer("r2", JUDGED)
        await asyncio.gather(*reviews)


async def test_reviews_take_nobodys_place_in_the_queue() -> None:
    async with office(bounds=up_to(1)) as here:
        here.submit("busy")
        reviews = [await here.review(f"r{number}") for number in range(5)]
        assert (here.workers.queued, here.workers.refusal(ANN)) == (0, None)
        here.submit("last")
        with pytest.raises(QueueFull):
            here.submit("too many")
        for task in reviews:
            task.cancel()


async def test_a_review_is_broken_off_for_a_person_and_begins_again() -> None:
    async with office(count=2) as here:
        reviews = [await here.review("r1"), await here.review("r2")]
        here.submit("watched", WATCHED)
        assert [here.stopped(name) for name in ("r1", "r2")] == [False, False], "a spectator waits"
        here.submit("person")
        stopped = [name for name in ("r1", "r2") if here.stopped(name)]
        assert len(stopped) == 1, "one worker is enough"
        here.forks.fail(stopped[0], FAILED)
        assert "person" in here.forks.running
        here.submit("second person")
        [other] = {"r1", "r2"} - set(stopped)
        here.forks.fail(other, FAILED)
        assert here.forks.running == ["person", "second person"]
        for name in ("person", "second person", "watched"):
            here.forks.answer(name)
        assert sorted(here.forks.running) == ["r1", "r2"]
        assert [here.stopped(name) for name in ("r1", "r2")] == [False, False]
        for name in ("r1", "r2"):
            here.forks.answer(name, JUDGED)
        assert await asyncio.gather(*reviews) == [JUDGED, JUDGED]
        assert (here.workers.retried, here.workers.failures) == (0, 0), "that was no failure"


async def test_two_persons_break_off_two_reviews() -> None:
    async with office(count=2) as here:
        reviews = [await here.review("r1"), await here.review("r2")]
        for name in ("p1", "p2", "p3"):
            here.submit(name)
        assert [here.stopped(name) for name in ("r1", "r2")] == [True, True]
        for name in ("r1", "r2"):
            here.forks.fail(name, FAILED)
        assert here.forks.running == ["p1", "p2"]
        for task in reviews:
            task.cancel()


async def test_a_review_that_is_done_before_it_notices_is_done() -> None:
    async with office() as here:
        review = await here.review("r1")
        here.submit("person")
        here.forks.answer("r1", JUDGED)
        assert await review == JUDGED
        assert here.forks.running == ["person"]


async def test_no_review_is_broken_off_while_a_worker_is_free() -> None:
    async with office(count=2) as here:
        review = await here.review("r1")
        here.submit("person")
        assert sorted(here.forks.running) == ["person", "r1"]
        assert not here.stopped("r1")
        here.forks.answer("r1", JUDGED)
        await review


async def test_a_failed_review_is_tried_once_more_and_still_comes_last() -> None:
    async with office() as here:
        review, waiting = await here.review("r1"), await here.review("r2")
        here.submit("search", BACKGROUND)
        here.forks.fail("r1", KILLED)
        assert (here.forks.running, here.workers.queued) == (["search"], 0)
        here.forks.answer("search")
        assert here.forks.running == ["r1"], "before those of its kind"
        here.forks.fail("r1", HUNG)
        with pytest.raises(NotJudged):
            await review
        assert (here.workers.retried, here.workers.failures) == (1, 1)
        here.forks.answer("r2", JUDGED)
        assert await waiting == JUDGED


async def test_a_person_does_not_cost_a_review_its_retry() -> None:
    async with office() as here:
        review = await here.review("r1")
        for _ in range(3):
            here.submit("person")
            here.forks.fail("r1", FAILED)
            here.forks.answer("person")
        here.forks.fail("r1", KILLED)
        assert here.forks.running == ["r1"]
        here.forks.answer("r1", JUDGED)
        assert await review == JUDGED


async def test_a_review_that_nobody_awaits_stops_its_worker_or_never_runs() -> None:
    async with office() as here:
        running, waiting = await here.review("r1"), await here.review("r2")
        for task in (running, waiting):
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        assert here.stopped("r1")
        here.forks.fail("r1", FAILED)
        assert (here.forks.running, here.workers.retried) == ([], 0)
        here.submit("search")
        assert (here.forks.running, here.stopped("search")) == (["search"], False)


async def test_an_answer_that_comes_with_the_cancel_is_dropped() -> None:
    async with office() as here:
        complaints: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        review = await here.review("r1")
        here.forks.answer("r1", JUDGED)
        review.cancel()  # the answer is on its way
        await asyncio.gather(review, return_exceptions=True)
        assert review.cancelled()
        assert complaints == []


async def test_a_review_holds_nothing_for_people() -> None:
    async with office() as here:
        review = await here.review("r1")
        assert here.people == []
        here.forks.answer("r1", JUDGED)
        await review


async def test_reviews_end_with_the_workers() -> None:
    async with office() as here:
        running, waiting = await here.review("r1"), await here.review("r2")
        await here.workers.close()
        here.forks.answer("r1", JUDGED)
        assert here.forks.running == []
        for task in (running, waiting):
            assert not task.done()
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)


# The first compile


async def test_what_needs_kernels_waits_for_them_and_the_rest_does_not() -> None:
    async with office(warm_up=True) as here:
        waiting = here.submit("compiled", needs=FLAT)
        here.submit("plain")
        assert (here.forks.running, here.workers.queued) == (["plain"], 1)
        here.forks.answer("plain")
        await here.warm()
        assert here.forks.running == ["compiled"]
        here.forks.answer("compiled")
        assert waiting.told == ["started", "finished"]


async def test_reviews_wait_for_kernels_and_come_after_all_who_did() -> None:
    async with office(warm_up=True) as here:
        review = await here.review("r1")
        assert (here.forks.running, here.workers.queued) == ([], 0)
        here.submit("compiled", BACKGROUND, needs=FLAT)
        await here.warm()
        assert here.forks.running == ["compiled"]
        here.forks.answer("compiled")
        here.forks.answer("r1", JUDGED)
        assert await review == JUDGED


async def test_it_tells_how_far_it_is() -> None:
    async with office(warm_up=True) as here:
        assert here.workers.warming == (0, 0)
        here.warm_up.done, here.warm_up.of = 1, 2
        assert here.workers.warming == (1, 2)
        await here.warm()
        assert (here.workers.warming, here.workers.warm_up_done, here.workers.warm_up_of) == (None, 1, 2)


async def test_those_who_waited_come_in_order() -> None:
    async with office(warm_up=True) as here:
        here.submit("busy")
        for name, priority in (("g", BACKGROUND), ("p1", PERSON), ("p2", PERSON)):
            here.submit(name, priority, needs=FLAT)
        await here.warm()
        assert here.forks.running == ["busy"], "the only worker is at work"
        here.forks.answer("busy")
        for name in ("p1", "p2", "g"):
            assert here.forks.running == [name]
            here.forks.answer(name)


async def test_those_who_wait_for_kernels_are_counted_and_may_give_up() -> None:
    async with office(bounds=up_to(1), warm_up=True) as here:
        waiting = here.submit("a", needs=FLAT)
        assert here.workers.refusal(ANN)
        here.workers.stop(waiting.search)
        assert here.workers.queued == 0
        await here.warm()
        assert here.forks.running == []


async def test_workers_that_have_loaded_the_kernels_take_over() -> None:
    async with office(count=2, warm_up=True) as here:
        here.submit("busy")
        here.submit("soon idle")
        here.forks.answer("soon idle")
        busy, _ = here.forks.children
        await here.warm()
        assert here.forks.alive == [busy]
        here.forks.answer("busy")
        [after] = here.forks.alive
        assert after is not busy
        here.submit("next")
        here.forks.answer("next")
        assert here.forks.alive == [after], "that one stays"


async def test_what_needs_kernels_waits_until_they_are_loaded_and_the_rest_does_not() -> None:
    """Else the bot would load them in its own time."""
    async with office(warm_up=True) as here:
        here.submit("compiled", needs=FLAT)
        here.warm_up.end(complete=True)
        await here.some_turns()
        here.submit("plain")
        assert here.forks.running == ["plain"]
        here.forks.answer("plain")
        assert here.workers.warming is not None
        await here.warm()
        assert here.forks.running == ["compiled"]


async def test_a_worker_that_was_starting_when_the_kernels_came_is_replaced() -> None:
    async with office(count=2, warm_up=True) as here:
        here.submit("busy")
        here.workers.submit(Asker("waits for a worker").search)
        _, starting = here.forks.alive
        here.warm_up.end(complete=True)
        for _ in range(3):
            await asyncio.sleep(0)
        here.forks.loads[0](True)
        for _ in range(3):
            await asyncio.sleep(0)
        starting.is_ready = True
        starting.heard(Ready())
        here.forks.get_ready()
        assert not starting.alive
        assert here.forks.running == ["busy", "waits for a worker"]


async def test_where_loading_kills_the_fork_server_searches_do_for_themselves() -> None:
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT)
        [worker] = here.forks.alive
        await here.warm(loaded=False)
        assert (here.forks.running, here.forks.alive, here.workers.warming) == (["a"], [worker], None)


async def test_where_loading_hangs_the_fork_server_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "START_S", 0.0)
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT)
        here.warm_up.end(complete=True)
        async with asyncio.timeout(60):
            while here.workers.warming is not None:  # noqa: ASYNC110 # nobody is told
                await asyncio.sleep(0)
        assert (here.forks.restarts, here.forks.running) == (1, ["a"])


async def test_without_kernels_searches_do_for_themselves() -> None:
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT)
        [worker] = here.forks.alive
        await here.warm(complete=False)
        assert here.workers.warming is None
        assert here.forks.running == ["a"]
        assert (here.forks.loads, here.forks.alive) == ([], [worker])


async def test_a_close_before_it_is_warm() -> None:
    async with office(warm_up=True) as here:
        asker = here.submit("a", needs=FLAT)
        await here.workers.close()
        assert asker.told == []


# Growing, shrinking, failing to


async def test_there_is_a_worker_for_each_search_up_to_the_bound() -> None:
    async with office(count=3) as here:
        assert len(here.forks.alive) == 1, "before anybody asks"
        for name, workers in (("a", 1), ("b", 2), ("c", 3), ("d", 3)):
            here.submit(name)
            assert len(here.forks.alive) == workers


async def test_idle_workers_leave_but_for_the_last() -> None:
    async with office(count=3) as here:
        for name in "abc":
            here.submit(name)
        for name in "abc":
            here.forks.answer(name)
        first, second, third = here.workers._processes.idle
        for worker in (second, third, first):
            assert worker.leaving is not None
            here.workers._processes._leave(worker)
        assert [worker.child for worker in here.workers._processes.idle] == here.forks.alive == [first.child]
        here.submit("d")
        assert here.forks.running == ["d"]


async def test_who_was_busy_last_is_busy_first() -> None:
    async with office(count=2) as here:
        for name in "ab":
            here.submit(name)
        busy = here.forks.at_work("a")
        for name in "ba":
            here.forks.answer(name)
        here.submit("c")
        assert here.forks.at_work("c") is busy, "the other one may leave"


async def test_out_of_descriptors_while_a_worker_dies_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    async with office() as here:
        monkeypatch.setattr(here.workers._processes, "_loop", Timers(pauses))
        asker = here.submit("a")
        here.forks.trouble = OSError(errno.EMFILE, "Too many open files")
        assert here.workers.unready is None
        here.forks.fail("a", KILLED)
        for _ in range(9):
            assert here.workers.unready == "No worker can be started: Too many open files."
            here.workers._processes._start_again()
        assert pauses == sorted(pauses)
        assert (pauses[0], pauses[-1]) == (0.0, LONGEST_PAUSE_S)
        assert (here.workers.queued, here.workers.running) == (1, 0)
        here.forks.trouble = None
        here.workers._processes._start_again()
        assert here.workers.unready, "it is not there yet"
        here.forks.get_ready()
        assert here.workers.unready is None
        here.forks.answer("a")
        assert asker.told == ["started", "started", "finished"]


class Timers:
    """A loop whose timers never come; it keeps how far away those are that start a worker."""

    def __init__(self, pauses: list[float]) -> None:
        self._pauses = pauses

    def time(self) -> float:
        return 0.0

    def call_later(self, seconds: float, callback: Any, *arguments: Any) -> asyncio.TimerHandle:
        if callback.__name__ == "_start_again":
            self._pauses.append(seconds)
        return asyncio.get_running_loop().call_later(1000, str)


async def test_out_of_descriptors_the_other_workers_go_on() -> None:
    async with office(count=2) as here:
        for name in "abc":
            here.submit(name)
        here.forks.trouble = OSError(errno.EMFILE, "Too many open files")
        here.forks.fail("b", KILLED)
        assert (here.forks.running, here.workers.unready) == (["a"], None)
        for name in "abc":
            here.forks.answer(name)
        assert here.workers.done == 3


async def test_a_worker_that_dies_idle_is_replaced_after_a_pause_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    async with office() as here:
        monkeypatch.setattr(here.workers._processes, "_loop", Timers(pauses))
        for _ in range(3):
            [idle] = here.forks.alive
            here.forks.end(idle, KILLED)
            assert here.workers.unready == "No worker can be started: the last one died with exit status -9."
            here.workers._processes._start_again()
            here.forks.get_ready()
        assert pauses == [0.0, 0.05, 0.1]
        here.submit("a")
        here.forks.answer("a")
        here.forks.end(here.forks.alive[0], KILLED)
        assert pauses[-1] == 0.0, "it is of use again"


async def test_a_worker_that_answers_twice_is_replaced() -> None:
    async with office() as here:
        asked = here.submit("a")
        [confused] = here.forks.alive
        here.forks.answer("a")
        confused.heard(Answered(1, Done(DECISION, 5)))
        assert not confused.alive
        here.workers._processes._start_again()
        here.forks.get_ready()
        here.submit("b")
        here.forks.answer("b")
        assert asked.told == ["started", "finished"]


@pytest.mark.parametrize("message", [Answered(1, Done(DECISION, 5)), Answered(3, Done(DECISION, 5)), "nonsense"])
async def test_what_is_no_answer_to_the_search_that_runs_costs_the_worker(message: object) -> None:
    async with office() as here:
        here.submit("a")
        here.forks.answer("a")
        running = here.submit("b")
        confused = here.forks.at_work("b")
        confused.heard(message)
        assert not confused.alive
        here.forks.get_ready()
        here.forks.answer("b")
        assert running.told == ["started", "started", "finished"], "by another worker"


async def test_a_worker_that_never_gets_ready_takes_the_fork_server_with_it() -> None:
    fresh = FakeForks()
    workers = Workers(count=1)
    workers._processes._new_fork_server = lambda environment=None: fresh  # type: ignore[method-assign,assignment,misc]
    workers.start()
    [starting] = fresh.alive
    assert starting.limit_s == START_S
    starting.alive = False
    starting.ended(HUNG)
    assert fresh.restarts == 1
    await workers.close()


# Progress


async def test_progress_is_told_once_and_never_torn() -> None:
    async with office() as here:
        asker = here.submit("a")
        slot = here.forks.at_work("a").slot
        watch = child._SlotWatch(slot, 1000)
        watch.report(10, 2, 0.5, (4, 5))
        here.workers._report_progress()
        here.workers._report_progress()
        assert asker.reports == [(10, 2, 0.5, (4, 5))]
        slot.version += 1  # the worker is writing
        here.workers._report_progress()
        slot.version += 1
        here.workers._report_progress()
        assert len(asker.reports) == 2


async def test_what_an_earlier_search_left_in_the_slot_is_nobodys_progress() -> None:
    async with office() as here:
        here.submit("a")
        child._SlotWatch(here.forks.at_work("a").slot, 1000).report(10, 2, 0.5, (4,))
        here.forks.answer("a")
        later = here.submit("b")
        here.workers._report_progress()
        assert later.reports == []


def test_a_long_variation_is_cut() -> None:
    slot = SearchSlot()
    child._SlotWatch(slot, 1000).report(1, 30, 0.0, tuple(range(30)))
    assert list(slot.pv[: slot.pv_length]) == list(range(PV_LENGTH))


def test_a_search_stops_at_its_budget_or_its_flag() -> None:
    slot = SearchSlot()
    assert not child._SlotWatch(slot, 60_000).stopped()
    assert child._SlotWatch(slot, 0).stopped()
    slot.stop = 1
    assert child._SlotWatch(slot, 60_000).stopped()


def test_kernels_are_loaded_once_and_before_a_bots_time_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    watch = child._SlotWatch

    def watched(slot: SearchSlot, budget_ms: int) -> Any:
        done.append("time")
        return watch(slot, budget_ms)

    monkeypatch.setattr(child, "_loaded", set())
    monkeypatch.setattr(child, "compile_stage", done.append)
    monkeypatch.setattr(child, "_SlotWatch", watched)
    thinks = job("alphabeta:1", "tictactoe", limit=Limit(nodes=10))
    for _ in range(2):
        child.answer(thinks, SearchSlot())
    child.answer(job("random"), SearchSlot())
    assert done == ["flat boards", "time", "time", "time"]


def test_a_job_is_a_decision_in_the_position_that_its_moves_make() -> None:
    # x has two in a row and the third cell is free.
    threat = Job(
        game="tictactoe", cells=(0, 4, 1, 5), bot=roster.bot("alphabeta:2"), limit=Limit(), budget_ms=10_000, seed=1
    )
    done = child.answer(threat, SearchSlot())
    assert isinstance(done, Done)
    assert isinstance(done.answer, Decision)
    assert (done.answer.move, done.answer.win_in) == (2, 1)
    assert 0 <= done.took_us < 10_000_000


def test_a_review_job_is_a_judgement_of_the_move_after_those_before() -> None:
    # x has two in a row; the third cell is free, and left.
    missed = ReviewJob(game="tictactoe", cells=(0, 4, 1, 5), move=3, budget_ms=60_000)
    done = child.answer(missed, SearchSlot())
    assert isinstance(done, Done)
    judged = done.answer
    assert isinstance(judged, MoveVerdict)
    assert (judged.exact, judged.best[0], judged.best_verdict, judged.best_win_in) == (True, 2, "won", 1)
    assert judged.verdict != "won" or judged.win_in != 1
    assert 0 <= done.took_us < 60_000_000


def test_a_review_stops_when_it_is_told_to() -> None:
    stopped = child.answer(ReviewJob(game="tictactoe", cells=(), move=3, budget_ms=60_000), SearchSlot(stop=1))
    assert stopped == Failed(repr(Stopped()))


def test_whatever_a_search_raises_is_an_answer() -> None:
    assert "KeyError" in child.answer(job("nobody"), SearchSlot()).error  # type: ignore[union-attr]


# Real workers


@pytest.fixture
async def real() -> AsyncIterator[Workers]:
    # Within it a new worker reads its kernels: 0.3 s or more on a slow machine, longer where others use the disk.
    workers = Workers(count=1, nice=1, grace_ms=10_000)
    workers.start()
    yield workers
    await workers.close()


async def test_a_real_worker_answers_reports_and_stops_when_told(real: Workers) -> None:
    quick = Asker(what=job("alphabeta:2"))
    real.submit(quick.search)
    await quick.until("finished")
    assert quick.decision is not None
    deep = Asker(what=job("alphabeta:20", "qubic", 60_000))
    real.submit(deep.search)
    async with asyncio.timeout(60):
        while not deep.reports:
            deep.news.clear()
            await deep.news.wait()
    real.stop(deep.search)
    after = Asker(what=job("alphabeta:2"))
    real.submit(after.search)
    await after.until("finished")
    assert deep.told == ["started"]


@pytest.mark.slow
async def test_a_real_worker_that_dies_or_hangs_is_replaced(real: Workers) -> None:
    for blow in (signal.SIGKILL, signal.SIGSTOP):
        asker = Asker(what=job("alphabeta:20", "qubic", 1_000))
        real.submit(asker.search)
        async with asyncio.timeout(60):
            while not asker.reports:
                asker.news.clear()
                await asker.news.wait()
        [pid] = real.pids
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 1
        os.kill(pid, blow)
        await asker.until("finished")
        assert asker.told == ["started", "started", "finished"]
        assert real.pids != [pid]
    assert (real.retried, real.failures) == (2, 0)


@pytest.mark.slow
async def test_a_real_worker_judges_a_move_and_dies_over_another(real: Workers) -> None:
    judged = await real.judge(ReviewJob("tictactoe", (0, 4, 1, 5), 2, 60_000))
    assert (judged.verdict, judged.win_in) == ("won", 1)
    with pytest.raises(NotJudged):
        await real.judge(ReviewJob("tictactoe", (0, 4), 4, 60_000))  # taken
    assert (real.judged, real.retried, real.failures) == (1, 1, 1)


@pytest.mark.slow
async def test_no_process_is_left_after_the_close() -> None:
    workers = Workers(count=2)
    workers.start()
    asker = Asker(what=job("alphabeta:20", "qubic", 60_000))
    workers.submit(asker.search)
    async with asyncio.timeout(60):
        while not asker.reports:
            asker.news.clear()
            await asker.news.wait()
    processes = [psutil.Process(pid) for pid in workers.pids]
    assert len(processes) == 1
    await workers.close()
    _, alive = psutil.wait_procs(processes, timeout=60)
    assert not alive


async def test_a_search_runs_once_its_own_stages_are_compiled() -> None:
    async with office(warm_up=True) as here:
        here.submit("nested", needs=NESTED)
        here.submit("both", needs=FLAT | NESTED)
        await here.some_turns()
        assert here.warm_up.wanted()[0] in NESTED, "what is first in the queue is compiled first"
        assert {*here.warm_up.wanted()} == FLAT | NESTED
        here.warm_up.compile(FLAT)
        assert here.forks.running == []
        here.warm_up.compile(NESTED)
        assert here.forks.running == ["nested"]
        here.forks.answer("nested")
        assert here.forks.running == ["both"]
        assert here.workers.warming is not None


# Plain Python until then


async def test_what_may_be_interpreted_is_until_it_is_compiled() -> None:
    async with office(warm_up=True) as here:
        waiting = here.submit("waits", needs=FLAT)
        first = here.submit("first", needs=FLAT, interpretable=True)
        second = here.submit("second", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        assert (here.forks.running, here.plain_forks.running) == ([], ["first"])
        here.plain_forks.answer("first")
        assert first.decision == replace(DECISION, interpreted=True)
        here.plain_forks.answer("second")
        assert second.told == ["started", "finished"]
        assert len(here.plain_forks.children) == 1, "one worker interprets"
        await here.warm()
        here.forks.answer("waits")
        assert waiting.decision == DECISION


async def test_nobody_interprets_what_is_compiled_or_needs_no_kernel() -> None:
    async with office(warm_up=True) as here:
        await here.some_turns()
        here.submit("plain", interpretable=True)
        here.warm_up.compile(FLAT)
        here.submit("compiled", needs=FLAT, interpretable=True)
        assert here.forks.running == ["plain"]
        assert here.plain_forks.children == []
    async with office() as here:
        here.submit("a", needs=FLAT, interpretable=True)
        assert (here.forks.running, here.plain_forks.children) == (["a"], [])


async def test_once_all_is_compiled_the_interpreter_ends_when_it_is_done() -> None:
    async with office(warm_up=True) as here:
        idle = here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        await here.warm()
        assert here.plain_forks.running == ["a"]
        here.plain_forks.answer("a")
        assert idle.told == ["started", "finished"]
        assert (here.plain_forks.alive, here.plain_forks.closed) == ([], True)
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        here.plain_forks.answer("a")
        await here.warm()
        assert (here.plain_forks.alive, here.plain_forks.closed) == ([], True)


@pytest.mark.parametrize("ending", [KILLED, HUNG], ids=["dies", "hangs"])
async def test_an_interpreter_that_dies_costs_its_search_nothing_but_time(ending: Ending) -> None:
    async with office(warm_up=True) as here:
        asker = here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        here.plain_forks.fail("a", ending)
        assert (here.workers.queued, here.workers.retried, asker.told) == (1, 0, ["started"])
        here.submit("b", needs=FLAT, interpretable=True)
        assert here.plain_forks.running == [], "the next waits for the compiler at once"
        await here.warm()
        here.forks.answer("a")
        assert asker.decision == DECISION


async def test_an_interpreted_search_can_be_stopped() -> None:
    async with office(warm_up=True) as here:
        asker = here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        here.workers.stop(asker.search)
        assert here.plain_forks.at_work("a").slot.stop == 1
        here.plain_forks.answer("a")
        assert asker.told == ["started"]


async def test_no_interpreter_can_be_started_for_a_while() -> None:
    async with office(warm_up=True) as here:
        here.plain_forks.trouble = OSError(errno.EMFILE, "Too many open files")
        here.submit("a", needs=FLAT, interpretable=True)
        here.submit("b", needs=FLAT, interpretable=True)
        assert here.plain_forks.children == []
        here.plain_forks.trouble = None
        here.workers._processes._start_again()
        here.plain_forks.get_ready()
        assert here.plain_forks.running == ["a"]


# Elsewhere


async def test_long_searches_go_elsewhere_and_short_ones_stay() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        long, short = here.submit("long"), here.submit("short")
        assert (there.names, here.forks.running) == (["long"], ["short"])
        assert (long.told, here.workers.running) == (["started"], 2)
        there.end(Done(DECISION, 200_000))
        here.forks.answer("short")
        assert (long.decision, short.decision) == (DECISION, DECISION)
        assert there.noted == [200.0, 0.005]
        assert here.people == [True, False]
    assert there.closed


async def test_where_there_is_no_room_a_long_search_stays() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        here.submit("long", BACKGROUND)
        here.submit("long too", BACKGROUND)
        here.submit("longest", BACKGROUND)
        assert (there.names, here.forks.running) == (["long"], ["long too"])
        there.end(Done(DECISION, 5))
        assert there.names == ["longest"]


async def test_a_person_goes_elsewhere_when_nobody_is_free_here() -> None:
    there = FakeElsewhere()
    async with office(count=2, elsewhere=there) as here:
        here.submit("g1", BACKGROUND)
        here.submit("p1")
        assert there.names == [], "another worker is started for it"
        here.submit("p2")
        here.submit("g2", BACKGROUND)
        assert (there.names, here.forks.running) == (["p2"], ["g1", "p1"])
        assert here.workers.queued == 1


async def test_room_elsewhere_is_used_once_there_is_some() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        here.submit("long", WATCHED)
        here.submit("short", WATCHED)
        here.submit("long too", WATCHED)
        there.running.clear()
        there.freed()
        assert there.names == ["long too"]


async def test_what_is_lost_elsewhere_is_searched_here_first_of_its_kind() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        asker = here.submit("long", WATCHED)
        here.submit("first", WATCHED)
        here.submit("second", WATCHED)
        there.end(None)
        here.forks.answer("first")
        assert (there.names, here.forks.running) == ([], ["long"])
        here.forks.fail("long", KILLED)
        assert here.forks.running == ["long"], "it still has its second attempt"
        here.forks.answer("long")
        assert asker.decision == DECISION
        assert asker.told == ["started", "started", "started", "finished"]


async def test_a_fault_of_the_bot_is_one_elsewhere_too() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        asker = here.submit("long")
        there.end(Failed("played an illegal move", "illegal_move"))
        assert asker.told == ["started", "illegal_move: played an illegal move"]


async def test_a_search_that_is_stopped_elsewhere_says_nothing_more() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        asker = here.submit("long")
        here.workers.stop(asker.search)
        assert there.stopped == [asker.search]
        assert here.people == [True, False]
        there.end(None)
        assert asker.told == ["started"]
        assert (here.workers.queued, here.forks.running) == (0, [])


async def test_reviews_go_elsewhere_too() -> None:
    there = FakeElsewhere()
    async with office(elsewhere=there) as here:
        judging = await here.review("long")
        assert there.names == ["long"]
        there.end(Done(JUDGED, 5))
        assert await judging == JUDGED
