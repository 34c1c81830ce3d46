"""A websocket client that costs as little as possible, so that a generator of load does not measure itself.

It knows just what a server of noughts and the relay send: whole, unmasked frames. The masking key of its own frames
is zero, which the protocol allows to a program and which saves the work of masking.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec

TEXT, PING = 0x81, 0x89
_NO_MASK = bytes(4)
_CONNECTING_AT_ONCE = 50
ANSWER_S = 60.0
LOST = "The server closed a connection."

Frame = bytes
"""A frame as it goes over the wire, header included."""


class BenchError(Exception):
    """The measurement cannot be made; the message says why."""


def text_frame(payload: bytes) -> Frame:
    """A frame of a client."""
    length = len(payload)
    if length < 126:
        return b"\x81%c%b%b" % (0x80 | length, _NO_MASK, payload)
    return b"\x81\xfe%b%b%b" % (length.to_bytes(2, "big"), _NO_MASK, payload)


class Wire(asyncio.Protocol):
    """One connection. Each text that arrives is handed to `hear`."""

    def __init__(self) -> None:
        self.hear: Callable[[bytes], None] = self._answered
        self.lost = False
        self.transport: asyncio.Transport
        self._rest = b""
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._requests = 0

    def send(self, frame: Frame) -> None:
        self.transport.write(frame)

    async def ask(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a request and give back what answers it. Raises BenchError for an `error`."""
        if self.lost:
            raise BenchError(LOST)
        self._requests += 1
        id = self._requests
        waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[id] = waiting
        heard, self.hear = self.hear, self._answered
        self.send(text_frame(msgspec.json.encode({"t": t, "id": id, **fields})))
        async with asyncio.timeout(ANSWER_S):  # `wait_for` of Python 3.11 may swallow a cancellation
            answer = await waiting
        self.hear = heard
        if answer["t"] == "error":
            raise BenchError(f"The server refused {t}: {answer['code']}, {answer['message']}")
        return answer

    def close(self) -> None:
        if not self.transport.is_closing():  # by the other side
            self.transport.abort()

    def _answered(self, payload: bytes) -> None:
        message = msgspec.json.decode(payload)
        waiting = self._answers.pop(message.get("id"), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is one by its methods alone

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        gone = BenchError(LOST)
        waits: list[asyncio.Future[Any]] = [self._opened, *self._answers.values()]
        for waiting in waits:
            if not waiting.done():
                waiting.set_exception(gone)
                waiting.exception()  # seen: whoever waited may be cancelled before they hear of it

    def data_received(self, data: bytes) -> None:
        if not self._opened.done():
            data = self._handshake(data)
        if self._rest:
            data = self._rest + data
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            end = start + length
            if end > size:
                break
            if data[at] == TEXT:
                self.hear(data[start:end])
            elif data[at] == PING:
                self.send(b"\x8a%c%b%b" % (0x80 | length, _NO_MASK, data[start:end]))
            at = end
        self._rest = data[at:]

    # Opening

    async def open(self, host: str, port: int, path: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.transport.write(request.encode())
        async with asyncio.timeout(ANSWER_S):
            await self._opened

    def _handshake(self, data: bytes) -> bytes:
        """The answer to the opening request; what follows it."""
        data = self._rest + data
        head, end, rest = data.partition(b"\r\n\r\n")
        self._rest = b"" if end else data
        if not end:
            return b""
        status = head.split(b" ", 2)[1]
        if status == b"101":
            self._opened.set_result(None)
        else:
            self._opened.set_exception(BenchError(f"The server answered {status.decode()}: {rest.decode().strip()}"))
        return rest


async def connect(port: int, path: str = "/ws", host: str = "127.0.0.1", source: str | None = None) -> Wire:
    """Connects from the address `source`, if given. Raises BenchError, or OSError where nobody listens."""
    local = (source, 0) if source is not None else None
    _, wire = await asyncio.get_running_loop().create_connection(Wire, host, port, local_addr=local)
    try:
        await wire.open(host, port, path)
    except BaseException:
        wire.close()
        raise
    return wire


async def greeted(port: int, kind: str = "bot") -> Wire:
    """A connection to the server, as a new player."""
    wire = await connect(port)
    await wire.ask("hello", v=1, name="Bench", kind=kind)
    return wire


async def many(count: int, opened: Callable[[int], Awaitable[Wire]]) -> list[Wire]:
    """`opened(0)`, `opened(1)` and so on, a few at a time: the server does not wait long for a greeting."""
    gate = asyncio.Semaphore(_CONNECTING_AT_ONCE)

    async def one(number: int) -> Wire:
        async with gate:
            return await opened(number)

    wires: list[Wire] = []
    for opened_or_not in await asyncio.gather(*map(one, range(count)), return_exceptions=True):
        if isinstance(opened_or_not, BaseException):
            raise opened_or_not
        wires.append(opened_or_not)
    return wires
