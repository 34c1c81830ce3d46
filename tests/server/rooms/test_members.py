"""How messages are framed for those who follow."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from server.rooms.members import MEMBERS_AT_ONCE, Origin, SendQueue, text_frame
from server.wire import Ack, Error
from tests.support.rooms.fakes import FakeMember, payload
from tests.support.rooms.session_driver import ANN, BOB


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


def test_a_send_queue_sends_each_member_all_it_has_at_once_and_in_order() -> None:
    class Counted(FakeMember):
        writes = 0

        def write(self, frames: bytes) -> None:
            self.writes += 1
            super().write(frames)

    ann, bob = Counted(ANN), Counted(BOB)
    queue = SendQueue()
    queue.put(ann, text_frame(b"1"))
    queue.put(bob, text_frame(b"2"))
    queue.put(ann, text_frame(b"x" * 300))
    assert (ann.payloads, bob.payloads) == ([], [])
    queue.flush()
    queue.flush()
    assert (ann.payloads, bob.payloads) == ([b"1", b"x" * 300], [b"2"])
    assert (ann.writes, bob.writes) == (1, 1)


async def test_many_members_are_written_to_a_few_in_a_turn_and_each_in_order() -> None:
    members = [FakeMember(ANN) for _ in range(3 * MEMBERS_AT_ONCE)]
    queue = SendQueue()
    for number in range(3):
        for member in members:
            queue.put(member, text_frame(b"%d" % number))
        if number:
            queue.flush()
    heard = [member.payloads for member in members]
    assert heard[:MEMBERS_AT_ONCE] == [[b"0", b"1", b"2"]] * MEMBERS_AT_ONCE
    assert heard[MEMBERS_AT_ONCE:] == [[]] * (2 * MEMBERS_AT_ONCE)
    for reached in (2, 3):
        await asyncio.sleep(0)
        assert sum(bool(member.payloads) for member in members) == reached * MEMBERS_AT_ONCE
    assert [member.payloads for member in members] == [[b"0", b"1", b"2"]] * len(members)
