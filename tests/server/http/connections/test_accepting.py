"""Connections are accepted a few at a time."""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import closing

import pytest

from server.http.connections import accepting
from server.http.connections.accepting import AT_ONCE, Accepting

COMING = 3 * AT_ONCE + 1


class Counted(asyncio.Protocol):
    """Counts those that are made, until so many are."""

    def __init__(self, enough: int = COMING) -> None:
        self.made: list[asyncio.Transport] = []
        self.enough = enough
        self.all_made = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.made.append(transport)
        if len(self.made) == self.enough:
            self.all_made.set()


def _listening() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=COMING)


def _come(listening: socket.socket, count: int) -> list[socket.socket]:
    return [socket.create_connection(listening.getsockname()) for _ in range(count)]


def _end(counted: Counted, people: list[socket.socket]) -> None:
    for transport in counted.made:
        transport.close()
    for person in people:
        person.close()


async def test_all_who_wait_are_accepted_a_few_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    accepted: list[list[int]] = [[]]
    listening, counted = _listening(), Counted()
    go_on = Accepting._go_on

    def counting(self: Accepting) -> None:
        accepted.append([])
        go_on(self)

    monkeypatch.setattr(Accepting, "_go_on", counting)

    def made() -> Counted:
        accepted[-1].append(1)
        return counted

    people = _come(listening, COMING)
    taking = Accepting(listening, made)
    await counted.all_made.wait()
    taking.stop()
    taking.stop()
    assert [len(turn) for turn in accepted if turn] == [AT_ONCE, AT_ONCE, AT_ONCE, 1]
    assert all(one.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in counted.made)
    assert listening.fileno() == -1
    _end(counted, people)


async def test_whoever_was_taken_has_a_protocol_once_it_is_settled() -> None:
    listening, counted = _listening(), Counted(1)
    people = _come(listening, 1)
    taking = Accepting(listening, lambda: counted)
    taking._accept()
    taking.stop()
    await taking.settled()
    assert len(counted.made) == 1
    _end(counted, people)


async def test_it_waits_for_files_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(accepting, "NO_FILES_S", 0)
    counted = Counted(1)

    class Full:
        """A listening socket for which there is no file at first."""

        def __init__(self, real: socket.socket) -> None:
            self._real = real
            self.failures = [errno.EMFILE, errno.ECONNABORTED]

        def accept(self) -> tuple[socket.socket, object]:
            if self.failures:
                raise OSError(self.failures.pop(0), "no")
            return self._real.accept()

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    with closing(_listening()) as listening:
        people = _come(listening, 1)
        taking = Accepting(Full(listening), lambda: counted)  # type: ignore[arg-type]
        await counted.all_made.wait()
        taking.stop()
    assert caplog.text.count("no connection can be accepted") == 1
    _end(counted, people)


async def test_the_system_keeps_little_of_what_is_not_read() -> None:
    listening, counted = _listening(), Counted(1)
    taking = Accepting(listening, lambda: counted)
    with closing(_come(listening, 1)[0]):
        await counted.all_made.wait()
        taking.stop()
        made = counted.made[0].get_extra_info("socket")
        # Linux doubles what it is asked for.
        assert made.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) <= 2 * accepting.UNREAD_BYTES
        counted.made[0].close()
