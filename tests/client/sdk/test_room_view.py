"""The reducer: what each message changes, gaps, offers that lapse, clocks at a given moment."""

from __future__ import annotations

import pytest
from msgspec import structs

from client.sdk import MissedEvents, ProtocolError, RoomView
from client.sdk.room_view import SequencedEvent, room_view
from server.wire import (
    Author,
    ClockView,
    Declined,
    Ended,
    GameView,
    Moved,
    Offered,
    Present,
    RatingChange,
    Ratings,
    RatingView,
    Result,
    RoomEvent,
    Said,
    Seat,
    Seated,
    Side,
    Spectators,
    Started,
    TakenBack,
    Thinking,
)
from tests.support.terminal.fake_server import ME, OPPONENT, SERVER_MS, FakeRoom

CLOCK = ClockView(x_ms=60_000, o_ms=50_000, running="x", initial_ms=60_000, increment_ms=2_000)
MINE = Seat(id=ME.id, name=ME.name, kind="person", present=True)


def view_of(room: FakeRoom) -> RoomView:
    return room_view(room.room, ME.id)


def after(view: RoomView, *events: RoomEvent, ts: int = SERVER_MS) -> RoomView:
    for event in events:
        view = view.apply(SequencedEvent(room=view.room, seq=view.seq + 1, ts=ts, event=event))
    return view


def moved(view: RoomView, move: str, clock: ClockView | None = None) -> Moved:
    by: Side = view.position.to_move
    return Moved(ply=len(view.moves), move=move, by=by, think_ms=700, clock=clock, to_move="o" if by == "x" else "x")


def played(view: RoomView, *moves: str) -> RoomView:
    for move in moves:
        view = after(view, moved(view, move))
    return view


def test_a_room_is_the_beginning() -> None:
    view = view_of(FakeRoom(you="o", clock=CLOCK))
    assert view.you == "o"
    assert view.to_move == "x"
    assert not view.my_turn
    assert view.opponent == OPPONENT
    assert view.running
    assert view.last is None
    assert "b2" in view.legal


def test_moves_change_the_position_and_the_turn() -> None:
    view = played(view_of(FakeRoom(you="o")), "b2")
    assert view.moves == ("b2",)
    assert view.my_turn
    assert view.last == "b2"
    assert "b2" not in view.legal
    assert view.think_ms == (700,)


def test_a_seen_event_changes_nothing() -> None:
    view = played(view_of(FakeRoom()), "b2")
    assert view.apply(SequencedEvent(room="r1", seq=view.seq, ts=1, event=moved(view, "a1"))) is view


def test_a_missing_event_is_a_gap() -> None:
    view = view_of(FakeRoom())
    with pytest.raises(MissedEvents):
        view.apply(SequencedEvent(room="r1", seq=view.seq + 2, ts=1, event=moved(view, "a1")))


def test_an_unknown_event_only_counts() -> None:
    view = view_of(FakeRoom())
    later = view.apply(SequencedEvent(room="r1", seq=view.seq + 1, ts=1, event=None))
    assert later.seq == view.seq + 1
    assert later.moves == view.moves


@pytest.mark.parametrize("move", ["b2", "z9"])
def test_moves_against_the_rules_are_not_understood(move: str) -> None:
    view = played(view_of(FakeRoom()), "b2")
    with pytest.raises(ProtocolError):
        after(view, moved(view, move))


def test_moves_out_of_order_are_not_understood() -> None:
    view = view_of(FakeRoom())
    with pytest.raises(ProtocolError):
        after(view, structs.replace(moved(view, "a1"), ply=3))


def test_clocks_run_on_the_servers_time() -> None:
    view = view_of(FakeRoom(clock=CLOCK))
    assert view.remaining_ms("x", SERVER_MS + 1_500) == 58_500
    assert view.remaining_ms("o", SERVER_MS + 1_500) == 50_000
    assert view.remaining_ms("x", SERVER_MS + 99_000) == 0
    assert view.remaining_ms("x", SERVER_MS - 5_000) == 60_000
    assert view_of(FakeRoom()).remaining_ms("x", SERVER_MS) is None


def test_events_bring_clocks_without_their_settings() -> None:
    view = view_of(FakeRoom(clock=CLOCK))
    view = after(view, moved(view, "b2", ClockView(x_ms=61_000, o_ms=50_000, running="o")), ts=SERVER_MS + 1_000)
    assert view.remaining_ms("o", SERVER_MS + 2_000) == 49_000
    assert view.remaining_ms("x", SERVER_MS + 2_000) == 61_000
    assert view.clock is not None
    assert view.clock.increment_ms == 2_000


def test_the_end() -> None:
    view = played(view_of(FakeRoom()), "a1", "b1", "a2", "b2", "a3")
    assert view.to_move is None
    assert not view.my_turn
    view = after(view, Ended(winner="x", termination="line", clock=None))
    assert view.result == Result(winner="x", termination="line")
    assert not view.running
    assert view.legal == ()
    assert view.position.line == (0, 3, 6)


def test_a_rated_game_ends_with_new_ratings_on_the_seats() -> None:
    ratings = Ratings(
        x=RatingChange(before=1500, after=1662, deviation=290, provisional=True),
        o=RatingChange(before=1600, after=1588, deviation=60),
    )
    view = after(view_of(FakeRoom()), Ended(winner="x", termination="flag", clock=None, ratings=ratings))
    assert view.result == Result(winner="x", termination="flag")
    assert view.x is not None
    assert view.o is not None
    assert view.x.rating == RatingView(value=1662, deviation=290, provisional=True, change=162)
    assert view.o.rating == RatingView(value=1588, deviation=60, change=-12)


def test_draw_offers_lapse_with_the_opponents_next_move() -> None:
    view = played(view_of(FakeRoom()), "b2")
    view = after(view, Offered(by="x", what="draw"))
    assert view.offered("draw", "x")
    assert not view.offered("draw", "o")
    view = played(view, "a1")
    assert not view.offers


def test_draw_offers_outlive_the_offerers_own_move() -> None:
    view = after(view_of(FakeRoom()), Offered(by="x", what="draw"))
    assert played(view, "b2").offered("draw", "x")


def test_takeback_offers_lapse_with_any_move() -> None:
    view = after(played(view_of(FakeRoom()), "b2"), Offered(by="x", what="takeback"))
    assert not played(view, "a1").offers


def test_declining_ends_the_others_offer() -> None:
    view = after(view_of(FakeRoom()), Offered(by="x", what="draw"), Offered(by="o", what="draw"))
    view = after(view, Declined(by="o", what="draw"))
    assert [offer.by for offer in view.offers] == ["o"]


def test_takebacks() -> None:
    view = played(view_of(FakeRoom(start=["c3"])), "b2", "a1", "a2")
    view = after(view, TakenBack(ply=1, moves=["b2"], clock=None, to_move="x"))
    assert view.moves == ("b2",)
    assert view.think_ms == (700,)
    assert view.to_move == "x"
    assert view.position.ply == 2
    assert view.last == "b2"


def test_a_rematch_swaps_the_seats() -> None:
    view = after(played(view_of(FakeRoom(you="x")), "b2"), Ended(winner="o", termination="resignation", clock=None))
    game = GameView(
        serial=2, id=2, game="tictactoe", start=[], moves=[], to_move="x", legal=[], started=True, result=None
    )
    view = after(
        view,
        Offered(by="o", what="rematch"),
        Seated(side="x", seat=OPPONENT),
        Seated(side="o", seat=MINE),
        Started(game=game, clock=None),
    )
    assert view.you == "o"
    assert view.serial == 2
    assert view.moves == ()
    assert view.running
    assert not view.offers


def test_both_seats() -> None:
    view = view_of(FakeRoom(opponent=MINE))
    assert view.you == "both"
    assert view.my_turn
    assert played(view, "b2").my_turn
    assert view.opponent is None


def test_spectators_hold_no_seat() -> None:
    view = room_view(FakeRoom().room, "somebody")
    assert view.you is None
    assert not view.my_turn
    assert view.opponent is None
    assert view.apply(Spectators(room="r1", count=7)).spectators == 7


def test_waiting_for_an_opponent() -> None:
    view = view_of(FakeRoom(opponent=None))
    assert not view.started
    assert view.to_move is None
    assert after(view, Seated(side="o", seat=OPPONENT)).o == OPPONENT


def test_presence_and_chat() -> None:
    view = view_of(FakeRoom())
    away = view.apply(Present(room="r1", side="o", present=False, claim_ms=60_000))
    assert away.o is not None
    assert (away.o.present, away.o.claim_ms) == (False, 60_000)
    back = away.apply(Present(room="r1", side="o", present=True))
    assert back.o is not None
    assert (back.o.present, back.o.claim_ms) == (True, None)
    view = after(view, *[Said(by=Author(id="p2", name="Bob"), text=str(number)) for number in range(120)])
    assert len(view.chat) == 100
    assert view.chat[-1].text == "119"


def test_presence_of_nobody_changes_nothing() -> None:
    view = view_of(FakeRoom(opponent=None))
    assert view.apply(Present(room="r1", side="o", present=False)) is view


def test_thinking_is_forgotten_with_the_move() -> None:
    view = view_of(FakeRoom())
    thinking = Thinking(room="r1", nodes=5, depth=2, value=0.5, pv=["b2"])
    assert view.apply(thinking).thinking == thinking
    assert played(view.apply(thinking), "b2").thinking is None


def test_a_whole_room_replaces_the_view() -> None:
    room = FakeRoom()
    view = played(view_of(room), "b2")
    room.happens(moved(view_of(room), "b2"))
    room.happens(moved(view_of(room), "a1"))
    refreshed = view.apply(room.snapshot())
    assert refreshed.moves == ("b2", "a1")
    assert refreshed.think_ms == (700,)
    assert refreshed.seq == room.seq
    assert played(refreshed, "a2").think_ms == (700, None, 700)


def test_a_game_that_begins_as_the_last_one_did_has_times_of_its_own() -> None:
    room = FakeRoom()
    view = played(view_of(room), "b2")
    room.happens(moved(view_of(room), "b2"))
    room.room.game.id = 2
    assert view.apply(room.snapshot()).think_ms == ()


def test_an_unknown_game_is_not_understood() -> None:
    room = FakeRoom()
    room.room.game.game = "chess"
    with pytest.raises(ProtocolError, match="chess"):
        view_of(room)
