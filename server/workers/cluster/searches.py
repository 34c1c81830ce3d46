"""What runs in the workers of a cluster for servers: searches, beside the games that the worker plays.

Each Dask worker has a pool of processes as a server has, on its event loop. So a search waits for no game: those step
back behind it, since priorities of Dask interrupt nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from engine.bots.cold import needs
from engine.rules.registry import rules
from engine.search.warm import stages
from server.workers.child import Done, Failed, Job, ReviewJob
from server.workers.cluster.build import Build, build
from server.workers.pool import UNBOUNDED, Workers
from server.workers.search import Priority, Search
from server.workers.search_queue import Owner

SERVER: Final = Owner("server")


class Ready(NamedTuple):
    """A worker of the cluster as it is now."""

    build: Build
    is_warm: bool
    """Whether its kernels are compiled."""


class _Running(NamedTuple):
    search: Search[Any]
    answer: asyncio.Future[Done | Failed | None]
    reports: list[tuple[int, int, float, tuple[int, ...]]]
    """the last one alone"""


_pools: dict[asyncio.AbstractEventLoop, Workers] = {}
_running: dict[str, _Running] = {}


async def prepare(threads: int) -> Ready:
    """Have searches ready to run, this many at a time."""
    return Ready(build(), _pool(threads).warming is None)


async def think(name: str, job: Job | ReviewJob, wanted: Build, threads: int) -> Done | Failed | Build | None:
    """The answer of a search; None where it was stopped or its processes died, and our build where it is another."""
    if build() != wanted:
        return build()
    pool = _pool(threads)
    answer: asyncio.Future[Done | Failed | None] = asyncio.get_running_loop().create_future()
    reports: list[tuple[int, int, float, tuple[int, ...]]] = []

    def tell(outcome: Done | Failed | None) -> None:
        if not answer.done():
            answer.set_result(outcome)

    search: Search[Any] = Search(
        job,
        Priority.PERSON,
        SERVER,
        started=lambda: None,
        progressed=lambda *report: reports.__setitem__(slice(None), [report]),
        finished=lambda found, took_us: tell(Done(found, took_us)),
        failed=lambda reason: tell(None),
        faulted=lambda termination, what: tell(Failed(what, termination)),
        needs=needs(job.bot, rules(job.game)) if isinstance(job, Job) else frozenset(stages()),
    )
    _running[name] = _Running(search, answer, reports)
    try:
        pool.submit(search)
        return await answer
    except asyncio.CancelledError:
        pool.stop(search)
        raise
    finally:
        del _running[name]


async def stop(name: str) -> None:
    """The answer of a search is no longer wanted."""
    running = _running.get(name)
    if running is not None and not running.answer.done():
        _pools[asyncio.get_running_loop()].stop(running.search)
        running.answer.set_result(None)


async def reports(names: list[str]) -> dict[str, tuple[int, int, float, tuple[int, ...]]]:
    """How far the searches are that have reported since they were last asked."""
    return {name: _running[name].reports.pop() for name in names if name in _running and _running[name].reports}


def _pool(threads: int) -> Workers:
    loop = asyncio.get_running_loop()
    if loop not in _pools:
        _pools[loop] = Workers(count=threads, bounds=UNBOUNDED, warm_up=True)
        _pools[loop].start()
    return _pools[loop]
