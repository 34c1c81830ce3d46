"""What a flood from one address does to the moves of others, with the limits that a server has by default."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from client.lab.bench.figures import Figure, Part, figure
from client.lab.bench.flood import FLOODS, IDLE
from client.lab.bench.machine import memory
from client.lab.bench.processes import Measured, get, noughts
from client.lab.bench.tables import WHOLE_GAME, Hall, long_game, noughts_hall

GAME = "qubic"
WORST = 5.0
"""How many times the time of calm an acknowledgement may take."""
WARM_S = 600.0
MEMORY_MB = 32.0
"""How much a flood may make the server grow."""


class Load(Struct, frozen=True):
    """Tables, moves a second of them all, and rounds of calm and every flood. In each stretch whole games are played:
    99 of 100 acknowledgements mean little where there are few."""

    tables: int = 20
    rate: float = 200
    plies: int = WHOLE_GAME
    rounds: int = 3


async def measure(folder: Path, load: Load) -> Part:
    moves = long_game(GAME)
    calm: list[float] = []
    busy: list[float] = []
    flooded: dict[str, list[float]] = {kind: [] for kind in FLOODS}
    grown: list[float] = []
    with noughts(folder, limits=True) as server:
        await _until_warm(server)
        hall = await noughts_hall(server, [(GAME, moves)] * load.tables)
        await hall.play(load.plies, load.rate)  # warms up
        before = memory(server.pid).rss
        for _ in range(load.rounds):
            calm.append(await _p99(hall, load))
            async with _beside(IDLE):
                busy.append(await _p99(hall, load))
            for kind, found in flooded.items():
                async with _beside(kind, server.port):
                    found.append(await _p99(hall, load))
                grown.append((memory(server.pid).rss - before) / 1024**2)
        hall.close()
    return Part(
        "attacks",
        f"acknowledgements of {load.tables} games, {load.rate:,.0f} moves/s in all, while another address floods",
        figures(calm, busy, flooded, grown),
        notes=[
            "limits as shipped; the flood is a process of its own, which takes a processor as that of the control does"
        ],
    )


def figures(calm: list[float], busy: list[float], flooded: dict[str, list[float]], grown: list[float]) -> list[Figure]:
    quiet = figure("ack p99 in calm", "ms", calm)
    target = WORST * quiet.value.median
    return [
        quiet,
        figure("control: ack p99 next to a busy process", "ms", busy),
        *(figure(f"ack p99 under a flood of {kind}", "ms", found, target) for kind, found in flooded.items()),
        figure("growth of the server", "MB", grown, MEMORY_MB),
    ]


async def _until_warm(server: Measured) -> None:
    """Bots that compile their searches take the processors."""
    async with asyncio.timeout(WARM_S):
        while not msgspec.json.decode((await get(server.port, "/api/warm-up")).body)["warm"]:  # noqa: ASYNC110
            await asyncio.sleep(1)


async def _p99(hall: Hall, load: Load) -> float:
    return (await hall.play(load.plies, load.rate)).ack_ms(0.99)


@asynccontextmanager
async def _beside(kind: str, port: int = 0) -> AsyncIterator[None]:
    """A flood, or a process that only takes a processor."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "client.lab.bench.flood", kind, str(port), stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        await process.stdout.readline()
        yield
    finally:
        process.kill()
        await process.wait()
