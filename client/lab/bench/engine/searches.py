"""The bench of the engine: its cases and signature, the kernel compared with C, and all targets for speed.

Everything is measured; figures that are only for the record have no target.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final, TypeAlias

from msgspec import Struct

from client.lab.bench.engine import control, starts, tree_control
from client.lab.bench.engine.control import DUELS, Duel, Paired
from client.lab.bench.figures import Figure, Part, Table, figure, figure_at_least, lines, shown
from engine import bench
from engine.bench import Case, Result

LEAST_RATIO: Final = 0.5
"""Least share of the C twin's nodes per second, on the same board in the same run."""
LEAST_PLAYOUTS: Final = 1 / 1.2
"""The same for the playouts of the tree search."""
_AUTHORS_RATE: Final = 107.0
"""Million nodes per second that C did on Qubic where the targets were set."""
LEAST_NESTED: Final = 20.0
LEAST_PATTERNS: Final = 0.25
"""Least share of the nodes per second that the search without patterns makes on the same position."""
MOST_COLD_S: Final = 60.0
MOST_WARM_S: Final = 2.0
MOST_MB: Final = 200.0
MOST_OVER_MS: Final = 5.0
_MOVE_TIMES_MS: Final = (20, 50, 100, 200)
_LITERATURE_MS: Final = {"altekar >=": 5.0, "altekar >": 25.0, "bragstad": 50.0}
_CLOCK: Final = time.perf_counter_ns


class CaseFigures(Struct, frozen=True):
    """One case: nodes are the same everywhere, the rest is this machine's."""

    name: str
    nodes: int
    taken_ms: list[float]

    @property
    def rate(self) -> float:
        """Million nodes per second."""
        return self.nodes / median(self.taken_ms) / 1000


def counts() -> dict[str, int]:
    """The nodes of every case."""
    return {case.name: case.nodes() for case in bench.CASES}


def cases(repeat: int) -> Iterator[tuple[Case, CaseFigures]]:
    """Runs every case, one after the other."""
    for result in bench.run(repeat, _CLOCK):
        yield result.case, _figures(result)


def _figures(result: Result) -> CaseFigures:
    return CaseFigures(result.case.name, result.nodes, [taken_ns / 1e6 for taken_ns in result.taken_ns])


def head() -> str:
    return f"{'case':44} {'nodes':>12} {'ms':>9} {'M nodes/s':>10}"


def row(one: CaseFigures) -> str:
    return f"{one.name:44} {one.nodes:12,} {shown(median(one.taken_ms)):>9} {shown(one.rate):>10}"


def against_c(repeat: int, folder: Path) -> tuple[Part, list[Paired]]:
    """Kernel and control in turn on every board that has a control; without a compiler, a note says so."""
    about = "the kernel and the same search in C, in turn; the same nodes and values"
    compiler = control.compiler()
    if compiler is None:
        return Part("C", about, [], notes=["There is no gcc here, so nothing is compared to C."]), []
    pairs = [control.duel(duel, compiler, folder, repeat, _CLOCK) for duel in DUELS]
    trees = tree_control.duel(compiler, folder, repeat, time.thread_time_ns)
    table = Table(
        "Million nodes per second, medians", ("board", "nodes", "kernel", "C"),
        [_rates(duel, pair) for duel, pair in zip(DUELS, pairs, strict=True)],
    )  # fmt: skip
    figures = [
        figure_at_least(f"{duel.name}: kernel to C", "times", pair.ratios, LEAST_RATIO)
        for duel, pair in zip(DUELS, pairs, strict=True)
    ]
    figures.append(figure_at_least("ultimate, playouts: kernel to C", "times", trees.ratios, LEAST_PLAYOUTS))
    playouts = Table(
        "Million playouts per second, medians", ("game", "playouts", "kernel", "C"),
        [("ultimate", f"{trees.nodes:,}", shown(median(trees.kernel_rates)), shown(median(trees.control_rates)))],
    )  # fmt: skip
    return Part("C", about, figures, [table, playouts]), pairs


def _rates(duel: Duel, pair: Paired) -> tuple[str, ...]:
    return (duel.name, f"{pair.nodes:,}", shown(median(pair.kernel_rates)), shown(median(pair.control_rates)))


def rates(found: Sequence[tuple[Case, CaseFigures]], pairs: Sequence[Paired]) -> Part:
    """The targets that the cases meet or miss. Where C runs, that of the nested boards is also scaled to a machine of
    this speed."""
    figures: list[Figure] = []
    for case, one in found:
        if case.search == "by index" and case.game in ("nine-board", "ultimate", "super"):
            rates = [one.nodes / taken_ms / 1000 for taken_ms in one.taken_ms]
            figures.append(figure_at_least(f"{case.game}, by index", "M/s", rates, LEAST_NESTED))
    without = {(case.game, case.moves): one for case, one in found if case.search == "full"}
    for case, one in found:
        if case.search == "patterns" and (case.game, case.moves) in without:
            ratios = [one.nodes / taken_ms / 1000 / without[case.game, case.moves].rate for taken_ms in one.taken_ms]
            figures.append(figure_at_least(f"{case.game}: patterns to none", "times", ratios, LEAST_PATTERNS))
    for case, one in found:
        if case.search in _LITERATURE_MS:
            figures.append(figure(case.name, "ms", one.taken_ms, _LITERATURE_MS[case.search]))
    notes = []
    if pairs:
        here = median(pairs[1].control_rates)
        notes.append(
            f"The {LEAST_NESTED:.0f} M/s are meant where C does {_AUTHORS_RATE:.0f} on Qubic: "
            f"{LEAST_NESTED * here / _AUTHORS_RATE:.0f} where it does {here:.0f}, as here."
        )
    return Part("speed", "nested boards, patterns, and the searches of the literature", figures, notes=notes)


def processes(repeat: int, folder: Path) -> Part:
    """Starting, memory, time limits, and the kernel without its compiler."""
    cache = folder / "cache"
    cold = starts.start_s(cache)
    warm = [starts.start_s(cache) for _ in range(max(repeat, 3))]
    overshoots = starts.overshoots(_MOVE_TIMES_MS)
    worst = max(overshoots, key=lambda one: one.over_ms)
    over = [one.over_ms for one in overshoots]
    return Part(
        "processes",
        "a process that searches, from its start on",
        [
            figure("first moves, nothing compiled", "s", [cold], MOST_COLD_S),
            figure("first moves, all in the cache", "s", warm, MOST_WARM_S),
            figure("memory with full tables, peak", "MB", [starts.worker_mb(cache)], MOST_MB),
            figure("beyond a time limit, worst", "ms", [worst.over_ms], MOST_OVER_MS),
            figure("the same, others' work left out", "ms", [max(one.own_ms for one in overshoots)]),
            figure("beyond a time limit, all searches", "ms", over),
            figure("Qubic without compiling (JIT off)", "k/s", [starts.interpreted_rate() / 1000]),
        ],
        notes=[f"Worst of {len(over)} searches of 20 to 200 ms: {worst.game}, {worst.move_ms} ms."],
    )


class Signature(Struct, frozen=True):
    """The nodes of all cases."""

    bench: int
    cases: dict[str, int]


class Report(Struct, frozen=True):
    """All of it."""

    machine: str
    signature: int
    cases: list[CaseFigures]
    parts: list[Part]


Output: TypeAlias = Report | Signature


def measure(machine: str, repeat: int, tell: Callable[[str], None]) -> Report:
    """The whole bench, several minutes. `tell` receives it as text in the meantime."""
    tell(f"{machine}\n\n{head()}")
    found = []
    for case, one in cases(repeat):
        found.append((case, one))
        tell(row(one))
    signature = sum(one.nodes for _, one in found)
    tell(f"\nBench: {signature}")
    parts: list[Part] = []

    def done(part: Part) -> None:
        parts.append(part)
        tell("\n" + "\n".join(lines(part)))

    with tempfile.TemporaryDirectory(prefix="noughts-bench-") as folder:
        compared, pairs = against_c(repeat, Path(folder))
        done(compared)
        done(rates(found, pairs))
        done(processes(repeat, Path(folder)))
    return Report(machine, signature, [one for _, one in found], parts)
