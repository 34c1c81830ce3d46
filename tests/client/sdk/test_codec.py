"""The server's frames as messages, of this version and of newer ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.sdk.codec import Unreadable, decode
from client.sdk.room_view import SequencedEvent
from server.wire import (
    Ack,
    Author,
    Error,
    Lobby,
    Pong,
    Present,
    RoomEvent,
    Said,
    ServerReply,
    Thinking,
    Welcome,
    encode,
    encode_event,
    envelope,
)
from tests.support.terminal.fake_server import ME, FakeRoom

SAID = Said(by=Author(id="p2", name="Bob"), text="hm")
REPLIES: list[ServerReply] = [
    Welcome(v=1, player=ME, rooms=["r1"], token="secret"),
    FakeRoom("qubic", start=["a1.1"]).snapshot(3),
    Ack(id=7, room="r1", seq=12),
    Error(id=1 << 53, code="busy", message="Not now."),
    Lobby(seeks=[], rooms=[], players=1, challenges=[], people=[]),
    Pong(ts=1, server_ms=2),
    Present(room="r1", side="o", present=False, claim_ms=0),
    Thinking(room="r1", nodes=5, depth=1, value=-0.5, pv=["b2"]),
]


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: type(reply).__name__)
def test_a_frame_is_read_as_it_was_meant(reply: ServerReply) -> None:
    assert decode(encode(reply)) == decode(encode(reply).decode()) == reply


@pytest.mark.parametrize("event", [SAID, *FakeRoom().moves("b2")])
def test_an_event_comes_with_its_room_and_number(event: RoomEvent) -> None:
    assert decode(envelope("r1", 11, 99, encode_event(event))) == SequencedEvent(room="r1", seq=11, ts=99, event=event)


def test_an_event_that_this_version_does_not_know_keeps_its_number() -> None:
    frame = '{"t":"event","room":"r1","seq":11,"ts":99,"e":"fanfare","loud":true}'
    assert decode(frame) == SequencedEvent(room="r1", seq=11, ts=99, event=None)


@pytest.mark.parametrize("newer", ['"e":"ended","winner":"x","termination":"newer","clock":null', '"e":"said"'])
def test_a_known_event_that_cannot_be_read_is_told(newer: str) -> None:
    read = decode(f'{{"t":"event","room":"r1","seq":11,"ts":99,{newer}}}')
    assert isinstance(read, SequencedEvent)
    assert (read.seq, read.event) == (11, None)
    assert "cannot be read" in (read.unreadable or "")


@pytest.mark.parametrize("answer", ['"t":"error","code":"too_hot","message":""', '"t":"weather","sunny":true'])
def test_an_answer_that_cannot_be_read_names_its_request(answer: str) -> None:
    read = decode(f'{{"id":7,{answer}}}')
    assert isinstance(read, Unreadable)
    assert read.id == 7


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: type(reply).__name__)
def test_what_is_cut_off_is_no_message(reply: ServerReply) -> None:
    frame = encode(reply)
    assert all(isinstance(decode(frame[:end]), Unreadable) for end in range(len(frame)))


@given(st.text() | st.binary())
def test_no_frame_raises(frame: str | bytes) -> None:
    decode(frame)


def test_no_frame_is_too_deep() -> None:
    assert isinstance(decode('{"t":"room","game":' + "[" * 100_000), Unreadable)
