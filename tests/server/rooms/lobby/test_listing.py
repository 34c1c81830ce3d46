"""The lobby's list: what it shows, to whom, and how often."""

from __future__ import annotations

import asyncio

from server.play.requests import ABSENT_MS
from server.play.writes import Statement
from server.rooms.lobby.listing import LISTING_S
from server.rooms.members import MEMBERS_AT_ONCE, Origin
from server.wire import (
    LIST_LENGTH,
    Act,
    Bots,
    ClockSettings,
    Create,
    Join,
    Move,
    Opponent,
    Player,
)
from tests.support.rooms.fakes import UNIX_MS, World, created, kinds, settle
from tests.support.rooms.lobby_guests import BOT, INVITE, asked, listing, member
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE

LISTING_MS = round(LISTING_S * 1000)


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


async def test_who_wants_only_challenges_is_told_of_each_and_of_its_end_at_once() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob, eve = member(lobby, ANN), member(lobby, BOB), member(lobby, EVE)
    for guest in (bob, eve):
        lobby.subscribe(guest, True, 7, "challenges")
        assert guest.take() == [
            {"t": "lobby", "id": 7, "seeks": [], "rooms": [], "players": 3, "challenges": [], "people": [],
             "only": "challenges"}
        ]  # fmt: skip
    await created(lobby, ann, Create(game="qubic"))
    challenge = await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id)))
    (told,) = bob.take()
    assert [row["room"] for row in told["challenges"]] == [challenge.id]
    challenge.post_request(asked(bob, Act(room=challenge.id, game=1, action="decline_challenge")), 0)
    await settle()
    assert [message["challenges"] for message in bob.take() if message["t"] == "lobby"] == [[]]
    await world.wait(LISTING_MS)
    assert eve.take() == [], "none is to Eve"
    lobby.subscribe(bob, False, None, "challenges")
    bob.take()
    await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id)))
    assert bob.take() == []


async def test_a_challenge_whose_room_closes_is_told_of_no_more() -> None:
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    lobby.subscribe(bob, True, None, "challenges")
    await created(lobby, ann, Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id)))
    lobby.on_disconnect(ann)
    bob.take()
    await world.wait(ABSENT_MS + 1)
    assert [message["challenges"] for message in bob.take()] == [[]]


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
        await created(lobby, guest, Create(game="mnk:20,20,20", clock=clock, opponent=BOT, seat="x"))
        await created(lobby, guest, Create(game="mnk:20,20,20", clock=clock))
    room = list(lobby.rooms.values())[-2]
    room.post_request(asked(guests[-1], Move(room=room.id, game=1, ply=0, move="b1")), world.now_ms)
    await settle()
    seen = await listing(lobby, guests[0])
    assert [row["room"] for row in seen["rooms"] if "board" in row] == [row["room"] for row in seen["rooms"][:12]]
    assert (seen["rooms"][0]["board"], seen["rooms"][0]["last"]) == (".x" + "." * 398, "b1")
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


async def test_a_change_is_told_to_a_few_at_a_time() -> None:
    world = World()
    lobby = world.lobby()
    guests = [member(lobby, Player(id=str(100 + number), name="Guest", kind="person")) for number in range(40)]
    for guest in guests:
        lobby.subscribe(guest, True, None)
        guest.take()
    lobby._listing._send_listing()
    assert sum(bool(guest.payloads) for guest in guests) == MEMBERS_AT_ONCE
    lobby.subscribe(guests[-1], False, None)
    guests[-1].take()
    lobby._listing._send_listing()  # takes the place of the one that is under way
    await asyncio.sleep(0)
    assert [len(guest.payloads) for guest in guests[: 2 * MEMBERS_AT_ONCE]] == [1] * 2 * MEMBERS_AT_ONCE
    await settle()
    assert [kinds(guest.take()) for guest in guests] == [["lobby", "lobby"]] * MEMBERS_AT_ONCE + [["lobby"]] * 23 + [[]]


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
