"""Deleting a player: what rooms still show, and what happens at the same time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from server.db.store import Store
from server.play.effects import SequencedEvent
from server.play.inputs import PlayerDeleted
from server.play.session import Session
from server.play.writes import DELETED_TEXT, Statement, StoreUnavailable
from server.rooms.anonymous import anonymous
from server.rooms.lobby import lobby as lobby_module
from server.rooms.lobby.lobby import Lobby
from server.rooms.members import Origin
from server.rooms.players.deletion import delete_player, finish_deletions
from server.rooms.players.players import Players
from server.rooms.refused import Refused
from server.rooms.room.room import Room
from server.wire import Act, Author, Create, Join, Opponent, Player, Said, Say
from tests.support.database.database_files import ANN as ANN_ROW
from tests.support.database.database_files import (
    add_move,
    new_database,
    opened,
    people_and_rooms,
    rating_history,
    start_game,
)
from tests.support.rooms.fakes import FakeMember, World, settle
from tests.support.rooms.loopback import serving
from tests.support.rooms.session_driver import ANN, BOB


class Hall:
    """A lobby where Ann and Bob are, and Bob has a room."""

    def __init__(self) -> None:
        self.world = World()
        self.lobby: Lobby = self.world.lobby()
        self.ann, self.bob = FakeMember(ANN), FakeMember(BOB)
        self.deletions: list[Player] = []
        self.rows_before = 0
        """committed when somebody was deleted"""
        self.failure: Exception | None = None
        self.forget_failure: Exception | None = None
        for member in (self.ann, self.bob):
            self.lobby.on_connect(member)

    async def room(self, member: FakeMember, **fields: Any) -> str:
        await self.lobby.create(Origin(member, 1), Create(game="tictactoe", **fields))
        await settle()
        room: str = next(message["room"] for message in member.take() if message["t"] == "room")
        return room

    async def bots_of(self, owner: Player) -> list[Player]:
        return []

    async def delete(self, players: Sequence[Player]) -> None:
        if self.failure is not None:
            raise self.failure
        self.deletions += players
        self.rows_before = len(self.world.rows)

    async def forget(self, players: Sequence[Player] | None = None) -> None:
        if self.forget_failure is not None:
            raise self.forget_failure

    async def delete_ann(self) -> None:
        await delete_player(self.lobby, ANN, self)


async def test_who_plays_is_not_deleted() -> None:
    hall = Hall()
    seek = await hall.room(hall.bob)
    waits = hall.lobby.rooms[await hall.room(hall.ann)]
    await hall.room(hall.ann, opponent=Opponent(kind="self"))
    with pytest.raises(Refused, match="running game") as refused:
        await hall.delete_ann()
    assert (refused.value.code, hall.deletions) == ("not_now", [])
    assert not hall.lobby.is_being_deleted(ANN.id), "all goes on"
    assert seek in hall.lobby.rooms
    assert waits.session.waiting


async def test_who_waits_is_deleted_and_waits_no_longer() -> None:
    hall = Hall()
    seek = hall.lobby.rooms[await hall.room(hall.bob)]
    waiting = [
        hall.lobby.rooms[await hall.room(hall.ann, opponent=opponent)] for opponent in (None, Opponent(kind="invite"))
    ]
    await hall.delete_ann()
    assert hall.deletions == [ANN]
    results = [room.session.game.result for room in waiting]
    assert [result and result.termination for result in results] == ["aborted", "aborted"]
    assert seek.session.waiting, "Bob's"
    assert hall.lobby.rooms_of(ANN.id) == []


async def test_what_waits_and_cannot_be_ended_is_not_deleted() -> None:
    hall = Hall()
    await hall.room(hall.ann)
    hall.world.failure = StoreUnavailable("full")
    with pytest.raises(Refused, match="nothing was deleted") as refused:
        await hall.delete_ann()
    assert (refused.value.code, hall.deletions) == ("unavailable", [])


async def test_a_join_that_was_under_way_is_seen() -> None:
    hall = Hall()
    seek = await hall.room(hall.bob)
    hall.world.by_hand = True
    hall.world.ask(hall.lobby.rooms[seek], hall.ann, Join(room=seek))
    await settle()
    deletion = asyncio.ensure_future(hall.delete_ann())
    await settle()
    assert not deletion.done(), "the join is being committed"
    hall.world.by_hand = False
    await hall.world.commit()
    with pytest.raises(Refused, match="running game"):
        await deletion


async def test_what_fails_to_be_committed_changes_nothing() -> None:
    hall = Hall()
    seek = await hall.room(hall.bob)
    hall.world.ask(hall.lobby.rooms[seek], hall.ann, Say(room=seek, text="hello"))
    hall.failure = StoreUnavailable("full")
    with pytest.raises(StoreUnavailable):
        await hall.delete_ann()
    assert not hall.lobby.is_being_deleted(ANN.id)
    assert hall.ann.player == ANN


async def test_while_it_is_deleted_nothing_begins() -> None:
    hall = Hall()
    assert hall.lobby.begin_deletion(ANN.id)
    with pytest.raises(Refused, match="already"):
        await hall.delete_ann()
    with pytest.raises(Refused, match="being deleted"):
        await hall.room(hall.ann)
    hall.lobby.on_rename(Player(id=ANN.id, name="Overtaken", kind="person"))
    assert hall.ann.player == ANN
    hall.lobby.cancel_deletion(ANN.id)
    await hall.room(hall.ann, opponent=Opponent(kind="self"))


async def renamed_in_many_rooms() -> tuple[Hall, list[Room]]:
    """Ann goes by another name, which the first of her rooms have been told."""
    hall = Hall()
    rooms = [hall.lobby.rooms[await hall.room(hall.ann, opponent=Opponent(kind="self"))] for _ in range(50)]
    for room in rooms:
        hall.world.ask(room, hall.ann, Act(room=room.id, game=1, action="abort"))
    await settle()
    hall.world.by_hand = True
    hall.lobby.on_rename(Player(id=ANN.id, name="Anna", kind="person"))
    await settle()
    return hall, rooms


def names(rooms: Sequence[Room]) -> set[str]:
    return {seat.name for room in rooms for seat in room.session.seats.values() if seat is not None}


async def test_a_new_name_that_a_deletion_overtakes_reaches_no_more_rooms() -> None:
    hall, rooms = await renamed_in_many_rooms()
    deletion = asyncio.ensure_future(hall.delete_ann())
    hall.world.by_hand = False
    while hall.world.waiting:
        await hall.world.commit()
    await deletion
    await settle()
    assert names(rooms) == {anonymous(ANN).name}
    assert "Anna" in str(hall.world.rows)
    assert "Anna" not in str(hall.world.rows[hall.rows_before :])


async def test_a_new_name_reaches_all_rooms_where_the_deletion_fails() -> None:
    hall, rooms = await renamed_in_many_rooms()
    hall.failure = StoreUnavailable("full")
    deletion = asyncio.ensure_future(hall.delete_ann())
    hall.world.by_hand = False
    while hall.world.waiting:
        await hall.world.commit()
    with pytest.raises(StoreUnavailable):
        await deletion
    for _ in range(10):
        await settle()
    assert names(rooms) == {"Anna"}


async def test_rooms_forget_what_was_said_and_who_made_them() -> None:
    hall = Hall()
    seek = await hall.room(hall.bob)
    room = hall.lobby.rooms[seek]
    room.watch(Origin(hall.ann, 1))
    hall.world.ask(room, hall.ann, Say(room=seek, text="hello"))
    await settle()
    hall.bob.take()
    await hall.delete_ann()
    (shown,) = [message for message in hall.bob.take() if message["t"] == "room"]
    name = anonymous(ANN).name
    assert [(line["by"]["name"], line["text"]) for line in shown["chat"]] == [(name, DELETED_TEXT)]
    # The last events, too, that are kept for whoever comes back.
    late = FakeMember(BOB)
    room.catch_up(Origin(late, 2), 1)
    await settle()
    assert "hello" not in json.dumps(late.take())
    room.catch_up(Origin(late, 3), room.session.seq)
    await settle()
    assert [message["t"] for message in late.take()] == ["room"], "they may have been away meanwhile"
    hall.world.ask(room, hall.bob, Say(room=seek, text="good bye"))
    room.catch_up(Origin(late, 4), room.session.seq + 1)
    await settle()
    assert "room" not in [message["t"] for message in late.take()]
    assert hall.ann.player == anonymous(ANN)
    assert hall.lobby.is_being_deleted(ANN.id)
    assert hall.lobby.is_deleted(ANN.id)
    hall.lobby.end_connections(ANN.id, "deleted")
    assert (hall.ann.open, hall.bob.open) == (False, True)


async def test_rooms_that_name_nobody_deleted_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be 20,000, and anybody may be deleted at any time."""
    hall = Hall()
    asked: list[str] = []
    ask = Room.on_player_deleted

    def counted(room: Room, deleted: PlayerDeleted) -> asyncio.Future[None]:
        asked.append(room.id)
        return ask(room, deleted)

    monkeypatch.setattr(Room, "on_player_deleted", counted)
    others, spoken, own = await hall.room(hall.bob), await hall.room(hall.bob), await hall.room(hall.ann)
    for watched in (others, spoken):
        hall.lobby.rooms[watched].watch(Origin(hall.ann, 2))
    hall.world.ask(hall.lobby.rooms[spoken], hall.ann, Say(room=spoken, text="Hello"))
    await settle()
    await hall.lobby.on_player_deleted(anonymous(ANN), DELETED_TEXT)
    assert sorted(asked) == sorted([spoken, own])


async def test_rooms_are_looked_through_for_a_name_in_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall()
    rooms = [await hall.room(hall.bob, opponent=Opponent(kind="self")) for _ in range(5)]
    monkeypatch.setattr(lobby_module, "NAMES_READ", 2)
    looked_at: list[str] = []
    names = Session.names

    def noting(self: Session, player: str) -> bool:
        looked_at.append(self.room)
        return names(self, player)

    monkeypatch.setattr(Session, "names", noting)
    deleting = asyncio.create_task(hall.lobby.on_player_deleted(anonymous(ANN), DELETED_TEXT))
    seen = []
    while not deleting.done():
        await asyncio.sleep(0)
        seen.append(len(looked_at))
    assert looked_at == rooms
    assert seen[:3] == [2, 4, 5]


async def test_a_room_that_ends_meanwhile_holds_nobody_up() -> None:
    hall = Hall()
    room = hall.lobby.rooms[await hall.room(hall.bob)]
    room.session.closed = True
    reached = [room.settled(), room.settled()]
    await settle()
    assert all(one.done() for one in reached)


async def test_the_rows_of_a_player(tmp_path: Path) -> None:
    async with opened(new_database(tmp_path)) as store:
        await store.write(people_and_rooms())
        await store.write([start_game(1), add_move(1, 0)])
        rating = (ANN_ROW, "tictactoe", 1500.0, 300.0, 0.06, 1, 5)
        await store.write([(Statement.SET_RATING, rating)])
        await store.write([(Statement.ADD_RATING_CHANGE, (1, ANN_ROW, 1500.0, 1600.0, 300.0, 0.06))])
        spec = {"game": "tictactoe", "creator": {"id": "1", "name": "Ann"}, "x": {"id": "1", "name": "Ann"},
                "o": {"id": "2", "name": "Ann"}}  # fmt: skip
        await store.write([(Statement.ADD_ROOM, (9, "room-nine", json.dumps(spec), None, 4))])
        alone = spec | {"o": spec["x"]}
        await store.write([(Statement.ADD_ROOM, (8, "room-eight", json.dumps(alone), None, 4))])
        seated = {"e": "seated", "seat": {"id": "1", "name": "Ann", "rating": {"value": 1}}}
        said = {"e": "said", "by": {"id": "1", "name": "Ann"}, "text": "it's me"}
        others = {"e": "said", "by": {"id": "11", "name": "Ann"}, "text": "me too"}
        bodies = [("seated", seated), ("said", said), ("said", others)]
        for seq, (kind, body) in enumerate(bodies, 1):
            await store.write([(Statement.ADD_EVENT, (9, seq, 5, kind, json.dumps(body)))])
        before = store.writer.commits
        ann, players = Player(id="1", name="Ann", kind="person"), Players(store, lambda: 5, lambda id: None)
        await players.delete([ann])
        assert store.writer.commits == before + 1
        await players.forget([ann])
        name = "deleted player 1"
        assert (await store.player_by_token(b"a" * 32), await store.player(ANN_ROW)) == (None, None)
        game = await store.game(1)
        assert game is not None
        assert (game.x_name, game.o_name, len(await store.move_rows(1))) == (name, "Bob", 1)
        assert await events(store) == [
            {"e": "seated", "seat": {"id": "1", "name": name}},
            {"e": "said", "by": {"id": "1", "name": name}, "text": DELETED_TEXT},
            others,
        ]
        specs = {row.number: json.loads(row.spec) for row in await store.awake_rooms()}
        assert [specs[9][part]["name"] for part in ("creator", "x", "o")] == [name, name, "Ann"]
        assert [specs[8][part]["name"] for part in ("creator", "x", "o")] == [name] * 3
        assert "x" not in specs[1]
        assert await store.ratings(ANN_ROW) == []
        assert await rating_history(store, ANN_ROW, "tictactoe") == []


async def test_who_is_deleted_stays_so_though_their_words_cannot_be_deleted_now() -> None:
    hall = Hall()
    room = hall.lobby.rooms[await hall.room(hall.bob)]
    said = Said(by=Author(id=ANN.id, name=ANN.name), text="hello")
    room.session.apply(SequencedEvent(room.session.seq + 1, said), 5, None)
    hall.forget_failure = StoreUnavailable("full")
    await hall.delete_ann()
    assert hall.lobby.is_deleted(ANN.id)
    assert [(line.by.name, line.text) for line in room.session.chat] == [(anonymous(ANN).name, DELETED_TEXT)]
    await finish_deletions(hall)  # fails again, and is told in the log


async def events(store: Store) -> list[dict[str, object]]:
    return [json.loads(row.body) for row in await store.room_events(9)]


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - a set tells nobody when it changes
            await asyncio.sleep(0)


async def test_a_deletion_is_brought_to_its_end_though_who_asked_goes() -> None:
    async with serving() as at:
        zoe = await at.guest(name="Zoe")
        at.people.gate = asyncio.Event()
        await zoe.send({"t": "forget"})
        await settle()
        other = await at.client()
        await other.send({"t": "hello", "v": 1, "token": "ann's token"})
        await until(lambda: at.context.deletions)
        zoe.socket.transport.abort()
        await at.connections[0].over.wait()
        at.people.gate.set()
        assert (await other.get())["t"] == "welcome"
        await until(lambda: not at.context.deletions)
        assert [player.name for player in at.people.by_hash.values()] == [ANN.name]


async def test_a_greeting_that_a_deletion_overtakes_is_unauthorised(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as at:
        ann = await at.guest(token="ann's token")
        found, go_on = asyncio.Event(), asyncio.Event()

        async def slowly(hashed: bytes) -> Player | None:
            player = at.people.by_hash.get(hashed)
            found.set()
            await go_on.wait()
            return player

        monkeypatch.setattr(at.people, "by_token", slowly)
        second = await at.client()
        await second.send({"t": "hello", "v": 1, "token": "ann's token", "id": 5})
        await found.wait()
        assert await ann.ask({"t": "forget", "id": 6}) == {"t": "ack", "id": 6}
        assert await ann.closed() == 1000
        go_on.set()
        assert await second.get() == {
            "t": "error",
            "id": 5,
            "code": "unauthorised",
            "message": "This player was deleted; say hello without a token to become a new one.",
        }


async def test_a_room_that_wakes_during_a_deletion_seats_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as at:
        bob = await at.guest()
        await bob.send({"t": "create", "game": "tictactoe", "seat": "x"})
        room = (await bob.get())["room"]
        ann = await at.guest(token="ann's token")
        here = at.lobby.rooms[room]
        reading, go_on = asyncio.Event(), asyncio.Event()

        async def slowly(*_: object) -> Room:
            reading.set()
            await go_on.wait()
            return here

        monkeypatch.setattr(at.lobby, "wake", slowly)
        monkeypatch.setattr(at.lobby, "find", lambda *_: here if go_on.is_set() else None)
        await ann.send({"t": "join", "room": room})
        await reading.wait()
        assert at.lobby.begin_deletion(ANN.id)
        go_on.set()
        assert (await ann.get())["code"] == "not_now"
        await settle()
        assert here.session.waiting


async def test_who_says_hello_meanwhile_keeps_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deletion may fail, and whoever is told `unauthorised` forgets the token."""
    async with serving() as at:
        ann, second = await at.guest(token="ann's token"), await at.client()
        deleting = asyncio.Event()

        async def delete(players: Sequence[Player]) -> None:
            await deleting.wait()
            raise StoreUnavailable("full")

        monkeypatch.setattr(at.people, "delete", delete)
        await ann.send({"t": "forget"})
        await until(lambda: at.lobby.is_being_deleted(ANN.id))
        hello = {"t": "hello", "v": 1, "token": "ann's token"}
        assert await second.code(hello) == "busy"
        deleting.set()
        assert (await ann.get())["code"] == "unavailable"
        assert (await second.ask(hello))["t"] == "welcome"


async def test_a_move_behind_it_is_made_where_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as at:
        ann = await at.guest(token="ann's token")
        room = (await ann.ask({"t": "create", "game": "tictactoe", "opponent": {"kind": "self"}}))["room"]
        go_on = asyncio.Event()
        monkeypatch.setattr(at.lobby, "settle", go_on.wait)
        await ann.send({"t": "forget", "id": 1})
        await until(lambda: at.lobby.is_being_deleted(ANN.id))
        await ann.send({"t": "move", "room": room, "game": 1, "ply": 0, "move": "a1", "id": 2})
        await asyncio.sleep(0)
        go_on.set()
        answers: dict[int, str] = {}
        while len(answers) < 2:
            answer = await ann.get()
            if answer.get("id") is not None:
                answers[answer["id"]] = answer.get("code", answer["t"])
        assert answers == {1: "not_now", 2: "ack"}


async def test_another_connection_is_told_to_wait() -> None:
    async with serving() as at:
        ann, second = await at.guest(token="ann's token"), await at.guest(token="ann's token")
        at.people.gate = asyncio.Event()
        await ann.send({"t": "forget"})
        await until(lambda: at.context.deletions)
        await settle()
        for request in ({"t": "create", "game": "tictactoe"}, {"t": "lobby", "on": True}):
            assert await second.code(request) == "not_now"
        at.people.failure = StoreUnavailable("full")
        at.people.gate.set()
        assert (await ann.get())["code"] == "unavailable"
        assert (await second.ask({"t": "create", "game": "tictactoe"}))["t"] == "room", "nothing has changed"
