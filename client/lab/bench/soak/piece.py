"""One piece of a soak: a crowd plays on a server with a ladder beside, which is ended and started again at times."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families

from client.lab.bench.machine import machine, memory
from client.lab.bench.processes import Measured, get, noughts
from client.lab.bench.soak.people import Crowd, Log, playing
from client.lab.bench.soak.samples import Life, Piece, Sample, below, files, pss, threads
from client.lab.bench.wire import BenchError

_LADDER = """
name = "soak"
[[lists]]
game = "mnk:5,5,4"
limit = "nodes=20000"
pairs = 10000
repeat_openings = true
bots = ["level:2", "level:3", "level:4"]
"""


class Plan(Struct, frozen=True):
    """How long a piece lasts, how often it is measured, and how long a server lives."""

    seconds: float
    every_s: float = 15.0
    life_s: float = 2_400.0
    crowd: Crowd = Crowd()


async def run(database: Path, plan: Plan, stop: asyncio.Event, keep: Callable[[Piece], None]) -> Piece:
    """Runs until its time is over or `stop` is set; `keep` is handed the piece after each sample. Raises BenchError."""
    piece = Piece(str(machine(database.parent)), time.time_ns() // 1_000_000)
    log, random, begun = Log(), Random(), time.monotonic()
    ladder = database.with_suffix(".toml")
    ladder.write_text(_LADDER)
    port = _free_port()
    flags = ("--ladder", str(ladder))
    async with playing(f"http://127.0.0.1:{port}", plan.crowd, random, log):
        while not stop.is_set() and time.monotonic() - begun < plan.seconds:
            life = Life(time.monotonic() - begun)
            piece.lives.append(life)
            with noughts(database.parent, db=database.name, limits=True, port=port, flags=flags) as server:
                until = min(begun + plan.seconds, time.monotonic() + plan.life_s)
                while not await _stopped(stop, min(plan.every_s, until - time.monotonic())):
                    life.samples.append(await _sample(server, database, time.monotonic() - begun))
                    piece.reconnects, piece.errors = log.reconnects, log.errors
                    keep(piece)
                    if time.monotonic() >= until:
                        break
                ends = stop.is_set() or time.monotonic() - begun >= plan.seconds
                life.ending = "piece ended" if ends else "killed" if len(piece.lives) % 2 else "stopped"
                if life.ending == "killed":
                    server.kill()
    keep(piece)
    return piece


async def _stopped(stop: asyncio.Event, seconds: float) -> bool:
    """Whether it is set within this time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, seconds)):
            await stop.wait()
    return stop.is_set()


async def _sample(server: Measured, database: Path, at_s: float) -> Sample:
    """Raises BenchError where the server does not answer."""
    try:
        told = (await get(server.port, "/metrics")).body.decode()
        own = memory(server.pid)
    except OSError as error:
        raise BenchError(f"The server does not answer after {at_s:.0f} s: {error}.") from None
    values = {s.name: s.value for family in text_string_to_metric_families(told) for s in family.samples}
    others = below(server.pid)
    games, size = await asyncio.to_thread(_recorded, database)
    return Sample(
        at_s=round(at_s, 1),
        rss=own.rss,
        pss=own.pss,
        workers_pss=pss(others.workers, lambda pid: memory(pid).pss),
        ladder_pss=pss(others.ladder, lambda pid: memory(pid).pss),
        processes=len(others.workers) + len(others.ladder),
        files=files(server.pid),
        threads=threads(server.pid),
        tasks=int(values["noughts_tasks"]),
        rooms=int(values["noughts_rooms"]),
        connections=int(values["noughts_connections"]),
        games=games,
        database=size,
    )


def _recorded(database: Path) -> tuple[int, int]:
    """Games, and bytes of all pages."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        found: tuple[int, int] = connection.execute(
            "SELECT (SELECT count(*) FROM games), page_count * page_size FROM pragma_page_count, pragma_page_size"
        ).fetchone()
    return found


def _free_port() -> int:
    """The same for every life of the server, as its clients come back to it."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
