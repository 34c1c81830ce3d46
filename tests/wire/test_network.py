"""The door: origins, connections an address, slow readers, peers that vanish. Every case of each: tests/server/http."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

from websockets.exceptions import InvalidStatus

from tests.support.live.server import (
    TIMEOUT_S,
    UNLIMITED,
    Client,
    Server,
    eventually,
    open_client,
    players,
    serving,
)


async def status_of(server: Server, **options: Any) -> int:
    """101, or the status with which the door stays shut."""
    try:
        client = await open_client(server, **options)
    except InvalidStatus as refused:
        return refused.response.status_code
    await client.close()
    return 101


async def test_pages_of_other_sites_may_not_connect(server: Server) -> None:
    assert await status_of(server, origin=f"http://127.0.0.1:{server.port}") == 101
    assert await status_of(server, origin="http://evil.example") == 403


async def test_too_many_open_connections_from_an_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--address-open", "3", "--address-rate", "0") as server:
        open_ones = [await open_client(server) for _ in range(3)]
        assert await status_of(server) == 429
        await open_ones.pop().close()

        async with asyncio.timeout(TIMEOUT_S):
            while await status_of(server) == 429:  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.02)
        for client in open_ones:
            await client.hello()
            await client.close()


async def slow_client(server: Server, token: str) -> Client:
    """One with a small buffer that stops reading as soon as it is greeted."""
    plug = socket.socket()
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plug.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plug, ("127.0.0.1", server.port))
    client = await open_client(server, sock=plug)
    await client.hello(token=token)
    return client


async def test_a_slow_reader_is_dropped_and_the_others_get_everything(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Anna", "Bert", "Slow") as (a, b, c):
            room = (await a.room("create", game="tictactoe", opponent={"kind": "self"}))["room"]
            await b.room("watch", room=room)
            slow = await slow_client(server, c.token)
            await slow.room("watch", room=room)
            slow.websocket.transport.pause_reading()
            told = 0
            while "slow reader dropped" not in server.log.read_text():
                sent = [await a.send("say", room=room, text=f"{told + n} " + "\U0001f600" * 290) for n in range(200)]
                told += len(sent)
                await a.answer(sent[-1])
                assert told < 60_000, "nobody was dropped"
            await b.event("said", seq=(await a.ack("say", room=room, text="done"))["seq"])
            heard = [m["text"].split()[0] for m in b.log if m.get("e") == "said"]
            assert heard == [*map(str, range(told)), "done"]
            slow.websocket.transport.resume_reading()
            await slow.closing()
            # What it missed is there for it.
            back = await open_client(server)
            await back.hello(token=c.token)
            last = max(m["seq"] for m in b.log if m.get("e") == "said")
            await back.ack("resume", room=room, seq=last - 10)
            assert (await back.event("said", seq=last))["text"] == "done"
            for client in (slow, back):
                await client.close()


async def test_a_slow_reader_of_its_own_answers_is_dropped(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Slow", "Bert") as (a, b):
            slow = await slow_client(server, a.token)
            slow.websocket.transport.pause_reading()
            with contextlib.suppress(Exception):
                # Each request of a few bytes asks for kilobytes.
                for _ in range(30_000):
                    await slow.send("lobby", on=True)
            await eventually(lambda: "slow reader dropped" in server.log.read_text(), "the slow reader dropped")
            await b.sync()
            slow.websocket.transport.resume_reading()
            await slow.close()


async def test_a_peer_that_vanishes_is_noticed(tmp_path: Path) -> None:
    """Silent for two pings, it is gone for the others as well."""
    with serving(tmp_path, *UNLIMITED, "--ping-s", "1") as server:
        async with players(server, "Anna", "Bert") as (a, b):
            room = (await a.room("create", game="tictactoe", seat="x"))["room"]
            await b.room("join", room=room)
            b.websocket.transport.pause_reading()
            gone = await a.until(lambda m: m["t"] == "present" and not m["present"])
            assert gone["side"] == "o"
            b.websocket.transport.resume_reading()
            await b.closing()
