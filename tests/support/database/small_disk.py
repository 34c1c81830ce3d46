"""A disk that fills up under a server, and what its database shows meanwhile."""

from __future__ import annotations

import asyncio

import psutil

from tests.support.live.server import (
    TIMEOUT_S,
    Client,
    Server,
)


class SmallDisk:
    """Lets no file of a server grow any more, as a full disk would."""

    def __init__(self, server: Server) -> None:
        self._process = psutil.Process(server.process.pid)
        self._files = [server.db, server.db.with_name(server.db.name + "-wal")]
        self._limits = self._process.rlimit(psutil.RLIMIT_FSIZE)

    def fill(self) -> None:
        largest = max(file.stat().st_size for file in self._files if file.exists())
        self._process.rlimit(psutil.RLIMIT_FSIZE, (largest, self._limits[1]))

    def empty(self) -> None:
        self._process.rlimit(psutil.RLIMIT_FSIZE, self._limits)


async def until_unavailable(client: Client, room: str) -> int:
    """Talk until nothing more can be stored; the last `seq` that was."""
    async with asyncio.timeout(TIMEOUT_S):
        while (answer := await client.ask("say", room=room, text="\u3042" * 300))["t"] == "ack":
            pass
    assert (answer["t"], answer["code"]) == ("error", "unavailable")
    seq: int = (await client.room("watch", room=room))["seq"]
    return seq


async def until_stored(client: Client, room: str) -> int:
    async with asyncio.timeout(TIMEOUT_S):
        while (answer := await client.ask("say", room=room, text="again"))["t"] == "error":
            assert answer["code"] == "unavailable"
            await asyncio.sleep(0.02)
    seq: int = answer["seq"]
    return seq
