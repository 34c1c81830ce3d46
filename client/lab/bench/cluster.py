"""`noughts bench cluster`: what a game on a Dask cluster costs more than here, and how many workers a scheduler feeds.

The model's workers only wait: a call of 10 ms is a sleep. So two processes stand in for hundreds of workers, and what
is measured is the scheduler, in a process of its own as it is on a real cluster.
"""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import click
from msgspec import Struct

from client.lab.bench.figures import Figure, Part, Table, figure, lines, quantile, shown
from client.lab.bench.machine import cpu_s, machine
from engine.bots.match import Pairing, Played, Task, tasks
from engine.bots.roster import bot
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.workers.arena import Arena, Chunk, PlaysChunks, played, search_modules
from server.workers.cluster.address import checked
from server.workers.cluster.games import AHEAD, ClusterArena, played_anywhere

CALL_MS: Final = 10
CALLS: Final = (1, 8, 64)
"""Numbers of calls in a task."""
PROCESSES: Final = 2
"""Processes that stand for all workers of the model."""
_LEAST_TASKS: Final = 200
_ROUNDS: Final = 3
"""Tasks for each worker of the model, at least."""


class Modelled(Struct, frozen=True):
    """Workers that sleep, and what the scheduler had to do."""

    workers: int
    calls: int
    """Calls in a task."""
    tasks_per_s: float
    busy: float
    """The share of the time in which the workers were not waiting for a task."""
    scheduler_us: float
    """The scheduler's processor time for a task."""


class Report(Struct, frozen=True):
    """What is printed as JSON."""

    machine: str
    load: float
    """Processes that wanted the processors when it began: the load average of a minute."""
    part: Part
    model: list[Modelled]


@click.command(epilog=examples("noughts bench cluster --games 200 --workers 8 --workers 64"))
@click.option("--games", type=click.IntRange(2), default=400, show_default=True, help="Games in each measurement.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    multiple=True,
    default=(1, 2, 4),
    show_default=True,
    help="Workers on this machine that play; may be repeated.",
)
@click.option(
    "--workers",
    type=click.IntRange(PROCESSES, 4096),
    multiple=True,
    default=(8, 32, 128, 512),
    show_default=True,
    help="Workers of the model; may be repeated.",
)
@json_option("client.lab.bench.cluster:Report")
def cluster(games: int, processes: tuple[int, ...], workers: tuple[int, ...], as_json: bool) -> None:
    """Measure what a Dask cluster adds to a game, games a second with workers here, and a model of many workers.

    The control of each figure is measured beside it, by processes of this machine without a cluster.
    """
    checked(f"local:{processes[0]}")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    here, load = machine(Path(tempfile.gettempdir())).computer, os.getloadavg()[0]
    figures = [*_overhead(games), *_rates(games, processes)]
    model = [_modelled(client, count, calls) for count in workers for client in _many(count) for calls in CALLS]
    part = Part(
        "cluster",
        f"{games} games in each measurement, calls of {CALL_MS} ms in the model",
        figures + _limits(model),
        [_table(model)],
        [f"load average when it began: {load:.1f}"],
    )
    if as_json:
        print_json(Report(here, load, part, model))
    else:
        click.echo("\n".join((here, "", *lines(part))))


# Games


def _overhead(games: int) -> Iterator[Figure]:
    """The cost of a chunk of one short game, there and back, one after the other."""
    listed = _short(games)
    with closing(Arena(1, search_modules(listed))) as arena:
        here = _trips_ms(arena, listed)
    with closing(ClusterArena("local:1", _silent)) as arena_there:
        there = _trips_ms(arena_there, listed)
    for name, found in (("by a process here", here), ("by a worker of a cluster", there)):
        yield figure(f"one game {name}, half of them", "ms", [quantile(found, 0.5)])
        yield figure(f"one game {name}, 99 of 100", "ms", [quantile(found, 0.99)])
    yield figure("so a task costs, half of them", "ms", [quantile(there, 0.5) - quantile(here, 0.5)])


def _trips_ms(arena: PlaysChunks, listed: tuple[Task, ...]) -> list[float]:
    """Milliseconds there and back, sorted; the first, which starts processes, is left out."""
    found = []
    for task in listed:
        begun = time.perf_counter()
        arena.begin(Chunk((task,)))
        while arena.next() is None:
            pass
        found.append((time.perf_counter() - begun) * 1000)
    return sorted(found[1:])


def _rates(games: int, processes: tuple[int, ...]) -> Iterator[Figure]:
    """Games a second once all play."""
    listed = tasks(Pairing("mnk:4,4,3", bot("alphabeta:2"), bot("level:3"), games // 2, seed=1))
    for count in processes:
        control = _rate(played(listed, count), count)
        yield figure(f"games a second, {count} at a time here (control)", "", [control])
        there = _rate(played_anywhere(listed, count, f"local:{count}", _silent), count)
        yield figure(f"games a second, {count} workers of a cluster", "", [there])


def _rate(games: Generator[Played], count: int) -> float:
    """Games a second, without the first games, for which processes start and load."""
    with closing(games):
        for _ in range(count):
            next(games)
        begun = time.perf_counter()
        done = sum(1 for _ in games)
        return done / (time.perf_counter() - begun)


def _short(games: int) -> tuple[Task, ...]:
    return tasks(Pairing("tictactoe", bot("random"), bot("random"), games // 2, seed=1))


def _silent(sentence: str) -> None:
    return None


# The model


async def asleep(calls: int) -> None:
    """Runs in a worker: this many calls of a search whose work is simulated by sleeping."""
    await asyncio.sleep(calls * CALL_MS / 1000)


@contextmanager
def _scheduler_and(workers: int) -> Iterator[Any]:
    """A client of a scheduler with so many workers that wait, as threads of two processes that need none."""
    deploy: Any = import_module("distributed.deploy.subprocess")
    distributed: Any = import_module("distributed")
    with (
        deploy.SubprocessCluster(
            n_workers=PROCESSES, threads_per_worker=workers // PROCESSES, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(PROCESSES)
        yield client


def _many(workers: int) -> Iterator[Any]:
    with _scheduler_and(workers) as client:
        _modelled(client, workers, calls=1)  # everybody is connected to everybody
        yield client


def _modelled(client: Any, workers: int, calls: int) -> Modelled:
    """As `ClusterArena` does, gives each worker a task, and the next one before it asks."""
    wanted = max(_LEAST_TASKS, _ROUNDS * workers)
    done: SimpleQueue[None] = SimpleQueue()
    scheduler = client.run_on_scheduler(os.getpid)
    used_s, begun = cpu_s(scheduler), time.perf_counter()
    futures = []

    def submit() -> None:
        future = client.submit(asleep, calls, pure=False, retries=0)
        future.add_done_callback(lambda _: done.put(None))
        futures.append(future)

    for _ in range(min(wanted, AHEAD * workers)):
        submit()
    for _ in range(wanted):
        done.get()
        if len(futures) < wanted:
            submit()
    took_s = time.perf_counter() - begun
    used_s = cpu_s(scheduler) - used_s
    rate = wanted / took_s
    return Modelled(workers, calls, rate, rate * calls * CALL_MS / 1000 / workers, used_s * 1e6 / wanted)


def _limits(model: list[Modelled]) -> list[Figure]:
    """How many workers one scheduler feeds, by the least processor time per task, which it took when it was busiest."""
    cost_us = min(one.scheduler_us for one in model)
    found = [figure("processor time of a busy scheduler for a task", "µs", [cost_us])]
    for calls in CALLS:
        name = f"workers that it feeds at most, tasks of {calls * CALL_MS} ms"
        found.append(figure(name, "", [calls * CALL_MS * 1000 / cost_us]))
    return found


def _table(model: list[Modelled]) -> Table:
    rows = [
        (
            str(one.workers),
            str(one.calls),
            shown(one.tasks_per_s),
            shown(one.tasks_per_s * one.calls),
            f"{one.busy:.0%}",
            shown(one.scheduler_us),
        )
        for one in model
    ]
    head = ("workers", "calls a task", "tasks/s", "calls/s", "workers busy", "scheduler, µs a task")
    return Table("model: workers whose calls are sleeps of 10 ms", head, rows)
