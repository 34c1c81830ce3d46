"""The lobby: what it makes and refuses to make, whom it shows what, and when."""

from __future__ import annotations

import asyncio

import pytest

from server.play.attendance import EMPTY_MS
from server.play.effects import Effect
from server.play.history import rebuild
from server.play.inputs import Input, PlayerConnected, PlayerDisconnected, PlayerRequest, StoreBack, StoreDown
from server.play.requests import ABSENT_MS
from server.play.room_spec import Pace
from server.play.session import Session
from server.play.writes import Statement, StoreUnavailable
from server.rooms.lobby.listing import LISTING_S
from server.rooms.lobby.lobby import ROOMS_AT_ONCE
from server.rooms.members import Origin
from server.rooms.room.load import Loaded
from server.rooms.room.room import Room
from server.wire import (
    Act,
    Bots,
    ClockSettings,
    Create,
    Join,
    Move,
    Opponent,
    Player,
    Rematch,
    encode_event,
)
from tests.support.rooms.fakes import World, created, kinds, settle
from tests.support.rooms.lobby_guests import BOT, INVITE, asked, member, refusal
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, Driver

LISTING_MS = round(LISTING_S * 1000)


# Making rooms


async def test_the_room_is_recorded_with_its_first_events() -> None:
    world = World()
    lobby = world.lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="qubic", opponent=INVITE))
    ((number, id, spec, code, _),) = world.recorded(Statement.ADD_ROOM)
    assert (number, id, code) == (room.number, room.id, room.code)
    assert '"kind":"invite"' in spec


async def test_an_invite_code_has_128_bits() -> None:
    lobby = World().lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="qubic", opponent=INVITE))
    assert room.code is not None
    assert len(room.code) == 22, "22 characters of 6 bits"
    assert lobby.by_code(room.code) is room
    assert lobby.by_code("x" * 22) is None


async def test_anybody_may_look_into_a_room_without_a_code_alone() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    public = await created(lobby, ann, Create(game="qubic"))
    private = await created(lobby, ann, Create(game="qubic", opponent=INVITE))
    assert lobby.public_session(public.id) is public.session
    assert lobby.public_session(private.id) is None
    assert lobby.public_session("nowhere") is None


async def test_a_full_server_and_full_workers_are_busy() -> None:
    world = World()
    lobby = world.lobby(max_rooms=1)
    ann = member(lobby, ANN)
    world.workers_full = True
    assert await refusal(lobby, ann, Create(game="qubic", opponent=BOT)) == "busy"
    await created(lobby, ann, Create(game="qubic"))
    assert await refusal(lobby, ann, Create(game="qubic")) == "busy"


async def test_without_a_store_no_room_is_made() -> None:
    world = World()
    world.available = False
    lobby = world.lobby()
    ann = member(lobby, ANN)
    assert await refusal(lobby, ann, Create(game="qubic")) == "unavailable"
    assert await refusal(lobby, ann, Create(game="qubic", opponent=BOT)) == "unavailable"


async def test_a_room_without_a_ticket_leaves_nothing() -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    await lobby.create(Origin(ann, 4), Create(game="qubic"))
    world.available = False
    await settle()
    assert kinds(ann.take()) == ["unavailable"]
    assert (lobby.rooms, lobby._rooms_of) == ({}, {})


async def test_a_room_that_was_not_recorded_leaves_nothing() -> None:
    world = World()
    world.failure = StoreUnavailable("The disk is full.")
    lobby = world.lobby()
    ann = member(lobby, ANN)
    await lobby.create(Origin(ann, 4), Create(game="qubic", opponent=INVITE))
    await settle()
    assert kinds(ann.take()) == ["unavailable"]
    assert (lobby.rooms, lobby._codes, lobby._rooms_of, lobby._holders) == ({}, {}, {}, {})
    assert world.recorded(Statement.CLOSE_ROOM) == []


# Finding rooms


async def test_rooms_are_found_by_those_who_may_know_them() -> None:
    lobby = World().lobby()
    ann, eve = member(lobby, ANN), member(lobby, EVE)
    public = await created(lobby, ann, Create(game="qubic"))
    private = await created(lobby, ann, Create(game="qubic", opponent=INVITE))
    assert lobby.find(eve, public.id) is public
    assert lobby.find(ann, private.id) is private
    assert lobby.find(eve, private.id) is None
    assert lobby.find(eve, "nowhere") is None


async def test_the_rooms_of_a_player_are_those_whose_game_waits_or_runs() -> None:
    lobby = World().lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    seek = await created(lobby, ann, Create(game="tictactoe", seat="x"))
    bots = await created(lobby, ann, Create(game="tictactoe", bots=Bots(x="random", o="random")))
    challenge = await created(lobby, ann, Create(game="tictactoe", opponent=Opponent(kind="player", player=BOB.id)))
    assert lobby.rooms_of(ANN.id) == sorted([seek.id, challenge.id])
    assert lobby.rooms_of(BOB.id) == []
    seek.post_request(asked(bob, Join(room=seek.id)), 0)
    await settle()
    assert lobby.rooms_of(BOB.id) == [seek.id]
    seek.post_request(asked(ann, Act(room=seek.id, game=1, action="abort")), 0)
    await settle()
    assert lobby.rooms_of(ANN.id) == [challenge.id]
    seek.post_request(asked(ann, Rematch(room=seek.id)), 0)
    seek.post_request(asked(bob, Rematch(room=seek.id)), 0)
    await settle()
    assert lobby.rooms_of(BOB.id) == [seek.id]
    assert bots.id in lobby.rooms


# Coming and going


async def test_the_last_connection_that_goes_makes_a_player_absent() -> None:
    world = World()
    lobby = world.lobby()
    first, second = member(lobby, ANN), member(lobby, ANN)
    room = await created(lobby, first, Create(game="qubic"))
    assert lobby.players == 1
    first.open = False
    lobby.on_disconnect(first)
    await world.wait(2 * ABSENT_MS)
    assert room.id in lobby.rooms, "Ann is here by another connection"
    lobby.on_disconnect(second)
    assert not lobby.is_connected(ANN.id)
    await world.wait(ABSENT_MS - 1)
    again = member(lobby, ANN)
    await world.wait(ABSENT_MS)
    assert room.id in lobby.rooms, "she came back in time"
    lobby.on_disconnect(again)
    await world.wait(ABSENT_MS)
    assert lobby.rooms == {}
    assert world.recorded(Statement.CLOSE_ROOM) == [(1_700_000_000_000 + world.now_ms, room.number)]


async def test_a_win_may_be_claimed_from_one_who_went() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    room = await created(lobby, ann, Create(game="qubic", seat="x", clock=ClockSettings(initial_ms=600_000)))
    room.post_request(asked(bob, Join(room=room.id)), world.now_ms)
    await settle()
    lobby.on_disconnect(bob)
    await settle()
    (away,) = [message for message in ann.take() if message["t"] == "present" and not message["present"]]
    assert away["claim_ms"] == ABSENT_MS, "told at once, and once"
    room.post_request(asked(ann, Act(room=room.id, game=1, action="claim_win")), world.now_ms + ABSENT_MS - 1)
    await settle()
    assert kinds(ann.take())[-1] == "not_now"
    room.post_request(asked(ann, Act(room=room.id, game=1, action="claim_win")), world.now_ms + ABSENT_MS)
    await settle()
    assert "ended" in kinds(ann.take())


async def test_a_win_may_be_claimed_from_one_who_left_the_room_before() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    room = await created(lobby, ann, Create(game="qubic", seat="x", clock=ClockSettings(initial_ms=600_000)))
    room.post_request(asked(bob, Join(room=room.id)), world.now_ms)
    room.leave(bob)
    await settle()
    absences = [(m["side"], m["present"], m.get("claim_ms")) for m in ann.take() if m["t"] == "present"]
    assert absences[-1] == ("o", False, None), "connected elsewhere: nothing is lost"
    lobby.on_disconnect(bob)
    await settle()
    again = member(lobby, BOB)
    await settle()
    absences = [(m["side"], m["present"], m.get("claim_ms")) for m in ann.take() if m["t"] == "present"]
    assert absences == [("o", False, ABSENT_MS), ("o", False, None)], "told, and told that it is over"
    room.watch(Origin(again, 1))
    await settle()
    assert [m["present"] for m in ann.take() if m["t"] == "present"] == [True]


async def test_one_who_goes_leaves_every_room_it_followed() -> None:
    world = World()
    lobby = world.lobby()
    ann, eve = member(lobby, ANN), member(lobby, EVE)
    rooms = [await created(lobby, ann, Create(game="qubic")) for _ in range(2)]
    for room in rooms:
        room.watch(Origin(eve, None))
    await settle()
    eve.open = False
    lobby.on_disconnect(eve)
    await settle()
    assert not eve.following
    assert not any(room.is_member(eve) for room in rooms)


def _busy(rooms: list[Room]) -> int:
    return sum(not room.idle for room in rooms)


async def _most_at_once(rooms: list[Room]) -> int:
    """Until all of them are idle: the most of them that finished in one turn of the event loop."""
    most, left = 0, _busy(rooms)
    while left:
        await asyncio.sleep(0)
        now = _busy(rooms)
        left, most = now, max(most, left - now)
    return most


async def test_who_has_many_rooms_comes_and_goes_in_a_few_at_a_time() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    rooms = [await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="self"))) for _ in range(90)]
    assert len(ann.following) == len(rooms)
    lobby.on_disconnect(ann)
    assert _busy(rooms) == len(rooms), "told, so that it comes before what else they hear"
    assert 0 < await _most_at_once(rooms) <= ROOMS_AT_ONCE
    while ann.following:  # noqa: ASYNC110 - a turn of the loop at a time
        await asyncio.sleep(0)
    assert all(ANN.id in room.session.away_since_ms for room in rooms)
    member(lobby, ANN)
    assert 0 < await _most_at_once(rooms) <= ROOMS_AT_ONCE
    lobby.on_ending()
    assert 0 < await _most_at_once(rooms) <= ROOMS_AT_ONCE


async def test_who_goes_and_comes_back_in_a_moment_is_there_before_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the rooms that have not begun on the news by then."""
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    rooms = [await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="self"))) for _ in range(45)]
    heard: list[type] = []

    def handle(session: Session, event: Input, now_ms: int) -> list[Effect]:
        if session.room == rooms[-1].id:
            heard.append(type(event))
        return handled(session, event, now_ms)

    handled = Session.handle
    monkeypatch.setattr(Session, "handle", handle)
    lobby.on_disconnect(ann)
    await asyncio.sleep(0)
    again = member(lobby, ANN)
    rooms[-1].post_request(asked(again, Move(room=rooms[-1].id, game=1, ply=0, move="a1a")), world.now_ms)
    for _ in range(5):
        await settle()
    assert heard[:3] == [PlayerDisconnected, PlayerConnected, PlayerRequest]
    assert not any(room.session.away_since_ms for room in rooms)
    assert not any(room.is_member(ann) for room in rooms)


async def test_a_creator_who_went_before_the_commit_is_absent_after_it() -> None:
    world = World()
    world.by_hand = True
    lobby = world.lobby()
    ann = member(lobby, ANN)
    await lobby.create(Origin(ann, None), Create(game="qubic"))
    await settle()
    ann.open = False
    lobby.on_disconnect(ann)
    world.by_hand = False
    await world.commit()
    await world.wait(ABSENT_MS)
    assert lobby.rooms == {}


async def test_a_closed_room_is_forgotten_everywhere() -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    room = await created(lobby, ann, Create(game="qubic", opponent=INVITE))
    room.post_request(asked(ann, Act(room=room.id, game=1, action="abort")), 0)
    room.leave(ann)
    await world.wait(EMPTY_MS)
    assert room.code is not None
    assert lobby.by_code(room.code) is None
    assert (lobby.rooms, lobby._rooms_of, lobby._holders, lobby._listing._waiting) == ({}, {}, {}, {})


async def test_a_room_comes_back_after_a_restart() -> None:
    old = Driver(clock=BLITZ, kind="invite")
    old.play("a1")
    world = World()
    lobby = world.lobby()
    session = rebuild(
        "room1",
        old.spec,
        old.session.rules,
        [(entry.seq, 0, encode_event(entry.event)) for entry in old.entries],
        opened_ms=world.now_ms,
        pace=Pace(),
    )
    kept = [(4, b'{"t":"event","room":"room1","seq":4,"ts":0,"e":"moved"}')]
    lobby.restore(Loaded(session, 5, "c0de", kept, [], []))
    await settle()
    assert lobby.by_code("c0de") is lobby.rooms["room1"]
    assert lobby.rooms_of(BOB.id) == ["room1"]
    bob = member(lobby, BOB)
    lobby.rooms["room1"].catch_up(Origin(bob, 1), 3)
    await settle()
    assert kinds(bob.take()) == ["ack", "moved", "present"]
    assert session.clock.running == "o"
    assert session.clock.since_ms == world.now_ms, "Bob came, so his clock runs"


async def test_a_new_name_is_told_where_its_player_sits_alone() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    challenge = await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id)))
    lobby.subscribe(bob, True, None)
    ann.take()
    bob.take()
    lobby.on_rename(Player(id=BOB.id, name="Bobby", kind="person"))
    await settle()
    assert ann.take() == []
    lobby.on_rename(Player(id=ANN.id, name="Anna", kind="person"))
    await world.wait(LISTING_MS)
    assert "seated" in kinds(ann.take())
    (seen,) = bob.take()
    assert [(row["room"], row["by"]["name"]) for row in seen["challenges"]] == [(challenge.id, "Anna")]


async def test_a_new_name_that_comes_before_the_commit_of_a_room_is_told_after_it() -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    world.by_hand = True
    await lobby.create(Origin(ann, None), Create(game="qubic", seat="x"))
    await settle()
    lobby.on_rename(Player(id=ANN.id, name="Anna", kind="person"))
    world.by_hand = False
    await world.commit()
    (room,) = lobby.rooms.values()
    seat = room.session.seats["x"]
    assert seat is not None
    assert seat.name == "Anna"


async def test_the_store_going_down_is_told_to_every_room() -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    request = Create(game="qubic", clock=ClockSettings(move_ms=1_000), opponent=Opponent(kind="self"))
    rooms = [await created(lobby, ann, request) for _ in range(2)]
    lobby.on_store_available(False)
    await world.wait(60_000)
    assert all(room.session.game.running for room in rooms)
    lobby.on_store_available(True)
    await world.wait(1_001)
    assert not any(room.session.game.running for room in rooms)


async def test_rooms_are_told_of_the_store_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    rooms = [await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="self"))) for _ in range(45)]
    told: list[object] = []
    monkeypatch.setattr(Room, "post_input", lambda room, news: told.append(news))
    lobby.on_store_available(False)
    lobby.on_store_available(True)
    await asyncio.sleep(0)
    assert len(told) == ROOMS_AT_ONCE
    await settle()
    assert told == [StoreDown()] * len(rooms) + [StoreBack()] * len(rooms)


async def test_the_end_of_the_server_is_told_to_every_room() -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    request = Create(game="qubic", clock=ClockSettings(move_ms=1_000), opponent=Opponent(kind="self"))
    rooms = [await created(lobby, ann, request) for _ in range(2)]
    lobby.on_ending()
    await world.wait(60_000)
    assert all(room.session.game.running for room in rooms)


async def test_a_new_name_is_told_to_a_few_rooms_at_a_time_and_the_last_one_stays() -> None:
    lobby = World().lobby(max_rooms=1_000)
    ann = member(lobby, ANN)
    rooms = [await created(lobby, ann, Create(game="tictactoe", opponent=Opponent(kind="self"))) for _ in range(90)]

    def names() -> list[str]:
        return [seat.name for room in rooms if (seat := room.session.seats["x"]) is not None]

    lobby.on_rename(Player(id=ANN.id, name="Anna", kind="person"))
    await asyncio.sleep(0)
    assert sum(not room.idle for room in rooms) == ROOMS_AT_ONCE
    while "Anna" not in names():  # noqa: ASYNC110 - a turn of the loop at a time
        await asyncio.sleep(0)
    assert set(names()) == {"Ann", "Anna"}
    lobby.on_rename(Player(id=ANN.id, name="Annie", kind="person"))
    for _ in range(20):
        await settle()
    assert set(names()) == {"Annie"}
    assert lobby._renamed == {}
