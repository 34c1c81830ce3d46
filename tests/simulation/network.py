"""Connections in memory between clients and a server that listens: as slow, torn, cut and silent as the seed says.

A direction of a connection keeps the order of its bytes; between connections there is no order. What is written waits
in the writer's buffer (`pause_writing` and `resume_writing` by its watermarks) until there is room on the way, which is
bounded too, and there until the reader reads.
"""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.simulation.loop import Process, SimulatedLoop, process_of

ROUTE_BYTES = 64 * 1024
"""On their way in one direction, as the buffers of two kernels."""
HIGH_WATER = 64 * 1024
LOW_WATER = 16 * 1024
HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Line:
    """How a connection is: a delay of each piece in microseconds, and how long the pieces are at most."""

    delay_us: tuple[int, int] = (200, 30_000)
    piece_bytes: int = 1 << 20
    torn_bytes: int = 0
    """so many of the first bytes of either side arrive one at a time"""


class Transport(asyncio.Transport):
    """One end of a connection. Its protocol is called in the context of its process."""

    def __init__(self, network: Network, number: int, line: Line, peername: tuple[str, int]) -> None:
        super().__init__({"peername": peername})
        self._network = network
        self._loop = network.loop
        self._line = line
        self._random = Random(f"{network.seed}: connection {number}")
        self.number = number
        self.peer: Transport
        self.protocol: Any = None
        """none until the program has accepted it"""
        self.context: contextvars.Context
        self._unsent = bytearray()
        self._paused_writing = False
        self._sent_bytes = 0
        self._last_us = 0
        self._arrived: deque[bytes | None] = deque()
        """None is the end of the stream"""
        self._on_the_way = 0
        self._reading = True
        self._eof_wanted = False
        self._eof_sent = False
        self._closing = False
        self.lost = False
        self.silent = False
        """nothing it sends arrives, nor does anything reach it, and nobody is told"""

    # What protocols call

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing or self.lost:
            return
        self._unsent += data
        self._pump()
        if len(self._unsent) > HIGH_WATER and not self._paused_writing:
            self._paused_writing = True
            self.protocol.pause_writing()

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def write_eof(self) -> None:
        self._eof_wanted = True
        self._pump()

    def can_write_eof(self) -> bool:
        return True

    def get_write_buffer_size(self) -> int:
        return len(self._unsent)

    def is_closing(self) -> bool:
        return self._closing or self.lost

    def is_reading(self) -> bool:
        return self._reading

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        if not self._reading:
            self._reading = True
            self._loop.call_soon(self._read, context=self.context)

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._eof_wanted = True
            self._pump()

    def abort(self) -> None:
        if not self.lost:
            self._closing = True
            self._unsent.clear()
            self._lose(None)
            self._tell_peer()

    # What a program that listens does with it

    def setsockopt(self, *_: int) -> None:
        """Everything is sent at once."""

    def begin(self, protocol: Any) -> None:
        self.protocol = protocol
        protocol.connection_made(self)
        if self.lost:
            self._loop.call_soon(protocol.connection_lost, _reset(), context=self.context)
        else:
            self._read()

    # The way

    def _pump(self) -> None:
        """Send as much as there is room for."""
        while self._unsent and self._on_the_way < ROUTE_BYTES:
            size = min(len(self._unsent), ROUTE_BYTES - self._on_the_way, self._piece_bytes())
            piece = bytes(self._unsent[:size])
            del self._unsent[:size]
            self._sent_bytes += size
            self._send(piece)
        if self._paused_writing and len(self._unsent) <= LOW_WATER and not self.lost:
            self._paused_writing = False
            self._loop.call_soon(self.protocol.resume_writing, context=self.context)
        if not self._unsent and self._eof_wanted and not self._eof_sent:
            self._eof_sent = True
            self._send(None)
            if self._closing:
                self._lose(None)

    def _piece_bytes(self) -> int:
        line = self._line
        if self._sent_bytes < line.torn_bytes:
            return 1
        return self._random.randint(1, line.piece_bytes) if line.piece_bytes < ROUTE_BYTES else line.piece_bytes

    def _send(self, piece: bytes | None) -> None:
        self._on_the_way += len(piece or b"")
        self._last_us = max(self._last_us + 1, self._loop.now_us + self._random.randint(*self._line.delay_us))
        self._loop.call_at_us(self._last_us, self.peer._arrive, piece, context=self.peer.context)

    def _arrive(self, piece: bytes | None) -> None:
        if self.silent:
            return
        if self.lost:
            if piece is not None:
                self._tell_peer()  # the kernel answers that nobody is here
            return
        self._arrived.append(piece)
        self._read()

    def _read(self) -> None:
        while self._arrived and self._reading and self.protocol is not None and not self.lost:
            piece = self._arrived.popleft()
            if piece is None:
                if not self.protocol.eof_received():
                    self.close()
                return
            self._network.saw(self, piece)
            self.peer._on_the_way -= len(piece)
            if self.peer._unsent:
                self._loop.call_soon(self.peer._pump, context=self.peer.context)
            if not self._closing:
                self.protocol.data_received(piece)

    # The end

    def _lose(self, error: Exception | None) -> None:
        """Its protocol is told soon, and nothing arrives any more."""
        if not self.lost:
            self.lost = True
            self._network.ends.pop(self, None)
            if self.protocol is not None:
                self._loop.call_soon(self.protocol.connection_lost, error, context=self.context)

    def _tell_peer(self) -> None:
        if not self.silent:
            delay_us = self._random.randint(*self._line.delay_us)
            self._loop.call_at_us(self._loop.now_us + delay_us, self.peer.reset, context=self.peer.context)

    def reset(self) -> None:
        """The other end is gone."""
        if not self.lost and not self.silent:
            self._closing = True
            self._unsent.clear()
            self._lose(_reset())

    def vanish(self, noticed_s: float) -> None:
        """Nothing gets through any more, and nobody is told; the peer notices by itself after so long."""
        self.silent = self.peer.silent = True
        self._loop.call_later(noticed_s, self.peer.abort, context=self.peer.context)

    def cut(self) -> None:
        """Both ends are told, each in its time."""
        self._tell_peer()
        self.peer._tell_peer()


def _reset() -> ConnectionResetError:
    return ConnectionResetError("Connection reset by peer")


class Listening:
    """What the server is given in place of a listening socket. Connections wait in it to be accepted."""

    def __init__(self, network: Network, port: int) -> None:
        self._network = network
        self._port = port
        self._waiting: deque[Transport] = deque()
        self._reader: Callable[[], None] | None = None
        self._context: contextvars.Context
        """of the process that accepts"""
        self._open = True

    def __enter__(self) -> Listening:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def getsockname(self) -> tuple[str, int]:
        return "10.0.0.1", self._port

    def fileno(self) -> int:
        return 3 if self._open else -1

    def setsockopt(self, *_: int) -> None:
        """How much is kept unread is the simulation's."""

    def setblocking(self, flag: bool) -> None:
        self._context = contextvars.copy_context()
        self._network.listener = self

    def accept(self) -> tuple[Transport, tuple[str, int]]:
        """Raises BlockingIOError."""
        if not self._waiting:
            raise BlockingIOError
        end = self._waiting.popleft()
        return end, end.get_extra_info("peername")

    def close(self) -> None:
        """Who still waits is turned away."""
        if self._open:
            self._open = False
            self.stop_reading()
            if self._network.listener is self:
                self._network.listener = None
            for end in self._waiting:
                end.abort()

    # What the event loop and the network do

    def read(self, reader: Callable[[], None]) -> None:
        """Call back, now and whenever somebody comes, while somebody waits."""
        self._reader = reader
        if self._waiting:
            self._network.loop.call_soon(self._call, context=self._context)

    def stop_reading(self) -> None:
        self._reader = None

    def come(self, end: Transport) -> None:
        end.context = self._context
        self._waiting.append(end)
        self._network.loop.call_soon(self._call, context=self._context)

    def _call(self) -> None:
        if self._reader is not None and self._waiting:
            self._reader()


class Network:
    """`digest` is of all that arrived anywhere, and when."""

    def __init__(self, loop: SimulatedLoop, seed: str) -> None:
        self.loop = loop
        self.seed = seed
        self.listener: Listening | None = None
        self.ends: dict[Transport, None] = {}
        """of connections that are open, in the order in which they were made"""
        self._connections = 0
        self._digest = hashlib.sha256()
        self._heads: dict[int, bytes] = {}
        """of answers that are not whole yet, by the number of their end; empty once they are"""

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()[:16]

    def listen(self, host: str, port: int) -> Listening:
        return Listening(self, port)

    async def connect(self, protocol: asyncio.Protocol, address: str, line: Line) -> Transport:
        """Raises ConnectionRefusedError."""
        self._connections += 1
        number = self._connections
        random = Random(f"{self.seed}: connecting {number}")
        await asyncio.sleep(random.randint(*line.delay_us) / 1_000_000)
        if self.listener is None:
            raise ConnectionRefusedError(f"connection {number} is refused")
        ours = Transport(self, 2 * number, line, ("10.0.0.1", 80))
        theirs = Transport(self, 2 * number + 1, line, (address, 1024 + number))
        ours.peer, theirs.peer = theirs, ours
        ours.protocol, ours.context = protocol, contextvars.copy_context()
        self.ends[ours] = self.ends[theirs] = None
        self.listener.come(theirs)
        protocol.connection_made(ours)
        return ours

    def kill(self, process: Process, *, silently: bool) -> None:
        """The ends of a process that was killed: those who are connected to it are told, but after a power cut."""
        self.listener = None
        for end in list(self.ends):
            if process_of(end.context) is process:
                del self.ends[end]
                end.lost = True
                if silently:
                    end.vanish(noticed_s=end._random.uniform(1, 60))
                else:
                    end._tell_peer()

    def saw(self, end: Transport, piece: bytes) -> None:
        """Heads of HTTP are left out: libraries date them by the real time."""
        head = self._heads.get(end.number, b" " if end.number % 2 == 0 else b"")
        if head:
            head, found, piece = (head + piece).partition(HEAD_END)
            self._heads[end.number] = b"" if found else head
        self._digest.update(b"%d %d %d " % (end.number, self.loop.now_us, len(piece)))
        self._digest.update(piece)
