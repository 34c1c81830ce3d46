"""A cluster as a pool sees it, with a gateway that says what a test has it say."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest

from engine.bots.player import Decision, Limit
from server.workers.child import Done, Job
from server.workers.children import Ending
from server.workers.cluster.link import AGAIN_S, LATE_S
from server.workers.cluster.words import Answer, Ask, Lost, Report, Said, Seats, Stop
from server.workers.engines.engine import Engine, EngineBot
from tests.support.workers.linked_pool import PERSON, WATCHED, Pool

DONE = Done(Decision(move=3, value=0.0, win_in=None, proven=False, depth=1, nodes=9, pruned=0, pv=(3,)), 5)


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    made = Pool()
    yield made
    made.link.close()
    assert made.forks.closed
    assert all(timer.cancelled for timer in made.loop.timers)


async def test_there_is_room_once_the_gateway_says_so(pool: Pool) -> None:
    assert not pool.link.takes(pool.search())
    pool.gateway.says(Seats(1))
    assert pool.freed == 1
    assert pool.link.takes(pool.search())
    pool.link.begin(pool.search())
    assert not pool.link.takes(pool.search())


@pytest.mark.parametrize(("seats", "kept"), [(1, 1), (2, 1), (4, 1), (8, 2), (40, 10)])
async def test_some_room_is_kept_for_people(pool: Pool, seats: int, kept: int) -> None:
    pool.gateway.says(Seats(seats))
    for _ in range(seats - kept):
        assert pool.link.takes(pool.search(WATCHED))
        pool.link.begin(pool.search(WATCHED))
    assert not pool.link.takes(pool.search(WATCHED))
    for _ in range(kept):
        assert pool.link.takes(pool.search(PERSON))
        pool.link.begin(pool.search(PERSON))
    assert not pool.link.takes(pool.search(PERSON))


async def test_an_engine_of_this_machine_stays_here(pool: Pool) -> None:
    pool.gateway.says(Seats(4))
    engine = EngineBot("mine", "mine", (), 1, Engine("mine", "mine.sh", "/", "json"))
    assert not pool.link.takes(pool.search(what=Job("qubic", (), engine, Limit(move_ms=500), 500, 1)))


async def test_searches_go_there_and_their_answers_come_back(pool: Pool) -> None:
    pool.gateway.says(Seats(4))
    one, two = pool.search(), pool.search()
    pool.link.begin(one)
    pool.link.begin(two)
    assert pool.gateway.heard == [Ask(0, one.job), Ask(1, two.job)]
    assert list(pool.link.running) == [one, two]
    pool.gateway.says(Report(1, 900, 4, 0.5, (3, 4)))
    pool.gateway.says(Answer(1, DONE))
    pool.gateway.says(Answer(1, DONE))
    assert pool.reports == [(900, 4, 0.5, (3, 4))]
    assert pool.ended == [(two, DONE)]
    assert list(pool.link.running) == [one]


async def test_a_stopped_search_takes_room_until_it_has_ended(pool: Pool) -> None:
    pool.gateway.says(Seats(1))
    search = pool.search()
    pool.link.begin(search)
    search.stopped = True
    pool.link.stop(search)
    pool.gateway.says(Report(0, 900, 4, 0.5, ()))
    assert pool.gateway.heard[-1] == Stop(0)
    assert pool.reports == []
    assert not pool.link.takes(pool.search())
    pool.gateway.says(Answer(0, None))
    assert pool.link.takes(pool.search())


async def test_a_search_whose_answer_does_not_come_is_given_up(pool: Pool) -> None:
    pool.gateway.says(Seats(1))
    search = pool.search()
    pool.link.begin(search)
    pool.loop.fire(0.5 + LATE_S)
    assert pool.gateway.heard[-1] == Stop(0)
    assert pool.ended == [(search, None)]


@pytest.mark.parametrize("how", ["said", "died"])
async def test_a_cluster_that_is_lost_is_a_sentence_and_its_searches_come_back(
    pool: Pool, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    pool.gateway.says(Seats(4))
    search = pool.search()
    pool.link.begin(search)
    first = pool.gateway
    if how == "said":
        first.says(Lost("No Dask scheduler answers."))
    first.ends(Ending(status=0))
    assert pool.ended == [(search, None)]
    assert not pool.link.takes(pool.search())
    lost = [record for record in caplog.records if "the cluster is lost" in record.message]
    assert len(lost) == 1
    pool.loop.fire(AGAIN_S)
    assert pool.gateway is not first
    pool.gateway.says(Lost("No Dask scheduler answers."))
    assert len([record for record in caplog.records if "the cluster is lost" in record.message]) == 1, "said once"
    pool.loop.fire(AGAIN_S)
    pool.gateway.says(Seats(2))
    assert pool.link.takes(pool.search())


async def test_no_process_for_a_gateway_is_no_harm(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    pool.forks.trouble = OSError(11, "Resource temporarily unavailable")
    pool.gateway.ends(Ending(status=-9))
    pool.loop.fire(AGAIN_S)
    pool.forks.trouble = None
    pool.loop.fire(AGAIN_S)
    pool.gateway.says(Seats(1))
    assert pool.link.takes(pool.search())


async def test_what_the_cluster_says_is_in_the_log(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    pool.gateway.says(Said("Worker old is not used."))
    assert vars(caplog.records[-1])["said"] == "Worker old is not used."
