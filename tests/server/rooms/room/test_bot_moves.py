from __future__ import annotations

import asyncio
import itertools
from typing import Any, cast

import pytest

from engine.bots.player import Limit, decide
from engine.bots.roster import Roster, bot
from engine.rules.registry import rules
from engine.search.warm import FLAT, SOLVER
from server.play.effects import Think
from server.play.rate_limit import Refusal
from server.rooms.fair_queue import COST_AT_ONCE, FairQueue
from server.rooms.room import bot_moves, engine_games
from server.rooms.room.bot_moves import EXHIBITION_COST, Thinking
from server.rooms.room.engine_games import FULL, MANY
from server.rooms.room.services import SearchReport
from server.wire import BotLimit
from server.workers import child
from server.workers.child import Job
from server.workers.engines.engine import Engine
from server.workers.engines.remembered import IDLE_S
from server.workers.engines.session import PREPARE_MS
from server.workers.pool import Workers
from server.workers.search import Priority, Search
from server.workers.search_queue import Owner, QueueFull
from tests.support.foreign_engines.scripts import engine
from tests.support.rooms.fakes import World

ROSTER = Roster([engine().bot])


class FakeWorkers:
    """Takes searches, or refuses all of them."""

    def __init__(self) -> None:
        self.taken: list[Search[Any]] = []
        self.stopped: list[Search[Any]] = []
        self.full = False
        self.games_over: list[int] = []

    @property
    def pool(self) -> Workers:
        return cast("Workers", self)

    @property
    def jobs(self) -> list[Job]:
        return [search.job for search in self.taken if isinstance(search.job, Job)]

    def refusal(self, owner: Owner) -> Refusal | None:
        sentence = f"The queue of {owner.person} at {owner.address} is full."
        return Refusal("queue", sentence) if self.full else None

    def submit(self, search: Search[Any]) -> None:
        if self.full:
            raise QueueFull(Refusal("queue", ""))
        self.taken.append(search)

    def end_game(self, seed: int) -> None:
        self.games_over.append(seed)

    def stop(self, search: Search[Any]) -> None:
        self.stopped.append(search)


class Asked:
    """A bot's move that was asked for, and what was heard of it."""

    def __init__(
        self,
        workers: FakeWorkers,
        name: str,
        *,
        human_waiting: bool = True,
        watched: bool = False,
        rated: bool = False,
        fair_queue: FairQueue | None = None,
        roster: Roster = ROSTER,
        limit: BotLimit | None = None,
    ) -> None:
        self.heard: list[Any] = []
        report = SearchReport(
            started=lambda: self.heard.append("started"),
            progressed=lambda *figures: None,
            finished=lambda decision, think_us: self.heard.append((decision, think_us)),
            failed=lambda reason: self.heard.append(reason),
            faulted=lambda *fault: self.heard.append(fault),
        )
        now_us = itertools.count(1_000, 47).__next__
        think = Think(1, "o", name, (4,), limit or BotLimit(nodes=100), 1000, 7, human_waiting, "ann", rated)
        self.limits: list[tuple[str, str]] = []
        searches = Thinking(
            workers.pool,
            {"ann": "a"}.__getitem__,
            lambda *met: self.limits.append(met),
            now_us,
            fair_queue or FairQueue(now_us),
            roster,
        )
        self.stop = searches.think("tictactoe", think, watched, report)


async def test_a_search_runs_for_whoever_waits_at_their_address() -> None:
    workers = FakeWorkers()
    for human_waiting, watched in ((True, False), (False, True), (False, False)):
        asked = Asked(workers, "alphabeta:2", human_waiting=human_waiting, watched=watched)
    assert [search.owner for search in workers.taken] == [Owner("ann", "a")] * 3
    assert [search.priority for search in workers.taken] == [Priority.PERSON, Priority.WATCHED, Priority.BACKGROUND]
    assert asked.stop is not None
    asked.stop()
    assert workers.stopped == [workers.taken[-1]]


def exhibit(workers: FakeWorkers, fair_queue: FairQueue, name: str, times: int = 1) -> list[Asked]:
    return [Asked(workers, name, human_waiting=False, fair_queue=fair_queue) for _ in range(times)]


AT_ONCE = COST_AT_ONCE // EXHIBITION_COST


async def test_of_many_games_between_bots_some_move_in_turns_and_a_person_never_waits() -> None:
    workers, world = FakeWorkers(), World()
    fair_queue = FairQueue(world.clock.now_us)
    exhibit(workers, fair_queue, "alphabeta:2", AT_ONCE + 3)
    assert len(workers.taken) == AT_ONCE
    Asked(workers, "alphabeta:2", fair_queue=fair_queue)
    assert [search.priority for search in workers.taken[AT_ONCE:]] == [Priority.PERSON]
    await world.wait(EXHIBITION_COST)
    assert len(workers.taken) == AT_ONCE + 2
    await world.wait(2 * EXHIBITION_COST)
    assert len(workers.taken) == AT_ONCE + 4


async def test_so_do_bots_that_answer_at_once() -> None:
    workers, world = FakeWorkers(), World()
    fair_queue = FairQueue(world.clock.now_us)
    *_, last = exhibit(workers, fair_queue, "random", AT_ONCE + 1)
    await asyncio.sleep(0)
    assert last.heard == []
    await world.wait(EXHIBITION_COST)
    assert last.heard[0] == "started"


async def test_what_else_their_address_asks_for_waits_for_none_of_them() -> None:
    workers, world = FakeWorkers(), World()
    fair_queue = FairQueue(world.clock.now_us)
    exhibit(workers, fair_queue, "alphabeta:2", AT_ONCE + 3)
    done: list[str] = []
    fair_queue.take("a", 1, lambda: done.append("page"))
    assert done == ["page"]


async def test_a_game_between_bots_may_end_before_its_turn_has_come() -> None:
    workers, world = FakeWorkers(), World()
    fair_queue = FairQueue(world.clock.now_us)
    first, *_, last = exhibit(workers, fair_queue, "alphabeta:2", AT_ONCE + 1)
    for asked in (first, last):
        assert asked.stop is not None
        asked.stop()
    await world.wait(1_000)
    assert len(workers.taken) == AT_ONCE
    assert workers.stopped == workers.taken[:1]


async def test_a_turn_at_which_no_worker_takes_the_search_is_told_as_busy() -> None:
    workers = FakeWorkers()
    workers.full = True
    [asked] = exhibit(workers, FairQueue(World().clock.now_us), "alphabeta:2")
    assert asked.heard == ["busy"]
    assert asked.limits == [("queue", "a")]


async def test_an_engine_of_others_is_searched_with_in_a_worker() -> None:
    workers = FakeWorkers()
    Asked(workers, "bad")
    [job] = workers.jobs
    assert job.bot == engine().bot
    assert job.start_ms == PREPARE_MS


def tame(move_ms: int) -> Roster:
    """One that follows its games, and cannot be told its time."""
    return Roster([Engine("tame", "tame", "/", "codingame", move_ms=move_ms).bot])


async def test_an_engine_that_cannot_be_told_its_time_has_all_of_it() -> None:
    workers = FakeWorkers()
    for move_ms in (900, 5000):
        Asked(workers, "tame", roster=tame(move_ms), limit=BotLimit())
    assert [job.budget_ms for job in workers.jobs] == [1000, 5000]
    assert [child._bounds(job)[0] for job in workers.jobs] == [Limit(move_ms=900), Limit(move_ms=5000)]


class Following:
    """Games that a tame engine follows, each person's from an address of their own."""

    def __init__(self) -> None:
        self.workers, self.world, self.roster = FakeWorkers(), World(), tame(900)
        self.addresses = {"ann": "a", "bob": "b"}
        self.searches = Thinking(
            self.workers.pool,
            lambda person: self.addresses.get(person, ""),
            lambda *met: None,
            self.world.clock.now_us,
            FairQueue(self.world.clock.now_us),
            self.roster,
        )

    def is_taken(self, seed: int, person: str = "ann") -> bool:
        think = Think(1, "o", "tame", (4,), BotLimit(), 1000, seed, True, person)
        report = SearchReport(*[lambda *told: None] * 5)
        return self.searches.think("tictactoe", think, False, report) is not None


async def test_games_that_engines_follow_count_for_an_address_or_who_is_at_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_games, "MAX_GAMES", 12)
    following = Following()
    following.addresses["anns sister"] = "a"
    tame_bot, refusal = following.roster.bot("tame"), following.searches.refusal
    assert [following.is_taken(seed) for seed in range(8)] == [True] * 6 + [False] * 2
    assert [refusal(tame_bot, person) for person in ("ann", "anns sister", "bob")] == [MANY, MANY, None]
    assert following.is_taken(20, "somebody who is not connected")
    assert following.is_taken(21, "and another one")


async def test_a_game_that_is_over_is_told_where_an_engine_followed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_games, "MAX_GAMES", 2)
    following = Following()
    searches, tame_bot = following.searches, following.roster.bot("tame")
    assert [following.is_taken(seed) for seed in (1, 2, 3)] == [True, True, False]
    assert [searches.refusal(one, "ann") for one in (tame_bot, bot("level:2"))] == [FULL, None]
    for seed in (3, 2):
        searches.end_game(seed)
    assert following.workers.games_over == [2]
    assert searches.refusal(tame_bot, "ann") is None
    assert [following.is_taken(seed) for seed in (3, 2)] == [True, False]
    following.world.now_ms += round(IDLE_S * 1000)
    assert following.is_taken(2), "the others have lost their processes"


async def test_a_bot_that_is_not_here_any_more_loses() -> None:
    workers = FakeWorkers()
    asked = Asked(workers, "gone")
    await asyncio.sleep(0)
    assert asked.heard == [("crash", "is not among the bots of this server any more")]
    assert workers.taken == []


async def test_a_search_that_no_worker_takes_is_not_begun() -> None:
    workers = FakeWorkers()
    workers.full = True
    asked = Asked(workers, "alphabeta:2")
    assert asked.stop is None
    assert asked.limits == [("queue", "a")]


async def test_a_bot_that_needs_no_search_needs_no_queue() -> None:
    workers = FakeWorkers()
    workers.full = True
    asked = Asked(workers, "random")
    assert asked.heard == []  # not before the room has carried out what comes with it
    await asyncio.sleep(0)
    position = rules("tictactoe").initial.play(4)
    assert asked.heard == ["started", (decide(bot("random"), position, Limit(nodes=100), 7), 47)]
    assert workers.taken == []


async def test_a_move_that_is_no_longer_wanted_is_not_made() -> None:
    asked = Asked(FakeWorkers(), "random")
    assert asked.stop is not None
    asked.stop()
    await asyncio.sleep(0)
    assert asked.heard == []


def test_a_full_queue_refuses_bots_that_search_alone() -> None:
    workers = FakeWorkers()
    met: list[tuple[str, str]] = []
    searches = Thinking(
        workers.pool, {"ann": "a"}.__getitem__, lambda *limit: met.append(limit), lambda: 0, FairQueue(lambda: 0)
    )
    assert searches.refusal(bot("level:2"), "ann") is None
    workers.full = True
    assert searches.refusal(bot("level:2"), "ann") == "The queue of ann at a is full."
    assert searches.refusal(bot("random"), "ann") is None
    assert met == [("queue", "a")]


async def test_a_fault_at_deciding_is_no_crash_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(bot_moves, "decide", fail)
    asked = Asked(FakeWorkers(), "random")
    await asyncio.sleep(0)
    assert asked.heard == ["started", "busy"], "the room asks again in a moment"


async def test_casual_searches_of_few_positions_may_be_interpreted() -> None:
    workers = FakeWorkers()
    for name, rated in (("level:4", False), ("level:4", True), ("perfect", False), ("osipa-tree", False)):
        Asked(workers, name, rated=rated)
    assert [search.needs for search in workers.taken] == [{FLAT}, {FLAT}, {FLAT, SOLVER}, set()]
    assert [search.interpretable for search in workers.taken] == [True, False, False, True]
