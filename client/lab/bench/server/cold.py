"""How soon bots answer on a machine that has compiled nothing yet. The control is the next start, with everything
compiled."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

from msgspec import Struct

from client.lab.bench.figures import Figure, Part, figure
from client.lab.bench.processes import Measured, get, noughts
from client.lab.bench.wire import BenchError
from client.sdk import Opponent, connect

TARGET_S = 3.0
"""Most seconds to the first move of the first game that is asked for."""
LOOK_S = 0.2
READY_S = 600.0


class Load(Struct, frozen=True):
    """Games with the bots that move first in them, one after the other."""

    games: tuple[tuple[str, str], ...] = (
        ("tictactoe", "level:2"),
        ("qubic", "level:4"),
        ("qubic", "level:6"),
        ("ultimate", "level:6"),
        ("gomoku", "level:6"),
        ("qubic", "strongest"),
    )
    repeats: int = 2


async def measure(folder: Path, load: Load) -> Part:
    runs = [await _run(folder / str(number), load) for number in range(load.repeats)]
    figures: list[Figure] = []
    for number, (game, bot) in enumerate(load.games):
        target = TARGET_S if number == 0 else None
        figures.append(figure(f"{game} {bot}: from nothing", "s", [cold[number] for cold, _ in runs], target))
        figures.append(figure(f"{game} {bot}: control, compiled", "s", [warm[number] for _, warm in runs]))
    figures.append(figure("all bots ready after", "s", [cold[-1] for cold, _ in runs]))
    figures.append(figure("the same: control, compiled", "s", [warm[-1] for _, warm in runs]))
    return Part("cold", "from asking for a game to the bot's first move, after a server's start", figures, [], [])


async def _run(folder: Path, load: Load) -> tuple[list[float], list[float]]:
    """Seconds for each game and until all bots are ready: with an empty cache, then with what that left."""
    await asyncio.to_thread(folder.mkdir, parents=True)
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache")}
    taken: list[list[float]] = []
    for name in ("cold.db", "warm.db"):
        begun = time.perf_counter()
        with noughts(folder, db=name, environment=cache) as server:
            moves = [await _first_move(server, game, bot) for game, bot in load.games]
            taken.append([*moves, await _ready(server, begun)])
    return taken[0], taken[1]


async def _first_move(server: Measured, game: str, bot: str) -> float:
    async with connect(f"http://127.0.0.1:{server.port}", name="bench") as client:
        begun = time.perf_counter()
        room = await client.create(game, opponent=Opponent(kind="bot", bot=bot), seat="o")
        async for view in room:
            if view.moves:
                break
        return time.perf_counter() - begun


async def _ready(server: Measured, begun: float) -> float:
    while time.perf_counter() - begun < READY_S:
        if json.loads((await get(server.port, "/api/warm-up")).body)["warm"]:
            return time.perf_counter() - begun
        await asyncio.sleep(LOOK_S)
    raise BenchError(f"The bots were not ready after {READY_S:g} s.")
