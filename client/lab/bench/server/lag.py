"""How late the server's event loop runs while workers search, compared with the same load without searches.

A thousand games between people go on all the time. In turn the workers rest and search; a search is begun by a game
against a bot that is far too deep to finish, and ended by resigning that game.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from client.lab.bench.figures import Part, figure, quantile
from client.lab.bench.processes import Measured, get, noughts
from client.lab.bench.server.tables import Hall, Moves, long_game, noughts_hall
from client.lab.bench.wire import BenchError, Wire, greeted

FLOOR_MS = 5.0
"""Lag up to this is acceptable, whatever it is without searches."""
GAMES = ("qubic", "ultimate")
BOT = {"kind": "bot", "bot": "alphabeta:20"}
BOT_GAME = "super"
SEARCH_MS = 3_600_000
SEARCH_STARTS_S = 100.0
PING_S = 0.02


class Load(Struct, frozen=True):
    """Tables, the moves a second of them all, moves of each table in one stretch, and pairs of stretches."""

    tables: int = 1_000
    rate: float = 500
    plies: int = 5
    pairs: int = 6
    workers: int = max(1, (os.cpu_count() or 1) - 1)
    """as many as the server has by default"""


class Stretch(Struct, frozen=True):
    """99th percentiles in milliseconds."""

    lag_ms: float
    ping_ms: float
    ack_ms: float


async def measure(folder: Path, load: Load) -> Part:
    games: list[tuple[str, Moves]] = [(game, long_game(game)) for game in GAMES]
    with noughts(folder, workers=load.workers, think_ms=SEARCH_MS) as server:
        hall = await noughts_hall(server, [games[number % len(games)] for number in range(load.tables)])
        pinger, bot_wires = await greeted(server.port), [await greeted(server.port) for _ in range(load.workers)]
        await hall.play(load.plies, load.rate)  # warms up
        rest: list[Stretch] = []
        busy: list[Stretch] = []
        for _ in range(load.pairs):
            rest.append(await _stretch(hall, pinger, load))
            rooms = [await _start_search(wire) for wire in bot_wires]
            await _until_searching(server, load.workers)
            busy.append(await _stretch(hall, pinger, load))
            await _until_searching(server, load.workers)  # they went on all the time
            for wire, room in zip(bot_wires, rooms, strict=True):
                await wire.ask("act", room=room, game=1, action="abort")
            await _until_searching(server, 0)
        for wire in (pinger, *bot_wires):
            wire.close()
        hall.close()
    return _part(rest, busy, load)


def _part(rest: list[Stretch], busy: list[Stretch], load: Load) -> Part:
    without = figure("lag p99 without searches", "ms", [one.lag_ms for one in rest])
    target = max(2 * without.value.median, FLOOR_MS)
    return Part(
        "lag",
        f"lateness of the event loop: {load.tables:,} games, {load.rate:,.0f} moves/s in all, {load.workers} workers",
        [
            without,
            figure("lag p99 while all workers search", "ms", [one.lag_ms for one in busy], target),
            figure("ping p99 without searches", "ms", [one.ping_ms for one in rest]),
            figure("ping p99 while all workers search", "ms", [one.ping_ms for one in busy]),
            figure("ack p99 without searches", "ms", [one.ack_ms for one in rest]),
            figure("ack p99 while all workers search", "ms", [one.ack_ms for one in busy]),
        ],
        notes=["lag is the server's own measure; ping and ack are round trips, in which the bench's lag is contained"],
    )


async def _stretch(hall: Hall, pinger: Wire, load: Load) -> Stretch:
    before = await _lag_counts(hall.measured)
    pings_s: list[float] = []
    pinging = asyncio.create_task(_ping(pinger, pings_s))
    try:
        played = await hall.play(load.plies, load.rate)
    finally:
        pinging.cancel()
        await asyncio.wait([pinging])
    after = await _lag_counts(hall.measured)
    lag_ms = histogram_quantile([(bound, after[bound] - before[bound]) for bound in sorted(after)], 0.99)
    return Stretch(lag_ms, quantile(sorted(pings_s), 0.99) * 1000, played.ack_ms(0.99))


async def _ping(wire: Wire, taken_s: list[float]) -> None:
    while True:
        begun = time.perf_counter()
        await wire.ask("ping", ts=0)
        taken_s.append(time.perf_counter() - begun)
        await asyncio.sleep(PING_S)


async def _lag_counts(server: Measured) -> dict[float, float]:
    """Bucket bounds in milliseconds to how many were at most that late since the start."""
    return {
        float(sample.labels["le"]): sample.value
        for sample in await _samples(server)
        if sample.name == "noughts_loop_lag_ms_bucket"
    }


def histogram_quantile(buckets: list[tuple[float, float]], share: float) -> float:
    """A quantile from ascending upper bounds with cumulative counts; between two bounds as if spread evenly."""
    total = buckets[-1][1]
    low, below = 0.0, 0.0
    for bound, count in buckets:
        if count >= total * share and count > below:
            if bound == float("inf"):
                return low
            return low + (bound - low) * (total * share - below) / (count - below)
        low, below = bound, count
    return low


# Searches


async def _start_search(wire: Wire) -> str:
    """A game in which a bot has the first move and never finds it; its room."""
    made = await wire.ask("create", game=BOT_GAME, seat="o", opponent=BOT, limit={"move_ms": SEARCH_MS})
    room: str = made["room"]
    return room


async def _until_searching(server: Measured, workers: int) -> None:
    deadline = time.monotonic() + SEARCH_STARTS_S
    while await _running(server) != workers:
        if time.monotonic() > deadline:
            raise BenchError(f"{workers} searches never ran at the same time.")
        await asyncio.sleep(0.1)


async def _running(server: Measured) -> float:
    return next(sample.value for sample in await _samples(server) if sample.name == "noughts_searches_running")


async def _samples(server: Measured) -> list[Sample]:
    metrics = (await get(server.port, "/metrics")).body.decode()
    return [sample for family in text_string_to_metric_families(metrics) for sample in family.samples]
