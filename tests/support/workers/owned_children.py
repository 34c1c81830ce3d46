"""Children of a test: what they say and how they end is kept; some are without a process."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from server.workers import children
from server.workers.children import (
    Child,
    Ending,
)


class Owner:
    """Keeps what a child says, and how it ended."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.ending: Ending | None = None
        self._news = asyncio.Event()

    def hear(self, message: Any) -> None:
        assert self.ending is None
        self.messages.append(message)
        self._news.set()

    def end(self, ending: Ending) -> None:
        assert self.ending is None, "it ends once"
        self.ending = ending
        self._news.set()

    async def until_over(self) -> Ending:
        async with asyncio.timeout(60):
            while self.ending is None:
                self._news.clear()
                await self._news.wait()
        return self.ending

    async def next(self) -> Any:
        async with asyncio.timeout(60):
            while not self.messages:
                self._news.clear()
                await self._news.wait()
        return self.messages.pop(0)


class NoForks:
    """A fork server of which a child needs to know only these."""

    status_s = children.STATUS_S

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.killed: list[int] = []
        self.forgotten: list[int] = []

    def kill(self, number: int, pid: int | None) -> None:
        self.killed.append(number)

    def forget(self, number: int) -> None:
        self.forgotten.append(number)


class Pair:
    """A child without a process: the test holds the other end of its socket."""

    def __init__(self) -> None:
        ours, self.theirs = socket.socketpair()
        self.forks = NoForks()
        self.owner = Owner()
        self.child = Child(self.forks, 7, ours, None, self.owner.hear, self.owner.end)  # type: ignore[arg-type]
