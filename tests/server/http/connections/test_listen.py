"""Listening for real, on a port of this machine."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from websockets.server import ServerProtocol

from server.http.connections import listen as listen_module
from server.http.connections.conversation import Conversation
from server.http.connections.gate import LEAST
from server.http.connections.listen import (
    FILES_BESIDE_CONNECTIONS,
    LEAST_FILES,
    CannotListen,
    inherited,
    listen,
    make_room_for_files,
    raise_file_limit,
)
from server.http.connections.socket import Socket
from server.http.connections.websocket import WebSocket
from server.rooms.connection import Connection
from tests.support.rooms.loopback import serving


async def test_requests_on_one_connection_over_a_real_socket() -> None:
    async with serving() as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", at.port)
        for path in ("/a", "/b"):
            writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert await reader.readline() == f"GET {path}\n".encode()
        writer.write(b"nonsense\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 400 Bad Request\r\n")
        writer.close()


async def test_a_server_that_closes_waits_for_nobody_who_is_idle() -> None:
    async with serving() as at:
        _, writer = await asyncio.open_connection("127.0.0.1", at.port)
        client = await at.guest()
        await asyncio.wait_for(at.listener.close(), 60)
        assert not at.listener.sockets
        assert await client.closed() == 1012
        writer.close()


async def test_a_server_that_closes_says_goodbye_to_a_few_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listen_module, "SOCKETS_AT_ONCE", 1)
    async with serving() as at:
        clients = [await at.guest() for _ in range(3)]
        sockets = list(at.listener.sockets)
        closing = asyncio.create_task(at.listener.close())
        told = 0
        while told < len(sockets):
            await asyncio.sleep(0)
            now = sum(isinstance(socket.phase, WebSocket) and not socket.phase.open for socket in sockets)
            assert now <= told + 1
            told = now
        assert [await client.closed() for client in clients] == [1012] * 3
        await closing


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


OF_A_CONNECTION = Socket, WebSocket, ServerProtocol, Conversation, Connection
OPENING = (
    "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def _end_within_a_frame(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(OPENING.encode())
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\x81")
    writer.write_eof()
    await reader.read()
    writer.close()
    await writer.wait_closed()


async def test_whoever_is_gone_is_out_of_memory_at_once(no_collection: None) -> None:
    """Not when Python next looks for circles of references: that takes long where many are gone."""
    before = _of_connections()  # pytest keeps what the logged tracebacks of earlier tests refer to
    async with serving() as at:
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", at.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            await reader.read()
            writer.close()
            await writer.wait_closed()
            await at.guest()
            await _end_within_a_frame(at.port)
        await at.hang_up()
        await at.all_gone()
        at.connections.clear()
        at.world.timers.clear()
        assert [one for one in _of_connections() if all(one is not other for other in before)] == []


def _of_connections() -> list[object]:
    return [one for one in gc.get_objects() if isinstance(one, OF_A_CONNECTION)]


def test_a_port_in_use_and_an_address_that_is_not_ours() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"^127.0.0.1:{port} is in use; stop the program that uses it"):
            listen("127.0.0.1", port)
    with pytest.raises(CannotListen, match=r"^Cannot listen on 192.0.2.1:0: Cannot assign requested address.$"):
        listen("192.0.2.1", 0)
    with pytest.raises(CannotListen, match=r"^Cannot listen on no.such.host.invalid:0: "):
        listen("no.such.host.invalid", 0)


# Containers are often made without IPv6, where nothing can listen at `::`; CI's machines have it.
@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="needs a system with IPv6")
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_all_addresses_are_those_of_both_kinds(address: str) -> None:
    with listen("::", 0) as listening, socket.create_connection((address, listening.getsockname()[1])):
        pass


@pytest.fixture
def handed_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What a service manager listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setattr(listen_module, "FIRST_INHERITED", os.dup(listening.fileno()))
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
        monkeypatch.setenv("LISTEN_FDS", "1")
        monkeypatch.setenv("LISTEN_FDNAMES", "noughts.socket")
        yield listening


def test_a_socket_that_is_handed_over_is_taken_once(handed_over: socket.socket) -> None:
    taken = inherited()
    assert taken is not None
    with taken:
        assert taken.getsockname() == handed_over.getsockname()
        assert not taken.get_inheritable()
    assert not {name for name in os.environ if name.startswith("LISTEN_")}, "children are told of none"
    assert inherited() is None


def test_what_is_handed_over_to_somebody_else_is_left_alone(
    handed_over: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LISTEN_PID", "1")
    assert inherited() is None


@pytest.mark.parametrize("count", ["", "0", "2"])
def test_one_socket_is_right(handed_over: socket.socket, monkeypatch: pytest.MonkeyPatch, count: str) -> None:
    monkeypatch.setenv("LISTEN_FDS", count)
    with pytest.raises(CannotListen, match="sockets instead of one"):
        inherited()


def test_a_socket_of_another_kind_is_refused(handed_over: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        monkeypatch.setattr(listen_module, "FIRST_INHERITED", os.dup(other.fileno()))
        with pytest.raises(CannotListen, match="not TCP"):
            inherited()


def test_the_file_limit_is_raised_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = [(1_000, 5_000)]
    monkeypatch.setattr(resource, "getrlimit", lambda which: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda which, wanted: limits.append(wanted))
    assert raise_file_limit() == 5_000 - FILES_BESIDE_CONNECTIONS
    assert limits == [(1_000, 5_000), (5_000, 5_000)]
    assert raise_file_limit() == 5_000 - FILES_BESIDE_CONNECTIONS


def test_a_file_limit_that_cannot_be_raised_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(which: int, wanted: tuple[int, int]) -> None:
        raise ValueError("not allowed")

    monkeypatch.setattr(resource, "getrlimit", lambda which: (1_000, 5_000))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert raise_file_limit() == 1_000 - FILES_BESIDE_CONNECTIONS


def test_too_few_files_are_told_before_everybody_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (LEAST_FILES, LEAST_FILES))
    assert raise_file_limit() == LEAST
    monkeypatch.setattr(resource, "getrlimit", lambda which: (64, 64))
    with pytest.raises(CannotListen, match=r"^The limit of open files is 64, and a server needs 80 .*ulimit -n"):
        raise_file_limit()


GROWN = """
from pathlib import Path
from server.http.connections.listen import make_room_for_files

def room():
    return int(Path("/proc/self/status").read_text().partition("FDSize:")[2].split()[0])

before = room()
make_room_for_files(700)
print(before < 700 <= room(), len(list(Path("/proc/self/fd").iterdir())) < 20)
"""


# How large that table is stands in Linux's /proc alone; macOS has no such table to be asked for. What holds everywhere,
# that a refusal is no reason to fail, is in the test below.
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much room there is")
def test_the_table_of_files_has_room_from_the_start() -> None:
    done = subprocess.run([sys.executable, "-c", GROWN], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True True\n", "")


def test_more_files_than_may_be_opened_are_no_reason_to_fail(caplog: pytest.LogCaptureFixture) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (500, hard))
        make_room_for_files(1_000)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [record.message for record in caplog.records] == ["no room for files can be made"]
