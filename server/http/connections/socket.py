"""A socket: the one asyncio protocol of the server, from its first byte to its last.

    accepted -> Conversation (HTTP by h11) -> WebSocket (frames by websockets' ServerProtocol) -> gone

Here is what both phases share: bytes are taken in bounded turns, so that a client that sends much does not hold up the
others; while some are left over, or the phase holds the socket, it is not read; and whatever ends is gone within a
second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, cast

from server.http.connections.gate import Gate
from server.http.connections.keepalive import Keepalive
from server.http.message import LOCAL, Request, Response
from server.metrics import Metrics
from server.rooms.connection import Connection, Wire
from server.rooms.fair_queue import FairQueue

CLOSE_S = 1.0
"""How long a closing connection may take to say goodbye."""
DEAF_S = 0.05
"""Pause between reads from a client that is being closed and keeps sending. Each read empties the system's buffer up to
32 times, which took 40 ms for a hundred such floods."""
LEAST_COST = 0.1
"""Least cost of reading anything at all, in turns."""


class Phase(Protocol):
    """What reads and writes a socket at present."""

    TURN_BYTES: int
    """How much of what arrived it may be given in one turn of the event loop: about a millisecond."""

    def receive(self, data: bytes) -> int:
        """Return how many of these bytes it took. It is given the rest again in a later turn."""

    def eof(self) -> None:
        """The client will send no more."""

    def resume_writing(self) -> None:
        """The client has read most of what was sent."""

    def stop(self) -> None:
        """The server restarts."""

    def lost(self) -> None: ...


class _Gone:
    """The phase of a closed socket: whatever still arrives is ignored."""

    TURN_BYTES = 1024

    def receive(self, data: bytes) -> int:
        return len(data)

    def eof(self) -> None: ...

    def resume_writing(self) -> None: ...

    def stop(self) -> None: ...

    def lost(self) -> None: ...


GONE = _Gone()


@dataclass(slots=True)
class SocketContext:
    """What all sockets share."""

    answer: Callable[[Request], Awaitable[Response]]
    """answers a request that does not open a websocket"""
    cost: Callable[[Request], float]
    """cost of such an answer, in turns of about a millisecond"""
    connect: Callable[[Wire], Connection]
    gate: Gate
    keepalive: Keepalive
    metrics: Metrics
    now_ms: Callable[[], int]
    fair_queue: FairQueue
    begin: Callable[[Socket], Phase]
    """the first phase of a socket"""
    sockets: dict[Socket, None] = field(default_factory=dict)
    emptied: asyncio.Event = field(default_factory=asyncio.Event)
    """set while there is no socket"""


class Socket(asyncio.Protocol):
    """A socket for each accepted connection. `held` while its phase does not want to be read."""

    __slots__ = ("_context", "_deaf", "_ending", "_eof", "_lost", "_reading", "_timer", "_turn_due", "_unread",
                 "address", "counted", "held", "phase", "transport", "writable")  # fmt: skip

    def __init__(self, context: SocketContext) -> None:
        self._context = context
        self.transport: asyncio.Transport
        self.phase: Phase
        self.address = LOCAL
        self.counted: str | None = None
        """the address for which it counts"""
        self.held = False
        self.writable = True
        self._reading = True
        self._unread: bytearray | None = None
        self._turn_due = False
        self._eof = False
        self._deaf = False
        self._ending = False
        self._lost = False
        self._timer: asyncio.TimerHandle | None = None

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is one by its methods alone
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):
            self.address = str(peer[0])
        self._context.sockets[self] = None
        self._context.emptied.clear()
        self.phase = self._context.begin(self)

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            if len(data) > self.phase.TURN_BYTES:
                self.hold()
                asyncio.get_running_loop().call_later(DEAF_S, self.release)
        elif (
            self._unread is None
            and not self.held
            and len(data) <= self.phase.TURN_BYTES
            and self._context.fair_queue.is_due(self.counted or self.address, self._cost(len(data)))
        ):
            self._hand_over(data)
            if self._unread:
                self._go_on()
        else:
            self._unread = self._unread or bytearray()
            self._unread += data
            self._go_on()

    def eof_received(self) -> bool:
        self._eof = True
        # In its turn: to close a thousand that hang up at once takes 60 ms.
        self._context.fair_queue.wait(self.counted or self.address, LEAST_COST, self._end_of_file)
        return True  # the phase closes, after what is left to be read and answered

    def pause_writing(self) -> None:
        self.writable = False

    def resume_writing(self) -> None:
        self.writable = True
        self.phase.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._unread = None
        self.cancel_deadline()
        self._context.gate.leave(self.counted)
        self.phase.lost()
        self.phase = GONE  # the two would keep each other in memory
        self._context.sockets.pop(self, None)
        if not self._context.sockets:
            self._context.emptied.set()

    # What phases ask for

    def hold(self) -> None:
        """Read nothing until `release`."""
        self.held = True
        self._set_reading()

    def release(self) -> None:
        self.held = False
        self._go_on()

    def unread(self, data: bytes) -> None:
        """Give back what came too early for the present phase, or is too much for one turn of it."""
        if data and not self._deaf:
            self._unread = self._unread or bytearray()
            self._unread[:0] = data

    def deadline(self, seconds: float, callback: Callable[[], None]) -> None:
        """Call back then. There is one deadline at a time."""
        self.cancel_deadline()
        if not self._lost:
            self._timer = asyncio.get_running_loop().call_later(seconds, callback)

    def watch_reader(self, seconds: float) -> None:
        """Drop a client that reads nothing of what was written for this long, however much is left."""
        left = self.transport.get_write_buffer_size()

        def check() -> None:
            if 0 < self.transport.get_write_buffer_size() < left:
                self.watch_reader(seconds)
            else:
                self.transport.abort()

        self.deadline(seconds, check)

    def cancel_deadline(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def expect_end(self) -> None:
        """The client has a moment to hang up."""
        if self._ending:
            return
        self._ending = True
        self.deadline(CLOSE_S, self.transport.abort)
        if self.held:
            self.release()

    def end(self) -> None:
        """Say that nothing more comes, after what was written. Until the client hangs up too, what still arrives is
        read and discarded: unread bytes would reset the connection and lose what is on its way."""
        self._deaf = True
        self._unread = None
        self.expect_end()
        self._set_reading()
        if not self.transport.is_closing() and not self._eof:
            self.transport.write_eof()

    def close(self) -> None:
        """Hang up, after what was written."""
        self.expect_end()
        self.transport.close()

    # Turns

    def _cost(self, size: int) -> float:
        """Cost of reading this many bytes in one turn."""
        return max(LEAST_COST, min(1.0, size / self.phase.TURN_BYTES))

    def _go_on(self) -> None:
        """Take what is left in turns of its own, then read on."""
        if not self.held:
            if self._unread:
                if not self._turn_due:
                    self._turn_due = True
                    self._context.fair_queue.wait(
                        self.counted or self.address, self._cost(len(self._unread)), self._turn
                    )
            elif self._eof:
                self.phase.eof()
        self._set_reading()

    def _end_of_file(self) -> None:
        if self._deaf:
            self.phase.eof()
        else:
            self._go_on()

    def _turn(self) -> None:
        self._turn_due = False
        unread = self._unread
        if self.held or not unread:
            return
        taken = bytes(unread[: self.phase.TURN_BYTES])
        del unread[: len(taken)]
        if not unread:
            self._unread = None
        self._hand_over(taken)
        self._go_on()

    def _hand_over(self, data: bytes) -> None:
        taken = self.phase.receive(data)
        if taken < len(data):
            self.unread(data[taken:])

    def _set_reading(self) -> None:
        wanted = not self.held and not self._unread
        if wanted is self._reading or self.transport.is_closing():
            return
        self._reading = wanted
        if wanted:
            self.transport.resume_reading()
        else:
            self.transport.pause_reading()
