"""What runs in a worker of a cluster for servers, with a pool that answers when a test says so."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from engine.bots.player import Decision, Limit
from engine.bots.roster import bot
from server.workers.child import Done, Failed, Job
from server.workers.cluster import searches
from server.workers.cluster.build import build
from server.workers.search import Search

JOB = Job("qubic", (), bot("level:5"), Limit(move_ms=500), 500, 1)
DECISION = Decision(move=3, value=0.0, win_in=None, proven=False, depth=1, nodes=9, pruned=0, pv=(3,))


class FakePool:
    """In the place of processes."""

    def __init__(self) -> None:
        self.searches: list[Search[Any]] = []
        self.stopped: list[Search[Any]] = []
        self.warming: tuple[int, int] | None = None

    def submit(self, search: Search[Any]) -> None:
        self.searches.append(search)

    def stop(self, search: Search[Any]) -> None:
        self.stopped.append(search)


@pytest.fixture
async def pool(monkeypatch: pytest.MonkeyPatch) -> FakePool:
    made = FakePool()
    monkeypatch.setattr(searches, "_pools", {asyncio.get_running_loop(): made})
    return made


async def thinking(name: str) -> asyncio.Task[Any]:
    task = asyncio.create_task(searches.think(name, JOB, build(), 2))
    await asyncio.sleep(0)
    return task


async def test_a_worker_is_ready_once_its_kernels_are(pool: FakePool) -> None:
    pool.warming = (1, 4)
    assert await searches.prepare(2) == (build(), False)
    pool.warming = None
    assert await searches.prepare(2) == (build(), True)


async def test_the_answer_of_a_search_is_what_the_pool_found(pool: FakePool) -> None:
    task = await thinking("a-0")
    [search] = pool.searches
    assert search.job == JOB
    search.finished(DECISION, 7)
    assert await task == Done(DECISION, 7)
    assert searches._running == {}
    assert pool.stopped == []


async def test_what_the_bot_did_wrong_is_its_answer(pool: FakePool) -> None:
    task = await thinking("a-0")
    pool.searches[0].faulted("crash", "raised ValueError")
    assert await task == Failed("raised ValueError", "crash")


async def test_processes_that_die_leave_no_answer(pool: FakePool) -> None:
    task = await thinking("a-0")
    pool.searches[0].failed("stall")
    assert await task is None


async def test_another_build_searches_nothing(pool: FakePool) -> None:
    wanted = replace(build(), engine="other")
    assert await searches.think("a-0", JOB, wanted, 2) == build()
    assert pool.searches == []


async def test_a_stop_ends_its_own_search_alone(pool: FakePool) -> None:
    one, two = await thinking("a-0"), await thinking("a-1")
    await searches.stop("a-1")
    await searches.stop("a-7")
    assert await two is None
    assert pool.stopped == [pool.searches[1]]
    assert not one.done()
    one.cancel()
    await asyncio.wait([one])
    assert pool.stopped == [pool.searches[1], pool.searches[0]], "one that nobody waits for ends too"


async def test_the_newest_report_of_each_search_is_told_once(pool: FakePool) -> None:
    tasks = [await thinking("a-0"), await thinking("a-1"), await thinking("b-0")]
    for nodes in (1, 2):
        for search in pool.searches:
            search.progressed(nodes, 3, 0.5, (4,))
    assert await searches.reports(["a-0", "a-1", "a-7"]) == {"a-0": (2, 3, 0.5, (4,)), "a-1": (2, 3, 0.5, (4,))}
    assert await searches.reports(["a-0"]) == {}
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
