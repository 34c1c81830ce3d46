"""Games with searches on a server under test, and what its metrics say of them."""

from __future__ import annotations

import asyncio
import urllib.request

from tests.support.live.server import Client, Server

QUICK = {"kind": "bot", "bot": "osipa-tree"}
"""A bot that takes a worker, though not for long, and needs nothing compiled."""


async def quick_games(client: Client, count: int) -> None:
    """So many short games in which a quick bot moves."""
    for _ in range(count):
        room = (await client.room("create", game="tictactoe", seat="o", opponent=QUICK))["room"]
        await client.event("moved", room=room)
        await client.ack("act", room=room, game=1, action="resign")


async def metric(server: Server, name: str) -> float:
    """A sample of /metrics."""

    lines = (await asyncio.to_thread(read, server, "/metrics")).decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def read(server: Server, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=10) as answer:
        body: bytes = answer.read()
        return body
