"""A running room with Ann and Bob in it."""

from __future__ import annotations

from typing import Any

from server.play.writes import StoreUnavailable
from server.rooms.members import Origin
from server.rooms.room.room import Room
from server.wire import (
    Move,
)
from tests.support.rooms.fakes import FakeMember, World, kinds, settle
from tests.support.rooms.session_driver import ANN, BOB, EVE

DOWN = StoreUnavailable("The disk is full.")


def move(ply: int, text: str, *, game: int = 1) -> Move:
    return Move(room="room1", game=game, ply=ply, move=text)


class Table:
    """A running room with Ann and Bob in it, both following; what they were sent until then is forgotten."""

    def __init__(self, world: World, room: Room, ann: FakeMember, bob: FakeMember) -> None:
        self.world = world
        self.room = room
        self.ann = ann
        self.bob = bob

    async def play(self, moves: str) -> None:
        for text in moves.split():
            ply = len(self.room.session.game.cells)
            member = self.ann if self.room.session.game.to_move == "x" else self.bob
            self.world.ask(self.room, member, move(ply, text))
            await settle()

    async def watcher(self) -> FakeMember:
        member = FakeMember(EVE)
        self.room.watch(Origin(member, None))
        await settle()
        return member

    def take(self) -> tuple[list[str], list[str]]:
        return kinds(self.ann.take()), kinds(self.bob.take())


async def table(world: World | None = None, **spec: Any) -> Table:
    world = world or World()
    room = world.room(**spec)
    ann, bob = FakeMember(ANN), FakeMember(BOB)
    room.open(Origin(ann, None))
    room.watch(Origin(bob, None))
    await settle()
    ann.take()
    bob.take()
    return Table(world, room, ann, bob)
