"""What a gateway asks of a cluster and tells its server, with a cluster that answers when a test says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.bots.player import Decision
from server.workers.child import Done
from server.workers.cluster import gateway
from server.workers.cluster.build import build
from server.workers.cluster.searches import Ready
from server.workers.cluster.words import Answer, Report, Said, Seats, Stop
from tests.support.workers.told_gateway import FakeCluster, Told, settled

DONE = Done(Decision(move=3, value=0.0, win_in=None, proven=False, depth=1, nodes=9, pruned=0, pv=(3,)), 5)


@pytest.fixture
async def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    monkeypatch.setattr(gateway, "ANSWER_S", 0.05)
    made = Told(FakeCluster())
    await made.gateway._look()
    assert made.new() == [Seats(4)]
    return made


async def test_searches_go_to_whoever_has_most_room(told: Told) -> None:
    await told.ask(0, 1, 2, 3)
    assert told.where() == ["one", "one", "two", "two"]
    told.cluster.thinking["me-2"][1].set_result(DONE)
    await settled()
    assert told.new() == [Answer(2, DONE)]


async def test_workers_join_and_leave(told: Told) -> None:
    told.cluster.workers["three"] = 5
    await told.gateway._look()
    assert told.new() == [Seats(9)]
    await told.ask(0)
    assert told.where() == ["three"]
    del told.cluster.workers["three"]
    await told.gateway._look()
    assert told.new() == [Answer(0, None), Seats(4)]


async def test_without_a_worker_a_search_comes_back_at_once(told: Told) -> None:
    told.cluster.workers.clear()
    await told.gateway._look()
    await told.ask(0)
    assert told.new() == [Seats(2), Seats(0), Answer(0, None)]


async def test_a_worker_that_still_compiles_is_used_later(told: Told) -> None:
    told.cluster.workers["cold"] = 1
    told.cluster.ready["cold"] = Ready(build(), False)
    await told.gateway._look()
    assert told.new() == []
    del told.cluster.ready["cold"]
    await told.gateway._look()
    assert told.new() == [Seats(5)]


async def test_workers_that_play_otherwise_are_refused_once_and_by_name(told: Told) -> None:
    told.cluster.workers.update(old=1, strange=1)
    told.cluster.ready.update(old=Ready(replace(build(), numba="0.0"), True), strange=ImportError("no server"))
    await told.gateway._look()
    await told.gateway._look()
    old, strange = sorted(word.sentence for word in told.new() if isinstance(word, Said))
    assert "Worker old is not used: it has engine" in old
    assert "numba 0.0, and this is" in old
    assert "Worker strange is not used: it has no noughts like this one (ImportError)" in strange


async def test_a_worker_that_has_changed_gives_the_search_back(told: Told) -> None:
    await told.ask(0)
    [(worker, answer)] = told.cluster.thinking.values()
    answer.set_result(replace(build(), engine="other"))
    await settled()
    back, seats, said = told.new()
    assert (back, seats) == (Answer(0, None), Seats(2))
    assert isinstance(said, Said)
    assert f"Worker {worker} is not used: it has engine other" in said.sentence


async def test_a_search_that_the_cluster_loses_comes_back(told: Told) -> None:
    await told.ask(0)
    [(worker, answer)] = told.cluster.thinking.values()
    answer.set_exception(OSError("closed"))
    await settled()
    assert told.new() == [Said(f"A search on worker {worker} was lost: OSError."), Answer(0, None)]


async def test_a_stop_goes_to_the_worker(told: Told) -> None:
    await told.ask(0, 1)
    told.gateway.hear(Stop(1))
    told.gateway.hear(Stop(7))  # over already
    await settled()
    assert told.cluster.stopped == ["me-1"]
    assert told.new() == []
    told.cluster.thinking["me-1"][1].set_result(None)
    await settled()
    assert told.new() == [Answer(1, None)]


async def test_it_tells_how_far_searches_are(told: Told) -> None:
    await told.ask(0, 1)
    told.cluster.reports["me-1"] = (900, 4, 0.5, (3, 4))
    await told.gateway._ask_for_reports()
    await told.gateway._ask_for_reports()
    assert told.new() == [Report(1, 900, 4, 0.5, (3, 4))]


async def test_a_worker_that_hangs_has_its_searches_given_back_until_it_answers(told: Told) -> None:
    await told.ask(0, 1)
    told.cluster.silent.add("one")
    await told.gateway._ask_for_reports()
    lost = next(number for number in (0, 1) if told.cluster.thinking[f"me-{number}"][0] == "one")
    assert told.new() == [
        Said("Worker one does not answer (TimeoutError): its searches begin again."),
        Answer(lost, None),
        Seats(2),
    ]
    await told.gateway._look()
    assert told.new() == []
    told.cluster.silent.clear()
    await told.gateway._look()
    assert told.new() == [Seats(4)]
