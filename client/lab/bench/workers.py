"""`noughts bench workers`: what a search in a worker costs, and how soon a death, a hang or a stop is noticed."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import click
import uvloop
from msgspec import Struct

from client.lab.bench.figures import Part, figure, lines, quantile
from client.lab.bench.machine import machine
from client.lab.bench.wire import BenchError
from engine.bots.player import Limit
from engine.bots.roster import bot as find_bot
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.workers.child import Job
from server.workers.pool import Workers
from server.workers.search import Priority, Search
from server.workers.search_queue import Owner

MOST_DEATH_MS: Final = 50.0
MOST_HANG_MS: Final = 50.0
MOST_STOP_MS: Final = 100.0
PATIENCE_S: Final = 120.0
_OWNER: Final = Owner("bench")
_LONG_MS: Final = 600_000
_BUDGET_MS: Final = 200


class Report(Struct, frozen=True):
    machine: str
    parts: list[Part]


@click.command(epilog=examples("noughts bench workers --repeat 5"))
@click.option(
    "--searches", type=click.IntRange(1), default=2_000, show_default=True, help="Empty searches, one after the other."
)
@click.option("--repeat", type=click.IntRange(1, 1000), default=20, show_default=True, help="Deaths, hangs and stops.")
@json_option("client.lab.bench.workers:Report")
def workers(searches: int, repeat: int, as_json: bool) -> None:
    """Measure the worker processes that a server searches in, as the server's event loop sees them.

    An empty search is one of `random`, there and back. Then searches are killed, stopped by SIGSTOP, or no longer
    wanted: how soon does the search begin again, and how soon is its worker free? Missed targets are reported, and are
    not an error.
    """
    here = machine(Path(tempfile.gettempdir())).computer
    log = logging.getLogger("server.workers")
    log.setLevel(logging.ERROR)  # searches that fail are what is measured
    try:
        part = uvloop.run(_measured(searches, repeat))
    except BenchError as error:
        raise click.ClickException(str(error)) from None
    finally:
        log.setLevel(logging.NOTSET)
    if as_json:
        print_json(Report(here, [part]))
    else:
        click.echo("\n".join((here, "", *lines(part))))


async def _measured(searches: int, repeat: int) -> Part:
    try:
        async with asyncio.timeout(PATIENCE_S + repeat * 2):
            first_ms = await _with_workers(_first)
            trips_ms = await _with_workers(lambda workers: _round_trips(workers, searches))
            deaths_ms = await _with_workers(lambda workers: _deaths(workers, repeat))
            hangs_ms = await _with_workers(lambda workers: _hangs(workers, repeat))
            stops_ms = await _with_workers(lambda workers: _stops(workers, repeat))
    except TimeoutError:
        raise BenchError("The workers stopped answering.") from None
    ordered = sorted(trips_ms)
    return Part(
        "workers",
        f"{searches:,} empty searches in a worker, then {repeat} deaths, hangs and stops",
        [
            figure("the first search after the start of everything", "ms", [first_ms]),
            figure("an empty search, half of them", "ms", [quantile(ordered, 0.5)]),
            figure("an empty search, 99 of 100", "ms", [quantile(ordered, 0.99)]),
            figure("killed until begun again", "ms", deaths_ms, MOST_DEATH_MS),
            figure("beyond its time until begun again", "ms", hangs_ms, MOST_HANG_MS),
            figure("stopped until the next one has its worker", "ms", stops_ms, MOST_STOP_MS),
        ],
    )


async def _with_workers(measure: Callable[[Workers], Awaitable[Any]]) -> Any:
    workers = Workers(count=1, grace_ms=0)
    workers.start()
    try:
        return await measure(workers)
    finally:
        await workers.close()


class _Asked:
    """A search, and when it was begun and answered, in milliseconds."""

    def __init__(self, workers: Workers, bot: str, budget_ms: int = _LONG_MS) -> None:
        self.begun_ms: list[float] = []
        self._news = asyncio.Event()
        self._is_over = False
        self.search: Search[Any] = Search(
            Job("qubic", (), find_bot(bot), Limit(), budget_ms, 1),
            Priority.PERSON,
            _OWNER,
            started=self._started,
            progressed=lambda *report: None,
            finished=lambda *answer: self._over(),
            failed=lambda reason: self._over(),
        )
        workers.submit(self.search)

    def _started(self) -> None:
        self.begun_ms.append(_now_ms())
        self._news.set()

    def _over(self) -> None:
        self._is_over = True
        self._news.set()

    async def until_over(self) -> None:
        while not self._is_over:
            self._news.clear()
            await self._news.wait()

    async def until_begun(self, times: int = 1) -> float:
        """When it was begun for the first, or a later time."""
        while len(self.begun_ms) < times:
            self._news.clear()
            await self._news.wait()
        return self.begun_ms[times - 1]


def _now_ms() -> float:
    return time.perf_counter_ns() / 1e6


async def _first(workers: Workers) -> float:
    begun_ms = _now_ms()
    await _Asked(workers, "random").until_over()
    return _now_ms() - begun_ms


async def _round_trips(workers: Workers, searches: int) -> list[float]:
    taken = []
    await _Asked(workers, "random").until_over()
    for _ in range(searches):
        begun_ms = _now_ms()
        await _Asked(workers, "random").until_over()
        taken.append(_now_ms() - begun_ms)
    return taken


async def _deaths(workers: Workers, repeat: int) -> list[float]:
    taken = []
    for _ in range(repeat):
        asked = await _searching(workers)
        killed_ms = _now_ms()
        os.kill(workers.pids[0], signal.SIGKILL)
        taken.append(await asked.until_begun(2) - killed_ms)
        await _given_up(workers, asked)
    return taken


async def _hangs(workers: Workers, repeat: int) -> list[float]:
    taken = []
    for _ in range(repeat):
        asked = await _searching(workers, _BUDGET_MS)
        os.kill(workers.pids[0], signal.SIGSTOP)
        taken.append(await asked.until_begun(2) - asked.begun_ms[0] - _BUDGET_MS)
        await _given_up(workers, asked)
    return taken


async def _stops(workers: Workers, repeat: int) -> list[float]:
    taken = []
    for _ in range(repeat):
        asked = await _searching(workers)
        stopped_ms = _now_ms()
        workers.stop(asked.search)
        following = _Asked(workers, "random")
        taken.append(await following.until_begun() - stopped_ms)
        await following.until_over()
    return taken


async def _searching(workers: Workers, budget_ms: int = _LONG_MS) -> _Asked:
    """A search that would go on for long, and is under way."""
    await _Asked(workers, "alphabeta:2").until_over()  # this worker has its kernels
    asked = _Asked(workers, "alphabeta:20", budget_ms)
    await asked.until_begun()
    await asyncio.sleep(_BUDGET_MS / 4 / 1000)
    return asked


async def _given_up(workers: Workers, asked: _Asked) -> None:
    workers.stop(asked.search)
    await _Asked(workers, "random").until_over()
