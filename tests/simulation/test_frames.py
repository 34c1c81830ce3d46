"""Frames as a client reads and writes them, held against the library that the server uses."""

from __future__ import annotations

import pytest
from websockets.frames import Frame as TheirFrame
from websockets.frames import Opcode
from websockets.protocol import SERVER, Protocol

from server.rooms.members import text_frame
from tests.simulation.frames import PING, TEXT, Frame, FrameReader, framed


@pytest.mark.parametrize("length", [0, 5, 125, 126, 3000, 65_535])
def test_what_is_written_is_read_by_the_library(length: int) -> None:
    protocol = Protocol(SERVER)
    protocol.receive_data(framed(TEXT, b"x" * length) + framed(PING, b"1"))
    first, second = protocol.events_received()
    assert (first, second) == (TheirFrame(Opcode.TEXT, b"x" * length), TheirFrame(Opcode.PING, b"1"))


def test_what_the_server_writes_is_read_a_byte_at_a_time() -> None:
    texts = [b"", b"a", b"b" * 126, b"c" * 70_000]
    reader = FrameReader()
    stream = b"".join(map(text_frame, texts))
    assert [frame for byte in stream for frame in reader.receive(bytes([byte]))] == [
        Frame(TEXT, text) for text in texts
    ]
