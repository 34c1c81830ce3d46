"""A cluster as a server's pool of workers sees it: room for searches, which may come and go.

All that is Dask is in a process of its own, the gateway. While there is none, or no cluster, there is no room.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from itertools import count
from typing import Any, Final

from server.workers.child import Done, Failed, Job, ReviewJob
from server.workers.children import Child, Ending, ForkServer
from server.workers.cluster import gateway
from server.workers.cluster.durations import Durations
from server.workers.cluster.words import Answer, Ask, FromGateway, Lost, Report, Said, Seats, Stop
from server.workers.engines.engine import EngineBot
from server.workers.search import Priority, Search

log = logging.getLogger(__name__)

AGAIN_S: Final = 10.0
"""Time until a cluster that is lost is looked for again."""
LATE_S: Final = 3.0
"""How much later an answer may come than on this machine."""
RESERVED: Final = 4
"""One thread in this many, and at least one, is kept for searches that people wait for."""


class ClusterLink:
    """See `server.workers.search.Elsewhere`. The address is a checked one."""

    def __init__(self, address: str, fork_server: Callable[..., ForkServer] = ForkServer) -> None:
        self.seats = 0
        """Searches that can run at a time."""
        self._address = address
        self._fork_server = fork_server
        self._durations = Durations()
        self._searches: dict[int, Search[Any]] = {}
        self._late: dict[int, asyncio.TimerHandle] = {}
        """by when each must have ended"""
        self._numbers = count()
        self._child: Child | None = None
        self._again: asyncio.TimerHandle | None = None
        self._is_lost = False
        """and the log says so"""
        self._loop: asyncio.AbstractEventLoop
        self._forks: ForkServer
        self._freed: Callable[[], None]
        self._ended: Callable[[Search[Any], Done | Failed | None], None]

    @property
    def running(self) -> Collection[Search[Any]]:
        return self._searches.values()

    def start(self, freed: Callable[[], None], ended: Callable[[Search[Any], Done | Failed | None], None]) -> None:
        self._freed, self._ended = freed, ended
        self._loop = asyncio.get_running_loop()
        self._forks = self._fork_server((gateway.__name__,), self._loop)
        self._connect()

    def takes(self, search: Search[Any]) -> bool:
        if isinstance(search.job, Job) and isinstance(search.job.bot, EngineBot):
            return False  # its program is on this machine
        reserved = 0 if search.priority == Priority.PERSON else max(1, self.seats // RESERVED)
        return len(self._searches) < self.seats - reserved

    def suits(self, search: Search[Any]) -> bool:
        return self._durations.is_long(search.job)

    def begin(self, search: Search[Any]) -> None:
        assert self._child is not None
        number = next(self._numbers)
        self._searches[number] = search
        wait_s = (search.job.start_ms + search.job.budget_ms) / 1000 + LATE_S
        self._late[number] = self._loop.call_later(wait_s, self._give_up, number)
        self._child.send(Ask(number, search.job))

    def stop(self, search: Search[Any]) -> None:
        self._send_stop(next(number for number, one in self._searches.items() if one is search))

    def note(self, job: Job | ReviewJob, took_ms: float) -> None:
        self._durations.note(job, took_ms)

    def close(self) -> None:
        for timer in (*self._late.values(), *([self._again] if self._again else [])):
            timer.cancel()
        self._searches.clear()
        self._child = None
        self._forks.close()

    def _send_stop(self, number: int) -> None:
        if self._child is not None:
            self._child.send(Stop(number))

    def _give_up(self, number: int) -> None:
        """Give up a search that should have ended long ago."""
        self._send_stop(number)
        self._end(number, None)

    def _connect(self) -> None:
        self._again = None
        try:
            self._child = self._forks.fork(gateway.work, (self._address,), None, self._hear, self._on_end)
        except OSError as error:
            self._lose(f"No process for it can be started: {error.strerror or error!r}.")

    def _hear(self, word: FromGateway) -> None:
        if isinstance(word, Answer):
            self._end(word.number, word.outcome)
        elif isinstance(word, Report):
            search = self._searches.get(word.number)
            if search is not None and not search.stopped:
                search.progressed(word.nodes, word.depth, word.value, word.pv)
        elif isinstance(word, Seats):
            self.seats = word.total
            log.info("cluster", extra={"address": self._address, "threads": self.seats})
            self._is_lost = self._is_lost and not self.seats
            self._freed()
        elif isinstance(word, Said):
            log.warning("cluster", extra={"said": word.sentence})
        elif isinstance(word, Lost):
            self._lose(word.sentence)

    def _on_end(self, ending: Ending) -> None:
        """The gateway has ended."""
        self._child = None
        self._lose(f"Its gateway {ending}.")

    def _lose(self, reason: str) -> None:
        """Search here what the cluster had, and look for it again later."""
        self.seats = 0
        if not self._is_lost:
            self._is_lost = True
            log.warning("the cluster is lost, bots think on this machine", extra={"reason": reason})
        if self._again is None:
            self._again = self._loop.call_later(AGAIN_S, self._begin_again)
        for number in list(self._searches):
            self._end(number, None)

    def _begin_again(self) -> None:
        if self._child is not None:
            self._child.kill()
        self._connect()

    def _end(self, number: int, outcome: Done | Failed | None) -> None:
        search = self._searches.pop(number, None)
        if search is not None:
            self._late.pop(number).cancel()
            self._ended(search, outcome)
