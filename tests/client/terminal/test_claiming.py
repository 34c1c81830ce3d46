"""When a win may be claimed."""

from __future__ import annotations

import asyncio

from client.sdk import LiveRoom, connect
from client.sdk.marks import MARKS
from client.terminal.claiming import tell_claims
from server.wire import Present
from tests.support.terminal.fake_server import FakeServer, fake_server

NOW = "Bob (O) is still away: you can /claim the win."
HERE = Present(room="r1", side="o", present=True)


async def happens(server: FakeServer, room: LiveRoom, presence: Present) -> None:
    """Until the teller has heard of it too."""
    version = room.version
    await server.send(presence)
    await room.changed_since(version)
    await room.ping()


def away(claim_ms: int | None) -> Present:
    return Present(room="r1", side="o", present=False, claim_ms=claim_ms)


async def test_it_is_told_once_for_each_absence_when_the_time_has_come() -> None:
    async with fake_server() as server, connect(server.url) as connection:
        room = await connection.join(room="r1")
        told: asyncio.Queue[str] = asyncio.Queue()
        telling = asyncio.create_task(tell_claims(room, told.put_nowait, MARKS))
        for presence in (away(60_000), HERE, away(None)):
            await happens(server, room, presence)
        assert told.empty()
        await happens(server, room, away(0))
        assert await told.get() == NOW
        await happens(server, room, away(0))
        assert told.empty(), "the server repeats itself"
        await happens(server, room, HERE)
        await happens(server, room, away(0))
        assert await told.get() == NOW
        await room.leave()
        await telling
