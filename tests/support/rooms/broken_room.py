"""A room whose functions fail where and as often as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from server.play.effects import Acknowledge, Publish
from server.play.inputs import Committed, PlayerRequest
from server.play.session import Session
from server.rooms.members import Origin, SendQueue
from server.rooms.room import commits
from server.rooms.room import output as room_output
from server.rooms.room.commits import Commits
from server.rooms.room.load import RoomLoader
from server.rooms.room.output import RoomOutput
from server.rooms.room.room import RECOVERY_RETRY_S, Room
from server.wire import Move, Say
from tests.support.rooms.fakes import FakeMember, World, settle
from tests.support.rooms.replay import check_same
from tests.support.rooms.session_driver import ANN, BLITZ, BOB


class Fault:
    """Raises as often as it has been told to, where it is put."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.met = 0

    def meet(self) -> None:
        if self.left:
            self.left -= 1
            self.met += 1
            raise RuntimeError("a bug")


Put = Callable[[pytest.MonkeyPatch, Room, World, Fault], None]


def before(owner: Any, name: str) -> Put:
    """The fault is met before a function does its work."""

    def put(patch: pytest.MonkeyPatch, room: Room, world: World, fault: Fault) -> None:
        real = getattr(owner, name)

        def broken(*arguments: Any, **more: Any) -> Any:
            fault.meet()
            return real(*arguments, **more)

        patch.setattr(owner, name, broken)

    return put


def effect(kind: type) -> Put:
    def put(patch: pytest.MonkeyPatch, room: Room, world: World, fault: Fault) -> None:
        real = Room._CARRY[kind]

        def broken(here: Room, found: Any) -> None:
            fault.meet()
            real(here, found)

        patch.setitem(Room._CARRY, kind, broken)

    return put


def handling(kind: type) -> Put:
    """The session fails on this input, having changed something perhaps."""

    def put(patch: pytest.MonkeyPatch, room: Room, world: World, fault: Fault) -> None:
        real = Session._INPUTS[kind]

        def broken(session: Session, event: Any, now_ms: int) -> Any:
            session.seats["x"] = None
            fault.meet()
            session.seats["x"] = intact
            return real(session, event, now_ms)

        intact = room.session.seats["x"]
        patch.setitem(Session._INPUTS, kind, broken)

    return put


def after_the_commit(patch: pytest.MonkeyPatch, room: Room, world: World, fault: Fault) -> None:
    real = Commits.commit

    async def broken(self: Commits, *arguments: Any) -> Any:
        answer = await real(self, *arguments)
        fault.meet()
        return answer

    patch.setattr(Commits, "commit", broken)


def service(name: str) -> Put:
    """The fault is met by what a World is to its rooms."""

    def put(patch: pytest.MonkeyPatch, room: Room, world: World, fault: Fault) -> None:
        before(world, name)(patch, room, world, fault)

    return put


POINTS: dict[str, Put] = {
    "publish": effect(Publish),
    "acknowledge": effect(Acknowledge),
    "one event to all": before(RoomOutput, "_broadcast"),
    "the flush of the send queue": before(SendQueue, "flush"),
    "the event as JSON": before(commits, "encode_event"),
    "public_body": before(commits, "public_body"),
    "the commit itself": before(Commits, "commit"),
    "after the commit": after_the_commit,
    "the session on a request": handling(PlayerRequest),
    "the session on an answer of the store": handling(Committed),
    "the timer": before(Session, "deadline_ms"),
    "on_room_changed": service("on_room_changed"),
    "views": before(room_output, "room_view"),
    "loading": before(RoomLoader, "by_number"),
}


class Scene:
    """Ann and Bob in a game with a clock, or Ann and a bot; what they are sent is kept."""

    def __init__(self, world: World, room: Room) -> None:
        self.world = world
        self.room = room
        self.ann, self.bob = FakeMember(ANN), FakeMember(BOB)

    @classmethod
    async def made(cls, **spec: Any) -> Scene:
        world = World()
        scene = cls(world, world.room(**({"clock": BLITZ} | spec)))
        scene.room.open(Origin(scene.ann, None))
        scene.room.watch(Origin(scene.bob, None))
        await settle()
        scene.ann.take()
        scene.bob.take()
        return scene

    async def ask(self, member: FakeMember, request: Any, id: int) -> list[dict[str, Any]]:
        """The answers to a request: there is one."""
        self.world.ask(self.room, member, request, id=id)
        await self.world.wait(round(3 * RECOVERY_RETRY_S * 1000))
        return [message for message in member.take() if message.get("id") == id]

    async def check(self) -> None:
        """What is committed is what the room says, and it answers the next message."""
        loaded = await self.room._services.loader.by_number(1)
        assert loaded is not None
        check_same(self.room.session, loaded.session)
        self.room.watch(Origin(self.bob, None))
        (answer,) = await self.ask(self.bob, Say(room="room1", text="still here?"), id=77)
        assert answer["t"] == "ack"
        assert answer["seq"] == self.room.session.seq


def move(ply: int, text: str) -> Move:
    return Move(room="room1", game=1, ply=ply, move=text)


@contextmanager
def broken(put: Put, scene: Scene, times: int) -> Iterator[Fault]:
    fault = Fault(times)
    with pytest.MonkeyPatch.context() as patch:
        put(patch, scene.room, scene.world, fault)
        yield fault
        fault.left = 0
