"""Running a kernel in slices of nodes, between which the clock and the stop flag are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.kernels import negamax as kernel
from engine.kernels.boards import Board
from engine.kernels.jit import DISABLED
from engine.kernels.negamax import Options, Stack
from engine.search.watch import Watch

_FIRST_SLICE: Final = 512
LEAST: Final = 64 if DISABLED else 2048
"""Nodes of a search that is to find something however late it begins: some 2 ms."""
_LARGEST_SLICE: Final = 1 << 20
_SHORT_MS: Final = 1
_LONG_MS: Final = 3
"""A slice that takes longer is followed by a shorter one: a limit in time is kept to a few milliseconds."""
_NEAR_MS: Final = 10
"""This close to the end slices are a quarter: the same number of nodes can take several times as long as before."""


def node_limit(nodes: int | None) -> int:
    """The limit as a kernel takes it, in 64 bits."""
    return min(nodes or kernel.INFINITY, kernel.INFINITY)


def _nothing() -> None:
    return None


def run(
    board: Board,
    stack: Stack,
    options: Options,
    watch: Watch,
    move_ms: int | None = None,
    between: Callable[[], None] = _nothing,
    least: int = 0,
) -> bool:
    """`run_steps` for the search of `engine.kernels.negamax`."""
    return run_steps(
        lambda until: kernel.run(board, stack, options, until), stack.counters, watch, move_ms, between, least
    )


def run_steps(
    step: Callable[[int], int],
    counters: Any,
    watch: Watch,
    move_ms: int | None = None,
    between: Callable[[], None] = _nothing,
    least: int = 0,
) -> bool:
    """Search to the end (True), or until the nodes, the time or the stop flag end it (False).

    `step` searches until there are so many nodes in all, which the search's `counters` tell, or did other work instead
    of some of them, and returns what `engine.kernels.negamax.run` does. `between` is called after each slice. The nodes
    made do not depend on how they are sliced. Time does not end the search before it has made `least` nodes in all.
    """
    size = max(_FIRST_SLICE, least)
    before_ms = watch.elapsed_ms()
    while True:
        made = int(counters[kernel.NODES])
        left_ms = None if move_ms is None or made < least else move_ms - before_ms
        if watch.stopped() or (left_ms is not None and left_ms <= 0):
            return False
        is_near = left_ms is not None and left_ms <= _NEAR_MS
        until = made + (size // 4 + 1 if is_near else size)
        status = step(until)
        if status != kernel.PAUSED:
            return status == kernel.FINISHED
        between()
        now_ms = watch.elapsed_ms()
        # A slice with other work in it does not tell how long nodes take.
        is_whole = counters[kernel.NODES] >= until
        if now_ms - before_ms <= _SHORT_MS and is_whole and not is_near:
            size = min(2 * size, _LARGEST_SLICE)
        elif now_ms - before_ms > _LONG_MS:
            size = max(size // 2, 1)
        before_ms = now_ms
