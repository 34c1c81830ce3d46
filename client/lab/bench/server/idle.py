"""How much memory an idle connection keeps, and whether ten thousand can be held."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec import Struct

from client.lab.bench.figures import Figure, Part, figure
from client.lab.bench.machine import Memory, memory, raise_file_limit
from client.lab.bench.processes import Measured, noughts, relay
from client.lab.bench.wire import BenchError, Wire, connect, greeted, many

TARGET_KB = 16.0
"""In KB of 1,024 bytes."""
WARM_UP = 20
SETTLE_S = 1.5
FILES_BESIDE = 100


class Load(Struct, frozen=True):
    """Numbers of connections, and how often each is measured in new processes."""

    counts: tuple[int, ...] = (1_000, 10_000)
    repeats: int = 2


async def measure(folder: Path, load: Load) -> Part:
    figures: list[Figure] = []
    notes: list[str] = []
    most = raise_file_limit() - FILES_BESIDE
    for wanted in load.counts:
        count = min(wanted, most)
        if count < wanted:
            notes.append(f"the limit of open files allows {count:,} connections of {wanted:,}")
        figures += await _figures(folder / str(wanted), count, load.repeats)
    return Part(
        "idle", "memory of an idle connection: greeted at the server, accepted at the relay", figures, [], notes
    )


async def _figures(folder: Path, count: int, repeats: int) -> list[Figure]:
    controls: list[Memory] = []
    subjects: list[Memory] = []
    for number in range(repeats):
        here = folder / str(number)
        here.mkdir(parents=True)
        with relay(here) as control:
            controls.append(await _per_connection(control, count, greet=False))
        with noughts(here) as subject:
            subjects.append(await _per_connection(subject, count, greet=True))
    pairs = list(zip(controls, subjects, strict=True))
    beyond = [(subject.pss - control.pss) / 1024 for control, subject in pairs]
    return [
        figure(f"{count:,} held: control, PSS", "KB", [one.pss / 1024 for one in controls]),
        figure(f"{count:,} held: noughts, PSS", "KB", [one.pss / 1024 for one in subjects]),
        figure(f"{count:,} held: beyond the control, PSS", "KB", beyond, TARGET_KB),
        figure(f"{count:,} held: beyond the control, RSS", "KB", [(s.rss - c.rss) / 1024 for c, s in pairs]),
    ]


async def _per_connection(measured: Measured, count: int, *, greet: bool) -> Memory:
    """What one of `count` more connections adds. Raises BenchError unless all of them are held and answer."""
    first = await _hold(measured, WARM_UP, greet)
    await asyncio.sleep(SETTLE_S)
    before = memory(measured.pid)
    more = await _hold(measured, count, greet)
    await asyncio.sleep(SETTLE_S)
    after = memory(measured.pid)
    if greet:
        await asyncio.gather(*(wire.ask("ping", ts=0) for wire in more))
    if any(wire.lost for wire in more):
        raise BenchError(f"{sum(wire.lost for wire in more)} of {count} connections were lost.")
    for wire in first + more:
        wire.close()
    return Memory(
        rss=(after.rss - before.rss) // count,
        pss=(after.pss - before.pss) // count,
        uss=(after.uss - before.uss) // count,
    )


async def _hold(measured: Measured, count: int, greet: bool) -> list[Wire]:
    if greet:
        return await many(count, lambda _: greeted(measured.port, "person"))
    return await many(count, lambda number: connect(measured.port, f"/{number}"))
