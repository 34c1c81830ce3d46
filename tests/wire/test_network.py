"""The door: origins, flood limits, connections an address, proxies, slow readers, and what shuts the door."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.live import (
    TIMEOUT_S,
    UNLIMITED,
    Client,
    Server,
    connection,
    eventually,
    open_client,
    player,
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


# Origins


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:{port}", "HTTP://127.0.0.1:{port}", "https://127.0.0.1:{port}", "https://Friend.example", None],
)
async def test_origins_that_may_connect(guarded: Server, origin: str | None) -> None:
    assert await status_of(guarded, origin=origin and origin.format(port=guarded.port)) == 101


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}.evil.example",
        "http://friend.example",
        "https://friend.example.evil.example",
        "https://sub.friend.example",
        "https://friend.example:444",
        "null",
        "",
        "file://",
        "http://[",
        "127.0.0.1:{port}",
    ],
)
async def test_origins_that_may_not(guarded: Server, origin: str) -> None:
    origin = origin.format(port=guarded.port)
    assert await status_of(guarded, additional_headers={"Origin": origin}) == 403


async def test_two_origins_are_none(guarded: Server) -> None:
    own = f"http://127.0.0.1:{guarded.port}"
    headers = [("Origin", own), ("Origin", "http://evil.example")]
    assert await status_of(guarded, additional_headers=headers) == 403


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One with another site's pages allowed, and the usual limits but for new connections."""
    flags = ("--address-rate", "0", "--allow-origin", "https://friend.example")
    with serving(tmp_path_factory.mktemp("guarded"), *flags) as server:
        yield server


# Floods


async def test_too_many_messages_from_a_connection(guarded: Server) -> None:
    """Two hundred at once, then fifty a second; what is refused was not done, and is told so."""
    async with player(guarded) as client:
        begun_s = time.monotonic()
        numbers = [await client.send("ping", ts=number) for number in range(400)]
        answers = [await client.answer(number) for number in numbers]
        took_s = time.monotonic() - begun_s
        passed = [answer for answer in answers if answer["t"] == "pong"]
        refused = [answer for answer in answers if answer["t"] == "error"]
        assert {answer["code"] for answer in refused} == {"too_fast"}
        assert 199 <= len(passed) <= 201 + 50 * took_s
        assert len(passed) + len(refused) == 400
        async with asyncio.timeout(TIMEOUT_S):
            while (await client.ask("ping", ts=0))["t"] != "pong":  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.02)


async def test_a_player_with_many_connections_is_no_faster(tmp_path: Path) -> None:
    flags = ("--connection-rate", "0", "--player-rate", "10", "--connection-burst", "20", "--address-rate", "0")
    with serving(tmp_path, *flags) as server:
        async with contextlib.AsyncExitStack() as stack:
            first = await stack.enter_async_context(player(server))
            others = [await stack.enter_async_context(player(server, token=first.token)) for _ in range(3)]
            begun_s = time.monotonic()
            answers = [await client.ask("ping", ts=1) for client in (first, *others) for _ in range(20)]
            took_s = time.monotonic() - begun_s
            assert 20 <= sum(answer["t"] == "pong" for answer in answers) <= 21 + 10 * took_s
            assert {answer.get("code") for answer in answers if answer["t"] == "error"} == {"too_fast"}


async def test_a_flood_before_hello_is_limited_too(guarded: Server) -> None:
    async with connection(guarded) as client:
        begun_s = time.monotonic()
        for _ in range(400):
            await client.send("ping", ts=1)
        await client.until(lambda m: m.get("id") == 400)
        took_s = time.monotonic() - begun_s
        codes = [message["code"] for message in client.log]
        assert set(codes) == {"unauthorised", "too_fast"}
        assert codes.count("unauthorised") <= 201 + 50 * took_s


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


async def test_too_many_new_connections_from_an_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--address-rate", "5") as server:
        # All at once: on a slow machine ten, one after the other, may take longer than a second.
        statuses = await asyncio.gather(*(status_of(server) for _ in range(10)))
        assert statuses.count(101) >= 5
        assert statuses.count(429) >= 3


async def test_a_trusted_proxy_names_the_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--address-open", "1", "--address-rate", "0", "--trusted-proxy") as server:
        client = await open_client(server, additional_headers={"X-Forwarded-For": "203.0.113.7"})
        assert await status_of(server, additional_headers={"X-Forwarded-For": "203.0.113.7"}) == 429
        # What the client itself put in front of it does not count.
        assert await status_of(server, additional_headers={"X-Forwarded-For": "203.0.113.9, 203.0.113.7"}) == 429
        repeated = [("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-For", "203.0.113.7")]
        assert await status_of(server, additional_headers=repeated) == 429
        assert await status_of(server, additional_headers={"X-Forwarded-For": "203.0.113.8"}) == 101
        await client.close()


async def test_nobody_else_names_the_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--address-open", "1", "--address-rate", "0") as server:
        client = await open_client(server, additional_headers={"X-Forwarded-For": "203.0.113.7"})
        assert await status_of(server, additional_headers={"X-Forwarded-For": "203.0.113.8"}) == 429
        await client.close()


# Slow readers


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


async def test_connections_that_send_no_websocket(server: Server) -> None:
    """Garbage, nothing at all, and half a request leave the server serving."""
    for junk in (
        b"",
        b"\x00\xff\xfe" * 100,
        b"GET /ws HTTP/1.1\r\nHost: x\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"\r\n" * 9,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(junk)
        if junk.endswith(b"x\r\n"):
            writer.close()
            continue
        writer.write_eof()
        await reader.read()
        writer.close()
    async with player(server) as client:
        await client.sync()


@pytest.mark.parametrize("frame", [b"\x81\x05hello", b"\xf1\x80\x00\x00\x00\x00", b"\x8f\x80\x00\x00\x00\x00"])
async def test_frames_against_the_websocket_protocol_close_with_1002(server: Server, frame: bytes) -> None:
    """Unmasked, with reserved bits, with an unknown opcode."""
    async with player(server) as client:
        client.websocket.transport.write(frame)
        assert await client.closing() == 1002
