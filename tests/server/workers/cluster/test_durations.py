"""Which searches are long."""

from __future__ import annotations

from engine.bots.player import NO_LIMIT, Limit
from engine.bots.roster import bot
from server.workers.child import Job, ReviewJob
from server.workers.cluster.durations import KINDS, LONG_MS, Durations


def job(limit: Limit = NO_LIMIT, budget_ms: int = 10_000, name: str = "level:5", game: str = "qubic") -> Job:
    return Job(game, (), bot(name), limit, budget_ms, 1)


def test_a_limit_of_time_says_how_long_it_takes() -> None:
    durations = Durations()
    assert durations.is_long(job(Limit(move_ms=LONG_MS)))
    assert not durations.is_long(job(Limit(move_ms=LONG_MS - 1)))
    assert not durations.is_long(job(Limit(move_ms=LONG_MS), budget_ms=LONG_MS - 1))
    durations.note(job(Limit(move_ms=50)), 1_000)
    assert not durations.is_long(job(Limit(move_ms=50))), "whatever it took"


def test_others_are_as_long_as_the_last_ones_of_their_kind() -> None:
    durations = Durations()
    nodes, depth, none = job(Limit(nodes=9)), job(Limit(depth=9)), job()
    assert not any(map(durations.is_long, (nodes, depth, none)))
    durations.note(nodes, LONG_MS)
    assert durations.is_long(nodes)
    assert not any(map(durations.is_long, (depth, none, job(Limit(nodes=9), name="level:4"))))
    durations.note(nodes, 0)
    assert not durations.is_long(nodes)
    for _ in range(10):
        durations.note(nodes, 2 * LONG_MS)
    assert durations.is_long(nodes)


def test_reviews_are_a_kind_of_each_game() -> None:
    durations = Durations()
    durations.note(ReviewJob("qubic", (), 3, 1000), LONG_MS)
    assert durations.is_long(ReviewJob("qubic", (1,), 4, 1000))
    assert not durations.is_long(ReviewJob("gomoku", (1,), 4, 1000))


def test_the_last_kinds_are_remembered() -> None:
    durations = Durations()
    for nodes in range(1, KINDS + 2):
        durations.note(job(Limit(nodes=nodes)), LONG_MS)
    assert not durations.is_long(job(Limit(nodes=1)))
    assert durations.is_long(job(Limit(nodes=2)))
