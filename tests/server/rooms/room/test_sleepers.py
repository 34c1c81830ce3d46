"""Rooms that sleep: when they do, who wakes them, what the database knows of them."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from server.db.play import SleepingRow
from server.play.attendance import EMPTY_MS, INVITE_MS, LEFT_MS, SLEEP_MS
from server.play.inputs import StoreBack, StoreDown
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.lobby.bounds import ROOMS_AN_ADDRESS
from server.rooms.lobby.lobby import Lobby
from server.rooms.lobby.restore import restore_rooms
from server.rooms.members import Origin
from server.rooms.players.deletion import delete_player
from server.rooms.refused import Refused
from server.rooms.room.room import Room
from server.rooms.room.sleepers import close_writes, sleep_writes, wake_writes
from server.wire import Act, ClockSettings, Create, Join, Move, Opponent, Player, Rematch, Say
from tests.support.database.database_files import new_database, opened, people_and_rooms
from tests.support.rooms.fakes import FakeMember, World, created, kinds, settle
from tests.support.rooms.replay import check_same
from tests.support.rooms.session_driver import ANN, BOB, EVE, Driver, bot_seat

SELF = Opponent(kind="self")
INVITE = Opponent(kind="invite")
OPEN = Opponent(kind="open")


class Scene:
    """A lobby with Ann and Bob, in which rooms are made."""

    def __init__(self, *, max_rooms: int = 100, address_rooms: int = 0) -> None:
        self.world = World()
        self.lobby: Lobby = self.world.lobby(max_rooms=max_rooms, address_rooms=address_rooms)
        self.ann, self.bob = self.comes(ANN), self.comes(BOB)

    def comes(self, player: Player) -> FakeMember:
        member = FakeMember(player)
        self.lobby.on_connect(member)
        return member

    async def make(self, **fields: Any) -> Room:
        return await created(self.lobby, self.ann, Create(game="tictactoe", seat="x", **fields))

    async def game(self, **fields: object) -> Room:
        """Between Ann and Bob."""
        room = await self.make(**fields)
        self.world.ask(room, self.bob, Join(room=room.id))
        await settle()
        assert room.session.game.running
        return room

    async def everybody_leaves(self) -> None:
        for member in (self.ann, self.bob):
            self.lobby.on_disconnect(member)
        await self.world.wait(SLEEP_MS)

    async def asleep(self, **fields: object) -> str:
        room = await self.game(**fields)
        await self.everybody_leaves()
        assert room.id not in self.lobby.rooms
        return room.id


# When


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def test_a_game_that_everybody_has_left_sleeps_and_is_out_of_memory(no_collection: None) -> None:
    scene = Scene()
    room = await scene.game()
    id, gone = room.id, weakref.ref(room)
    scene.lobby.on_disconnect(scene.ann)
    await scene.world.wait(2 * SLEEP_MS)
    assert id in scene.lobby.rooms, "Bob follows it"
    scene.lobby.on_disconnect(scene.bob)
    await scene.world.wait(SLEEP_MS - 1)
    assert id in scene.lobby.rooms
    await scene.world.wait(1)
    assert scene.lobby.rooms == {}
    assert scene.world.recorded(Statement.CLOSE_ROOM) == []
    lobby = scene.lobby
    assert (lobby._rooms_of, lobby._holders, lobby._codes, lobby._listing._running) == ({}, {}, {}, {})
    del room
    scene.world.timers.clear()
    assert gone() is None, "without a collection of circles, which comes late"


async def test_who_is_connected_and_sits_may_come_at_any_moment() -> None:
    scene = Scene()
    room = await scene.game()
    room.leave(scene.ann)
    room.leave(scene.bob)
    await scene.world.wait(10 * SLEEP_MS)
    assert room.id in scene.lobby.rooms
    scene.lobby.on_disconnect(scene.ann)
    scene.lobby.on_disconnect(scene.bob)
    await scene.world.wait(SLEEP_MS)
    assert room.id not in scene.lobby.rooms


@pytest.mark.parametrize(
    ("room", "sleeps"),
    [
        (Driver(), True),
        (Driver(clock=ClockSettings(move_ms=86_400_000)), False),
        (Driver(o=None), False),
        (Driver(o=None, kind="invite"), True),
        (Driver(o=ANN, kind="self"), True),
        (Driver(o=bot_seat(), kind="bot"), True),
        (Driver(x=bot_seat(), o=ANN, kind="bot"), False),
        (Driver(x=bot_seat(), o=bot_seat(), kind="bots"), False),
    ],
)
def test_where_nothing_happens_by_itself(room: Driver, sleeps: bool) -> None:
    assert room.session.can_sleep == sleeps


def test_what_is_over_or_cannot_be_committed_does_not_sleep() -> None:
    room = Driver()
    room.send(StoreDown())
    assert not room.session.can_sleep
    room.send(StoreBack())
    assert room.session.can_sleep
    room.act(ANN, "resign")
    assert not room.session.can_sleep
    room.wait(EMPTY_MS)
    assert room.session.closed, "it closes"


async def test_a_bot_makes_its_move_before_its_room_sleeps() -> None:
    scene = Scene()
    room = await scene.make(opponent=Opponent(kind="bot", bot="random"))
    scene.world.ask(room, scene.ann, Move(room=room.id, game=1, ply=0, move="a1"))
    await scene.everybody_leaves()
    assert room.id in scene.lobby.rooms
    scene.world.searches[-1].decide("b2")
    await scene.world.wait(SLEEP_MS)
    assert room.id not in scene.lobby.rooms
    woken = await scene.lobby.wake(scene.comes(ANN), room.id, None)
    assert woken is not None
    assert woken.session.game.texts == ["a1", "b2"]


async def test_a_room_that_cannot_be_written_down_as_asleep_stays() -> None:
    scene = Scene()
    room = await scene.game()
    scene.world.failure = StoreUnavailable("full")
    await scene.everybody_leaves()
    assert room.id in scene.lobby.rooms
    scene.world.failure = None
    await scene.world.wait(SLEEP_MS)
    assert room.id not in scene.lobby.rooms


async def test_who_comes_while_it_falls_asleep_finds_it_awake() -> None:
    scene = Scene()
    room = await scene.game()
    scene.lobby.on_disconnect(scene.ann)
    scene.lobby.on_disconnect(scene.bob)
    await settle()
    scene.world.by_hand = True
    await scene.world.wait(SLEEP_MS)
    ann = scene.comes(ANN)
    room.watch(Origin(ann, 1))
    await scene.world.commit()
    scene.world.by_hand = False
    assert scene.lobby.rooms == {room.id: room}
    assert kinds(ann.take()) == ["room"]
    scene.world.ask(room, ann, Say(room=room.id, text="hello"))
    await settle()
    await room.give_way()
    assert scene.world.recorded(Statement.WAKE_ROOM) == [(room.number,)], "the database hears of it"
    assert room.id in scene.lobby.rooms, "somebody follows it"


# Waking


async def test_it_wakes_as_it_was_for_whoever_comes() -> None:
    scene = Scene()
    room = await scene.game()
    scene.world.ask(room, scene.ann, Move(room=room.id, game=1, ply=0, move="a1"))
    scene.world.ask(room, scene.bob, Act(room=room.id, game=1, action="offer_draw"))
    await scene.everybody_leaves()
    eve = scene.comes(EVE)
    assert scene.lobby.find(eve, room.id) is None
    woken = await scene.lobby.wake(eve, room.id, None)
    assert woken is scene.lobby.find(eve, room.id) is await scene.lobby.wake(eve, room.id, None)
    assert woken is not None
    await settle()
    check_same(room.session, woken.session)
    woken.catch_up(Origin(eve, 1), 3)
    await settle()
    assert kinds(eve.take()) == ["ack", "moved", "offered", "present", "present"]
    bob = scene.comes(BOB)
    scene.world.ask(woken, bob, Move(room=room.id, game=1, ply=1, move="b1"), id=2)
    await settle()
    assert kinds(bob.take()) == ["ack"]


async def test_what_is_committed_next_says_that_it_is_awake() -> None:
    scene = Scene()
    id = await scene.asleep()
    bob = scene.comes(BOB)
    room = await scene.lobby.wake(bob, id, None)
    assert room is not None
    scene.lobby.on_disconnect(bob)
    slept = len(scene.world.recorded(Statement.LET_ROOM_SLEEP))
    await scene.world.wait(SLEEP_MS)
    assert scene.lobby.rooms == {}
    assert len(scene.world.recorded(Statement.LET_ROOM_SLEEP)) == slept, "nothing has been committed since"
    bob = scene.comes(BOB)
    room = await scene.lobby.wake(bob, id, None)
    assert room is not None
    scene.world.ask(room, bob, Act(room=id, game=1, action="resign"))
    await settle()
    assert scene.world.recorded(Statement.WAKE_ROOM) == [(room.number,)]
    assert await scene.lobby.unfinished_rooms_of(ANN.id) == []
    scene.lobby.on_disconnect(bob)
    await scene.world.wait(EMPTY_MS)
    assert [number for _, number in scene.world.recorded(Statement.CLOSE_ROOM)] == [room.number]


async def test_a_private_room_wakes_for_its_people_and_for_who_has_its_code() -> None:
    scene = Scene()
    room = await scene.make(opponent=INVITE)
    await scene.everybody_leaves()
    assert (scene.lobby.rooms, scene.lobby.by_code(room.code or "")) == ({}, None)
    eve, ann = scene.comes(EVE), scene.comes(ANN)
    assert await scene.lobby.wake(eve, room.id, None) is None
    assert await scene.lobby.wake(eve, room.id, "wrong") is None
    assert await scene.lobby.wake(eve, None, "wrong") is None
    assert scene.lobby.rooms == {}
    woken = await scene.lobby.wake(eve, None, room.code)
    assert woken is not None
    assert scene.lobby.by_code(room.code or "") is woken
    scene.world.ask(woken, eve, Join(code=room.code), id=3)
    await settle()
    assert [message["t"] for message in eve.take()] == ["room"]
    assert await scene.lobby.wake(ann, room.id, None) is woken
    assert await scene.lobby.wake(scene.comes(BOB), room.id, None) is None


async def test_a_new_name_is_found_when_it_wakes() -> None:
    scene = Scene()
    id = await scene.asleep()
    anna = Player(id=ANN.id, name="Anna", kind="person")
    scene.world.people[ANN.id] = anna
    scene.lobby.on_rename(anna)
    await settle()
    room = await scene.lobby.wake(scene.comes(BOB), id, None)
    assert room is not None
    await settle()
    seat = room.session.seats["x"]
    assert seat is not None
    assert seat.name == "Anna"


async def test_a_player_is_told_what_is_played_in_their_rooms() -> None:
    scene = Scene()
    against = {
        (await scene.game()).id: BOB.name,
        (await scene.make(opponent=SELF)).id: ANN.name,
        (await scene.make(opponent=INVITE)).id: None,
        (await scene.make(opponent=Opponent(kind="bot", bot="random"))).id: "random",
    }

    async def told() -> dict[str, str | None]:
        held = await scene.lobby.held_rooms_of(ANN.id)
        assert {room.game for room in held} == {"tictactoe"}
        return {room.room: None if room.opponent is None else room.opponent.name for room in held}

    assert await told() == against
    await scene.everybody_leaves()
    assert not scene.lobby.rooms
    assert await told() == against
    assert [room.opponent for room in await scene.lobby.held_rooms_of(BOB.id)] == [ANN]


async def test_the_rooms_of_a_player_are_complete() -> None:
    scene = Scene()
    asleep = await scene.asleep()
    scene.ann, scene.bob = scene.comes(ANN), scene.comes(BOB)
    awake = await scene.game()
    assert await scene.lobby.unfinished_rooms_of(ANN.id) == sorted([asleep, awake.id])
    assert await scene.lobby.unfinished_rooms_of(EVE.id) == []
    room = await scene.lobby.wake(scene.ann, asleep, None)
    assert room is not None
    assert await scene.lobby.unfinished_rooms_of(ANN.id) == sorted([asleep, awake.id]), "each once"


async def test_a_damaged_room_keeps_nobody_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    asleep = await scene.asleep()
    of = scene.lobby._sleepers.of

    async def damaged(player: str) -> list[SleepingRow]:
        (row,) = await of(player)
        return [structs.replace(row, id="damaged", spec='{"game":'), row]

    monkeypatch.setattr(scene.lobby._sleepers, "of", damaged)
    assert await scene.lobby.unfinished_rooms_of(ANN.id) == [asleep]


@pytest.mark.parametrize("sleeps", [True, False])
async def test_a_room_that_is_left_while_the_database_is_asked_is_theirs_if_it_sleeps(
    sleeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene()
    room = await scene.make(opponent=INVITE)
    of = scene.lobby._sleepers.of

    async def slowly(player: str) -> list[SleepingRow]:
        found = await of(player)
        scene.lobby.on_disconnect(scene.ann)
        await (room.give_way() if sleeps else room.shut())
        return found

    monkeypatch.setattr(scene.lobby._sleepers, "of", slowly)
    assert await scene.lobby.unfinished_rooms_of(ANN.id) == ([room.id] if sleeps else [])
    assert room.id not in scene.lobby.rooms


async def test_a_room_that_wakes_meanwhile_and_sleeps_again_is_read_once_more() -> None:
    scene = Scene(max_rooms=2)

    async def left() -> Room:
        room = await scene.game()
        for member in (scene.ann, scene.bob):
            room.leave(member)
        await settle()
        return room

    room, other = await left(), await left()
    await room.give_way()
    third = await left()
    scene.world.by_hand = True
    bobs = asyncio.ensure_future(
        scene.lobby.wake(scene.bob, room.id, None)
    )  # waits for a place: the other falls asleep
    await settle()
    assert not bobs.done()
    scene.world.by_hand = False
    await third.give_way()
    woken = await scene.lobby.wake(scene.ann, room.id, None)
    assert woken is not None
    scene.world.ask(woken, scene.ann, Move(room=room.id, game=1, ply=0, move="a1"))
    await settle()
    await woken.give_way()
    assert set(scene.lobby.rooms) == {other.id}
    await scene.world.commit()
    again = await bobs
    assert again is not None
    assert again.session.seq == woken.session.seq, "with the move that Ann has made"


# Bounds


async def test_rooms_that_sleep_take_no_place() -> None:
    scene = Scene(max_rooms=2)
    for _ in range(5):
        await scene.asleep()
        scene.ann, scene.bob = scene.comes(ANN), scene.comes(BOB)
    assert len(await scene.lobby.unfinished_rooms_of(ANN.id)) == 5


async def test_where_all_places_are_taken_a_room_sleeps_that_nobody_follows() -> None:
    scene = Scene(max_rooms=2)
    first, second = await scene.game(), await scene.game()
    with pytest.raises(Refused, match="All 2 rooms of the server are in use") as refused:
        await scene.make(opponent=SELF)
    assert refused.value.code == "busy"
    assert scene.world.limits.counts == {"max_rooms": 1}
    for member in (scene.ann, scene.bob):
        first.leave(member)
    await settle()
    third = await scene.make(opponent=SELF)
    assert set(scene.lobby.rooms) == {second.id, third.id}
    with pytest.raises(Refused, match="in use"):
        await scene.lobby.wake(scene.ann, first.id, None)
    third.leave(scene.ann)
    await settle()
    assert await scene.lobby.wake(scene.ann, first.id, None) is not None
    assert set(scene.lobby.rooms) == {second.id, first.id}


async def test_unfinished_rooms_of_a_person_are_bounded_asleep_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.rooms.lobby.bounds.ROOMS_A_PLAYER", 3)
    scene = Scene()
    for _ in range(3):
        await scene.make(opponent=SELF)
    await scene.everybody_leaves()
    assert scene.lobby.rooms == {}
    scene.ann = scene.comes(ANN)
    with pytest.raises(Refused, match="You already have 3 rooms"):
        await scene.make(opponent=SELF)
    [id, *_] = await scene.lobby.unfinished_rooms_of(ANN.id)
    room = await scene.lobby.wake(scene.ann, id, None)
    assert room is not None
    with pytest.raises(Refused, match="You already have 3 rooms"):
        await scene.make(opponent=SELF)


async def test_invites_that_sleep_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.rooms.lobby.bounds.INVITES_A_PLAYER", 1)
    scene = Scene()
    await scene.make(opponent=INVITE)
    await scene.everybody_leaves()
    scene.ann = scene.comes(ANN)
    with pytest.raises(Refused, match="already have 1 invitations"):
        await scene.make(opponent=INVITE)


async def test_unfinished_rooms_of_an_address_are_bounded() -> None:
    scene = Scene(address_rooms=2)
    await scene.make(opponent=SELF)
    other = await scene.make(opponent=SELF)
    await scene.everybody_leaves()
    scene.ann = scene.comes(ANN)
    with pytest.raises(Refused, match="Your address has too many unfinished games; end one first"):
        await scene.make(opponent=SELF)
    assert scene.world.limits.recent() == [("address_rooms", "here", 1)]
    scene.ann.address = "elsewhere"
    await scene.make(opponent=SELF)
    scene.ann.address = "here"
    room = await scene.lobby.wake(scene.ann, other.id, None)
    assert room is not None
    scene.world.ask(room, scene.ann, Act(room=room.id, game=1, action="resign"))
    await settle()
    await scene.make(opponent=SELF)


async def test_an_invite_that_nobody_takes_up_ends_though_it_sleeps() -> None:
    scene = Scene(address_rooms=1)
    room = await scene.make(opponent=INVITE)
    await scene.everybody_leaves()
    await scene.lobby.close_expired()
    assert scene.world.recorded(Statement.CLOSE_ROOM) == []
    scene.world.now_ms += INVITE_MS + 1
    await scene.lobby.close_expired()
    assert [number for _, number in scene.world.recorded(Statement.CLOSE_ROOM)] == [room.number]
    scene.ann = scene.comes(ANN)
    assert await scene.lobby.wake(scene.ann, room.id, None) is None
    assert await scene.lobby.unfinished_rooms_of(ANN.id) == []
    await scene.make(opponent=INVITE)


async def test_no_game_between_two_people_ends_because_nobody_comes() -> None:
    scene = Scene()
    id = await scene.asleep()
    scene.world.now_ms += 400 * INVITE_MS
    await scene.lobby.close_expired()
    room = await scene.lobby.wake(scene.comes(BOB), id, None)
    assert room is not None
    await scene.world.wait(1_000)
    assert room.session.game.running


# Deletion


async def delete(scene: Scene, player: Player) -> list[Player]:
    deleted: list[Player] = []

    class Register:
        async def bots_of(self, owner: Player) -> list[Player]:
            return []

        async def delete(self, players: Sequence[Player]) -> None:
            deleted.extend(players)

        async def forget(self, players: Sequence[Player] | None = None) -> None: ...

    await delete_player(scene.lobby, player, Register())
    return deleted


async def test_who_plays_in_a_sleeping_room_is_not_deleted() -> None:
    scene = Scene()
    await scene.asleep()
    with pytest.raises(Refused, match="running game"):
        await delete(scene, ANN)


async def test_a_sleeping_invite_of_a_deleted_player_is_closed() -> None:
    scene = Scene()
    room = await scene.make(opponent=INVITE)
    await scene.everybody_leaves()
    assert await delete(scene, ANN) == [ANN]
    assert [number for _, number in scene.world.recorded(Statement.CLOSE_ROOM)] == [room.number]
    assert await scene.lobby.wake(scene.bob, None, room.code) is None


# The database


async def test_what_the_database_knows(tmp_path: Path) -> None:
    asleep, waiting = Driver().session, Driver(o=None, kind="invite").session
    async with opened(new_database(tmp_path)) as store:

        async def write(*sets: list[Write]) -> None:
            for writes in sets:
                await store.write(writes)

        await write(people_and_rooms(), sleep_writes(asleep, 1, 50), sleep_writes(waiting, 2, 60))
        assert await store.awake_rooms() == []
        one = await store.sleeping_room("room-one")
        two = await store.sleeping_room_by_code("secret-code")
        assert one is not None
        assert two is not None
        assert (one.number, two.number) == (1, 2)
        assert await store.sleeping_room("room-ten") is None
        mine = [(row.id, row.made, row.seated, row.waiting) for row in await store.sleeping_rooms_of(1)]
        assert mine == [("room-one", 1, 1, 0), ("room-two", 1, 1, 1)]
        assert [(row.id, row.made, row.seated) for row in await store.sleeping_rooms_of(2)] == [("room-one", 0, 1)]
        assert [row.opponent_name for row in await store.sleeping_rooms_of(1)] == [BOB.name, None]
        assert [(row.opponent_id, row.spec) for row in await store.sleeping_rooms_of(2)] == [(1, one.spec)]
        assert await store.expired_rooms(5, 10) == []
        assert [row.id for row in await store.expired_rooms(6, 10)] == ["room-two"]
        await write(sleep_writes(asleep, 1, 70))  # once more: it was not known whether the first was committed
        await write(wake_writes(1), close_writes(2, 80, sleeps=True))
        assert [row.number for row in await store.awake_rooms()] == [1]
        assert await store.sleeping_rooms_of(1) == []
        assert await store.sleeping_room("room-two") is None
        await write(close_writes(1, 90, sleeps=False), wake_writes(1))
        assert [row.number for row in await store.awake_rooms()] == [1], "what goes on is not closed"


async def test_a_start_wakes_nobody(tmp_path: Path) -> None:
    async with opened(new_database(tmp_path)) as store:
        await store.write(people_and_rooms())
        for number in (1, 2):
            await store.write(sleep_writes(Driver().session, number, 50))
        scene = Scene()

        async def commit(writes: list[Write]) -> None:
            raise AssertionError("nothing is written")

        await restore_rooms(scene.lobby, store, scene.world.loader, commit, lambda: 0)
        assert scene.lobby.rooms == {}


async def test_an_address_has_no_more_rooms_awake_than_are_left() -> None:
    places = 4 * ROOMS_AN_ADDRESS
    scene = Scene(max_rooms=places, address_rooms=places)
    rooms = [await scene.make(opponent=SELF) for _ in range(places // 2)]
    with pytest.raises(Refused, match="your address has many") as refused:
        await scene.make(opponent=SELF)
    assert refused.value.code == "busy"
    assert scene.world.limits.counts == {"max_rooms": 1}
    scene.ann.address = "elsewhere"
    await scene.make(opponent=SELF)
    scene.ann.address = "here"
    await scene.everybody_leaves()
    scene.ann = scene.comes(ANN)
    assert await scene.make(opponent=SELF), "those that sleep take no place"
    assert await scene.lobby.wake(scene.ann, rooms[0].id, None)


async def test_rooms_whose_game_is_over_take_places_too() -> None:
    places = 4 * ROOMS_AN_ADDRESS
    scene = Scene(max_rooms=places, address_rooms=ROOMS_AN_ADDRESS)
    for _ in range(places // 2):
        room = await scene.make(opponent=SELF)
        scene.world.ask(room, scene.ann, Act(room=room.id, game=1, action="abort"))
        await settle()
        assert room.session.game.result is not None
    with pytest.raises(Refused, match="your address has many"):
        await scene.make(opponent=SELF)
    scene.ann.address = "elsewhere"
    await scene.make(opponent=SELF)


async def test_where_all_places_are_taken_a_room_closes_that_is_over_and_left() -> None:
    scene = Scene(max_rooms=2)
    over, wanted_again = await scene.game(), await scene.game()
    for room in (over, wanted_again):
        scene.world.ask(room, scene.ann, Act(room=room.id, game=1, action="resign"))
    scene.world.ask(wanted_again, scene.ann, Rematch(room=wanted_again.id))
    await settle()
    for member in (scene.ann, scene.bob):
        over.leave(member)
        wanted_again.leave(member)
    await scene.world.wait(LEFT_MS - 1)
    with pytest.raises(Refused, match="All 2 rooms of the server are in use"):
        await scene.make(opponent=SELF)
    await scene.world.wait(1)
    third = await scene.make(opponent=SELF)
    assert set(scene.lobby.rooms) == {wanted_again.id, third.id}
    assert [number for _, number in scene.world.recorded(Statement.CLOSE_ROOM)] == [over.number]


async def test_without_a_bound_for_addresses_one_may_have_all_rooms() -> None:
    scene = Scene(max_rooms=2 * ROOMS_AN_ADDRESS, address_rooms=0)
    for _ in range(2 * ROOMS_AN_ADDRESS):
        await scene.make(opponent=SELF)
