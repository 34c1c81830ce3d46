"""Bytes reach the phase of their socket in order and in bounded turns, whatever the phase takes of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.config import Settings
from server.http.connections.gate import Gate
from server.http.connections.keepalive import Keepalive
from server.http.connections.socket import GONE, LEAST_COST, Socket, SocketContext
from server.metrics import Metrics
from server.rooms.fair_queue import FairQueue
from tests.support.http.sockets import PEER, Transport
from tests.support.rooms.fakes import settle

TURN_BYTES = 16


class Queue:
    """A fair queue whose turns are the test's; `due` while nothing waits for one."""

    def __init__(self) -> None:
        self.due = True
        self.works: deque[Callable[[], None]] = deque()
        self.costs: list[float] = []

    def is_due(self, address: str, cost: float) -> bool:
        assert address == PEER[0]
        self.costs.append(cost)
        return self.due

    def wait(self, address: str, cost: float, work: Callable[[], None]) -> None:
        assert address == PEER[0]
        self.costs.append(cost)
        self.works.append(work)

    def turn(self) -> None:
        if self.works:
            self.works.popleft()()


class Reader:
    """A phase that takes at most `takes` bytes at a time, and holds the socket once it took the byte `holds_at`."""

    TURN_BYTES = TURN_BYTES

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.takes = TURN_BYTES
        self.holds_at: int | None = None
        self.taken = b""
        self.calls: list[str] = []

    def receive(self, data: bytes) -> int:
        assert 0 < len(data) <= TURN_BYTES
        assert not self.socket.held
        assert "eof" not in self.calls
        number = min(self.takes, len(data))
        if self.holds_at is not None and self.holds_at in data[:number]:
            number = data.index(self.holds_at) + 1
            self.socket.hold()
        self.taken += data[:number]
        return number

    def eof(self) -> None:
        self.calls.append("eof")

    def resume_writing(self) -> None:
        self.calls.append("resume_writing")

    def stop(self) -> None: ...

    def lost(self) -> None:
        self.calls.append("lost")


class Bench:
    """A socket with its phase, its transport and the queue of all."""

    def __init__(self) -> None:
        self.queue = Queue()
        metrics = Metrics()
        self.context = SocketContext(
            cast(Any, None), cast(Any, None), cast(Any, None),
            Gate(Settings(), metrics, lambda: 0, lambda: False), cast(Keepalive, None), metrics, lambda: 0,
            cast(FairQueue, self.queue), self.begin,
        )  # fmt: skip
        self.transport = Transport()
        self.socket = Socket(self.context)
        self.socket.connection_made(cast(Any, self.transport))

    def begin(self, socket: Socket) -> Reader:
        self.reader = Reader(socket)
        return self.reader

    def all_turns(self) -> None:
        while self.queue.works:
            self.queue.turn()


STEPS = st.lists(
    st.tuples(st.just("send"), st.integers(1, 3 * TURN_BYTES))
    | st.tuples(st.just("take"), st.integers(1, TURN_BYTES))
    | st.tuples(st.just("hold at"), st.integers(0, 99))
    | st.tuples(st.sampled_from(["turn", "due", "busy", "hold", "release"]), st.just(0)),
    max_size=30,
)


@given(steps=STEPS)
@example(steps=[("hold at", 2), ("send", 40), ("turn", 0), ("release", 0), ("send", 3)])
@example(steps=[("take", 1), ("send", 3)])
@example(steps=[("hold", 0), ("send", 3)])
@example(steps=[("send", 40), ("hold", 0), ("turn", 0)])
@example(steps=[("busy", 0), ("send", 3), ("due", 0), ("send", 3)])
def test_all_bytes_are_taken_once_and_in_order_and_nothing_is_read_meanwhile(steps: list[tuple[str, int]]) -> None:
    bench = Bench()
    sent = b""
    for step, number in steps:
        if step == "send":  # also while it is not read: a loop may have more in its hands
            data = bytes((len(sent) + offset) % 100 for offset in range(number))
            sent += data
            bench.socket.data_received(data)
        elif step == "take":
            bench.reader.takes = number
        elif step == "hold at":
            bench.reader.holds_at = number
        elif step in ("due", "busy"):
            bench.queue.due = step == "due"
        elif step == "turn":
            bench.queue.turn()
        elif step == "hold":
            bench.socket.hold()
        elif step == "release":
            bench.socket.release()
        assert sent.startswith(bench.reader.taken)
        assert len(bench.queue.works) <= 1
        if bench.socket.held or len(bench.reader.taken) < len(sent):
            assert not bench.transport.reading
        else:
            assert bench.transport.reading
    bench.reader.holds_at = None
    bench.socket.eof_received()
    bench.socket.release()
    bench.all_turns()
    assert bench.reader.taken == sent
    assert set(bench.reader.calls) == {"eof"}
    assert all(LEAST_COST <= cost <= 1 for cost in bench.queue.costs)


def test_what_came_too_early_for_a_phase_comes_before_the_rest() -> None:
    bench = Bench()
    bench.queue.due = False
    bench.socket.data_received(b"cd")
    bench.socket.unread(b"ab")
    bench.socket.unread(b"")
    bench.all_turns()
    assert bench.reader.taken == b"abcd"


async def test_a_client_that_is_being_left_is_heard_no_more() -> None:
    bench = Bench()
    bench.queue.due = False
    bench.socket.data_received(b"unread")
    bench.socket.end()
    bench.socket.data_received(b"more")
    bench.socket.unread(b"given back")
    bench.all_turns()
    assert (bench.reader.taken, bench.transport.eof, bench.transport.reading) == (b"", True, True)
    bench.socket.eof_received()
    bench.all_turns()
    assert bench.reader.calls == ["eof"]
    bench.socket.connection_lost(None)


def test_of_a_socket_that_is_lost_nothing_is_left() -> None:
    bench = Bench()
    assert not bench.context.emptied.is_set()
    bench.queue.due = False
    bench.socket.data_received(b"unread")
    bench.socket.connection_lost(None)
    bench.all_turns()
    assert (bench.reader.taken, bench.reader.calls) == (b"", ["lost"])
    assert (bench.socket.phase, bench.context.sockets) == (GONE, {})
    assert bench.context.emptied.is_set()


async def test_there_is_one_deadline_at_a_time_and_none_once_the_socket_is_lost() -> None:
    bench = Bench()
    passed: list[str] = []
    bench.socket.deadline(0, lambda: passed.append("former"))
    bench.socket.deadline(0, lambda: passed.append("latter"))
    await settle()
    bench.socket.deadline(0, lambda: passed.append("before"))
    bench.socket.connection_lost(None)
    bench.socket.deadline(0, lambda: passed.append("after"))
    await settle()
    assert passed == ["latter"]


@pytest.mark.parametrize("left", [0, 2])
def test_who_reads_is_waited_for_however_much_is_left(monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    looks: list[Callable[[], None]] = []
    monkeypatch.setattr(Socket, "deadline", lambda self, seconds, callback: looks.append(callback))
    bench = Bench()
    bench.transport.unread = 9
    bench.socket.watch_reader(1)
    for unread in (8, 2):
        bench.transport.unread = unread
        looks.pop()()
        assert not bench.transport.aborted
    bench.transport.unread = left  # as much as before, or nothing: then it should have hung up
    looks.pop()()
    assert bench.transport.aborted
