"""The queue before the pool, with a pool that answers when told to; and what runs inside a worker."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import TimeoutError as SearchTimeout
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest
from pebble import ProcessExpired, ProcessFuture

from engine.analysis.verdict import MoveVerdict
from engine.bots.player import Decision, Limit
from engine.search.finding import Stopped
from server.workers import child
from server.workers.child import Job, NotJudged, ReviewJob
from server.workers.pool import BOUNDS, MISSED_LOOKS, Priority, Search, Workers
from server.workers.search_queue import Bounds, Owner, QueueFull
from server.workers.slot import PV_LENGTH, SearchSlot

ANN, BOB = Owner("ann", "a"), Owner("bob", "b")
PERSON, WATCHED, BACKGROUND = Priority.PERSON, Priority.WATCHED, Priority.BACKGROUND
JUDGED = MoveVerdict("drawn", True, 0.0, None, False, (4,), "drawn", None, 9)
DECISION = Decision(move=3, value=0.0, win_in=None, proven=False, depth=1, nodes=9, pruned=0, pv=(3,))


def job(bot: str = "random", game: str = "tictactoe", budget_ms: int = 1000, limit: Limit | None = None) -> Job:
    return Job(game=game, cells=(), bot=bot, limit=limit or Limit(), budget_ms=budget_ms, seed=1)


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
        compiled: bool = False,
        owner: Owner = ANN,
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
            compiled=compiled,
        )

    def _tell(self, what: str) -> None:
        self.told.append(what)
        self.news.set()

    def _progressed(self, *report: Any) -> None:
        self.reports.append(report)
        self.news.set()

    def _finished(self, decision: Decision, think_ms: int) -> None:
        self.decision = decision
        self._tell("finished")

    async def until(self, what: str) -> None:
        async with asyncio.timeout(60):
            while what not in self.told:
                self.news.clear()
                await self.news.wait()


class FakePool:
    """Takes jobs and answers them when a test says so."""

    active = True

    def __init__(self) -> None:
        self.taken: list[tuple[Job | ReviewJob, int, float, ProcessFuture[Any]]] = []
        self.ready: ProcessFuture[Any] = ProcessFuture()
        """done when a worker has started"""
        self.retired = False

    def schedule(self, function: Any, args: Any = (), timeout: float = 0) -> ProcessFuture[Any]:
        if not args:
            return self.ready
        future: ProcessFuture[Any] = ProcessFuture()
        self.taken.append((*args, timeout, future))
        return future

    def close(self) -> None:
        self.retired = True

    @property
    def running(self) -> list[str]:
        return [_name(job) for job, _, _, future in self.taken if not future.done()]

    def _future(self, name: str) -> ProcessFuture[Any]:
        return next(future for job, _, _, future in self.taken if _name(job) == name and not future.done())

    async def answer(self, name: str, what: Any = DECISION) -> None:
        self._future(name).set_result((what, 5))
        await asyncio.sleep(0)

    async def fail(self, name: str, error: BaseException) -> None:
        self._future(name).set_exception(error)
        await asyncio.sleep(0)

    def stop(self) -> None:
        pass

    def join(self, timeout: float | None = None) -> None:
        pass


def _name(job: Job | ReviewJob) -> str:
    """A bot's, or of a review its game."""
    return job.bot if isinstance(job, Job) else job.game


class Office:
    """Workers over a fake pool."""

    def __init__(self, count: int = 1, bounds: Bounds = BOUNDS) -> None:
        self.pool = FakePool()
        self.people: list[bool] = []
        self.workers = Workers(count=count, bounds=bounds, on_human_waiting=self.people.append)
        self.workers._new_pool = lambda: self.pool  # type: ignore[method-assign,assignment,return-value]
        self.workers.start()

    def submit(self, name: str, priority: Priority = PERSON, compiled: bool = False, owner: Owner = ANN) -> Asker:
        asker = Asker(name, priority, compiled=compiled, owner=owner)
        self.workers.submit(asker.search)
        return asker

    def review(self, name: str) -> asyncio.Task[MoveVerdict]:
        return asyncio.create_task(self.workers.judge(review_job(name)))


@asynccontextmanager
async def office(count: int = 1, bounds: Bounds = BOUNDS) -> AsyncIterator[Office]:
    opened = Office(count, bounds)
    yield opened
    await opened.workers.close()


# Order and bounds


async def test_one_search_a_worker_and_nothing_waits_in_the_pool() -> None:
    async with office(count=2) as here:
        for name in "abcd":
            here.submit(name)
        assert here.pool.running == ["a", "b"]
        assert (here.workers.running, here.workers.queued) == (2, 2)
        await here.pool.answer("b")
        assert here.pool.running == ["a", "c"]


async def test_persons_come_before_watchers_and_those_before_the_rest() -> None:
    async with office() as here:
        here.submit("first", BACKGROUND)
        for name, priority in (("g1", BACKGROUND), ("w1", WATCHED), ("g2", BACKGROUND), ("p1", PERSON), ("w2", WATCHED),
                               ("p2", PERSON)):  # fmt: skip
            here.submit(name, priority)
        order = []
        while here.pool.running:
            [running] = here.pool.running
            order.append(running)
            await here.pool.answer(running)
        assert order == ["first", "p1", "p2", "w1", "w2", "g1", "g2"]


async def test_it_is_told_when_people_wait() -> None:
    async with office() as here:
        here.submit("game", BACKGROUND)
        assert here.people == []
        first, second = here.submit("p1"), here.submit("p2")
        assert here.people == [True]
        await here.pool.answer("game")
        here.workers.stop(second.search)
        assert here.people == [True]
        await here.pool.answer("p1")
        assert first.decision is not None
        assert here.people == [True, False]
        here.submit("p3")
        await here.pool.fail("p3", ProcessExpired("died"))
        assert here.people == [True, False, True]  # it is tried again
        await here.pool.fail("p3", ProcessExpired("died"))
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
        await here.pool.answer(rng.choice(here.pool.running))
        assert "person" in here.pool.running


async def test_one_person_keeps_nobody_waiting_for_all_they_ask() -> None:
    async with office() as here:
        for number in range(8):
            here.submit(f"ann {number}", owner=ANN)
        here.submit("bob", owner=BOB)
        await here.pool.answer("ann 0")
        assert here.pool.running == ["bob"]


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
        await here.pool.answer("a")
        assert not here.workers.refusal(ANN)
        here.submit("d")


async def test_what_is_told_in_order() -> None:
    async with office() as here:
        first, second = here.submit("a"), here.submit("b")
        assert (first.told, second.told) == (["started"], [])
        await here.pool.answer("a")
        assert (first.told, second.told) == (["started", "finished"], ["started"])
        assert first.decision == DECISION
        assert here.workers.done == 1


async def test_the_budget_and_a_grace_bound_a_search() -> None:
    async with office() as here:
        here.submit("a")
        [(_, _, timeout_s, _)] = here.pool.taken
        assert timeout_s == 3.0


# Stopping


async def test_a_stopped_search_hears_nothing_more() -> None:
    async with office() as here:
        asker = here.submit("a")
        here.workers.stop(asker.search)
        [(_, slot, _, _)] = here.pool.taken
        assert here.workers._slots[slot].stop == 1
        await here.pool.answer("a")
        assert asker.told == ["started"]
        # Who uses the worker next is not stopped with it.
        here.submit("b")
        assert here.workers._slots[slot].stop == 0


async def test_a_search_stopped_while_it_waits_never_runs() -> None:
    async with office() as here:
        here.submit("a")
        waiting = here.submit("b")
        here.submit("c")
        here.workers.stop(waiting.search)
        await here.pool.answer("a")
        assert here.pool.running == ["c"]
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
        await here.pool.fail("a", ProcessExpired("killed"))
        assert here.pool.running == []
        assert asker.told == ["started"]


# Failures


@pytest.mark.parametrize(
    ("error", "reason"), [(ProcessExpired("killed"), "crash"), (SearchTimeout(), "stall"), (ValueError(), "crash")]
)
async def test_a_failed_search_is_tried_once_more(error: Exception, reason: str) -> None:
    async with office() as here:
        asker = here.submit("a")
        here.submit("waiting")
        await here.pool.fail("a", error)
        # In front of those that wait, since it has waited already.
        assert here.pool.running == ["a"]
        assert (here.workers.retried, here.workers.failures) == (1, 0)
        await here.pool.fail("a", error)
        assert asker.told == ["started", "started", reason]
        assert here.pool.running == ["waiting"]
        assert (here.workers.retried, here.workers.failures) == (1, 1)


async def test_a_retry_that_works_is_as_good_as_any() -> None:
    async with office() as here:
        asker = here.submit("a")
        await here.pool.fail("a", ProcessExpired("killed"))
        await here.pool.answer("a")
        assert asker.told == ["started", "started", "finished"]


async def test_a_retry_does_not_go_before_a_person() -> None:
    async with office() as here:
        here.submit("watched", WATCHED)
        here.submit("person", PERSON)
        await here.pool.fail("watched", ProcessExpired("killed"))
        assert here.pool.running == ["person"]


async def test_a_retry_finds_room_in_a_full_queue() -> None:
    async with office(bounds=up_to(1)) as here:
        here.submit("a")
        here.submit("b")
        await here.pool.fail("a", ProcessExpired("killed"))
        assert here.pool.running == ["a"]


async def test_a_broken_pool_is_replaced() -> None:
    async with office() as here:
        here.submit("a")
        broken, here.pool = here.pool, FakePool()
        broken.active = False
        await broken.fail("a", ProcessExpired("all gone"))
        assert here.pool.running == ["a"]


async def test_nobody_is_told_anything_after_the_close() -> None:
    async with office() as here:
        asker = here.submit("a")
        waiting = here.submit("b")
        await here.workers.close()
        await here.pool.answer("a")
        assert (asker.told, waiting.told) == (["started"], [])
        assert here.workers._slots[0].stop == 1


# Reviews


async def test_a_move_is_judged_when_no_search_waits() -> None:
    async with office() as here:
        here.submit("busy", BACKGROUND)
        first, second = here.review("r1"), here.review("r2")
        await asyncio.sleep(0)
        for name in ("b", "p"):
            here.submit(name, PERSON if name == "p" else BACKGROUND)
        order = []
        for _ in range(5):
            [running] = here.pool.running
            order.append(running)
            await here.pool.answer(running, JUDGED if running.startswith("r") else DECISION)
        assert order == ["busy", "p", "b", "r1", "r2"], "searches that came later go first"
        assert [await first, await second] == [JUDGED, JUDGED]
        assert (here.workers.done, here.workers.judged) == (3, 2)


async def test_searches_queued_while_a_move_is_judged_go_before_the_next_review() -> None:
    async with office() as here:
        reviews = [here.review("r1"), here.review("r2")]
        await asyncio.sleep(0)
        here.submit("watched", WATCHED)
        assert here.pool.running == ["r1"]
        await here.pool.answer("r1", JUDGED)
        assert here.pool.running == ["watched"]
        await here.pool.answer("watched")
        await here.pool.answer("r2", JUDGED)
        await asyncio.gather(*reviews)


async def test_reviews_take_nobodys_place_in_the_queue() -> None:
    async with office(bounds=up_to(1)) as here:
        here.submit("busy")
        reviews = [here.review(f"r{number}") for number in range(5)]
        await asyncio.sleep(0)
        assert (here.workers.queued, here.workers.refusal(ANN)) == (0, None)
        here.submit("last")
        with pytest.raises(QueueFull):
            here.submit("too many")
        for task in reviews:
            task.cancel()


async def test_a_review_is_broken_off_for_a_person_and_begins_again() -> None:
    async with office(count=2) as here:
        reviews = [here.review("r1"), here.review("r2")]
        await asyncio.sleep(0)
        slots = {_name(job): slot for job, slot, _, _ in here.pool.taken}
        here.submit("watched", WATCHED)
        assert [here.workers._slots[slot].stop for slot in (0, 1)] == [0, 0], "a spectator waits"
        here.submit("person")
        stopped = [name for name, slot in slots.items() if here.workers._slots[slot].stop]
        assert len(stopped) == 1, "one worker is enough"
        await here.pool.fail(stopped[0], RuntimeError("stopped"))
        assert "person" in here.pool.running
        here.submit("second person")
        [other] = {"r1", "r2"} - set(stopped)
        await here.pool.fail(other, RuntimeError("stopped"))
        assert here.pool.running == ["person", "second person"]
        for name in ("person", "second person", "watched"):
            await here.pool.answer(name)
        assert sorted(here.pool.running) == ["r1", "r2"]
        assert [here.workers._slots[slot].stop for slot in (0, 1)] == [0, 0]
        for name in ("r1", "r2"):
            await here.pool.answer(name, JUDGED)
        assert await asyncio.gather(*reviews) == [JUDGED, JUDGED]
        assert (here.workers.retried, here.workers.failures) == (0, 0), "that was no failure"


async def test_two_persons_break_off_two_reviews() -> None:
    async with office(count=2) as here:
        reviews = [here.review("r1"), here.review("r2")]
        await asyncio.sleep(0)
        for name in ("p1", "p2", "p3"):
            here.submit(name)
        assert [here.workers._slots[slot].stop for slot in (0, 1)] == [1, 1]
        for name in ("r1", "r2"):
            await here.pool.fail(name, RuntimeError("stopped"))
        assert here.pool.running == ["p1", "p2"]
        for task in reviews:
            task.cancel()


async def test_a_review_that_is_done_before_it_notices_is_done() -> None:
    async with office() as here:
        review = here.review("r1")
        await asyncio.sleep(0)
        here.submit("person")
        await here.pool.answer("r1", JUDGED)
        assert await review == JUDGED
        assert here.pool.running == ["person"]


async def test_no_review_is_broken_off_while_a_worker_is_free() -> None:
    async with office(count=2) as here:
        review = here.review("r1")
        await asyncio.sleep(0)
        here.submit("person")
        assert sorted(here.pool.running) == ["person", "r1"]
        assert [here.workers._slots[slot].stop for slot in (0, 1)] == [0, 0]
        await here.pool.answer("r1", JUDGED)
        await review


async def test_a_failed_review_is_tried_once_more_and_still_comes_last() -> None:
    async with office() as here:
        review, waiting = here.review("r1"), here.review("r2")
        await asyncio.sleep(0)
        here.submit("search", BACKGROUND)
        await here.pool.fail("r1", ProcessExpired("killed"))
        assert (here.pool.running, here.workers.queued) == (["search"], 0)
        await here.pool.answer("search")
        assert here.pool.running == ["r1"], "before those of its kind"
        await here.pool.fail("r1", SearchTimeout())
        with pytest.raises(NotJudged):
            await review
        assert (here.workers.retried, here.workers.failures) == (1, 1)
        await here.pool.answer("r2", JUDGED)
        assert await waiting == JUDGED


async def test_a_person_does_not_cost_a_review_its_retry() -> None:
    async with office() as here:
        review = here.review("r1")
        await asyncio.sleep(0)
        for _ in range(3):
            here.submit("person")
            await here.pool.fail("r1", RuntimeError("stopped"))
            await here.pool.answer("person")
        await here.pool.fail("r1", ProcessExpired("killed"))
        assert here.pool.running == ["r1"]
        await here.pool.answer("r1", JUDGED)
        assert await review == JUDGED


async def test_a_review_that_nobody_awaits_stops_its_worker_or_never_runs() -> None:
    async with office() as here:
        running, waiting = here.review("r1"), here.review("r2")
        await asyncio.sleep(0)
        for task in (running, waiting):
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        assert here.workers._slots[0].stop == 1
        await here.pool.fail("r1", RuntimeError("stopped"))
        assert (here.pool.running, here.workers.retried) == ([], 0)
        here.submit("search")
        assert (here.pool.running, here.workers._slots[0].stop) == (["search"], 0)


async def test_an_answer_that_comes_with_the_cancel_is_dropped() -> None:
    async with office() as here:
        complaints: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        review = here.review("r1")
        await asyncio.sleep(0)
        answer = asyncio.ensure_future(here.pool.answer("r1", JUDGED))
        asyncio.get_running_loop().call_soon(review.cancel)  # once the answer is on its way
        await asyncio.gather(answer, review, return_exceptions=True)
        assert review.cancelled()
        assert complaints == []


async def test_a_review_holds_nothing_for_people() -> None:
    async with office() as here:
        review = here.review("r1")
        await asyncio.sleep(0)
        assert here.people == []
        await here.pool.answer("r1", JUDGED)
        await review


async def test_reviews_end_with_the_workers() -> None:
    async with office() as here:
        running, waiting = here.review("r1"), here.review("r2")
        await asyncio.sleep(0)
        await here.workers.close()
        await here.pool.answer("r1", JUDGED)
        assert here.pool.running == []
        for task in (running, waiting):
            assert not task.done()
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)


# The first compile


class FakeWarmUp:
    """Goes on and ends when a test says so."""

    done, of, over = 0, 0, False

    def __init__(self) -> None:
        self._end = asyncio.Event()

    async def run(self) -> None:
        await self._end.wait()
        self.over = True

    def end(self) -> None:
        self._end.set()


class ColdOffice(Office):
    """Workers whose kernels are being compiled. `pool` serves meanwhile, `warm_pool` afterwards."""

    def __init__(self, count: int = 1, bounds: Bounds = BOUNDS) -> None:
        self.pool, self.warm_pool = FakePool(), FakePool()
        pools = [self.pool, self.warm_pool]
        self.warm_up = FakeWarmUp()
        self.workers = Workers(count=count, bounds=bounds, warm_up=True)
        self.workers._warm_up = self.warm_up  # type: ignore[assignment]
        self.workers._new_pool = lambda: pools.pop(0)  # type: ignore[method-assign,assignment,return-value]
        self.workers.start()

    async def until(self, true: Any) -> None:
        async with asyncio.timeout(60):
            while not true():  # noqa: ASYNC110 - what goes on in threads tells nobody
                await asyncio.sleep(0.001)

    async def warm(self) -> None:
        self.warm_up.end()
        self.warm_pool.ready.set_result(None)
        await self.until(lambda: self.workers.warming is None)


@asynccontextmanager
async def cold_office(count: int = 1, bounds: Bounds = BOUNDS) -> AsyncIterator[ColdOffice]:
    opened = ColdOffice(count, bounds)
    yield opened
    await opened.workers.close()


async def test_what_needs_kernels_waits_for_them_and_the_rest_does_not() -> None:
    async with cold_office() as here:
        waiting = here.submit("compiled", compiled=True)
        here.submit("plain")
        assert (here.pool.running, here.workers.queued) == (["plain"], 1)
        await here.pool.answer("plain")
        await here.warm()
        assert here.pool.running == []
        assert here.warm_pool.running == ["compiled"]
        await here.warm_pool.answer("compiled")
        assert waiting.told == ["started", "finished"]
        await here.until(lambda: here.pool.retired)


async def test_reviews_wait_for_kernels_and_come_after_all_who_did() -> None:
    async with cold_office() as here:
        review = here.review("r1")
        await asyncio.sleep(0)
        assert (here.pool.running, here.workers.queued) == ([], 0)
        here.submit("compiled", BACKGROUND, compiled=True)
        await here.warm()
        assert here.warm_pool.running == ["compiled"]
        await here.warm_pool.answer("compiled")
        await here.warm_pool.answer("r1", JUDGED)
        assert await review == JUDGED


async def test_it_tells_how_far_it_is() -> None:
    async with cold_office() as here:
        assert here.workers.warming == (0, 0)
        here.warm_up.done, here.warm_up.of = 1, 2
        assert here.workers.warming == (1, 2)
        await here.warm()
        assert (here.workers.warming, here.workers.warm_up_done, here.workers.warm_up_of) == (None, 1, 2)


async def test_those_who_waited_come_in_order() -> None:
    async with cold_office() as here:
        here.submit("busy")
        for name, priority in (("g", BACKGROUND), ("p1", PERSON), ("p2", PERSON)):
            here.submit(name, priority, compiled=True)
        await here.warm()
        assert here.warm_pool.running == [], "the only worker is at work"
        await here.pool.answer("busy")
        for name in ("p1", "p2", "g"):
            assert here.warm_pool.running == [name]
            await here.warm_pool.answer(name)


async def test_those_who_wait_for_kernels_are_counted_and_may_give_up() -> None:
    async with cold_office(bounds=up_to(1)) as here:
        waiting = here.submit("a", compiled=True)
        assert here.workers.refusal(ANN)
        here.workers.stop(waiting.search)
        assert here.workers.queued == 0
        await here.warm()
        assert here.warm_pool.running == []


async def test_without_kernels_searches_do_for_themselves() -> None:
    async with cold_office() as here:
        here.submit("a", compiled=True)
        here.warm_up.end()
        here.warm_pool.ready.set_exception(ProcessExpired("no memory"))
        await here.until(lambda: here.workers.warming is None)
        assert here.pool.running == ["a"]
        assert not here.pool.retired


async def test_a_close_before_it_is_warm() -> None:
    async with cold_office() as here:
        asker = here.submit("a", compiled=True)
        await here.workers.close()
        assert asker.told == []


# Progress


async def test_progress_is_told_once_and_never_torn() -> None:
    async with office() as here:
        asker = here.submit("a")
        [(_, number, _, _)] = here.pool.taken
        slot = here.workers._slots[number]
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
        [(_, number, _, _)] = here.pool.taken
        child._SlotWatch(here.workers._slots[number], 1000).report(10, 2, 0.5, (4,))
        await here.pool.answer("a")
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


def test_a_job_is_a_decision_in_the_position_that_its_moves_make(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_slots", [SearchSlot()])
    # x has two in a row and the third cell is free.
    threat = Job(game="tictactoe", cells=(0, 4, 1, 5), bot="alphabeta:2", limit=Limit(), budget_ms=10_000, seed=1)
    decision, think_ms = child.search(threat, 0)
    assert (decision.move, decision.win_in) == (2, 1)
    assert 0 <= think_ms < 10_000


def test_a_review_job_is_a_judgement_of_the_move_after_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_slots", [SearchSlot()])
    # x has two in a row; the third cell is free, and left.
    missed = ReviewJob(game="tictactoe", cells=(0, 4, 1, 5), move=3, budget_ms=60_000)
    judged, took_ms = child.review(missed, 0)
    assert (judged.exact, judged.best[0], judged.best_verdict, judged.best_win_in) == (True, 2, "won", 1)
    assert judged.verdict != "won" or judged.win_in != 1
    assert 0 <= took_ms < 60_000


def test_a_review_stops_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    slot = SearchSlot()
    slot.stop = 1
    monkeypatch.setattr(child, "_slots", [slot])
    with pytest.raises(Stopped):
        child.review(ReviewJob(game="tictactoe", cells=(), move=3, budget_ms=60_000), 0)


# A real pool


@pytest.fixture
async def real() -> AsyncIterator[Workers]:
    workers = Workers(count=1, nice=1, grace_ms=300)
    workers.start()
    yield workers
    await workers.close()


def pids_of(workers: Workers) -> list[int]:
    pool: Any = workers._pool
    return list(pool._pool_manager.worker_manager.workers)


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


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


async def test_a_worker_whose_end_the_pool_has_missed_costs_one_retry() -> None:
    async with office() as here:
        asker = here.submit("a")
        [missed] = [future for *_, future in here.pool.taken]
        here.workers._slots[0].pid = ended_process()
        for look in range(MISSED_LOOKS):
            assert len(here.pool.taken) == 1, look
            here.workers._report_progress()
        assert (len(here.pool.taken), here.workers.retried) == (2, 1)
        missed.set_result((DECISION, 5))  # of no use any more
        await asyncio.sleep(0)
        assert asker.told == ["started", "started"]
        here.pool.taken[-1][-1].set_result((DECISION, 5))
        await asker.until("finished")
        assert (here.workers.running, here.workers.done) == (0, 1)


@pytest.mark.slow
async def test_a_real_worker_that_dies_or_hangs_is_replaced(real: Workers) -> None:
    for blow in (signal.SIGKILL, signal.SIGSTOP):
        asker = Asker(what=job("alphabeta:20", "qubic", 1_000))
        real.submit(asker.search)
        async with asyncio.timeout(60):
            while not asker.reports:
                asker.news.clear()
                await asker.news.wait()
        [pid] = pids_of(real)
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 1
        os.kill(pid, blow)
        await asker.until("finished")
        assert asker.told == ["started", "started", "finished"]
        assert pids_of(real) != [pid]
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
    processes = [psutil.Process(pid) for pid in pids_of(workers)]
    assert len(processes) == 2
    await workers.close()
    _, alive = psutil.wait_procs(processes, timeout=60)
    assert not alive
