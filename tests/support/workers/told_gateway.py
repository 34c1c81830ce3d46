"""A gateway, and a cluster behind it that answers when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from engine.bots.player import Limit
from engine.bots.roster import bot
from server.workers.child import Job
from server.workers.cluster import searches
from server.workers.cluster.build import build
from server.workers.cluster.gateway import Gateway
from server.workers.cluster.searches import Ready
from server.workers.cluster.words import Ask, FromGateway

JOB = Job("qubic", (), bot("level:5"), Limit(move_ms=500), 500, 1)


HERE = Ready(build(), True)


class FakeCluster:
    """Two workers of two threads unless a test changes them. A silent worker answers nothing."""

    def __init__(self) -> None:
        self.workers: dict[str, int] = {"one": 2, "two": 2}
        self.ready: dict[str, Ready | Exception] = {}
        self.silent: set[str] = set()
        self.thinking: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        """by name: where, and the answer"""
        self.stopped: list[str] = []
        self.reports: dict[str, tuple[int, int, float, tuple[int, ...]]] = {}

    async def threads(self) -> dict[str, int]:
        return dict(self.workers)

    async def run(self, worker: str, function: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        if function is searches.think:
            name, job, wanted, threads = arguments
            assert (job, wanted, threads) == (JOB, build(), self.workers[worker])
            answer = asyncio.get_running_loop().create_future()
            self.thinking[name] = worker, answer
            return await answer
        if worker in self.silent:
            await asyncio.get_running_loop().create_future()
        if function is searches.prepare:
            ready = self.ready.get(worker, HERE)
            if isinstance(ready, Exception):
                raise ready
            return ready
        if function is searches.stop:
            self.stopped.append(arguments[0])
            return None
        assert function is searches.reports
        return {name: self.reports.pop(name) for name in arguments[0] if name in self.reports}


class Told:
    """A gateway and what it has said."""

    def __init__(self, cluster: FakeCluster) -> None:
        self.cluster = cluster
        self.words: list[FromGateway] = []
        self.gateway = Gateway(cluster, self.words.append, "me")

    def new(self) -> list[FromGateway]:
        words, self.words[:] = list(self.words), []
        return words

    async def ask(self, *numbers: int) -> None:
        for number in numbers:
            self.gateway.hear(Ask(number, JOB))
        await settled()

    def where(self) -> list[str]:
        return sorted(worker for worker, _ in self.cluster.thinking.values())


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
