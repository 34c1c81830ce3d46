"""Which search runs next, and what becomes of it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import psutil
import pytest

from server.workers import child
from server.workers.child import Done, Failed, NotJudged, ReviewJob
from server.workers.children import ORPHANED, Ending
from server.workers.pool import Workers
from server.workers.search_queue import Bounds, Owner, QueueFull
from server.workers.worker_processes import OBEY_S
from tests.support.workers.worker_office import (
    ANN,
    BACKGROUND,
    BOB,
    DECISION,
    FAILED,
    FLAT,
    HUNG,
    JUDGED,
    KILLED,
    NESTED,
    PERSON,
    WATCHED,
    Asker,
    FakeElsewhere,
    job,
    office,
    up_to,
)

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
        worker = here.forks.at_work("a")
        assert (worker.limit_s, worker.is_patient) == (3.0, True)


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


async def test_the_death_of_the_fork_server_costs_a_search_no_attempt() -> None:
    async with office() as here:
        asker = here.submit("a")
        for _ in range(ORPHANED):
            here.forks.fail("a", Ending(orphaned=True))
        here.forks.fail("a", KILLED)
        assert here.forks.running == ["a"]
        here.forks.fail("a", Ending(orphaned=True))
        assert asker.told == ["started"] * (ORPHANED + 2) + ["crash"], "it may be what kills it"


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
        told = [here.workers.warming]
        here.warm_up.done, here.warm_up.of = 1, 2
        told.append(here.workers.warming)
        await here.warm()
        told.append(here.workers.warming)
        assert told == [(0, 0), (1, 2), None]
        assert (here.workers.warm_up_done, here.workers.warm_up_of) == (1, 2)


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


async def test_without_kernels_searches_do_for_themselves() -> None:
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT)
        [worker] = here.forks.alive
        await here.warm(complete=False)
        assert here.workers.warming is None
        assert here.forks.running == ["a"]
        assert (here.forks.loads, here.forks.alive) == ([], [worker])


async def test_a_worker_that_must_compile_gets_time_for_it_once() -> None:
    """Else it is ended as hung, each time, and its bot loses every game."""
    async with office(warm_up=True) as here:
        await here.some_turns()
        here.warm_up.compile(NESTED)
        await here.warm(complete=False)
        [worker] = here.forks.alive
        limits = []
        for needs in (frozenset[str](), NESTED, FLAT, FLAT):
            here.submit("a", needs=needs)
            limits.append(worker.limit_s)
            here.forks.answer("a")
        assert limits == [3, 3, 603, 3]
        review = await here.review("r1")
        assert worker.limit_s == 3, "the budget of a review has room for that"
        here.forks.answer("r1", JUDGED)
        assert await review == JUDGED
        here.submit("a", needs=frozenset({"solver"}))
        assert worker.limit_s == 603, "the review need not have compiled it"
        here.forks.fail("a", KILLED)
        [another] = here.forks.alive
        assert another.limit_s == 603, "it has compiled nothing yet"


async def test_what_is_in_the_cache_gets_no_time_to_be_compiled() -> None:
    async with office(warm_up=True) as here:
        await here.warm()
        here.submit("a", needs=FLAT)
        assert here.forks.at_work("a").limit_s == 3


async def test_a_close_before_it_is_warm() -> None:
    async with office(warm_up=True) as here:
        asker = here.submit("a", needs=FLAT)
        await here.workers.close()
        assert asker.told == []


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


async def test_an_interpreted_search_can_be_stopped() -> None:
    async with office(warm_up=True) as here:
        asker = here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        here.workers.stop(asker.search)
        assert here.plain_forks.at_work("a").slot.stop == 1
        here.plain_forks.answer("a")
        assert asker.told == ["started"]


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
