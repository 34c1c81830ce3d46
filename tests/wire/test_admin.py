"""An operator's orders to a server that people play on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.support.live.server import (
    COMMAND,
    ROOT,
    Server,
    connection,
    environment,
    player,
    players,
    seated_pair,
    serving,
)


async def ordered(server: Server, *words: str) -> tuple[int, str]:
    """`noughts admin`: its status and what it prints."""
    command = (*COMMAND, "admin", *words, "--db", str(server.db))
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=ROOT,
        env=environment(),
    )
    out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


async def listed(server: Server, *words: str) -> list[dict[str, Any]]:
    status, out = await ordered(server, "players", *words, "--json")
    assert status == 0
    found: list[dict[str, Any]] = json.loads(out)["players"]
    return found


async def test_players_are_found_renamed_and_deleted_and_their_room_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with players(server, "Anna", "Bert") as (a, b):
            room = (await seated_pair(a, b))["room"]
            number = a.player["id"]
            assert [(line["id"], line["rooms"]) for line in await listed(server, "anN")] == [(number, [room])]
            assert [line["name"] for line in await listed(server)] == ["Bert", "Anna"]
            renamed = f"Player {number} is now called Annabel.\n"
            assert await ordered(server, "rename", number, "Annabel") == (0, renamed)
            assert (await b.event("seated", room=room, side="x"))["seat"]["name"] == "Annabel"
            status, said = await ordered(server, "delete", number, "--yes")
            assert (status, room in said) == (1, True), "not while the game runs"
            assert await ordered(server, "close", room) == (0, f"Room {room} is closed.\n")
            assert (await b.event("ended", room=room))["termination"] == "aborted"
            await b.error("not_found", "watch", room=room)
            assert (await ordered(server, "delete", number, "--yes"))[0] == 0
            assert await a.closing() == 1000
        assert [line["name"] for line in await listed(server)] == ["Bert"]
    status, said = await ordered(server, "players")
    assert (status, "No server takes orders" in said) == (1, True)


async def test_a_sleeping_room_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path, "--max-rooms", "1") as server:
        async with player(server, "Anna") as a:
            first = (await a.room("create", game="tictactoe", opponent={"kind": "self"}))["room"]
            await a.ack("leave", room=first)
            second = (await a.room("create", game="tictactoe", opponent={"kind": "self"}))["room"]
            assert (await ordered(server, "close", first))[0] == 0, "the first had to sleep for the second"
            await a.error("not_found", "watch", room=first)
            assert (await a.room("watch", room=second))["game"]["started"]


async def test_announcements_reach_those_who_are_here_and_those_who_come(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with player(server, "Anna") as a:
            assert (await ordered(server, "announce", "Restart at noon"))[0] == 0
            assert (await a.until(lambda m: m["t"] == "announcement"))["text"] == "Restart at noon"
            async with player(server, "Bert") as b:
                assert (await b.until(lambda m: m["t"] == "announcement"))["text"] == "Restart at noon"
            assert (await ordered(server, "announce", "--withdraw"))[0] == 0
            await a.until(lambda m: m["t"] == "announcement" and not m["text"])
            async with player(server, "Carl") as c:
                await c.sync()
                assert all(message["t"] != "announcement" for message in c.log)


async def test_a_ban_outlives_a_restart_and_ends_by_unban(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with player(server, "Anna") as a:
            token, number = a.token, a.player["id"]
            assert (await ordered(server, "ban", number, "--for", "7d", "--reason", "insults", "--address", "1h"))[
                0
            ] == 0
            assert await a.closing() == 1000
        async with connection(server) as stranger:
            await stranger.error("not_now", "hello", v=1)
        server.stop()
    with serving(tmp_path) as server:
        async with connection(server) as back:
            assert "insults" in (await back.error("not_now", "hello", v=1, token=token))["message"]
            assert (await ordered(server, "unban", number))[0] == 0
            assert (await back.hello(token=token))["player"]["id"] == number


async def test_a_bots_token_lasts_until_it_is_withdrawn(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        status, out = await ordered(server, "token", "new", "coin")
        said, token = out.split("\n")[:2]
        assert (status, said.startswith("coin is player ")) == (0, True)
        number = said.rstrip(".").split()[-1]
        async with connection(server) as bot:
            assert (await bot.hello(token=token, kind="bot"))["player"] == {"id": number, "name": "coin", "kind": "bot"}
            assert (await ordered(server, "token", "withdraw", number))[0] == 0
            assert await bot.closing() == 1000
        async with connection(server) as bot:
            await bot.error("unauthorised", "hello", v=1, token=token)
            renewed = (await ordered(server, "token", "renew", number))[1].split("\n")[1]
            assert (await bot.hello(token=renewed))["player"]["id"] == number
        assert server.stop() == 0
        for secret in (token, renewed):
            assert secret not in server.log.read_text()
