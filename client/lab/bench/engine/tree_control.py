"""The control of the Monte Carlo tree search: the same search of Ultimate in C, run in turn with the kernel."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from client.lab.bench.engine import control
from client.lab.bench.engine.control import Paired
from client.lab.bench.wire import BenchError
from engine.kernels import mcts as kernel
from engine.kernels.mcts import Options
from engine.kernels.weighted import WeightedBoard
from engine.rules.nested import NestedPosition
from engine.rules.registry import rules
from engine.search import mcts, weights
from engine.search.boards import weighted_board

SOURCE: Final = Path(__file__).with_name("twin_mcts.c")
NODES: Final = 300_000
_PLAN: Final = mcts.PLANS["weights"]
_TABLES: Final = (
    ("codes", "i8"), ("states", "i8"), ("closed", "i8"), ("forced", "i8"), ("static", "i8"), ("steps", "i8"),
    ("rows", "i8"), ("contexts", "i8"), ("events", "i1"), ("empty", "i2"), ("winning", "i2"), ("small", "i2"),
    ("big", "i2"), ("sent", "i2"), ("free", "i2"), ("has_line", "i1"), ("blocked", "i1"),
)  # fmt: skip
"""What the control reads of a board, in this order; of what changes from ply to ply the root's."""
_ROOTS: Final = frozenset({"states", "closed", "forced", "static"})


def duel(compiler: str, folder: Path, turns: int, clock: Callable[[], int]) -> Paired:
    """Build the control in `folder` and measure the playouts of both in turn, by a clock of processor time.

    Each turn is the median of three searches. Raises BenchError if the control cannot be built or finds another tree.
    """
    program = build(compiler, folder)
    board = _board()
    (folder / "tables").write_bytes(tables(board))
    room = kernel.tree(2 * (NODES + 82))
    first = search(board, room, clock)[0]
    kernel_rates, control_rates = [], []
    for _ in range(turns):
        kernel_rates.append(first[1] / median(search(board, room, clock)[1] for _ in range(3)) * 1000)
        found, taken_ns = _control(program, folder / "tables")
        if found != first:
            raise BenchError(f"On Ultimate C finds {found} and the kernel {first} (nodes, playouts, total).")
        control_rates.append(first[1] / taken_ns * 1000)
    return Paired(first[1], kernel_rates, control_rates)


def build(compiler: str, folder: Path) -> Path:
    """The control as a program."""
    return control.compiled(compiler, SOURCE, folder / "twin-mcts", ("-ffp-contract=off",), ("-lm",))


def _board() -> WeightedBoard:
    position = rules("ultimate").initial
    assert isinstance(position, NestedPosition)
    return weighted_board(position, weights.of("ultimate"), position.rules.cells + 1)


def tables(board: WeightedBoard) -> bytes:
    """What the control reads before it searches."""
    scale = mcts.scale(_PLAN.blind)
    parts = [(np.array(_PLAN.explore), "f8")]
    parts += [(getattr(board, name)[:1] if name in _ROOTS else getattr(board, name), kind) for name, kind in _TABLES]
    parts += [(scale.chance, "f4"), (scale.weight, "f4")]
    return b"".join(np.ascontiguousarray(array).astype(kind).tobytes() for array, kind in parts)


def search(board: WeightedBoard, tree: kernel.Tree, clock: Callable[[], int]) -> tuple[tuple[int, int, float], int]:
    """((nodes, playouts, the root's total), nanoseconds)."""
    options = Options(_PLAN.explore, _PLAN.trust, NODES)
    begun = clock()
    kernel.begin(tree, 1)
    kernel.run(board, tree, mcts.scale(_PLAN.blind), options, NODES)
    taken_ns = clock() - begun
    counters = tree.counters
    return (int(counters[kernel.NODES]), int(counters[kernel.PLAYOUTS]), float(tree.total[0])), taken_ns


def _control(program: Path, tables: Path) -> tuple[tuple[int, int, float], float]:
    done = subprocess.run([program, tables, str(NODES), "3"], capture_output=True, text=True, timeout=120, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    nodes, playouts, total, _ = lines[0]
    return (int(nodes), int(playouts), float(total)), median(int(line[3]) for line in lines)
