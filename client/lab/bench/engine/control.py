"""The control of the engine's bench: the same search in C, built on the spot, run in turn with the kernel."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from client.lab.bench.wire import BenchError
from engine.bench import by_index
from engine.rules.flat import FlatRules
from engine.rules.registry import rules

SOURCE = Path(__file__).with_name("twin.c")


@dataclass(frozen=True, slots=True)
class Duel:
    """A board, empty, and how deep both search it."""

    game: str
    depth: int

    @property
    def name(self) -> str:
        return f"{self.game}, {self.depth} plies"


DUELS = (Duel("qubic", 5), Duel("qubic", 6), Duel("mnk:4,4,4", 8), Duel("mnk:5,5,4", 6), Duel("mnk:8,8,5", 5))


@dataclass(frozen=True, slots=True)
class Paired:
    """What both did, turn by turn."""

    nodes: int
    kernel_rates: Sequence[float]
    """Million nodes per second."""
    control_rates: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """Kernel to control, of each turn."""
        return [ours / theirs for ours, theirs in zip(self.kernel_rates, self.control_rates, strict=True)]


def compiler() -> str | None:
    """A C compiler, if there is one: that of $CC, else gcc."""
    return shutil.which(os.environ.get("CC") or "gcc")


def duel(pair: Duel, with_compiler: str, folder: Path, turns: int, clock: Callable[[], int]) -> Paired:
    """Build the control in `folder` and measure both in turn. Each turn is the median of three searches.

    Raises BenchError if the control cannot be built or does not find the same.
    """
    program = build(pair.game, with_compiler, folder)
    first = by_index(rules(pair.game).initial, pair.depth)
    kernel_rates, control_rates = [], []
    for _ in range(turns):
        kernel_rates.append(median(_kernel(pair, clock) for _ in range(3)))
        found, rate = _control(program, pair.depth)
        if found != first:
            raise BenchError(f"On {pair.name} C finds {found} and the kernel {first} (nodes, value).")
        control_rates.append(rate)
    return Paired(first[0], kernel_rates, control_rates)


def build(game: str, with_compiler: str, folder: Path) -> Path:
    """The control for one game as a program."""
    board = rules(game)
    assert isinstance(board, FlatRules)
    x, y, z = (*board.dimensions, 1)[:3]
    program = folder / f"twin-{x}-{y}-{z}-{board.length}"
    size = (f"-DX={x}", f"-DY={y}", f"-DZ={z}", f"-DSIZE={board.length}")
    return compiled(with_compiler, SOURCE, program, size)


def compiled(
    compiler: str, source: Path, program: Path, flags: Sequence[str] = (), libraries: Sequence[str] = ()
) -> Path:
    """A control as a program. Raises BenchError, in a sentence."""
    done = subprocess.run(
        [compiler, "-O3", "-march=native", *flags, "-o", program, source, *libraries],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if done.returncode:
        raise BenchError(f"{compiler} cannot build {source.name}: {done.stderr.strip()[:200]}")
    return program


def _kernel(pair: Duel, clock: Callable[[], int]) -> float:
    position = rules(pair.game).initial
    begun = clock()
    nodes, _ = by_index(position, pair.depth)
    return nodes / (clock() - begun) * 1000


def _control(program: Path, depth: int) -> tuple[tuple[int, int], float]:
    """((nodes, value), million nodes per second)."""
    done = subprocess.run([program, str(depth), "3"], capture_output=True, text=True, timeout=120, check=True)
    lines = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    nodes, value, _ = lines[0]
    return (nodes, value), nodes / median(taken_ns for _, _, taken_ns in lines) * 1000
