"""Messages between a worker and its server. What a fork server does with its children is tested in `test_children`."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.workers.fork_server import Channel, framed


@pytest.fixture
def ends() -> Iterator[tuple[Channel, socket.socket]]:
    """A child's end of its socket, and the server's."""
    child, server = socket.socketpair()
    with child, server:
        child.settimeout(60)
        yield Channel(child), server


MESSAGES = st.lists(
    st.text(max_size=40) | st.integers() | st.binary(max_size=300) | st.tuples(st.none(), st.floats(0, 1))
)


@given(MESSAGES, st.integers(1, 70))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_messages_arrive_whole_however_they_are_cut(
    ends: tuple[Channel, socket.socket], messages: list[object], size: int
) -> None:
    channel, server = ends
    data = b"".join(map(framed, messages))
    pieces = [data[at : at + size] for at in range(0, len(data), size)]

    def send() -> None:
        for piece in pieces:
            server.sendall(piece)

    sender = threading.Thread(target=send)
    sender.start()
    assert [channel.receive() for _ in messages] == messages
    sender.join()
    assert not channel.waits(0)


def test_what_a_child_sends_is_framed_alike(ends: tuple[Channel, socket.socket]) -> None:
    channel, server = ends
    channel.send(("one", 2))
    assert server.recv(1000) == framed(("one", 2))


@pytest.mark.parametrize("left", [0, 2, 4, 6])
def test_an_end_within_a_message_is_the_end(ends: tuple[Channel, socket.socket], left: int) -> None:
    channel, server = ends
    server.sendall(framed("whole") + framed("half")[:left])
    server.close()
    assert channel.receive() == "whole"
    assert channel.waits(0), "the end is heard too"
    with pytest.raises(EOFError):
        channel.receive()
    with pytest.raises(OSError, match="Broken pipe"):
        channel.send("nobody reads this")


def test_a_message_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.workers.fork_server.MAX_MESSAGE", 100)
    with pytest.raises(ValueError, match=r"^A message of \d+ bytes is too long: 100 are allowed\.$"):
        framed("x" * 100)
