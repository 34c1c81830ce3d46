"""How long `perfect` takes as X on Qubic, from the first decision of a process that was warmed as workers are."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Final

from client.lab.bench.figures import Part, figure, quantile
from client.lab.bench.wire import BenchError
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.warm import warm

MOST_P99_MS: Final = 50.0
MOST_MS: Final = 250.0
OPPONENTS: Final = ("random", "level:7", "perfect")
"""The last one makes X's way as long as it can."""
_FEW: Final = Limit(nodes=20_000)
"""What an opponent may search: its time is not measured."""


def measure(decisions: int) -> Part:
    """Measures in a process of its own. Raises BenchError."""
    script = f"from client.lab.bench.solve import replies; replies.main({decisions})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"The process that plays failed: {done.stderr.strip()[-300:]}")
    taken: list[tuple[float, float]] = json.loads(done.stdout)
    return part(taken)


def part(taken: Sequence[tuple[float, float]]) -> Part:
    """The figures of milliseconds by the clock and of CPU, given in the order of the decisions."""
    ordered = sorted(by_clock for by_clock, _ in taken)
    used = sorted(cpu for _, cpu in taken)
    return Part(
        "moves",
        f"{len(ordered):,} decisions of `perfect` as X on Qubic against {', '.join(OPPONENTS)}",
        [
            figure("the first", "ms", [taken[0][0]], MOST_MS),
            figure("half of them take at most", "ms", [quantile(ordered, 0.5)]),
            figure("99 of 100 take at most", "ms", [quantile(ordered, 0.99)], MOST_P99_MS),
            figure("the longest", "ms", [ordered[-1]], MOST_MS),
            figure("CPU: the first", "ms", [taken[0][1]]),
            figure("CPU: half of them", "ms", [quantile(used, 0.5)]),
            figure("CPU: 99 of 100", "ms", [quantile(used, 0.99)]),
            figure("CPU: the longest", "ms", [used[-1]]),
        ],
    )


def main(decisions: int) -> None:
    """Prints the milliseconds of this many decisions as JSON: wall time and CPU."""
    warm(lambda done, of: None)
    taken: list[tuple[float, float]] = []
    for seed in count():
        play(OPPONENTS[seed % len(OPPONENTS)], seed, taken)
        if len(taken) >= decisions:
            print(json.dumps(taken[:decisions]))
            return


def play(opponent: str, seed: int, taken: list[tuple[float, float]]) -> Position:
    """A game of `perfect` as X; its times are added to `taken`."""
    x, o = bot("perfect"), bot(opponent)
    random = Random(seed)
    position = rules("qubic").initial
    while position.outcome is None:
        begun_ns, used_ns = time.perf_counter_ns(), time.process_time_ns()
        decision = decide(x, position, seed=seed)
        taken.append(((time.perf_counter_ns() - begun_ns) / 1e6, (time.process_time_ns() - used_ns) / 1e6))
        position = position.play(decision.move)
        if position.outcome is None:
            position = position.play(decide(o, position, _FEW, random.randrange(1 << 30)).move)
    return position
