"""The lobby: what it makes and refuses to make, whom it shows what, and when."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots.player import Limit
from engine.rules.position import Rules
from server.play.attendance import EMPTY_MS
from server.play.history import rebuild
from server.play.inputs import PlayerRequest
from server.play.requests import ABSENT_MS
from server.play.room_spec import Pace
from server.play.writes import Statement, StoreUnavailable
from server.rooms.listing import LISTING_S
from server.rooms.load import Loaded
from server.rooms.lobby import Lobby
from server.rooms.refused import Refused
from server.rooms.room_bounds import INVITES_A_PLAYER, SEEKS_A_PLAYER
from server.rooms.send_queue import Origin
from server.wire import (
    LIST_LENGTH,
    Act,
    BotLimit,
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
from tests.support.fakes import UNIX_MS, FakeMember, World, created, kinds, settle
from tests.support.session_driver import ANN, BLITZ, BOB, EVE, Driver

LISTING_MS = round(LISTING_S * 1000)
BOT = Opponent(kind="bot", bot="random")
INVITE = Opponent(kind="invite")


def member(lobby: Lobby, player: Player) -> FakeMember:
    """A connection of this player that was greeted."""
    guest = FakeMember(player)
    lobby.on_connect(guest)
    return guest


def asked(guest: FakeMember, request: Act | Join | Move | Rematch) -> PlayerRequest:
    return PlayerRequest(Origin(guest, None), guest.player, request)


async def refusal(lobby: Lobby, guest: FakeMember, request: Create) -> str:
    rooms = len(lobby.rooms)
    with pytest.raises(Refused) as caught:
        await lobby.create(Origin(guest, None), request)
    assert caught.value.message.endswith("."), "a sentence"
    assert len(lobby.rooms) == rooms
    return caught.value.code


# Names


# Making rooms


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Create(game="nim"), "bad_game"),
        (Create(game="mnk:2,2,9"), "bad_game"),
        (Create(game=""), "bad_game"),
        (Create(game="mnk:3,3,4"), "bad_game"),
        (Create(game="mnk:20,3,3"), "bad_game"),
        (Create(game="mnk:3,3"), "bad_game"),
        (Create(game="mnk:3,3,3,3"), "bad_game"),
        (Create(game="mnk:-3,3,3"), "bad_game"),
        (Create(game="mnk:\u0663,3,3"), "bad_game"),
        (Create(game="cube:6"), "bad_game"),
        (Create(game="qubic:4"), "bad_game"),
        (Create(game="Qubic"), "bad_game"),
        (Create(game="x" * 4000), "bad_game"),
        (Create(game="qubic", clock=ClockSettings()), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=999)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=1_000, move_ms=1_000)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(increment_ms=1_000)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(move_ms=10**4000)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=10_800_001)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=10**30)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=1_000, increment_ms=-1)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(initial_ms=1_000, increment_ms=180_001)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(move_ms=99)), "bad_clock"),
        (Create(game="qubic", clock=ClockSettings(move_ms=86_400_001)), "bad_clock"),
        (Create(game="qubic", seat="none"), "malformed"),
        (Create(game="qubic", seat="none", opponent=BOT), "malformed"),
        (Create(game="qubic", seat="x", bots=Bots(x="random", o="random")), "malformed"),
        (Create(game="qubic", bots=Bots(x="random", o="random"), opponent=BOT), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="bot")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="open", bot="random")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player")), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="random", player="1")), "malformed"),
        (
            Create(game="qubic", seat="none", bots=Bots(x="random", o="random"), opponent=Opponent(kind="open")),
            "malformed",
        ),
        (Create(game="qubic", opponent=Opponent(kind="self", player=BOB.id)), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player", player=ANN.id)), "malformed"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="77")), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="nobody")), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="9" * 30)), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="player", player="\u0661")), "not_found"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="nobody")), "unknown_bot"),
        (Create(game="qubic", bots=Bots(x="random", o="nobody")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="alphabeta:999999")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="alphabeta:0")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="random:1")), "unknown_bot"),
        (Create(game="qubic", opponent=Opponent(kind="bot", bot="")), "unknown_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit()), "malformed"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(depth=1, nodes=1)), "malformed"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(depth=0)), "bad_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(depth=-1)), "bad_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(nodes=-1)), "bad_bot"),
        (Create(game="qubic", opponent=BOT, limit=BotLimit(nodes=10**30)), "bad_bot"),
        (Create(game="qubic", rated=True), "malformed"),
        (Create(game="qubic", rated=True, clock=BLITZ, opponent=Opponent(kind="self")), "malformed"),
        (Create(game="qubic", rated=True, clock=BLITZ, bots=Bots(x="random", o="random")), "malformed"),
        (Create(game="tictactoe", rated=True, clock=BLITZ, start=["a1"]), "malformed"),
        (Create(game="qubic", rated=True, bots=Bots(x="random", o="alphabeta")), "malformed"),
        (Create(game="tictactoe", start=["a1", "z9"]), "malformed"),
        (Create(game="tictactoe", start=["A1"]), "malformed"),
        (Create(game="tictactoe", start=["a1", "a1"]), "illegal_move"),
        (Create(game="tictactoe", start=["a1", "b1", "a2", "b2", "a3"]), "illegal_move"),
        (Create(game="tictactoe", start=["a1", "b1", "a2", "b2", "a3", "c3"]), "illegal_move"),
    ],
    ids=str,
)
async def test_what_cannot_be_made(request_: Create, code: str) -> None:
    lobby = World().lobby()
    assert await refusal(lobby, member(lobby, ANN), request_) == code


async def test_a_clock_may_leave_its_increment_out() -> None:
    lobby = World().lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="qubic", clock=ClockSettings(initial_ms=1_000)))
    assert room.session.spec.clock == ClockSettings(initial_ms=1_000, increment_ms=0)


@pytest.mark.parametrize("seat", ["x", "o", "random", None])
async def test_the_creator_sits_where_it_asks(seat: Any) -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    room = await created(lobby, ann, Create(game="qubic", seat=seat, opponent=BOT), id=3)
    (shown,) = [message for message in ann.take() if message["t"] == "room"]
    assert shown["id"] == 3
    assert shown["you"] == (seat if seat in ("x", "o") else shown["you"])
    assert room.session.sides(ANN.id) == (shown["you"],)
    assert shown["seats"]["o" if shown["you"] == "x" else "x"]["bot"] == "random"


@pytest.mark.parametrize("pace", [None, "human"])
async def test_the_pace_that_is_asked_for_is_the_rooms(pace: Any) -> None:
    lobby = World().lobby()
    room = await created(lobby, member(lobby, ANN), Create(game="qubic", opponent=BOT, pace=pace))
    assert room.session.spec.pace == pace


async def test_bots_play_while_the_creator_watches() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    await created(lobby, ann, Create(game="qubic", seat="none", bots=Bots(x="random", o="alphabeta:2")))
    (shown,) = ann.take()
    assert (shown["you"], shown["seats"]["x"]["bot"], shown["game"]["started"]) == (None, "random", True)
    assert shown["seats"]["o"]["bot"].startswith("alphabeta:2")


async def test_on_one_screen_one_sits_on_both_sides() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="self")))
    (shown,) = ann.take()
    assert (shown["you"], shown["game"]["started"]) == ("both", True)


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


async def test_three_seeks_and_challenges_a_player() -> None:
    lobby = World().lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    seek = Create(game="qubic")
    challenge = Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id))
    rooms = [await created(lobby, ann, request) for request in (seek, challenge, seek)]
    assert len(rooms) == SEEKS_A_PLAYER
    assert await refusal(lobby, ann, seek) == "not_now"
    assert await refusal(lobby, ann, challenge) == "not_now"
    for opponent in (BOT, INVITE, Opponent(kind="self")):
        await created(lobby, ann, Create(game="qubic", opponent=opponent))
    await created(lobby, bob, seek)
    rooms[0].post_request(asked(ann, Act(room=rooms[0].id, game=1, action="abort")), 0)
    await settle()
    await created(lobby, ann, seek)


async def test_invites_have_a_bound_of_their_own() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    invite = Create(game="tictactoe", opponent=INVITE)
    for _ in range(INVITES_A_PLAYER):
        await created(lobby, ann, invite)
    assert await refusal(lobby, ann, invite) == "not_now"
    await created(lobby, ann, Create(game="tictactoe"))


async def test_rooms_of_any_kind_have_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.rooms.room_bounds.ROOMS_A_PLAYER", 2)
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    alone = Create(game="tictactoe", opponent=Opponent(kind="self"))
    room = await created(lobby, ann, alone)
    await created(lobby, ann, alone)
    room.post_request(asked(ann, Act(room=room.id, game=1, action="abort")), 0)
    await settle()
    assert await refusal(lobby, ann, alone) == "not_now", "a room that is over is still held"
    await created(lobby, bob, alone)
    room.leave(ann)
    await world.wait(EMPTY_MS)
    await created(lobby, ann, alone)


async def test_a_burst_makes_no_more_seeks() -> None:
    world = World()
    world.by_hand = True
    lobby = world.lobby()
    ann = member(lobby, ANN)
    for _ in range(SEEKS_A_PLAYER):
        await lobby.create(Origin(ann, None), Create(game="qubic"))
    assert await refusal(lobby, ann, Create(game="qubic")) == "not_now"


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


class PickyBot:
    """A bot that plays little and takes no limit."""

    name = "picky"

    def plays(self, rules: Rules) -> bool:
        return rules.id != "qubic"

    def takes(self, limit: Limit) -> str | None:
        return "picky takes no limit."


@pytest.mark.parametrize("request_", [Create(game="qubic"), Create(game="tictactoe", limit=BotLimit(depth=1))])
async def test_a_bot_that_does_not_play_so(monkeypatch: pytest.MonkeyPatch, request_: Create) -> None:
    monkeypatch.setattr("server.rooms.create_checks.find_bot", lambda name: PickyBot())
    lobby = World().lobby()
    request = replace(request_, opponent=Opponent(kind="bot", bot="picky"))
    assert await refusal(lobby, member(lobby, ANN), request) == "bad_bot"


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
    room = await created(lobby, ann, Create(game="qubic", seat="x"))
    room.post_request(asked(bob, Join(room=room.id)), world.now_ms)
    await settle()
    lobby.on_disconnect(bob)
    ann.take()
    room.post_request(asked(ann, Act(room=room.id, game=1, action="claim_win")), world.now_ms + ABSENT_MS - 1)
    await settle()
    assert kinds(ann.take())[-1] == "not_now"
    room.post_request(asked(ann, Act(room=room.id, game=1, action="claim_win")), world.now_ms + ABSENT_MS)
    await settle()
    assert "ended" in kinds(ann.take())


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


# The list


async def listing(lobby: Lobby, guest: FakeMember) -> dict[str, Any]:
    lobby.subscribe(guest, True, 1)
    message = guest.take()[-1]
    assert (message["t"], message["id"]) == ("lobby", 1)
    return message


async def test_seeks_challenges_and_running_games_are_listed() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob, eve = member(lobby, ANN), member(lobby, BOB), member(lobby, EVE)
    seek = await created(lobby, ann, Create(game="qubic", seat="o", clock=BLITZ))
    challenge = await created(
        lobby, ann, Create(game="ultimate", seat="x", opponent=Opponent(kind="player", player=BOB.id))
    )
    running = await created(lobby, ann, Create(game="tictactoe", seat="x", opponent=BOT))
    seen = await listing(lobby, eve)
    assert seen["seeks"] == [
        {
            "room": seek.id,
            "game": "qubic",
            "clock": {"initial_ms": 60_000, "increment_ms": 1_000},
            "rated": False,
            "by": {"id": "1", "name": "Ann", "kind": "person"},
            "seat": "o",
        }
    ]
    assert seen["rooms"] == [
        {
            "room": running.id,
            "game": "tictactoe",
            "x": {"id": "1", "name": "Ann", "kind": "person"},
            "o": {"id": "9", "name": "random", "kind": "bot"},
            "plies": 0,
            "spectators": 0,
            "board": ".........",
        }
    ]
    assert seen["players"] == 3
    assert [person["name"] for person in seen["people"]] == ["Ann", "Bob", "Eve"]
    assert seen["challenges"] == []
    assert [row["room"] for row in (await listing(lobby, bob))["challenges"]] == [challenge.id]


async def test_the_list_shows_ratings_of_who_waits_and_plays() -> None:
    world = World()
    rating = (1, "tictactoe", 1712.4, 60.0, 0.06, 30, UNIX_MS + world.now_ms)
    world.rows.append((Statement.SET_RATING, rating))
    lobby = world.lobby()
    ann, eve = member(lobby, ANN), member(lobby, EVE)
    await created(lobby, ann, Create(game="tictactoe", seat="x"))
    await created(lobby, ann, Create(game="tictactoe", seat="x", opponent=BOT))
    await created(lobby, ann, Create(game="qubic", seat="x"))
    seen = await listing(lobby, eve)
    shown = {"value": 1712, "deviation": 60}
    assert [(row["game"], row["by"].get("rating")) for row in seen["seeks"]] == [("qubic", None), ("tictactoe", shown)]
    assert [(row["x"].get("rating"), row["o"].get("rating")) for row in seen["rooms"]] == [(shown, None)]


async def test_games_among_the_invited_and_on_one_screen_are_not_listed() -> None:
    lobby = World().lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    private = await created(lobby, ann, Create(game="qubic", opponent=INVITE))
    await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="self")))
    assert (await listing(lobby, bob))["seeks"] == []
    private.post_request(asked(bob, Join(code=private.code)), 0)
    await settle()
    assert private.session.game.running
    assert (await listing(lobby, bob))["rooms"] == []


async def test_a_game_whose_people_are_all_away_is_listed_again_when_one_is_back() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob, eve = member(lobby, ANN), member(lobby, BOB), member(lobby, EVE)
    room = await created(lobby, ann, Create(game="tictactoe", seat="x"))
    room.post_request(asked(bob, Join(room=room.id)), world.now_ms)
    await settle()
    newer = await created(lobby, ann, Create(game="tictactoe", opponent=BOT))
    lobby.subscribe(eve, True, None)

    async def told() -> list[str]:
        eve.take()
        await world.wait(LISTING_MS)
        return [row["room"] for row in eve.take()[-1]["rooms"]]

    lobby.on_disconnect(ann)
    assert await told() == [room.id], "Bob is still here"
    lobby.on_disconnect(bob)
    assert await told() == []
    assert room.session.game.running
    assert lobby.rooms_of(ANN.id) == sorted([room.id, newer.id]), "they are there for their players"
    back = member(lobby, ANN)
    assert sorted(await told()) == sorted([newer.id, room.id])
    lobby.on_disconnect(back)
    assert await told() == []
    room.watch(Origin(eve, None))
    assert await told() == [room.id], "somebody looks"
    room.leave(eve)
    assert await told() == []


async def test_two_bots_are_listed_though_nobody_looks() -> None:
    lobby = World().lobby()
    ann, eve = member(lobby, ANN), member(lobby, EVE)
    room = await created(lobby, ann, Create(game="qubic", bots=Bots(x="random", o="random")))
    lobby.on_disconnect(ann)
    await settle()
    assert not room.has_followers
    assert [row["room"] for row in (await listing(lobby, eve))["rooms"]] == [room.id]


async def test_lists_are_cut_at_50_the_newest_first() -> None:
    lobby = World().lobby(max_rooms=200)
    rooms = []
    for number in range(LIST_LENGTH + 5):
        guest = member(lobby, Player(id=str(100 + number), name="Guest", kind="person"))
        rooms.append(await created(lobby, guest, Create(game="tictactoe")))
        await created(lobby, guest, Create(game="tictactoe", opponent=BOT))
        await created(lobby, guest, Create(game="tictactoe", opponent=Opponent(kind="player", player=ANN.id)))
    seen = await listing(lobby, member(lobby, ANN))
    assert {kind: len(seen[kind]) for kind in ("seeks", "rooms", "challenges", "people")} == {
        "seeks": LIST_LENGTH,
        "rooms": LIST_LENGTH,
        "challenges": LIST_LENGTH,
        "people": LIST_LENGTH,
    }
    assert seen["players"] == LIST_LENGTH + 6
    assert [row["room"] for row in seen["seeks"]] == [room.id for room in reversed(rooms)][:LIST_LENGTH]


async def test_the_newest_running_games_come_with_their_boards_and_the_message_stays_small() -> None:
    """The most cells there are, all three lists full, and names and stats as long as most people's."""
    world = World()
    lobby = world.lobby(max_rooms=200)
    guests = [
        member(lobby, Player(id=str(100_000 + number), name="A name of 20 letters", kind="person"))
        for number in range(LIST_LENGTH)
    ]
    clock = ClockSettings(initial_ms=10_800_000, increment_ms=180_000)
    for guest in guests:
        await created(lobby, guest, Create(game="mnk:19,19,19", clock=clock, opponent=BOT, seat="x"))
        await created(lobby, guest, Create(game="mnk:19,19,19", clock=clock))
    room = list(lobby.rooms.values())[-2]
    room.post_request(asked(guests[-1], Move(room=room.id, game=1, ply=0, move="b1")), world.now_ms)
    await settle()
    seen = await listing(lobby, guests[0])
    assert [row["room"] for row in seen["rooms"] if "board" in row] == [row["room"] for row in seen["rooms"][:12]]
    assert (seen["rooms"][0]["board"], seen["rooms"][0]["last"]) == (".x" + "." * 359, "b1")
    lobby.subscribe(guests[0], True, 1)
    assert len(guests[0].payloads[-1]) < 40 * 1024


async def test_changes_are_told_once_a_second() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    lobby.subscribe(bob, True, None)
    assert kinds(bob.take()) == ["lobby"]
    room = await created(lobby, ann, Create(game="tictactoe", opponent=Opponent(kind="self")))
    bob.take()
    for ply, text in enumerate(("a1", "b1", "a2")):
        room.post_request(asked(ann, Move(room=room.id, game=1, ply=ply, move=text)), world.now_ms)
    await created(lobby, ann, Create(game="tictactoe"))
    assert bob.take() == []
    await world.wait(LISTING_MS)
    (seen,) = bob.take()
    assert len(seen["seeks"]) == 1
    await world.wait(10 * LISTING_MS)
    assert bob.take() == [], "nothing changed"
    member(lobby, EVE)
    await world.wait(LISTING_MS)
    (seen,) = bob.take()
    assert seen["players"] == 3


async def test_an_answer_to_off_is_the_last() -> None:
    world = World()
    lobby = world.lobby()
    ann = member(lobby, ANN)
    lobby.subscribe(ann, True, None)
    lobby.subscribe(ann, False, 5)
    assert ann.take()[-1]["id"] == 5
    await created(lobby, ann, Create(game="tictactoe"))
    await world.wait(2 * LISTING_MS)
    assert kinds(ann.take()) == ["room"]


async def test_a_subscriber_who_went_is_told_nothing() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    lobby.subscribe(bob, True, None)
    lobby.on_disconnect(bob)
    bob.take()
    await created(lobby, ann, Create(game="tictactoe"))
    await world.wait(2 * LISTING_MS)
    assert bob.take() == []


async def test_only_the_challenged_are_shown_a_challenge() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob, eve = member(lobby, ANN), member(lobby, BOB), member(lobby, EVE)
    for guest in (bob, eve):
        lobby.subscribe(guest, True, None)
    await world.wait(LISTING_MS)
    for guest in (bob, eve):
        guest.take()
    room = await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id)))
    await world.wait(LISTING_MS)
    assert [row["room"] for row in bob.take()[-1]["challenges"]] == [room.id]
    assert eve.take()[-1]["challenges"] == []
    room.post_request(asked(bob, Join(room=room.id)), world.now_ms)
    await world.wait(LISTING_MS)
    assert bob.take()[-1]["challenges"] == []
