"""The session rules, by plain numbers, and by a machine that sends anything at any time."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.play.attendance import EMPTY_MS, INVITE_MS
from server.play.effects import Close, RatedGame, SequencedEvent, ShowMembers, ShowPresence, ShowRoom, Think
from server.play.inputs import (
    MembersChanged,
    NotOpened,
    Opened,
    PlayerConnected,
    PlayerDisconnected,
    PlayerRenamed,
    Restored,
    RunningClock,
    SearchFailed,
    SearchStarted,
    ServerEnding,
    Shut,
    StoreBack,
    StoreDown,
    Tick,
    Withdrawn,
)
from server.play.requests import ABSENT_MS
from server.play.session import RESTART_GRACE_MS, SEARCH_RETRY_MS
from server.wire import (
    ClockSettings,
    Declined,
    Ended,
    Join,
    Moved,
    PaceAsked,
    Player,
    RatingView,
    Rematch,
    Result,
    Say,
    Termination,
)
from tests.support.examples import examples
from tests.support.rooms.replay import check_replay, replayed
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, LONG, Driver, acked, bot_seat, refused, shown

# Seats


def test_a_seek_starts_when_its_free_seat_is_taken() -> None:
    room = Driver(o=None)
    assert room.session.waiting
    effects = room.ask(BOB, Join(room="room1"))
    assert shown(effects) == 1
    assert [type(event).__name__ for event in room.events] == ["Seated", "Seated", "SeededStart"]
    assert room.session.game.to_move == "x"
    assert [entry.seq for entry in room.entries] == [1, 2, 3]


def test_who_made_the_room_is_answered_by_it() -> None:
    assert ShowRoom("1", answer=True) in Driver().effects
    waiting = Driver(o=None)
    assert ShowRoom("1", answer=True) in waiting.effects
    assert [type(event).__name__ for event in waiting.events] == ["Seated"]
    assert [type(event).__name__ for event in Driver(x=None, o=BOB, creator=BOB).events] == ["Seated"]


def test_a_full_room_and_a_challenge_to_another_are_taken() -> None:
    assert refused(Driver().ask(EVE, Join(room="room1"))) == ["seat_taken"]
    challenge = Driver(o=None, kind="player", target=BOB.id)
    assert refused(challenge.ask(EVE, Join(room="room1"))) == ["seat_taken"]
    assert shown(challenge.ask(BOB, Join(room="room1"))) == 1


def test_a_creator_may_abort_a_seek() -> None:
    room = Driver(o=None)
    assert acked(room.act(ANN, "abort")) == [2]
    assert room.session.game.result == Result(winner=None, termination="aborted")
    assert refused(room.ask(BOB, Join(room="room1"))) == ["game_over"]
    assert refused(room.ask(ANN, Rematch(room="room1"))) == ["not_now"]


def test_a_new_name_is_shown_where_its_player_sits() -> None:
    room = Driver()
    room.send(PlayerRenamed(Player(id=ANN.id, name="Anna", kind="person")))
    assert room.session.seats["x"] is not None
    assert room.session.seats["x"].name == "Anna"
    assert snapshot(restarted(room)) == snapshot(room)
    assert room.send(PlayerRenamed(EVE)) == []


# Moves


def test_a_game_to_its_line() -> None:
    room = Driver()
    room.play("a1 b1 a2 b2 a3")
    ended = room.events[-1]
    assert (ended.winner, ended.termination, ended.line) == ("x", "line", ["a1", "a2", "a3"])
    assert room.events[-2].to_move is None
    assert refused(room.move(BOB, "c3", ply=5)) == ["game_over"]


@pytest.mark.parametrize(
    ("player", "move", "more", "code"),
    [
        (EVE, "c3", {}, "not_seated"),
        (ANN, "c3", {"game": 2}, "stale"),
        (ANN, "c3", {"ply": 1}, "stale"),
        (ANN, "c3", {"ply": 3}, "stale"),
        (BOB, "c3", {}, "not_your_turn"),
        (ANN, "z9", {}, "malformed"),
        (ANN, "a1", {}, "illegal_move"),
        (BOB, "z9", {}, "not_your_turn"),
    ],
)
def test_the_first_error_that_applies(player: Player, move: str, more: dict[str, int], code: str) -> None:
    room = Driver()
    room.play("a1 b1")
    before = room.session.seq
    effects = room.move(player, move, **more)
    assert refused(effects) == [code]
    assert shown(effects) == (code == "stale")
    assert room.session.seq == before


def test_the_same_move_again_gets_the_same_ack() -> None:
    room = Driver()
    first = acked(room.move(ANN, "a1"))
    room.play("b1 a2 b2 a3")
    assert acked(room.move(ANN, "a1", ply=0)) == first
    assert refused(room.move(ANN, "a2", ply=0)) == ["stale"]
    assert refused(room.move(BOB, "a1", ply=0)) == ["stale"], "another's move is not mine again"


def test_a_start_is_left_out_of_moves() -> None:
    room = Driver(start=["a1", "b1", "a2"])
    assert room.session.game.to_move == "o"
    assert acked(room.move(BOB, "b2", ply=0))
    assert room.session.game_view().start == ["a1", "b1", "a2"]
    assert room.session.game_view().moves == ["b2"]


# Clocks


def test_a_clock_counts_from_commit_to_arrival() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 5_000
    room.move(ANN, "a1")
    moved = room.events[-1]
    assert moved.think_ms == 5_000
    assert (moved.clock.x_ms, moved.clock.o_ms, moved.clock.running) == (56_000, 60_000, "o")


def test_a_move_at_the_deadline_counts_and_one_after_it_finds_the_flag() -> None:
    room = Driver(clock=ClockSettings(move_ms=1_000))
    room.now_ms += 1_000
    assert acked(room.move(ANN, "a1"))
    room.now_ms += 1_001
    effects = room.move(BOB, "b1")
    assert refused(effects) == ["game_over"]
    assert room.session.game.result == Result(winner="x", termination="flag")
    assert room.events[-1].clock.o_ms == 0


def test_the_flag_falls_by_itself() -> None:
    room = Driver(clock=BLITZ)
    room.wait(60_000)
    assert room.session.game.running
    room.wait(1)
    assert room.session.game.result == Result(winner="o", termination="flag")


def test_a_takeback_gives_the_time_back() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 5_000
    room.move(ANN, "a1")
    room.now_ms += 3_000
    room.move(BOB, "b1")
    room.act(ANN, "offer_takeback")
    room.act(BOB, "accept_takeback")
    taken = room.events[-1]
    assert (taken.ply, taken.moves, taken.to_move) == (0, [], "x")
    assert (taken.clock.x_ms, taken.clock.o_ms) == (60_000, 60_000)
    room.now_ms += 1_000
    room.move(ANN, "b2")
    assert room.events[-1].think_ms == 1_000


# Offers and ends


def test_resignation() -> None:
    room = Driver()
    room.play("a1")
    room.act(ANN, "resign")
    assert room.session.game.result == Result(winner="o", termination="resignation")


def test_a_draw_is_offered_once_a_ply_and_lapses_with_the_opponents_move() -> None:
    room = Driver()
    room.act(ANN, "offer_draw")
    assert refused(room.act(ANN, "offer_draw")) == ["not_now"]
    room.play("a1")
    assert [offer.what for offer in room.session.offers] == ["draw"], "the offerer's own move keeps it"
    room.play("b1")
    assert room.session.offers == []
    assert refused(room.act(BOB, "accept_draw")) == ["not_now"]
    room.act(ANN, "offer_draw")
    room.act(BOB, "decline_draw")
    assert room.session.offers == []
    assert refused(room.act(ANN, "offer_draw")) == ["not_now"]
    room.play("a2")
    room.act(ANN, "offer_draw")
    room.act(BOB, "accept_draw")
    assert room.session.game.result == Result(winner=None, termination="agreement")


def test_two_draw_offers_are_an_agreement() -> None:
    room = Driver()
    room.act(ANN, "offer_draw")
    room.act(BOB, "offer_draw")
    assert room.session.game.result == Result(winner=None, termination="agreement")


def test_after_a_takeback_an_old_move_is_stale() -> None:
    room = Driver()
    room.play("a1")
    seen = room.session.seq
    room.act(ANN, "offer_takeback")
    room.act(BOB, "accept_takeback")
    assert refused(room.move(ANN, "a1", after=seen)) == ["stale"]
    assert acked(room.move(ANN, "a1", after=room.session.seq)) == [room.session.seq]


def test_those_who_stay_are_told_of_an_absence_that_may_lose() -> None:
    room = Driver(clock=LONG)
    assert room.send(PlayerDisconnected(BOB.id)) == [ShowPresence(BOB.id)]
    assert room.send(PlayerConnected(BOB.id)) == [ShowPresence(BOB.id)]
    assert room.send(PlayerConnected(BOB.id)) == []
    room.act(ANN, "resign")
    assert room.send(PlayerDisconnected(BOB.id)) == []
    assert Driver().send(PlayerDisconnected(BOB.id)) == [], "nobody loses a game without a clock by it"


def test_a_rematch_swaps_sides_when_both_ask() -> None:
    room = Driver(clock=BLITZ)
    assert refused(room.ask(ANN, Rematch(room="room1"))) == ["not_now"]
    room.act(ANN, "resign")
    room.ask(ANN, Rematch(room="room1"))
    assert acked(room.ask(ANN, Rematch(room="room1"))) == [room.session.seq], "asking twice is asking once"
    assert room.session.game.result is not None
    room.ask(BOB, Rematch(room="room1"))
    game = room.session.game
    assert (game.serial, game.running) == (2, True)
    assert room.session.sides(BOB.id) == ("x",)
    assert room.session.clock.x_ms == 60_000
    assert refused(room.move(BOB, "a1", game=1)) == ["stale"]
    assert refused(room.ask(EVE, Rematch(room="room1"))) == ["not_seated"]


def test_chat_is_kept_to_its_last_lines() -> None:
    room = Driver()
    for number in range(105):
        room.ask(EVE, Say(room="room1", text=f"line {number}"))
    assert len(room.session.chat) == 100
    assert room.session.chat[0].text == "line 5"
    assert room.session.chat[0].by.name == "Eve"


# A store that fails


def test_what_is_not_recorded_did_not_happen() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 1_000
    room.store_works = False
    assert refused(room.move(ANN, "a1")) == ["unavailable"]
    assert room.session.game.texts == []
    room.wait(500_000)
    assert room.session.game.running, "clocks stand while nothing can be stored"
    room.store_works = True
    room.send(StoreBack())
    assert room.clock.x_ms == 59_000
    room.now_ms += 2_000
    assert acked(room.move(ANN, "a1"))
    assert room.events[-1].clock.x_ms == 58_000


def test_a_move_in_time_that_the_store_keeps_waiting_and_refuses_costs_no_time() -> None:
    room = Driver(clock=ClockSettings(move_ms=2_500))
    room.now_ms += 1_000
    room.store_works, room.store_takes_ms = False, 3_000
    assert refused(room.move(ANN, "a1")) == ["unavailable"]
    room.send(Tick())  # of the flag's timer, which had to wait for the store too
    assert room.session.clock.remaining_ms("x", room.now_ms) == 1_500
    room.store_works, room.store_takes_ms = True, 0
    room.send(StoreBack())
    room.now_ms += 1_500
    assert acked(room.move(ANN, "a1"))
    assert room.events[-1].think_ms == 2_500


def test_a_move_behind_a_line_that_the_store_keeps_waiting_and_refuses_costs_no_time() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 1_000
    room.store_works, room.store_takes_ms = False, 3_000
    arrived_ms = room.now_ms + 500
    assert refused(room.ask(BOB, Say(room="room1", text="hm"))) == ["unavailable"]
    room.now_ms, room.store_takes_ms = arrived_ms, 0  # a request is handled at the time at which it arrived
    assert refused(room.move(ANN, "a1")) == ["unavailable"]
    assert room.session.clock.remaining_ms("x", room.now_ms + 3_000) == 59_000


def test_a_bots_move_waits_for_the_store() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=BLITZ)
    room.move(ANN, "a1")
    room.store_works = False
    room.decide("b1")
    assert room.session.game.texts == ["a1"]
    room.store_works = True
    room.send(StoreBack())
    assert room.session.game.texts == ["a1", "b1"]
    assert room.session.game.to_move == "x"
    room.wait(1_000)
    assert room.clock.x_ms == 60_000


def test_a_flag_that_cannot_be_recorded_falls_later() -> None:
    room = Driver(clock=BLITZ)
    room.store_works = False
    room.wait(70_000)
    assert room.session.game.running
    room.store_works = True
    room.send(StoreBack())
    assert room.session.game.result == Result(winner="o", termination="flag")


def running(room: Driver) -> str | None:
    """Whose time everybody is shown to run."""
    view = room.session.clock_view(room.now_ms)
    assert view is not None
    return view.running


def test_a_clock_runs_again_after_a_name_that_had_to_wait_for_the_store() -> None:
    room = Driver(clock=BLITZ)
    room.store_works = False
    room.send(PlayerRenamed(Player(id=ANN.id, name="Anna", kind="person")))
    room.store_works = True
    assert ShowMembers() in room.send(StoreBack())
    room.wait(60_001)
    assert room.session.game.result == Result(winner="o", termination="flag")


def test_a_bot_that_was_busy_waits_for_the_store_without_ticking() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(SearchFailed(room.thinking.search, "busy"))
    room.store_works = False
    room.send(PlayerRenamed(Player(id=ANN.id, name="Anna", kind="person")))
    room.now_ms += 1_000
    assert room.session.deadline_ms() is None
    room.store_works = True
    assert any(isinstance(effect, Think) for effect in room.send(StoreBack()))


def test_no_time_of_a_bot_passes_while_the_store_is_down() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=BLITZ)
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(SearchStarted(room.thinking.search))
    room.send(StoreDown())
    room.now_ms += 5_000
    view = room.session.clock_view(room.now_ms)
    assert view is not None
    assert (view.o_ms, view.running) == (60_000, None)


def test_a_takeback_gives_back_time_from_before_the_store_went_down() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 10_000
    room.send(StoreDown())
    room.send(StoreBack())
    room.move(ANN, "a1")
    assert snapshot(restarted(room)) == snapshot(room)
    room.act(ANN, "offer_takeback")
    room.act(BOB, "accept_takeback")
    assert room.session.clock.x_ms == 60_000


def test_clocks_stop_everywhere_when_the_store_goes_down() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 10_000
    assert ShowMembers() in room.send(StoreDown())
    assert running(room) is None
    assert room.send(StoreDown()) == []
    room.wait(100_000)
    assert ShowMembers() in room.send(StoreBack())
    assert running(room) == "x"
    assert room.clock.x_ms == 50_000


def test_a_move_after_an_outage_records_what_its_turn_cost() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 10_000
    room.send(StoreDown())
    room.wait(100_000)
    room.send(StoreBack())
    room.now_ms += 2_000
    room.move(ANN, "a1")
    (move,) = [entry.event for entry in room.entries if isinstance(entry.event, Moved)]
    assert move.think_ms == 12_000
    assert room.session.clock.x_ms == 49_000, "with its increment"


def test_nobody_loses_on_time_once_the_server_ends() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 10_000
    room.send(ServerEnding())
    assert room.session.deadline_ms() is None
    room.wait(100_000)
    room.send(Tick())
    assert room.session.game.running
    assert running(room) is None


def test_a_move_that_came_before_the_end_leaves_the_others_clock_standing() -> None:
    room = Driver(clock=BLITZ)
    room.session.handle(ServerEnding(), room.now_ms)
    room.move(ANN, "a1")
    room.send(StoreDown())
    room.send(StoreBack())
    assert room.session.deadline_ms() is None
    room.now_ms += 99_999
    assert room.clock.o_ms == 60_000


# Ratings


def rated(**spec: Any) -> Driver:
    return Driver(**{"clock": BLITZ, "rated": True, **spec})


def test_a_rated_game_changes_both_ratings_with_its_end() -> None:
    room = rated()
    room.play("a1 b1 a2 b2 a3")
    assert room.rated == [RatedGame(id=1, game="tictactoe", x=ANN.id, o=BOB.id, x_points=1.0)]
    ratings = room.events[-1].ratings
    assert (ratings.x.before, ratings.x.after, ratings.o.before, ratings.o.after) == (1500, 1662, 1500, 1338)
    assert room.session.game.result == Result(winner="x", termination="line")
    assert [seat and seat.rating for seat in room.session.seats.values()] == [
        RatingView(value=1662, deviation=290, provisional=True, change=162),
        RatingView(value=1338, deviation=290, provisional=True, change=-162),
    ]


@pytest.mark.parametrize(
    ("end", "x_points"),
    [
        (lambda room: room.act(BOB, "resign"), 1.0),
        (lambda room: room.act(ANN, "resign"), 0.0),
        (lambda room: room.wait(70_000), 0.0),
        (lambda room: (room.act(ANN, "offer_draw"), room.act(BOB, "accept_draw")), 0.5),
        (lambda room: room.play("c1 a3 b3 b2 a2 c2 c3"), 0.5),
        (
            lambda room: (
                room.send(PlayerDisconnected(ANN.id)),
                room.wait(59_000),
                room.wait(1_000),
                room.act(BOB, "claim_win"),
            ),
            0,
        ),
    ],
    ids=["resignation", "resignation of x", "flag", "agreement", "board full", "disconnection"],
)
def test_every_end_of_a_game_counts(end: Any, x_points: float) -> None:
    room = rated(clock=ClockSettings(initial_ms=61_000, increment_ms=0))
    room.play("a1 b1")
    end(room)
    assert [game.x_points for game in room.rated] == [x_points]


def test_a_bots_fault_counts() -> None:
    room = rated(o=bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b1")
    room.move(ANN, "a2")
    assert room.thinking is not None
    room.send(SearchFailed(room.thinking.search, "crash"))
    assert room.rated == [RatedGame(id=1, game="tictactoe", x=ANN.id, o="9", x_points=1.0)]


@pytest.mark.parametrize("moves", ["", "a1"])
@pytest.mark.parametrize("action", ["abort", "resign"])
def test_a_game_of_fewer_than_two_plies_counts_for_nothing(moves: str, action: str) -> None:
    room = rated()
    room.play(moves)
    room.act(ANN, action)
    assert room.session.game.result is not None
    assert room.rated == []
    assert room.events[-1].ratings is None


def test_a_game_that_a_rule_ended_early_counts_for_nothing() -> None:
    room = rated()
    room.play("a1 b1")
    kinds: tuple[Termination, ...] = ("flag", "adjudication")
    entries = [SequencedEvent(6, Ended(winner="x", termination=kind, clock=None)) for kind in kinds]
    assert [room.session._rates((entry,)) is not None for entry in entries] == [True, False]


def test_an_unrated_game_counts_for_nothing() -> None:
    room = rated(rated=False)
    room.play("a1 b1 a2 b2 a3")
    assert room.rated == []


def test_a_bots_winning_move_counts() -> None:
    room = rated(x=bot_seat(), o=BOB, kind="bot", creator=BOB)
    for mine, answer in (("a1", "b1"), ("a2", "b2"), ("a3", None)):
        room.decide(mine)
        if answer is not None:
            room.move(BOB, answer)
    assert [(game.x, game.o, game.x_points) for game in room.rated] == [("9", BOB.id, 1.0)]


def test_an_end_that_could_not_be_recorded_is_rated_when_it_can() -> None:
    room = rated(clock=ClockSettings(initial_ms=1_000, increment_ms=0))
    room.play("a1 b1")
    room.store_works = False
    room.wait(2_000)
    room.send(PlayerRenamed(Player(id=BOB.id, name="Bobby", kind="person")))
    assert (room.rated, room.session.game.running) == ([], True)
    room.store_works = True
    room.send(StoreBack())
    assert [game.x_points for game in room.rated] == [0.0]
    assert room.session.game.result == Result(winner="o", termination="flag")
    assert next(event for event in room.events if type(event) is Ended).ratings is not None


def test_seats_show_what_is_known_of_their_holders() -> None:
    strong = RatingView(value=1700, deviation=50)
    room = Driver(o=None, open=False)
    room.prepare({ANN.id: strong, EVE.id: strong})
    room.send(Opened("1"))
    room.ask(BOB, Join(room="room1"))
    assert [(event.side, event.seat.rating) for event in room.events[:2]] == [("x", strong), ("o", None)]
    assert len(room.events) == 3


def test_who_waited_and_played_elsewhere_sits_with_the_new_rating() -> None:
    was, now = RatingView(value=1700, deviation=50), RatingView(value=1708, deviation=49)
    room = Driver(o=None, open=False)
    room.prepare({ANN.id: was})
    room.send(Opened("1"))
    room.prepare({ANN.id: now})
    room.ask(BOB, Join(room="room1"))
    assert [(event.side, event.seat.rating) for event in room.events[1:3]] == [("x", now), ("o", None)]


def test_a_rematch_seats_players_with_their_new_ratings() -> None:
    room = rated()
    room.play("a1 b1 a2 b2 a3")
    room.prepare({BOB.id: RatingView(value=1400, deviation=280, provisional=True)})
    room.ask(ANN, Rematch(room="room1"))
    room.ask(BOB, Rematch(room="room1"))
    x, o = room.events[-3].seat, room.events[-2].seat
    assert (x.name, x.rating.value, o.name, o.rating.value) == ("Bob", 1400, "Ann", 1662)
    assert (x.rating.change, o.rating.change) == (None, None)
    assert room.session.game.result is None


# Going away


def test_the_waits_are_those_of_the_documentation() -> None:
    assert ABSENT_MS == 60_000
    assert EMPTY_MS == 10 * 60_000
    assert INVITE_MS == 24 * 3_600_000
    assert (RESTART_GRACE_MS, SEARCH_RETRY_MS) == (30_000, 1_000)


def test_a_seek_outlives_its_creators_connection_by_a_minute() -> None:
    room = Driver(o=None)
    room.wait(10 * ABSENT_MS)
    assert not room.session.closed
    room.send(PlayerDisconnected(ANN.id))
    room.wait(ABSENT_MS - 1)
    assert not room.session.closed
    room.wait(1)
    assert room.session.closed
    assert Close() in room.effects


def test_who_looks_at_a_seek_is_told_when_it_ends() -> None:
    room = Driver(o=None)
    room.send(MembersChanged(1))
    room.send(PlayerDisconnected(ANN.id))
    room.wait(ABSENT_MS)
    assert room.session.game.result == Result(winner=None, termination="aborted")
    assert not room.session.closed


def test_an_invite_waits_a_day() -> None:
    room = Driver(o=None, kind="invite")
    room.send(PlayerDisconnected(ANN.id))
    room.wait(INVITE_MS - 1)
    assert not room.session.closed
    room.wait(1)
    assert room.session.closed


def test_a_room_without_game_and_members_closes() -> None:
    room = Driver()
    room.send(MembersChanged(2))
    room.act(ANN, "resign")
    room.wait(2 * EMPTY_MS)
    assert not room.session.closed
    room.send(MembersChanged(0))
    room.wait(EMPTY_MS)
    assert room.session.closed


def test_a_running_game_is_never_closed() -> None:
    room = Driver()
    room.send(MembersChanged(0))
    room.wait(100 * EMPTY_MS)
    assert not room.session.closed


# Restart


def restarted(room: Driver, known: Restored | None = None) -> Driver:
    """The same room after a restart, from its events alone; or after a failure, with what is known besides."""
    again = Driver.__new__(Driver)
    again.__dict__.update(room.__dict__)
    again.session = replayed(room)
    again.entries, again.stamps, again.effects, again.thinking = list(room.entries), list(room.stamps), [], None
    for effect in again.session.handle(known or Restored(), room.now_ms):
        if isinstance(effect, Think):
            again.thinking = effect
    return again


def snapshot(room: Driver) -> Any:
    session = room.session
    clock = (session.clock.x_ms, session.clock.o_ms, session.clock.running)
    return session.seq, session.seats, session.game_view(), session.offers, clock, session.game.lefts


def test_after_a_restart_a_clock_waits_for_its_side() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 7_000
    room.move(ANN, "a1")
    again = restarted(room)
    assert snapshot(again) == snapshot(room)
    again.now_ms += 20_000
    again.send(PlayerConnected(ANN.id))
    assert again.clock.o_ms == 60_000
    assert again.send(PlayerConnected(BOB.id)) == [ShowMembers()]
    again.now_ms += 1_000
    assert again.clock.o_ms == 59_000


def test_after_a_restart_a_clock_runs_again_by_itself() -> None:
    again = restarted(Driver(clock=BLITZ))
    assert running(again) is None
    again.wait(RESTART_GRACE_MS + 1_000)
    assert running(again) == "x"
    assert ShowMembers() in again.effects
    assert again.clock.x_ms == 59_000


def test_after_a_restart_a_bot_thinks_again() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    again = restarted(room)
    assert again.thinking is not None
    again.decide("b1")
    assert again.session.game.texts == ["a1", "b1"]


def test_after_a_restart_no_clock_runs_while_the_store_is_down() -> None:
    again = restarted(Driver(clock=BLITZ))
    again.send(StoreDown())
    again.send(PlayerConnected(ANN.id))
    again.now_ms += 5_000
    view = again.session.clock_view(again.now_ms)
    assert view is not None
    assert view.x_ms == 60_000


def test_a_game_that_ends_after_a_restart_waits_for_nobody() -> None:
    again = restarted(Driver(clock=BLITZ))
    assert again.session.deadline_ms() == again.now_ms + RESTART_GRACE_MS
    again.act(ANN, "resign")
    assert again.session.deadline_ms() == again.now_ms + EMPTY_MS


def test_a_restart_keeps_the_seed_and_what_is_proven() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b2", value=0.0, proven=True)
    session = restarted(room).session
    assert session.game.seed == room.session.game.seed == 7
    assert session.game.verdicts == {"o": (0.0, True)}


def test_offers_of_the_withdrawn_lapse_also_after_a_restart() -> None:
    room = Driver()
    room.act(ANN, "resign")
    room.ask(ANN, Rematch(room="room1"))
    assert room.send(Withdrawn(BOB.id)) == []
    assert room.session.is_waited_in_by(ANN.id)
    assert not room.session.is_waited_in_by(BOB.id)
    room.send(Withdrawn(ANN.id))
    assert room.events[-1] == Declined(by="o", what="rematch", lapsed=True)
    assert room.session.offers == restarted(room).session.offers == []
    assert not room.session.is_waited_in_by(ANN.id)


def test_after_a_restart_a_seek_waits_for_its_creator_who_need_not_sit_in_it() -> None:
    again = restarted(Driver(x=None, o=BOB, creator=ANN))
    assert again.session.deadline_ms() == again.now_ms + ABSENT_MS
    again.send(PlayerConnected(ANN.id))
    assert again.session.deadline_ms() is None


@pytest.mark.parametrize(
    ("clock", "left_ms"),
    [
        pytest.param(None, 59_000, id="another turn"),
        pytest.param(RunningClock(5_000, None), 54_000, id="a clock that stood"),
        pytest.param(RunningClock(5_000, 999_000), 53_000, id="a clock that ran"),
    ],
)
def test_after_a_failure_the_clock_of_whoever_is_there_goes_on(clock: RunningClock | None, left_ms: int) -> None:
    room = Driver(clock=BLITZ)
    assert room.now_ms == 1_000_000
    again = restarted(room, Restored(away_since_ms={BOB.id: room.now_ms}, clock=clock))
    again.now_ms += 1_000
    view = again.session.clock_view(again.now_ms)
    assert view is not None
    assert (view.running, view.x_ms, view.o_ms) == ("x", left_ms, 60_000)


def test_after_a_failure_whoever_was_away_still_is() -> None:
    room = Driver(o=None)
    again = restarted(room, Restored(away_since_ms={ANN.id: room.now_ms - 20_000}))
    assert again.session.deadline_ms() == room.now_ms - 20_000 + ABSENT_MS
    assert restarted(room, Restored(away_since_ms={})).session.deadline_ms() is None


@pytest.mark.parametrize(("members", "waits_ms"), [(0, EMPTY_MS), (1, None)])
def test_after_a_failure_a_room_is_followed_as_before(members: int, waits_ms: int | None) -> None:
    room = Driver()
    room.act(ANN, "resign")
    again = restarted(room, Restored(members=members))
    assert again.session.deadline_ms() == (None if waits_ms is None else again.now_ms + waits_ms)


def test_after_a_failure_a_bot_thinks_a_little_later_under_a_new_number() -> None:
    room = Driver(bot_seat(), BOB, kind="bot")
    again = restarted(room, Restored(searches=3))
    assert (again.thinking, again.session.searches) == (None, 3)
    again.wait(SEARCH_RETRY_MS - 1)
    assert again.thinking is None
    again.wait(1)
    assert again.thinking is not None
    assert again.thinking.search == again.session.searches == 4


# Closed by the operator


@pytest.mark.parametrize("o", [None, BOB])
def test_a_room_that_is_shut_aborts_its_game_and_closes(o: Player | None) -> None:
    room = Driver(o=o)
    room.send(Shut())
    assert room.session.game.result == Result(winner=None, termination="aborted")
    assert not room.session.closed
    assert room.send(Shut()) == [Close()]
    assert room.session.closed


def test_a_room_is_not_shut_before_the_store_has_what_is_held() -> None:
    room = Driver(clock=BLITZ)
    room.store_works = False
    room.wait(70_000)
    assert room.send(Shut()) == []
    assert not room.session.closed


def test_a_room_that_could_not_be_opened_is_closed() -> None:
    room = Driver(open=False)
    assert room.session.handle(NotOpened(), room.now_ms) == [Close()]
    assert room.session.closed
    with pytest.raises(AssertionError, match="was opened"):
        Driver().session.handle(NotOpened(), room.now_ms)


# Anything at any time


class AnySession(RuleBasedStateMachine):
    """Two people, a bot now and then, a clock now and then, and everything that may happen to them."""

    room: Driver

    @initialize(
        game=st.sampled_from(["tictactoe", "mnk:4,3,3", "ultimate", "nine-board"]),
        clock=st.sampled_from([None, BLITZ, LONG, ClockSettings(move_ms=5_000)]),
        with_bot=st.booleans(),
        rated=st.booleans(),
        pace=st.sampled_from([None, "human"]),
    )
    def begin(
        self, game: str, clock: ClockSettings | None, with_bot: bool, rated: bool, pace: PaceAsked | None
    ) -> None:
        self.room = Driver(
            ANN,
            bot_seat() if with_bot else BOB,
            game=game,
            clock=clock,
            kind="bot" if with_bot else "open",
            rated=rated and clock is not None,
            asked_pace=pace,
        )
        self.gone_ms: dict[str, int] = {}
        self.claimed: set[int] = set()

    @rule(player=st.sampled_from([ANN, BOB, EVE]), data=st.data())
    def move(self, player: Player, data: st.DataObject) -> None:
        legal = self.room.session.legal() or [self.room.session.rules.format_move(0)]
        self.room.move(player, data.draw(st.sampled_from(legal)))

    @rule(player=st.sampled_from([ANN, BOB]), ply=st.integers(0, 12), move=st.sampled_from(["a1", "b2", "5/5", "?"]))
    def any_move(self, player: Player, ply: int, move: str) -> None:
        self.room.move(player, move, ply=ply)

    @rule(
        player=st.sampled_from([ANN, BOB]),
        action=st.sampled_from(
            [
                "offer_draw",
                "accept_draw",
                "decline_draw",
                "offer_takeback",
                "accept_takeback",
                "decline_takeback",
                "claim_win",
            ]
        ),
    )
    def act(self, player: Player, action: str) -> None:
        self.room.act(player, action)

    @rule(player=st.sampled_from([ANN, BOB]), action=st.sampled_from(["resign", "abort"]), serious=st.integers(0, 9))
    def end(self, player: Player, action: str, serious: int) -> None:
        if serious == 0:
            self.room.act(player, action)

    @precondition(lambda self: self.room.spec.clock == LONG)
    @rule(player=st.sampled_from([ANN, BOB]))
    def claim(self, player: Player) -> None:
        """The other one goes; the first claim comes a millisecond too early, and no clock runs out meanwhile."""
        self.connection(BOB if player == ANN else ANN, here=False)
        for ms in (ABSENT_MS - 1, 1):
            self.time(ms)
            self.act(player, "claim_win")

    @rule(player=st.sampled_from([ANN, BOB, EVE]))
    def again(self, player: Player) -> None:
        self.room.ask(player, Rematch(room="room1"))

    @rule(player=st.sampled_from([ANN, BOB]), here=st.booleans())
    def connection(self, player: Player, here: bool) -> None:
        self.room.send(PlayerConnected(player.id) if here else PlayerDisconnected(player.id))
        if here:
            self.gone_ms.pop(player.id, None)
        else:
            self.gone_ms[player.id] = self.room.now_ms

    @rule(ms=st.sampled_from([0, 10, 900, 5_001, 40_000]))
    def time(self, ms: int) -> None:
        self.room.wait(ms)

    @rule(works=st.booleans())
    def store(self, works: bool) -> None:
        self.room.store_works = works
        self.room.send(StoreBack() if works else StoreDown())

    @precondition(lambda self: self.room.thinking is not None)
    @rule(data=st.data(), think_ms=st.integers(0, 6_000))
    def bot(self, data: st.DataObject, think_ms: int) -> None:
        assert self.room.thinking is not None
        self.room.send(SearchStarted(self.room.thinking.search))
        legal = self.room.session.legal() or [self.room.session.rules.format_move(0)]
        self.room.decide(data.draw(st.sampled_from(legal)), think_ms=think_ms, value=float(think_ms % 3 - 1))

    @rule(text=st.text(min_size=1, max_size=5))
    def say(self, text: str) -> None:
        self.room.ask(EVE, Say(room="room1", text=text))

    @rule()
    def restart(self) -> None:
        if self.room.store_works:
            self.room = restarted(self.room)
            self.gone_ms = dict.fromkeys(("1", "2"), self.room.now_ms)

    @invariant()
    def numbers_have_no_gap(self) -> None:
        assert [entry.seq for entry in self.room.entries] == list(range(1, len(self.room.entries) + 1))
        assert self.room.session.seq == len(self.room.entries)

    @invariant()
    def one_result_and_nothing_after_it(self) -> None:
        running = False
        for event in self.room.events:
            kind = type(event).__name__
            if kind == "SeededStart":
                assert not running
                running = True
            elif kind == "Ended":
                assert running
                running = False
            elif kind in ("Moved", "TakenBack"):
                assert running, f"{kind} after the end"
        assert running == self.room.session.game.running

    @invariant()
    def what_counts_is_rated_once(self) -> None:
        plies, counted = 0, 0
        for event in self.room.events:
            kind = type(event).__name__
            if kind in ("SeededStart", "Moved", "TakenBack"):
                plies = {"SeededStart": 0, "Moved": plies + 1}.get(kind, getattr(event, "ply", 0))
            elif kind == "Ended":
                counts = self.room.spec.rated and event.termination != "aborted" and plies >= 2
                assert (event.ratings is not None) == counts
                counted += counts
        assert len(self.room.rated) == counted
        assert len({rated.id for rated in self.room.rated}) == counted

    @invariant()
    def wins_are_claimed_from_the_absent_in_games_with_a_clock_alone(self) -> None:
        for entry, at_ms in zip(self.room.entries, self.room.stamps, strict=True):
            event = entry.event
            if isinstance(event, Ended) and event.termination == "disconnection" and entry.seq not in self.claimed:
                self.claimed.add(entry.seq)
                loser = self.room.session.seats["o" if event.winner == "x" else "x"]
                assert self.room.spec.clock is not None
                assert loser is not None
                assert at_ms - self.gone_ms[loser.id] >= ABSENT_MS

    @invariant()
    def the_position_is_that_of_the_moves(self) -> None:
        game, position = self.room.session.game, self.room.session.rules.initial
        for cell in (*game.start, *game.cells):
            position = position.play(cell)
        assert position == game.position
        assert len(game.cells) == len(game.texts) == len(game.seqs) == len(game.lefts) - 1

    @invariant()
    def clocks_are_sane(self) -> None:
        session = self.room.session
        if session.spec.clock is None:
            return
        view = session.clock.view(self.room.now_ms)
        assert view is not None
        assert view.x_ms >= 0
        assert view.o_ms >= 0
        assert (view.running is None) == (not session.game.running)
        if session.spec.clock.move_ms is not None:
            assert max(view.x_ms, view.o_ms) <= session.spec.clock.move_ms

    @invariant()
    def the_records_are_the_session(self) -> None:
        """A replay of the committed events gives the same session."""
        check_replay(self.room)


TestAnySession = AnySession.TestCase
TestAnySession.settings = settings(examples(60), stateful_step_count=40)


def test_time_is_conserved() -> None:
    """What a clock lost is what its moves took, less the increments."""
    room = Driver(game="qubic", clock=BLITZ)
    spent = {"x": 0, "o": 0}
    for number in range(20):
        player, side = (ANN, "x") if number % 2 == 0 else (BOB, "o")
        took_ms = 37 * number % 1_900
        room.now_ms += took_ms
        room.move(player, room.session.legal()[number * 11 % 40])
        spent[side] += took_ms - 1_000
    clock = room.session.clock
    assert (60_000 - clock.x_ms, 60_000 - clock.o_ms) == (spent["x"], spent["o"])
