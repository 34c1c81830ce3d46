"""Attacks with connections: many, slow, with large heads, or with answers that nobody reads."""

from __future__ import annotations

import asyncio
import contextlib

from client.lab.bench.wire import connect
from tests.attack.entry import Attack, Field, message, pour

_HELD = 60
"""Slow connections that one attacker holds."""
_BYTE_S = 0.2
_LATE_S = 13.0
"""A request has 10 s to arrive, and a greeting too."""
_LARGE_HEAD = "X-Large: " + "a" * 15_000
_TOO_LARGE_HEAD = "X-Large: " + "a" * 20_000


async def _connect(field: Field, source: str | None) -> None:
    await field.get(source, "/healthz")


async def _greet(field: Field, source: str | None) -> None:
    field.tried += 1
    (await field.wire(source)).close()


async def _come_back(field: Field, source: str | None) -> None:
    """As the same player on ever new connections, each of which begins with all that a new one may send at once."""
    first = await connect(field.port, host=field.host, source=source)
    with contextlib.closing(first):
        token = (await first.ask("hello", v=1))["token"]
    while field.going:
        wire = await field.wire(source, token=token)
        with contextlib.closing(wire):
            for _ in range(10):
                wire.send(message("ping", ts=1) * 20)
                field.tried += 20
                await asyncio.sleep(0)
            wire.hear = lambda payload: None
            await wire.ask("ping", ts=2)


async def _slow_request(field: Field, source: str | None) -> None:
    """Many requests that never end."""
    await _hold(field, source, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n")


async def _slow_websocket(field: Field, source: str | None) -> None:
    """Many websockets that never finish their greeting."""
    opening = b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    opening += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    await _hold(field, source, opening + b"\x81\xfe\x10\x00\0\0\0\0", b"{")


async def _hold(field: Field, source: str | None, first: bytes, more: bytes) -> None:
    loop = asyncio.get_running_loop()
    async with contextlib.AsyncExitStack() as stack:
        held = []
        for _ in range(_HELD):
            field.tried += 1
            reader, writer = await field.open(source)
            stack.callback(writer.transport.abort)
            writer.write(first)
            held.append((reader, writer, loop.time()))
        while field.going and held:
            await asyncio.sleep(_BYTE_S)
            for one in list(held):
                reader, writer, begun = one
                writer.write(more)
                if reader.at_eof() or writer.is_closing():
                    field.dropped += 1
                    held.remove(one)
                elif loop.time() - begun > _LATE_S:
                    field.achieved("a connection that sends nothing whole was kept")


async def _head(field: Field, source: str | None) -> None:
    await field.get(source, "/healthz", _LARGE_HEAD)
    with contextlib.suppress(OSError):  # it may hang up while we still send
        status, _ = await field.get(source, "/healthz", _TOO_LARGE_HEAD)
        if status < 400:
            field.achieved("a head of 20 kB was taken")


async def _unread(field: Field, source: str | None) -> None:
    """Asks for much and reads nothing."""
    wire = await field.wire(source)
    with contextlib.closing(wire):
        wire.transport.pause_reading()
        await pour(field, wire, (message("lobby", on=True),))


ATTACKS = (
    Attack("connect-storm", "connects, asks for /healthz, leaves, as often as it can", "delay others", _connect),
    Attack(
        "greeting-storm",
        "opens websockets as ever new players",
        "make players without end",
        _greet,
        "tests/server/rooms/test_connection.py::test_an_address_makes_so_many_players_an_hour",
    ),
    Attack(
        "coming-back",
        "sends a burst on each of ever new connections of one player",
        "begin anew",
        _come_back,
        "tests/server/rooms/test_connection.py::test_who_comes_back_begins_where_they_were",
    ),
    Attack(
        "slow-requests",
        "sends requests a byte at a time",
        "hold connections for longer than 10 s",
        _slow_request,
        "tests/server/http/connections/test_conversation.py::test_a_request_must_come_in_time_however_it_drips",
    ),
    Attack(
        "slow-websockets",
        "sends a first frame a byte at a time",
        "hold connections for longer than 10 s",
        _slow_websocket,
        "tests/server/rooms/test_connection.py::test_no_hello_in_time_closes",
    ),
    Attack(
        "huge-heads",
        "sends heads of 15 and of 20 kB",
        "have the larger ones read",
        _head,
        "tests/server/http/connections/test_conversation.py::test_a_head_is_bounded",
    ),
    Attack(
        "unread-answers",
        "asks for the lobby and reads no answer",
        "fill memory",
        _unread,
        "tests/wire/test_network.py::test_a_slow_reader_of_its_own_answers_is_dropped",
    ),
)
