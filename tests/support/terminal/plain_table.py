"""A plain game of the terminal against the fake server, and the lines that a test types."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from client.sdk import Connection, LiveRoom, connect
from client.sdk.records import Records
from client.terminal.drawing.boards import Look
from client.terminal.plain.game_lines import PlainGame
from client.terminal.preferences import Preferences
from tests.support.terminal.fake_server import FakeRoom, FakeServer, fake_server


class Typed:
    """Lines as a test types them; None is the end of input."""

    def __init__(self, *lines: str | None) -> None:
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.type(*lines)

    def type(self, *lines: str | None) -> None:
        for line in lines:
            self.queue.put_nowait(line)

    async def next(self) -> str | None:
        return await self.queue.get()


class Table:
    """A plain game against the fake server."""

    def __init__(
        self,
        server: FakeServer,
        connection: Connection,
        room: LiveRoom,
        typed: Typed,
        interactive: bool,
        preferences: Preferences,
    ) -> None:
        self.server = server
        self.room = room
        self.typed = typed
        self.out: list[str] = []
        self.err: list[str] = []
        self.game = PlainGame(
            connection,
            room,
            typed,
            self.out.append,
            self._tell,
            Look(ascii=True),
            interactive=interactive,
            records=Records(server.url, None),
            preferences=preferences,
            left=lambda: "LEFT",
            link="LINK",
        )
        self._news = asyncio.Event()

    def _tell(self, text: str) -> None:
        self.err.append(text)
        self._news.set()

    async def tells(self, text: str) -> None:
        while not any(text in line for line in self.err):
            self._news.clear()
            await self._news.wait()

    @property
    def told(self) -> str:
        return "\n".join(self.err)


@asynccontextmanager
async def table(
    *lines: str | None,
    room: FakeRoom | None = None,
    replies: list[str] | None = None,
    interactive: bool = False,
    preferences: Preferences | None = None,
) -> AsyncIterator[Table]:
    async with fake_server(room) as server, connect(server.url, delays_s=(0.0,) * 9) as connection:
        server.replies = replies or []
        seat = await connection.join(room="r1")
        yield Table(server, connection, seat, Typed(*lines), interactive, preferences or Preferences())
