"""A game from the frame to the acknowledgement in one process, in which something is measured move by move."""

from __future__ import annotations

import json
import secrets
import statistics
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from pathlib import Path
from types import CoroutineType
from typing import Any, ClassVar

from websockets.frames import Frame, Opcode

from engine.bots.roster import OUR_ROSTER
from server.config import Settings
from server.http.connections.gate import Gate
from server.http.connections.listen import Listener
from server.http.connections.socket import Socket
from server.http.message import Request, Response
from server.metrics import Metrics
from server.rooms.announcements import Announcements
from server.rooms.connection import Connection
from server.rooms.connection_context import ConnectionContext, Limits
from server.rooms.fair_queue import FairQueue
from server.rooms.players.player_names import NewNames
from server.wire import Player
from tests.support.rooms.fakes import World, settle
from tests.support.rooms.loopback import BanList
from tests.support.rooms.review_desk import ReviewDesk
from tests.support.rooms.session_driver import ANN, BOB

ROOT = Path(__file__).parents[3]


OURS = (str(ROOT / "engine"), str(ROOT / "server"))


MOVES = 24
"""of Qubic, before anybody can have won"""


OPENING = (
    b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Wire:
    """A transport that counts what goes out and keeps the last of it."""

    def __init__(self) -> None:
        self.writes = 0
        self.last = b""

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> None:
        return None

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def write(self, frames: bytes) -> None:
        self.writes += 1
        self.last = frames


class Counted(Coroutine[Any, Any, Any]):
    """A coroutine that keeps in which function of ours it really waits."""

    waits: ClassVar[list[str]] = []

    def __init__(self, inner: Coroutine[Any, Any, Any]) -> None:
        self._inner = inner

    def send(self, value: Any) -> Any:
        waits_for = self._inner.send(value)
        self.waits.append(innermost(self._inner))
        return waits_for

    def throw(self, *error: Any) -> Any:
        return self._inner.throw(*error)

    def close(self) -> None:
        self._inner.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._inner.__await__()


def innermost(waiting: Any) -> str:
    """The name of the coroutine of ours in which a task waits."""
    found = ""
    while isinstance(waiting, CoroutineType):
        if waiting.cr_code.co_filename.startswith(OURS):
            found = waiting.__qualname__
        waiting = waiting.cr_await
    return found


def framed(data: bytes) -> bytes:
    """As a client sends it."""
    return Frame(Opcode.TEXT, data).serialize(mask=True)


class Nobody:
    """Asks over HTTP: a move that did would fail here."""

    async def answer(self, request: Request) -> Response:
        raise AssertionError("a move asks nothing over HTTP")

    def cost(self, request: Request) -> float:
        raise AssertionError("a move asks nothing over HTTP")


class KnownPlayers:
    """Ann comes first, then Bob."""

    def __init__(self) -> None:
        self._coming = [BOB, ANN]

    async def by_token(self, hashed: bytes) -> Player:
        return self._coming.pop()


class MeasuredGame:
    """Ann and Bob, each on a connection, in a running game of Qubic with a clock."""

    def __init__(self) -> None:
        self.world = World()
        lobby = self.world.lobby()
        clock = self.world.clock
        identity: Any = KnownPlayers()
        self.context = ConnectionContext(
            lobby,
            ReviewDesk(self.world).reviews,
            identity,
            NewNames(OUR_ROSTER),
            BanList(),
            Announcements(list, clock.unix_ms),
            Limits(0, 0, 0),
            Metrics(),
            clock.now_ms,
            clock.now_us,
            clock.unix_ms,
            secrets,
            FairQueue(clock.now_us, bounded=False),
        )
        metrics = self.context.metrics
        gate = Gate(Settings(), metrics, clock.now_ms, lambda: False)
        connect = partial(Connection, context=self.context)
        self.listener = Listener(gate, metrics, 3600, clock.now_ms, Nobody(), connect, self.context.fair_queue)
        self.wires = (Wire(), Wire())
        self.sockets = [self._connect(wire) for wire in self.wires]
        self.room = ""
        self.ply = 0

    def _connect(self, wire: Wire) -> Socket:
        socket = self.listener.accepted()
        socket.connection_made(wire)  # type: ignore[arg-type]
        socket.data_received(OPENING)
        assert wire.last.startswith(b"HTTP/1.1 101 ")
        return socket

    async def say(self, number: int, **message: Any) -> None:
        self.sockets[number].data_received(framed(json.dumps(message).encode()))
        await settle()

    async def begin(self) -> None:
        for number in range(2):
            await self.say(number, t="hello", v=1, token="anybody's")
        await self.say(0, t="create", game="qubic", seat="x", clock={"initial_ms": 60_000, "increment_ms": 1_000})
        (self.room,) = self.context.lobby.rooms
        await self.say(1, t="join", room=self.room)
        self.world.by_hand = True

    async def move(self) -> None:
        """The next move, as the network hands it over, until both have heard of it."""
        cell = self.ply * 7 % 64
        text = self.context.lobby.rooms[self.room].session.rules.texts[cell]
        message = b'{"t":"move","id":%d,"room":"%b","game":1,"ply":%d,"move":"%b"}'
        data = message % (self.ply, self.room.encode(), self.ply, text.encode())
        self.sockets[self.ply % 2].data_received(framed(data))
        await settle()
        sent = [wire.writes for wire in self.wires]
        await self.world.commit()
        assert [wire.writes for wire in self.wires] == [count + 1 for count in sent], "both hear of it, all at once"
        self.ply += 1

    async def measured(self, measure: Callable[[], float]) -> float:
        """The median over moves of how much `measure` grows by one."""
        await self.begin()
        for _ in range(4):  # what is made once is made
            await self.move()
        grown = []
        while self.ply < MOVES:
            before = measure()
            await self.move()
            grown.append(measure() - before)
        session = self.context.lobby.rooms[self.room].session
        assert len(session.game.cells) == MOVES, self.wires[0].last
        assert session.game.running
        return statistics.median(grown)
