"""Compiling every kernel before somebody waits for one.

A kernel is compiled when it is first called, which takes seconds; from then on its machine code comes from the cache.
So each stage is a small search that calls the kernels of one kind of board. Naming the stages loads no kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from engine.rules.flat import FlatRules
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import rules
from engine.search.watch import NO_WATCH

_STAGES: Final = (
    ("flat boards", "tictactoe"),
    ("nested boards", "ultimate"),
    ("solver", None),
    ("Qubic's proof", "qubic"),
)
"""The name of each stage and the game that it searches; None for solving one, and Qubic is played perfectly."""
_BESIDE_THE_PROOF: Final = 1
"""A first move of X outside the book, so that O looks for X's strategy, which X itself never does."""


def stages() -> tuple[str, ...]:
    """The names of what is compiled, in this order."""
    return tuple(words for words, _ in _STAGES)


def warm(report: Callable[[int, int], None]) -> None:
    """Compile every kernel, or load it from the cache; `report(done, of)` is called after each stage.

    Where kernels run as plain Python there is nothing to do.
    """
    from engine.kernels.jit import DISABLED
    from engine.search.negamax import choose
    from engine.search.perfect import decide as perfect
    from engine.search.solver import Solver

    if not DISABLED:
        for done, (_, game) in enumerate(_STAGES, 1):
            if game is None:
                smallest = rules("tictactoe")
                assert isinstance(smallest, FlatRules)
                Solver(smallest, entries=1).solve(smallest.initial)
            elif game == "qubic":
                start = rules(game).initial
                perfect((), start, NO_LIMIT, Random(0), NO_WATCH)
                perfect((), start.play(_BESIDE_THE_PROOF), Limit(nodes=1), Random(0), NO_WATCH)
            else:
                choose(rules(game).initial, 2, NO_LIMIT, Random(0), NO_WATCH)
            report(done, len(_STAGES))
    else:
        report(len(_STAGES), len(_STAGES))
