"""What committed events and a deletion make of a room."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from server.play.effects import ShowMembers
from server.play.inputs import PlayerDeleted, Withdrawn
from server.play.room_state import RoomState
from server.wire import CHAT_LINES, ClockView, Join, Player, RatingView, Rematch, Result, Say, Started
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, Driver, bot_seat

NOBODY = Player(id=ANN.id, name="deleted player 1", kind="person")


def test_nothing_of_a_deleted_player_stays_but_what_they_are_called_now() -> None:
    room = Driver()
    room.ask(ANN, Say(room="room1", text="from Ann"))
    room.ask(BOB, Say(room="room1", text="from Bob"))
    room.session.ratings = {ANN.id: RatingView(value=1500, deviation=50), BOB.id: RatingView(value=1600, deviation=50)}
    bob = room.session.seats["o"]
    assert room.send(PlayerDeleted(NOBODY, "(deleted)")) == [ShowMembers()]
    session = room.session
    for seat in (session.seats["x"], session.spec.x):
        assert seat is not None
        assert (seat.id, seat.name, seat.rating) == (ANN.id, "deleted player 1", None)
    assert session.seats["o"] == session.spec.o == bob
    assert session.spec.creator == NOBODY
    assert [(line.by.name, line.text) for line in session.chat] == [
        ("deleted player 1", "(deleted)"),
        ("Bob", "from Bob"),
    ]
    assert set(session.ratings) == {BOB.id}
    assert room.send(PlayerDeleted(NOBODY, "(deleted)")) == [], "nothing is left to change"


def test_the_seat_of_a_deleted_player_loses_its_rating() -> None:
    room = Driver(o=None)
    assert room.session.seats["x"] is not None
    room.session.seats["x"] = type(room.session.seats["x"])(
        id=ANN.id, name=ANN.name, kind="person", present=True, rating=RatingView(value=1500, deviation=50)
    )
    room.send(PlayerDeleted(NOBODY, "(deleted)"))
    assert room.session.seats["x"].rating is None
    assert room.session.seats["o"] is None


def test_a_stranger_who_is_deleted_changes_nothing() -> None:
    room = Driver()
    before = room.session.spec
    assert room.send(PlayerDeleted(EVE, "(deleted)")) == []
    assert room.session.spec == before


def test_a_room_shows_the_people_who_made_it_sit_in_it_or_speak() -> None:
    room = Driver(x=bot_seat(), o=None, creator=EVE)
    assert room.session.shown == {EVE.id}
    room.ask(BOB, Join(room="room1"))
    assert room.session.shown == {EVE.id, BOB.id}
    room.ask(ANN, Say(room="room1", text="hello"))
    assert room.session.shown == {EVE.id, BOB.id, ANN.id}
    assert Driver(x=BOB, o=None, creator=EVE, open=False).session.shown == {EVE.id, BOB.id}
    for number in range(CHAT_LINES):
        room.ask(BOB, Say(room="room1", text=str(number)))
    assert room.session.shown == {EVE.id, BOB.id}
    assert all(room.session.names(player.id) for player in (EVE, BOB, ANN)), "also those whose words are gone"


def test_a_room_names_nobody_who_only_looks_on() -> None:
    room = Driver(o=None, creator=EVE)
    assert [room.session.names(player.id) for player in (EVE, ANN, BOB)] == [True, True, False]
    room.ask(BOB, Join(room="room1"))
    assert room.session.names(BOB.id)


def test_chat_is_still_cut_after_a_deletion() -> None:
    room = Driver()
    room.send(PlayerDeleted(NOBODY, "(deleted)"))
    for number in range(CHAT_LINES + 1):
        room.ask(BOB, Say(room="room1", text=str(number)))
    assert [line.text for line in room.session.chat] == [str(number) for number in range(1, CHAT_LINES + 1)]


def test_a_rematch_that_a_deleted_player_offered_is_off() -> None:
    for asker, other in ((ANN, BOB), (BOB, ANN)):
        room = Driver()
        room.act(ANN, "resign")
        room.ask(asker, Rematch(room="room1"))
        room.send(Withdrawn(other.id))
        assert [offer.what for offer in room.session.offers] == ["rematch"]
        room.send(Withdrawn(asker.id))
        assert room.session.offers == []


def test_who_withdraws_ends_a_seek_of_their_own_alone() -> None:
    room = Driver(o=None)
    assert room.send(Withdrawn(BOB.id)) == []
    assert room.session.waiting
    room.send(Withdrawn(ANN.id))
    assert room.session.game.result == Result(winner=None, termination="aborted")
    assert not room.session.waiting
    assert room.send(Withdrawn(ANN.id)) == []
    playing = Driver()
    assert playing.send(Withdrawn(ANN.id)) == []
    assert playing.session.game.running


def test_sides_are_those_of_people() -> None:
    assert Driver().session.sides(ANN.id) == ("x",)
    assert Driver().session.sides(BOB.id) == ("o",)
    assert Driver().session.sides(EVE.id) == ()
    assert Driver(ANN, ANN).session.sides(ANN.id) == ("x", "o")
    bots = Driver(bot_seat("random", "8"), bot_seat(), kind="bots").session
    assert bots.sides("8") == bots.sides("9") == ()
    assert (bots.is_bot("x"), bots.is_bot("o"), bots.is_bot(None)) == (True, True, False)


def test_both_sides_are_held_by_one_player_only_if_both_are_taken() -> None:
    assert Driver(ANN, ANN).session.holds_both("x")
    assert not Driver().session.holds_both("x")
    assert not Driver(o=None).session.holds_both("x")
    assert not Driver(o=None).session.holds_both("o")


def test_a_view_has_legal_moves_and_a_line_only_where_there_are_some() -> None:
    room = Driver()
    room.play("a1 b1 a2 b2")
    view = room.session.game_view()
    assert view.legal == room.session.legal() == ["c1", "c2", "a3", "b3", "c3"]
    assert (view.last, view.line) == ("b2", None)
    room.play("a3")
    view = room.session.game_view()
    assert (view.legal, view.to_move, view.last, view.line) == ([], None, "a3", ["a1", "a2", "a3"])
    assert Driver().session.game_view().last is None


def test_the_clock_stays_as_it_was_at_the_end() -> None:
    room = Driver(clock=BLITZ)
    room.now_ms += 5_000
    room.act(ANN, "resign")
    room.now_ms += 5_000
    view = room.session.clock_view(room.now_ms)
    assert view is not None
    assert (view.x_ms, view.o_ms, view.running) == (55_000, 60_000, None)


def test_forced_boards_are_shown_where_there_are_boards() -> None:
    assert Driver().session.game_view().forced is UNSET
    room = Driver(game="ultimate")
    assert room.session.game_view().forced is None
    room.move(ANN, "1/5")
    assert room.session.game_view().forced == room.events[-1].forced == 5
    room.act(ANN, "resign")
    assert room.session.game_view().forced is None


def test_a_started_event_is_the_game_as_it_begins() -> None:
    room = Driver(clock=BLITZ, start=["a1", "b1", "c1"])
    event = room.events[-1]
    assert isinstance(event, Started)
    view = room.session.game_view()
    assert event.game == msgspec.structs.replace(view, legal=[])
    assert (view.id, view.serial, view.started, view.result, view.to_move) == (1, 1, True, None, "o")
    assert event.clock == ClockView(x_ms=60_000, o_ms=60_000, running="o", initial_ms=60_000, increment_ms=1_000)


def test_a_start_on_nested_boards_forces_the_first_move() -> None:
    room = Driver(game="ultimate", start=["1/5"])
    assert room.events[-1].game.forced == room.session.game_view().forced == 5


def test_a_state_is_folded_without_a_clock() -> None:
    room = Driver(clock=BLITZ)
    state = RoomState("room1", room.spec, room.session.rules)
    assert state.game_view().serial == 1
    room.play("a1 b1 c1")
    room.act(ANN, "offer_takeback")
    room.act(BOB, "accept_takeback")
    for entry in room.entries:
        state.apply(entry, room.now_ms)
    assert state.game_view() == room.session.game_view()
    assert (state.clock.running, state.clock.since_ms) == ("x", None)
    assert state.seats == room.session.seats
    assert state.seq == room.session.seq
