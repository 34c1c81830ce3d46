"""Floods from one connection: other people's moves go on, memory stays bounded, and the flood ends. What a socket does
about them frame by frame: tests/server/http/connections/test_websocket."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from websockets.exceptions import InvalidStatus

from client.lab.bench.wire import Wire, connect
from server.http.connections.gate import LEAST
from server.http.connections.listen import LEAST_FILES
from tests.support.live.server import (
    UNLIMITED,
    Server,
    connection,
    eventually,
    open_client,
    player,
    players,
    seated_pair,
    serving,
)
from tests.support.rooms.floods import FLOODS

ANSWERED_MOST = 5_000
"""Of a flood that has millions of frames."""


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With the limits that a server has by default."""
    with serving(tmp_path_factory.mktemp("limited")) as server:
        yield server


async def guest(server: Server) -> Wire:
    wire = await connect(server.port)
    await wire.ask("hello", v=1)
    return wire


async def flood(wire: Wire, kind: str) -> None:
    """Until the server hangs up."""
    while not wire.lost:
        if wire.transport.get_write_buffer_size() < 1_000_000:
            wire.transport.write(FLOODS[kind])
        await asyncio.sleep(0)


@pytest.mark.parametrize("kind", ["messages", "pings"])
async def test_moves_go_on_while_somebody_floods_until_the_flood_is_closed(limited: Server, kind: str) -> None:
    async with players(limited, "Anna", "Bert") as (a, b):
        room = await seated_pair(a, b, "qubic")
        wire = await guest(limited)
        heard = 0

        def count(payload: bytes) -> None:
            nonlocal heard
            heard += 1

        wire.hear = count
        under_way = asyncio.create_task(flood(wire, kind))
        for ply in range(20):
            side = (a, b)[ply % 2]
            await side.ack("move", room=room["room"], game=1, ply=ply, move=room["game"]["legal"][ply * 7 % 64])
            await b.event("moved", ply=ply)
            await a.event("moved", ply=ply)
        async with asyncio.timeout(40):  # to its end, which takes some seconds
            await under_way
        under_way.cancel()
        await asyncio.wait([under_way])
        assert heard <= ANSWERED_MOST
        wire.close()
        await a.sync()


async def test_who_pings_and_never_reads_is_dropped_before_memory_grows(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with player(server) as other:
            wire = await guest(server)
            process = psutil.Process(server.process.pid)
            before = process.memory_info().rss
            wire.transport.pause_reading()
            under_way = asyncio.create_task(flood(wire, "unread"))
            await eventually(lambda: "slow reader dropped" in server.log.read_text(), "the slow reader dropped")
            assert process.memory_info().rss - before < 16 * 1024**2
            await other.sync()
            under_way.cancel()
            await asyncio.wait([under_way])
            wire.close()


async def test_requests_of_one_address_are_limited_and_others_are_answered(limited: Server) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", limited.port, local_addr=("127.0.0.2", 0))
    writer.write(FLOODS["requests"])
    refused = 0
    while not refused:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.lower().split("content-length: ")[1].split("\r\n")[0])
        body = await reader.readexactly(length)
        if head.startswith("HTTP/1.1 429 "):
            refused += 1
            assert "Retry-After: 1\r\n" in head
            assert body == b"Too many requests from your address: come back in 1 s.\n"
        else:
            assert head.startswith("HTTP/1.1 200 ")
    writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", limited.port)
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    answer = (await reader.read()).decode()
    assert "\r\n\r\nready" in answer
    assert "limit met in the last minute: address_rate, " in answer
    assert " times by 127.0.0.0/24\n" in answer
    writer.close()


async def test_connections_past_the_limit_of_files_are_told_and_the_others_stay(tmp_path: Path) -> None:
    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (LEAST_FILES, LEAST_FILES))

    with serving(tmp_path, *UNLIMITED, prepare=few_files) as server:
        async with connection(server) as first:
            await first.hello()
            idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(LEAST)]
            assert (await idle[-1][0].read()).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            await first.sync()
            for _, writer in idle:
                writer.close()
            while True:  # the server notices in its own time
                with contextlib.suppress(InvalidStatus):
                    second = await open_client(server)
                    break
                await asyncio.sleep(0.02)
            await second.hello()
            await second.close()
