"""What a process that searches takes before its first move, how much memory it holds, and how it keeps to time.

Each measurement but the last runs in a process of its own, with a cache folder of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from client.lab.bench.stopwatch import Stopwatch
from client.lab.bench.wire import BenchError
from engine.bench import CASES
from engine.rules.limit import NO_LIMIT, Limit
from engine.search.negamax import FULL, choose
from engine.search.watch import NO_WATCH

_FIRST_MOVES = """
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.registry import rules
from engine.search.warm import warm
warm(lambda done, of: None)
for game in ("qubic", "ultimate"):
    decide(bot("alphabeta:3"), rules(game).initial)
"""
"""What the server's warm-up compiles, then a bot's first move on either kind of board."""

_FULL_WORKER = (
    _FIRST_MOVES
    + """
import resource
from random import Random
from engine.rules.limit import Limit
from engine.search.watch import NO_WATCH
from engine.search.negamax import FULL, choose
for game in ("gomoku", "qubic", "ultimate"):
    choose(rules(game).initial, 20, Limit(nodes=1 << 21), Random(0), NO_WATCH, FULL)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
)
"""Then what fills the largest table; prints the most megabytes it held."""

_RATE = """
import time
from engine.bench import by_index
from engine.rules.registry import rules
begun = time.perf_counter()
nodes, _ = by_index(rules("qubic").initial, 3)
print(nodes / (time.perf_counter() - begun))
"""


def start_s(cache: Path) -> float:
    """Seconds from the start of a process to its first moves; compiles into the folder what is not there yet."""
    begun = time.perf_counter()
    _python(_FIRST_MOVES, {"NUMBA_CACHE_DIR": str(cache)})
    return time.perf_counter() - begun


def worker_mb(cache: Path) -> float:
    """The most memory that a process ever held that loaded all kernels from the cache and filled a search's table."""
    return float(_python(_FULL_WORKER, {"NUMBA_CACHE_DIR": str(cache)}))


def interpreted_rate() -> float:
    """Nodes per second of the Qubic kernel as plain Python."""
    return float(_python(_RATE, {"NUMBA_DISABLE_JIT": "1"}))


def _python(script: str, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **environment}, capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        raise BenchError(f"A process to be measured failed: {done.stderr.strip()[-300:]}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class Overshoot:
    """A search that its time ended, and how much later that was."""

    game: str
    move_ms: int
    over_ms: float
    own_ms: float
    """The same without what other programs had of the core: at most what the search itself used after it had last
    seen that there was time left."""


def overshoots(times_ms: Sequence[int]) -> list[Overshoot]:
    """Full searches of the bench's positions, one a game, that their time ended; each game's tables are made before."""
    found = []
    for position in {case.game: case.position() for case in CASES if case.search == "full"}.values():
        choose(position, 1, NO_LIMIT, Random(0), NO_WATCH, FULL)
        for move_ms in times_ms:
            watch = Stopwatch(move_ms)
            choose(position, position.rules.cells, Limit(move_ms=move_ms), Random(0), watch, FULL)
            over_ms, own_ms = watch.over_ms()
            if over_ms >= 0:
                found.append(Overshoot(position.rules.id, move_ms, over_ms, own_ms))
    return found
