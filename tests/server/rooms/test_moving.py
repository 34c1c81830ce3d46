"""A running room moved between two lobbies, each with a store of its own over one database: see docs/scaling.md.

A prototype: nothing in the server moves rooms yet. It shows that what is committed is enough to go on elsewhere.
"""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.db.store import Store
from server.play.inputs import PlayerRequest, Ticket
from server.play.room_spec import Pace
from server.play.writes import Conflict, Statement
from server.rooms.lobby.lobby import Lobby
from server.rooms.members import Origin
from server.rooms.room.load import RoomLoader
from server.rooms.room.rating_book import RatingBook
from server.rooms.room.room import Room
from server.wire import Create, Join, Move, Opponent, Player
from tests.support.database.database_files import new_database, opened
from tests.support.rooms.fakes import FakeMember, World
from tests.support.rooms.session_driver import ANN, BLITZ, BOB

MOVES = ("a1", "b2", "b1", "c1", "a3", "a2", "c2", "b3", "c3")
"""A draw."""


class House:
    """A lobby and its store, as each process would have them."""

    def __init__(self, world: World, store: Store) -> None:
        self.store = store
        self.loader = RoomLoader(store, Pace(between_ms=0), world.clock.now_ms, world.clock.unix_ms)
        services = dataclasses.replace(
            world.services, committer=store, loader=self.loader, tickets=self, ratings=RatingBook(store)
        )
        self.lobby = Lobby(
            services, store, world, world, world.limits, pace=Pace(), machine="here", software="noughts 0", max_rooms=9
        )

    async def new_ticket(self) -> Ticket:
        return Ticket(id=await self.store.next_id("game"), seed=7)

    def come(self, player: Player) -> FakeMember:
        member = FakeMember(player)
        self.lobby.on_connect(member)
        return member

    async def take_over(self, other: House, id: str) -> Room:
        """Go on with a room that another house has, from what that has committed."""
        room = other.lobby.rooms.pop(id)
        room.stop()
        # Behind whatever the room has on its way to the database: stores write in the order of arrival.
        await other.store.write([(Statement.WAKE_ROOM, (room.number,))])
        loaded = await self.loader.by_number(room.number)
        assert loaded is not None
        self.lobby.restore(loaded)
        return self.lobby.rooms[id]


class Witness:
    """A player who moves house: everything that they were told, by number."""

    def __init__(self, house: House, player: Player) -> None:
        self.player = player
        self.events: dict[int, dict[str, Any]] = {}
        self.member = house.come(player)

    def note(self) -> None:
        for message in self.member.take():
            if message["t"] == "event":
                told = {name: value for name, value in message.items() if name != "legal"}
                assert self.events.setdefault(message["seq"], told) == told, "two accounts of one event"

    async def follow(self, house: House, room: Room) -> None:
        self.note()
        self.member = house.come(self.player)
        room.catch_up(Origin(self.member, None), max(self.events, default=0))
        await room.settled()

    def post(self, room: Room, ply: int) -> None:
        move = Move(room=room.id, game=1, ply=ply, move=MOVES[ply])
        room.post_request(PlayerRequest(Origin(self.member, None), self.player, move), room._services.clock.now_ms())


@pytest.mark.parametrize("under_way", [False, True], ids=["between moves", "with a move on its way"])
@pytest.mark.parametrize("at", range(1, 9))
async def test_a_running_game_goes_on_in_another_house(tmp_path: Path, at: int, under_way: bool) -> None:
    world, path = World(), new_database(tmp_path)
    async with opened(path) as one, opened(path) as two:
        for player in (ANN, BOB):
            row = (int(player.id), player.name, "person", player.name.encode(), 1)
            await one.write([(Statement.ADD_PLAYER, row)])
        old, new = House(world, one), House(world, two)
        witnesses = ann, bob = Witness(old, ANN), Witness(old, BOB)
        request = Create(game="tictactoe", seat="x", opponent=Opponent(kind="invite"), clock=BLITZ)
        await old.lobby.create(Origin(ann.member, None), request)
        (room,) = old.lobby.rooms.values()
        await room.settled()
        join = PlayerRequest(Origin(bob.member, None), BOB, Join(code=room.code))
        room.post_request(join, world.now_ms)
        for ply in range(at):
            witnesses[ply % 2].post(room, ply)
            await room.settled()
        for witness in witnesses:
            witness.note()
        if under_way:
            witnesses[at % 2].post(room, at)
            await asyncio.sleep(0)  # the room hands it to the store, and nobody has an answer
        room = await new.take_over(old, room.id)
        for witness in witnesses:
            await witness.follow(new, room)
        for ply in range(len(room.session.game.cells), len(MOVES)):
            witnesses[ply % 2].post(room, ply)
            await room.settled()
        for witness in witnesses:
            witness.note()
        result = room.session.game.result
        assert result is not None
        assert result.termination == "board_full"
        room.stop()
    with closing(sqlite3.connect(path)) as records:
        committed = [seq for (seq,) in records.execute("SELECT seq FROM events ORDER BY seq")]
    assert committed == list(range(1, len(committed) + 1))
    for witness, first in ((ann, 2), (bob, 4)):
        # Of what came before they were shown the room as a whole.
        assert sorted(witness.events) == committed[first - 1 :]


async def test_whoever_comes_late_with_an_event_is_refused(tmp_path: Path) -> None:
    """A house that does not know that a room has moved cannot write over what the new one has committed."""
    world, path = World(), new_database(tmp_path)
    async with opened(path) as one, opened(path) as two:
        await one.write([(Statement.ADD_PLAYER, (int(ANN.id), ANN.name, "person", b"a", 1))])
        old, new = House(world, one), House(world, two)
        ann = old.come(ANN)
        await old.lobby.create(Origin(ann, None), Create(game="tictactoe", opponent=Opponent(kind="self")))
        (room,) = old.lobby.rooms.values()
        await room.settled()
        seq = room.session.seq + 1
        moved = await new.take_over(old, room.id)
        event = (Statement.ADD_EVENT, (room.number, seq, 1, "said", "{}"))
        await two.write([event])
        with pytest.raises(Conflict):
            await one.write([event])
        moved.stop()
