"""A link to a cluster as a pool sees it, with a gateway that says what a test has it say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.bots.player import Limit
from engine.bots.roster import bot
from server.workers.child import Done, Failed, Job
from server.workers.children import Ending
from server.workers.cluster import gateway
from server.workers.cluster.link import ClusterLink
from server.workers.search import Priority, Search
from server.workers.search_queue import Owner

PERSON = Priority.PERSON


WATCHED = Priority.WATCHED


class FakeGateway:
    """The process, as its owner sees it."""

    def __init__(self, says: Callable[[Any], None], ends: Callable[[Ending], None]) -> None:
        self.says, self.ends = says, ends
        self.heard: list[Any] = []
        self.alive = True

    def send(self, word: Any) -> None:
        self.heard.append(word)

    def kill(self) -> None:
        self.alive = False


class FakeForks:
    def __init__(self) -> None:
        self.gateways: list[FakeGateway] = []
        self.trouble: OSError | None = None
        self.closed = False

    def fork(self, entry: Any, arguments: Any, slot: Any, on_message: Any, on_end: Any) -> FakeGateway:
        assert (entry, arguments, slot) == (gateway.work, ("tcp://there:1",), None)
        if self.trouble is not None:
            raise self.trouble
        self.gateways.append(FakeGateway(on_message, on_end))
        return self.gateways[-1]

    def close(self) -> None:
        self.closed = True


class FakeTimer:
    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self.call = seconds, call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeLoop:
    """Timers that run out when a test says so."""

    def __init__(self) -> None:
        self.timers: list[FakeTimer] = []

    def call_later(self, seconds: float, call: Callable[..., None], *arguments: Any) -> FakeTimer:
        self.timers.append(FakeTimer(seconds, partial(call, *arguments)))
        return self.timers[-1]

    def fire(self, seconds: float) -> None:
        [timer] = [timer for timer in self.timers if timer.seconds == seconds and not timer.cancelled]
        self.timers.remove(timer)
        timer.call()


class Pool:
    """A link, what lies behind it, and what it has told."""

    def __init__(self) -> None:
        self.forks = FakeForks()
        self.freed = 0
        self.ended: list[tuple[Search[Any], Done | Failed | None]] = []
        self.reports: list[tuple[Any, ...]] = []
        self.link = ClusterLink("tcp://there:1", lambda preload, loop: self.forks)  # type: ignore[arg-type, return-value]
        self.link.start(self._free, lambda search, outcome: self.ended.append((search, outcome)))
        self.loop = FakeLoop()
        self.link._loop = self.loop  # type: ignore[assignment]

    @property
    def gateway(self) -> FakeGateway:
        return self.forks.gateways[-1]

    def _free(self) -> None:
        self.freed += 1

    def search(self, priority: Priority = PERSON, what: Job | None = None) -> Search[Any]:
        return Search(
            what or Job("qubic", (), bot("level:5"), Limit(move_ms=500), 500, 1),
            priority,
            Owner("ann"),
            started=lambda: None,
            progressed=lambda *report: self.reports.append(report),
            finished=lambda *answer: None,
            failed=lambda reason: None,
        )
