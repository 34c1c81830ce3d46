"""The moves of a room's bots: when they are searched, what they may cost, what comes of them."""

from __future__ import annotations

from typing import Any

import pytest

from server.play.bot_searches import think
from server.play.effects import StopThinking, Think
from server.play.human_pace import delay_ms
from server.play.inputs import (
    BotFaulted,
    SearchFailed,
    SearchStarted,
    StoreBack,
    StoreDown,
    Tick,
)
from server.play.room_spec import Pace
from server.play.session import SEARCH_RETRY_MS
from server.wire import (
    BotLimit,
    ClockSettings,
    Ended,
    Moved,
    Rematch,
    Result,
    Say,
)
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, Driver, acked, bot_seat, refused


def test_a_bot_thinks_when_it_is_its_turn() -> None:
    room = Driver(ANN, bot_seat("alphabeta:2"), kind="bot")
    assert room.thinking is None
    room.move(ANN, "a1")
    think = room.thinking
    assert isinstance(think, Think)
    assert (think.side, think.bot, think.cells, think.human_waiting) == ("o", "alphabeta:2", (0,), True)
    room.now_ms += 30
    room.send(SearchStarted(think.search))
    room.now_ms += 20
    room.decide("b2", think_ms=20, value=-1.0, pv=(4, 8))
    moved, stats = room.entries[-1].event, room.entries[-1].stats
    assert moved.move == "b2"
    assert moved.think_ms == 20
    assert moved.search.pv == ["b2", "c3"]
    assert stats is not None
    assert stats.wait_ms == 30


def test_a_search_counts_for_the_bots_opponent_or_for_who_let_two_bots_play() -> None:
    against = Driver(BOB, bot_seat(), kind="bot")
    against.move(BOB, "a1")
    watched = Driver(bot_seat("random", "8"), bot_seat(), kind="bots")
    assert against.thinking is not None
    assert watched.thinking is not None
    assert (against.thinking.person, watched.thinking.person) == (BOB.id, ANN.id)


def test_a_search_that_measured_more_time_than_passed_waited_for_nothing() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.now_ms += 5
    room.decide("b2", think_ms=6)
    stats = room.entries[-1].stats
    assert stats is not None
    assert stats.wait_ms == 0


def test_a_bots_time_runs_from_the_start_of_its_search() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=BLITZ)
    room.move(ANN, "a1")
    room.wait(200_000)
    assert room.session.game.running, "waiting for a worker costs a bot nothing"
    assert room.thinking is not None
    room.send(SearchStarted(room.thinking.search))
    room.now_ms += 100
    assert room.clock.o_ms == 59_900
    room.decide("b1", think_ms=90)
    assert room.events[-1].clock.o_ms == 60_000 - 90 + 1_000


def test_a_bots_flag_does_not_fall_by_itself() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=BLITZ)
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(SearchStarted(room.thinking.search))
    assert room.session.deadline_ms() is None
    room.now_ms += 60_001
    room.send(Tick())
    assert acked(room.ask(ANN, Say(room="room1", text="hm")))
    assert room.session.game.running


def test_a_bot_that_overran_its_clock_is_flagged() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=ClockSettings(move_ms=100))
    room.move(ANN, "a1")
    assert room.thinking is not None
    assert room.thinking.budget_ms < 100
    room.decide("b1", think_ms=101)
    assert room.session.game.result == Result(winner="x", termination="flag")
    ended = room.events[-1]
    assert isinstance(ended, Ended)
    assert ended.fault == f"Move 2: {bot_seat().name} (O) took 101 ms of the 100 ms on its clock."


@pytest.mark.parametrize("reason", ["crash", "stall"])
def test_a_bot_without_an_answer_forfeits(reason: Any) -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(SearchFailed(room.thinking.search, reason))
    assert room.session.game.result == Result(winner="x", termination=reason)


@pytest.mark.parametrize(
    ("what", "told"), [("took 9 ms of its 1.", "took 9 ms of its 1."), ("wrote exit_", "wrote exit_.")]
)
def test_a_fault_forfeits_with_a_sentence(what: str, told: str) -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(BotFaulted(room.thinking.search + 1, "stall", "is heard too late"))
    assert room.session.game.running
    room.send(BotFaulted(room.thinking.search, "flag", what))
    assert room.session.game.result == Result(winner="x", termination="flag")
    ended = room.events[-1]
    assert isinstance(ended, Ended)
    assert ended.fault == f"Move 2: {bot_seat().name} (O) {told}"
    assert room.session.game_view().fault == ended.fault, "for who comes later"


def test_an_illegal_move_forfeits() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("a1")
    assert room.session.game.result == Result(winner="x", termination="illegal_move")


def test_talk_while_a_bot_thinks_starts_no_other_search() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    effects = room.ask(ANN, Say(room="room1", text="hm"))
    assert not any(isinstance(effect, Think | StopThinking) for effect in effects)


def test_a_search_that_is_asked_for_again_has_not_begun() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=BLITZ)
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(SearchStarted(room.thinking.search))
    room.send(SearchFailed(room.thinking.search, "busy"))
    room.wait(SEARCH_RETRY_MS)
    room.now_ms += 5_000
    view = room.session.clock_view(room.now_ms)
    assert view is not None
    assert view.o_ms == 60_000


def test_a_busy_pool_is_asked_again() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    first = room.thinking
    assert first is not None
    room.send(SearchFailed(first.search, "busy"))
    assert room.session.game.running
    room.wait(SEARCH_RETRY_MS)
    assert room.thinking is not None
    assert room.thinking.search == first.search + 1


def test_a_takeback_cancels_the_bots_search() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    search = room.thinking
    assert search is not None
    effects = room.act(ANN, "offer_takeback")
    assert StopThinking(search.search) in effects
    assert room.session.game.texts == []
    room.send(SearchStarted(search.search))
    assert room.decide("b1") == [], "an answer that comes too late is nothing"
    room.move(ANN, "b2")
    assert room.thinking is not None
    assert room.thinking.search == search.search + 1


@pytest.mark.parametrize(
    ("value", "proven", "accepts"),
    [(0.0, True, True), (-1.0, True, True), (-3.0, False, False), (0.0, False, False), (1.0, True, False)],
)
def test_a_bot_takes_a_proven_draw_or_loss_once_the_opening_is_over(value: float, proven: bool, accepts: bool) -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    for mine, answer in (("a1", "b1"), ("b2", "c3"), ("a2", "c2")):
        room.move(ANN, mine)
        room.decide(answer, value=value, proven=proven)
        takes = accepts and len(room.session.game.texts) > 4  # half of nine cells
        room.act(ANN, "offer_draw")
        assert type(room.events[-1]).__name__ == ("Ended" if takes else "Declined")
        if takes:
            break
    assert (room.session.game.result is not None) == accepts


def test_on_a_large_board_the_opening_is_20_plies() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", game="mnk:19,19,5")
    for number in range(11):
        file = "abcdefghijk"[number]
        room.move(ANN, f"{file}{1 + 2 * (number % 2)}")
        room.decide(f"{file}{9 + 2 * (number % 2)}", value=0.0, proven=True)
        room.act(ANN, "offer_draw")
        assert type(room.events[-1]).__name__ == ("Ended" if number == 10 else "Declined")


def test_a_bot_agrees_to_a_rematch_at_once() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.act(ANN, "resign")
    room.ask(ANN, Rematch(room="room1"))
    assert room.session.game.serial == 2
    assert room.thinking is not None, "the bot now moves first"
    assert room.thinking.side == "x"


def test_two_bots_keep_their_pace() -> None:
    room = Driver(bot_seat("random", "8"), bot_seat(), kind="bots", pace=Pace(think_ms=1_000, between_ms=250))
    first = room.thinking
    assert first is not None
    assert not first.human_waiting
    room.decide("a1")
    assert room.thinking is first
    room.wait(249)
    assert room.thinking is first
    room.wait(1)
    assert room.thinking is not first
    room.decide("b1")
    room.wait(250)
    assert room.thinking.cells == (0, 1)


def test_the_creator_of_a_bots_room_may_ask_for_a_rematch() -> None:
    room = Driver(bot_seat("random", "8"), bot_seat(), kind="bots")
    while room.session.game.running:
        room.decide(room.session.legal()[0])
    assert refused(room.ask(BOB, Rematch(room="room1"))) == ["not_seated"]
    room.ask(ANN, Rematch(room="room1"))
    assert room.session.game.serial == 2
    assert room.session.seats["x"] is not None
    assert room.session.seats["x"].id == "9"


def test_the_budget_follows_limit_and_clock() -> None:
    def budget(clock: ClockSettings | None, limit: BotLimit | None = None) -> int:
        room = Driver(bot_seat(), ANN, kind="bot", clock=clock, limit=limit)
        assert room.thinking is not None
        return room.thinking.budget_ms

    assert budget(None) == 1_000
    assert budget(None, BotLimit(move_ms=50)) == 50
    assert budget(None, BotLimit(move_ms=86_400_000)) == 1_000, "one request must not keep a worker for a day"
    assert budget(ClockSettings(initial_ms=10_000, increment_ms=100)) == 575
    assert budget(ClockSettings(initial_ms=10_000, increment_ms=0)) == 500
    assert budget(ClockSettings(move_ms=100)) == 80

    room = Driver(ANN, bot_seat(), kind="bot", clock=ClockSettings(initial_ms=10_000, increment_ms=0))
    room.now_ms += 9_000
    room.move(ANN, "a1")
    assert room.thinking is not None
    assert room.thinking.budget_ms == 500, "of the bot's own time"


def test_a_search_has_a_millisecond_even_when_the_clock_has_none() -> None:
    room = Driver(bot_seat(), ANN, kind="bot", clock=BLITZ)
    for left_ms in (0, 1, 2):
        room.session.clock.set(left_ms, left_ms)
        assert think(room.session, Pace(), 1, "x").budget_ms == 1


def human(clock: ClockSettings | None = None, **options: Any) -> Driver:
    """Ann against a bot at a human pace, which has found its answer 20 ms after it was asked."""
    room = Driver(ANN, bot_seat(), kind="bot", clock=clock, asked_pace="human", **options)
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.now_ms += 10
    room.send(SearchStarted(room.thinking.search))
    room.now_ms += 10
    assert room.decide("b2", think_ms=9) == []
    return room


def delay_of(room: Driver, left_ms: int | None = None) -> int:
    game = room.session.game
    return delay_ms(game.position, 4, game.seed, left_ms)


def test_a_bot_at_a_human_pace_makes_its_move_when_its_time_has_come() -> None:
    room = human()
    delay = delay_of(room)
    assert room.session.deadline_ms() == room.now_ms - 20 + delay
    room.wait(delay - 21)
    assert room.session.game.texts == ["a1"]
    room.wait(1)
    assert room.session.game.texts == ["a1", "b2"]
    moved, stats = room.entries[-1].event, room.entries[-1].stats
    assert isinstance(moved, Moved)
    assert stats is not None
    assert (moved.think_ms, stats.wait_ms) == (delay - 20 + 9, 11)
    assert stats.think_us == 1000 * moved.think_ms


def test_pondering_is_on_the_bots_clock_and_a_wait_for_a_worker_is_not() -> None:
    room = human(ClockSettings(initial_ms=20_000, increment_ms=0))
    delay = delay_of(room, 20_000)
    began_ms = room.now_ms - 10
    room.wait(300)
    assert room.clock.o_ms == 20_000 - (room.now_ms - began_ms)
    room.wait(5_000)
    assert room.events[-1].clock.o_ms == 20_000 - (delay - 20 + 9)


def test_a_bot_at_a_human_pace_that_thought_for_long_answers_at_once() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", asked_pace="human")
    room.move(ANN, "a1")
    room.now_ms += 10_000
    room.decide("b2", think_ms=9_000)
    assert room.session.game.texts == ["a1", "b2"]
    assert room.events[-1].think_ms == 9_000


def test_a_bot_at_a_human_pace_never_loses_on_time_by_it() -> None:
    room = human(ClockSettings(move_ms=500))
    room.wait(50)
    assert room.session.game.texts == ["a1", "b2"]
    assert room.session.game.running


@pytest.mark.parametrize("action", ["offer_takeback", "abort"])
def test_a_move_that_waits_for_its_time_is_dropped_with_its_ply(action: str) -> None:
    room = human()
    room.act(ANN, action)
    known = len(room.entries)
    room.wait(5_000)
    assert len(room.entries) == known
    assert room.session.game.texts == ([] if action == "offer_takeback" else ["a1"])


def test_a_move_that_waits_for_its_time_is_dropped_by_a_resignation() -> None:
    room = human(start=["c3", "c2"])
    room.act(ANN, "resign")
    room.wait(5_000)
    assert room.session.game.texts == ["a1"]
    assert room.session.game.result == Result(winner="o", termination="resignation")


def test_a_move_that_waits_for_its_time_waits_for_the_store_too() -> None:
    room = human()
    room.store_works = False
    room.send(StoreDown())
    room.wait(5_000)
    assert room.session.game.texts == ["a1"]
    room.store_works = True
    room.send(StoreBack())
    assert room.session.game.texts == ["a1", "b2"]


def test_two_bots_at_a_human_pace_take_turns() -> None:
    room = Driver(bot_seat("random", "8"), bot_seat(), kind="bots", asked_pace="human", pace=Pace(1_000, 250))
    for ply, text in enumerate(("a1", "b1", "c1")):
        room.decide(text)
        assert len(room.session.game.texts) == ply
        due_ms = room.session.deadline_ms()
        assert due_ms is not None
        room.wait(due_ms - room.now_ms)
        assert len(room.session.game.texts) == ply + 1
        room.wait(250)
