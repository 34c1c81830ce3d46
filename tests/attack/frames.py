"""Attacks with frames: many, in pieces, compressed, broken, or with nothing but nesting inside."""

from __future__ import annotations

import contextlib

from client.lab.bench.wire import text_frame
from tests.attack.entry import Attack, Field, Visit, flood, pour
from tests.support.rooms.floods import FLOODS

_FRAGMENTS = b"\x01\x80\0\0\0\0" + b"\x00\x81\0\0\0\0a" * 100
_BROKEN = (b"\xf1\x80\0\0\0\0", b"\x8f\x80\0\0\0\0", b"\x82\x81\0\0\0\0a", b"\x89\xfe\x01\x00\0\0\0\0" + bytes(256))
_NESTED = text_frame(b'{"t":"create","start":' + b"[" * 8_000)
_NUMBER = text_frame(b'{"t":"ping","ts":' + b"9" * 8_000 + b"}")
_BOMB = b"\xc1\xfe\x00\x10\0\0\0\0" + b"\xec\xc1\x01\x01" + bytes(12)
"""With the bit that says that it is compressed."""


async def _compressed(field: Field, source: str | None) -> None:
    field.tried += 1
    reader, writer = await field.open(source)
    try:
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n\r\n"
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if b"sec-websocket-extensions" in head.lower():
            field.achieved("the server takes compressed frames")
        writer.write(_BOMB)
        rest = await reader.read()
        if b"\x03\xea" not in rest and head.startswith(b"HTTP/1.1 101 "):  # 1002
            field.achieved("a compressed frame was no protocol error")
        field.dropped += 1
    finally:
        writer.transport.abort()


def _each_alone(*frames: bytes) -> Visit:
    """A connection for each."""

    async def visit(field: Field, source: str | None) -> None:
        for frame in frames:
            wire = await field.wire(source)
            with contextlib.closing(wire):
                await pour(field, wire, (frame,))

    return visit


ATTACKS = (
    Attack(
        "messages",
        "sends messages without a pause",
        "be answered without end",
        flood(FLOODS["messages"]),
        "tests/wire/test_floods.py::test_moves_go_on_while_somebody_floods_until_the_flood_is_closed",
    ),
    Attack(
        "pings",
        "sends pings of the websocket without a pause",
        "be answered without end",
        flood(FLOODS["pings"]),
        "tests/wire/test_floods.py::test_who_pings_and_never_reads_is_dropped_before_memory_grows",
    ),
    Attack("fragments", "sends messages of ever more parts of one byte", "fill memory", flood(_FRAGMENTS)),
    Attack("compression", "offers compression, and sends a frame that unpacks to much", "be unpacked", _compressed),
    Attack("broken-frames", "sends frames against the protocol", "be read on", _each_alone(*_BROKEN)),
    Attack(
        "nesting", "sends JSON of 8,000 brackets, and numbers of 8,000 digits", "take time", flood(_NESTED, _NUMBER)
    ),
)
