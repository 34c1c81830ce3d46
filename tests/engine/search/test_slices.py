"""How long slices of a search are."""

from __future__ import annotations

import numpy as np

from engine.kernels.negamax import FINISHED, NODES, PAUSED
from engine.search import slices
from tests.support.engine.watches import Clock, Ticking


def sizes(tick_ms: int, other_work: int = 0, steps: int = 12, move_ms: int | None = None) -> list[int]:
    """Of a search's slices with so many milliseconds between looks at the clock, in which other work stands for so many
    nodes."""
    counters = np.zeros(1, np.int64)
    found: list[int] = []

    def step(until: int) -> int:
        found.append(until - int(counters[NODES]))
        counters[NODES] = max(until - other_work, counters[NODES])
        return FINISHED if len(found) == steps else PAUSED

    slices.run_steps(step, counters, Ticking(tick_ms) if tick_ms else Clock(), move_ms)
    return found


def test_short_slices_grow_and_long_ones_shrink() -> None:
    short, long = sizes(0), sizes(4)
    assert short == [short[0] << place for place in range(12)]
    assert long == [max(long[0] >> place, 1) for place in range(12)]


def test_slices_of_fitting_length_stay() -> None:
    assert len(set(sizes(2))) == 1


def test_short_slices_of_other_work_do_not_grow() -> None:
    """What copying takes says nothing about playouts: in a slice grown by it, these passed their time by 20 ms."""
    assert len(set(sizes(0, other_work=1))) == 1
    assert len(set(sizes(0, other_work=1 << 20))) == 1


def test_near_the_end_slices_are_a_quarter() -> None:
    far, near = sizes(1, steps=1, move_ms=100), sizes(1, steps=1, move_ms=10)
    assert near[0] == far[0] // 4 + 1
