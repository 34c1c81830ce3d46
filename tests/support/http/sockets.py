"""Sockets without a network: what a test feeds in is received, what is written is kept; time is the test's."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from websockets.frames import Frame, Opcode

from engine.bots.roster import OUR_ROSTER
from server.config import Settings
from server.http.connections.gate import Gate
from server.http.connections.listen import Listener
from server.http.connections.socket import Socket
from server.http.message import Request, Response
from server.http.responses import text_response
from server.metrics import Metrics
from server.rooms.announcements import Announcements
from server.rooms.connection import Connection, Wire
from server.rooms.connection_context import ConnectionContext, Limits
from server.rooms.fair_queue import REST_S, FairQueue
from server.rooms.players.player_names import NewNames
from tests.support.rooms.fakes import World, settle
from tests.support.rooms.loopback import NO_LIMITS, BanList, People
from tests.support.rooms.review_desk import ReviewDesk

PEER = ("192.0.2.1", 4711)
NAMES = NewNames(OUR_ROSTER)
"""Made once, as it looks through all bots: fuzzers make a house for each input."""
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def get(path: str, *headers: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: a", *headers, "", ""]).encode()


def framed(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, data, fin).serialize(mask=True)


class Transport:
    """Of the socket under test. `unread` is what the client has not read."""

    def __init__(self, peer: tuple[str, int] | None = PEER) -> None:
        self.peer = peer
        self.written = b""
        self.unread = 0
        self.reading = True
        self.eof = False
        self.closed = False
        self.aborted = False

    def get_extra_info(self, name: str) -> Any:
        assert name == "peername"
        return self.peer

    def get_write_buffer_size(self) -> int:
        return self.unread

    def write(self, data: bytes) -> None:
        assert not self.eof
        self.written += data

    def write_eof(self) -> None:
        self.eof = True

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        assert self.reading
        self.reading = False

    def resume_reading(self) -> None:
        assert not self.reading
        self.reading = True


class Client:
    """The other end."""

    def __init__(self, house: House, peer: tuple[str, int] | None = PEER) -> None:
        self._house = house
        self.transport = Transport(peer)
        self.socket: Socket = house.listener.accepted()
        self.socket.connection_made(self.transport)  # type: ignore[arg-type]

    async def send(self, data: bytes, size: int | None = None) -> None:
        """All at once, or `size` bytes at a time; then everything takes its course."""
        for start in range(0, len(data), size or len(data)):
            self.socket.data_received(data[start : start + (size or len(data))])
        await self._house.all_turns()

    async def hang_up(self) -> None:
        assert self.socket.eof_received()
        await self._house.all_turns()

    def lost(self) -> None:
        self.socket.connection_lost(None)

    def take(self) -> bytes:
        """What was written since the last call."""
        written, self.transport.written = self.transport.written, b""
        return written

    def answers(self) -> list[tuple[int, dict[str, str], bytes]]:
        """The HTTP answers among that: status, headers and body. To HEAD there is a body of nothing."""
        found, rest = [], self.take()
        while rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            status, *lines = head.decode().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines)
            length = 0 if rest.startswith(b"HTTP/1.1") else min(int(headers["Content-Length"]), len(rest))
            [code] = re.findall(r"^HTTP/1.1 (\d+) ", status)
            found.append((int(code), headers, rest[:length]))
            rest = rest[length:]
        return found

    def statuses(self) -> list[int]:
        return [status for status, _, _ in self.answers()]

    def frames(self) -> list[tuple[Opcode, bytes]]:
        """The websocket frames that were written since the last call."""
        found, rest = [], self.take()
        while rest:
            length, start = rest[1], 2
            if length == 126:
                length, start = int.from_bytes(rest[2:4], "big"), 4
            found.append((Opcode(rest[0] & 15), rest[start : start + length]))
            rest = rest[start + length :]
        return found

    def close_code(self) -> int | None:
        """Of the close frame among them."""
        return next((int.from_bytes(data[:2], "big") for code, data in self.frames() if code is Opcode.CLOSE), None)

    async def upgraded(self) -> Client:
        await self.send(UPGRADE)
        assert self.take().startswith(b"HTTP/1.1 101 ")
        return self


class House:
    """Everything behind a listening socket, with answers that wait for `gate` while it is set."""

    def __init__(self, limits: Limits = NO_LIMITS, **settings: Any) -> None:
        self.world = World()
        clock = self.world.clock
        self.people = People(self.world.people)
        self.metrics = Metrics()
        self.context = ConnectionContext(
            self.world.lobby(),
            ReviewDesk(self.world).reviews,
            self.people,
            NAMES,
            BanList(),
            Announcements(list, clock.unix_ms),
            limits,
            self.metrics,
            clock.now_ms,
            clock.now_us,
            clock.unix_ms,
            secrets,
            FairQueue(clock.now_us, bounded=bool(limits.connection_rate)),
        )
        self.gate = Gate(Settings(**settings), self.metrics, clock.now_ms, lambda: self.context.closing)
        self.listener = Listener(
            self.gate, self.metrics, 20, clock.now_ms, self, self._connect, self.context.fair_queue
        )
        self.costs = 1.0
        self.asked: list[Request] = []
        self.waits: asyncio.Event | None = None
        self.reply: Callable[[Request], Response] = lambda request: text_response(HTTPStatus.OK, request.path)
        self.connections: list[Connection] = []

    def client(self, peer: tuple[str, int] | None = PEER) -> Client:
        return Client(self, peer)

    async def wait(self, seconds: float) -> None:
        await self.world.wait(round(seconds * 1000))

    async def all_turns(self) -> None:
        """Let everything take its course, and the time that this needs pass."""
        await settle()
        while self.listener.fair_queue.waiting:
            await self.wait(REST_S)

    def cost(self, request: Request) -> float:
        return self.costs

    async def answer(self, request: Request) -> Response:
        self.asked.append(request)
        if self.waits is not None:
            await self.waits.wait()
        response = self.reply(request)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _connect(self, wire: Wire) -> Connection:
        self.connections.append(Connection(wire, self.context))
        return self.connections[-1]
