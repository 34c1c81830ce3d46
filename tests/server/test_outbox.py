"""How messages are framed for those who follow."""

from __future__ import annotations

import pytest
from fakes import FakeMember, payload
from hypothesis import given
from hypothesis import strategies as st
from session_driver import ANN
from websockets.frames import Frame, Opcode

from server.outbox import Origin, text_frame
from server.protocol import Ack, Error


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_frame_is_whole_text_without_a_mask(size: int) -> None:
    frame = text_frame(b"x" * size)
    assert payload(frame) == b"x" * size
    assert frame == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False), "as the library frames it"


@given(st.binary(max_size=300))
def test_any_message_is_framed_as_the_library_does(message: bytes) -> None:
    assert text_frame(message) == Frame(Opcode.TEXT, message).serialize(mask=False)


def test_an_origin_sends_to_its_member() -> None:
    ann = FakeMember(ANN)
    origin = Origin(ann, 3)
    origin.send(Ack(id=origin.id, room="r1", seq=4))
    origin.send(Error(code="stale", message="No."))
    assert ann.take() == [
        {"t": "ack", "id": 3, "room": "r1", "seq": 4},
        {"t": "error", "code": "stale", "message": "No."},
    ]
