"""Somebody who means harm, as a process of its own: floods a server from an address of its own until it is ended.

Whatever the server closes is opened again. It prints a line when the flood has begun. As `idle` it floods nothing,
and only takes as much of a processor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

import uvloop

from client.lab.bench.wire import BenchError, Wire, connect, text_frame

ADDRESS = "127.0.0.2"
"""Of this machine too, but another one for the server's limits."""
CONNECTIONS = 4
_AT_ONCE = 64 * 1024
_UNSENT = 4 * _AT_ONCE
_AGAIN_S = 0.05

_REQUEST = b"GET /api/rules?game=mnk:%d,%d,5 HTTP/1.1\r\nHost: a\r\n\r\n"
_MESSAGE = text_frame(b'{"t":"ping","ts":1}')
_PING = b"\x89\x80\0\0\0\0"
_LONG_PING = b"\x89\xfd\0\0\0\0" + bytes(125)
FLOODS = {
    "messages": _MESSAGE * (_AT_ONCE // len(_MESSAGE)),
    "pings": _PING * (_AT_ONCE // len(_PING)),
    "unread": _LONG_PING * (_AT_ONCE // len(_LONG_PING)),
    "requests": b"".join(_REQUEST % (number % 15 + 5, number // 15 % 15 + 5) for number in range(1_000)),
}
"""What is sent again and again; the answers of `unread` are not read."""
IDLE = "idle"
"""No flood: it only takes as much of a processor."""


class _Requests(asyncio.Protocol):
    """Sends requests and reads no answer's meaning."""

    def __init__(self) -> None:
        self.lost = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True


async def _open(kind: str, port: int) -> _Requests | Wire:
    if kind == "requests":
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(_Requests, "127.0.0.1", port, local_addr=(ADDRESS, 0)))[1]
    wire = await connect(port, source=ADDRESS)
    await wire.ask("hello", v=1, name="Flood")
    wire.hear = lambda payload: None
    if kind == "unread":
        wire.transport.pause_reading()
    return wire


async def _flood(kind: str, port: int, begun: asyncio.Event) -> None:
    while True:
        with contextlib.suppress(BenchError, OSError, TimeoutError):
            connection = await _open(kind, port)
            while not connection.lost:
                if connection.transport.get_write_buffer_size() < _UNSENT:
                    connection.transport.write(FLOODS[kind])
                begun.set()
                await asyncio.sleep(0)
        await asyncio.sleep(_AGAIN_S)


async def main(kind: str, port: int) -> None:
    if kind == IDLE:
        print("spinning", flush=True)
        while True:  # noqa: ASYNC110
            await asyncio.sleep(0)
    begun = asyncio.Event()
    floods = [asyncio.create_task(_flood(kind, port, begun)) for _ in range(CONNECTIONS)]
    await begun.wait()
    print("flooding", flush=True)
    await asyncio.gather(*floods)


if __name__ == "__main__":
    os.nice(10)  # what it takes of a shared processor is not what is measured
    uvloop.run(main(sys.argv[1], int(sys.argv[2])))
