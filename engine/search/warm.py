"""Compiling every kernel before somebody waits for one.

A kernel is compiled when it is first called, which takes seconds; from then on its machine code comes from the cache.
So each stage is a small search that calls the kernels of one kind of board. No two stages compile the same kernel, so
they may be done in any order, and by several processes at once. Naming the stages loads no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.nested import NestedPosition
from engine.rules.registry import rules
from engine.search.watch import NO_WATCH

FLAT: Final = "flat boards"
NESTED: Final = "nested boards"
PATTERNS: Final = "patterns"
WEIGHTED: Final = "nested boards with learned weights"
TREES: Final = "Monte Carlo trees"
SOLVER: Final = "solver"
BREAKER: Final = "solver of larger boards"
NINE_BOARD: Final = "solver of nine-board"
QUBIC: Final = "Qubic"


def stages() -> tuple[str, ...]:
    """The names of what is compiled, in this order unless another is asked for."""
    return FLAT, NESTED, WEIGHTED, TREES, PATTERNS, SOLVER, BREAKER, NINE_BOARD, QUBIC


def warm(report: Callable[[int, int], None], first: Sequence[str] = ()) -> None:
    """Compile every kernel, or load it from the cache; `report(done, of)` is called after each stage.

    It begins with the stages `first`.
    """
    order = [*dict.fromkeys((*first, *stages()))]
    for done, stage in enumerate(order, 1):
        compile_stage(stage)
        report(done, len(order))


def compile_stage(stage: str) -> None:
    """Compile the kernels of one stage, or load them from the cache. Nothing where they run as plain Python."""
    from engine.kernels.jit import DISABLED

    if not DISABLED:
        _WORK[stage]()


def _searched(game: str) -> None:
    from engine.search.negamax import choose

    choose(rules(game).initial, 2, NO_LIMIT, Random(0), NO_WATCH)


def _patterned() -> None:
    from engine.search.patterned import choose

    choose(rules("gomoku").initial, Limit(nodes=2), NO_WATCH)


def _weighted() -> None:
    from engine.search.negamax import LEARNED, choose

    choose(rules("ultimate").initial, 2, NO_LIMIT, Random(0), NO_WATCH, LEARNED)


def _treed() -> None:
    from engine.kernels.mcts import begin_copy, tree
    from engine.search.mcts import PLANS, ROOM, choose

    choose(rules("ultimate").initial, Limit(nodes=1000), Random(0), NO_WATCH, PLANS["mixed"], ROOM)
    begin_copy(tree(2))


def _solved() -> None:
    from engine.search.solve.solver import Solver

    smallest = rules("tictactoe")
    assert isinstance(smallest, FlatRules)
    Solver(smallest, entries=1).solve(smallest.initial)


def _holding() -> None:
    from engine.search.solve.breaker import Breaker

    smallest = rules("tictactoe")
    assert isinstance(smallest, FlatRules)
    breaker = Breaker(smallest, entries=1)
    breaker.holds(breaker.lines, attacking=True, most_nodes=1)


def _nine_boards() -> None:
    from engine.search.solve.nine_board_solver import Solver, Stopped

    first = rules("nine-board").initial
    assert isinstance(first, NestedPosition)
    with suppress(Stopped):
        Solver(entries=64, most_nodes=1).solve(first)


def _threatening() -> None:
    from engine.kernels import qubic_proof
    from engine.search import qubic
    from engine.search.perfect.qubic import standing
    from engine.search.perfect.qubic_memory import begun, memory

    qubic.choose(rules("qubic").initial, Limit(nodes=2), NO_WATCH)
    after_one = rules("qubic").initial.play(0)
    assert isinstance(after_one, FlatPosition)
    standing(after_one)
    # In the memory that perfect play has: a solver's own would take 16 MB for this one leaf.
    qubic_proof.grow(begun(after_one.x, after_one.o), memory().threats, qubic_proof.Plan(), 1)


_WORK: Final[dict[str, Callable[[], None]]] = {
    FLAT: lambda: _searched("tictactoe"),
    NESTED: lambda: _searched("ultimate"),
    PATTERNS: _patterned,
    WEIGHTED: _weighted,
    TREES: _treed,
    SOLVER: _solved,
    BREAKER: _holding,
    NINE_BOARD: _nine_boards,
    QUBIC: _threatening,
}
