"""Frames of a websocket as its client reads and writes them, without I/O and without chance: the mask is zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: noughts\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_NO_MASK = bytes(4)


class Frame(NamedTuple):
    opcode: int
    data: bytes


def framed(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    length = len(data)
    first = bytes([(0x80 if fin else 0) | opcode])
    if length < 126:
        return first + bytes([0x80 | length]) + _NO_MASK + data
    return first + b"\xfe" + length.to_bytes(2, "big") + _NO_MASK + data


class FrameReader:
    """Of what a server sends: no mask, no fragments."""

    def __init__(self) -> None:
        self._unread = bytearray()

    def receive(self, data: bytes) -> Iterator[Frame]:
        """The frames that are whole now."""
        self._unread += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        unread = self._unread
        if len(unread) < 2:
            return None
        length, start = unread[1] & 0x7F, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            if len(unread) < start:
                return None
            length = int.from_bytes(unread[2:start], "big")
        if len(unread) < start + length:
            return None
        frame = Frame(unread[0] & 0x0F, bytes(unread[start : start + length]))
        del unread[: start + length]
        return frame
