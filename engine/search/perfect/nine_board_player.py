"""Nine-board, which is not solved as a whole: every position is solved anew, as far as the limit goes."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Move
from engine.search import negamax, skill, strongest
from engine.search.decision import Decision
from engine.search.solve.nine_board_solver import Solution, Solver, Stopped, Unsound
from engine.search.watch import Watch

_ENTRIES: Final = 1 << 18
"""Size of the solver's large table: 5 MB; a new one for each move, so that equal questions get equal answers."""
_MOST_NODES: Final = 1 << 24
"""Some five seconds, where no limit is given."""
_SLICE: Final = 1 << 12
"""Positions between two readings of the clock: 1 to 3 ms."""
_FINISHING_NODES: Final = 200_000
"""Nodes spent on a shorter way to the end of a decided game: the solver shows who wins, not how soon."""


def decide(position: NestedPosition, limit: Limit, random: Random, watch: Watch) -> Decision:
    """The move of a position that is not over.

    Half of the nodes or of the time go into solving. A won position is then won and a drawn one drawn; a lost one is
    played as `strongest` would with little time. If they do not suffice, or if a depth is asked for, it plays as
    `strongest` does.
    """
    if limit.depth is not None:
        return strongest.decide((), position, limit, random, watch)
    solution, used = _solved(position, limit, watch)
    if solution is None:
        left = replace(limit, nodes=limit.nodes - used) if limit.nodes else limit
        guessed = strongest.decide((), position, left, random, watch)
        return replace(guessed, nodes=guessed.nodes + used)
    few = max(1, min(limit.nodes - used, _FINISHING_NODES)) if limit.nodes else _FINISHING_NODES
    strength = replace(skill.strongest(position.rules), nodes=few)
    looked = strongest.think(strength, position, Limit(move_ms=limit.move_ms), random, watch)
    looked = replace(looked, nodes=looked.nodes + used)
    if looked.proven:
        return looked
    if solution.value == "draw":
        assert solution.best is not None
        return replace(looked, move=solution.best, value=0.0, win_in=None, proven=True, pv=(solution.best,))
    return _won(position, looked, solution.best)


def _solved(position: NestedPosition, limit: Limit, watch: Watch) -> tuple[Solution | None, int]:
    """The solution, if there is time for it, and the positions visited."""
    most_nodes = limit.nodes // 2 if limit.nodes else _MOST_NODES
    end_ms = None if limit.move_ms is None else (limit.move_ms + 1) // 2

    def between() -> None:
        if watch.stopped() or (end_ms is not None and watch.elapsed_ms() >= end_ms):
            raise Stopped

    solver = Solver(_ENTRIES, between, most_nodes=most_nodes, largest_slice=_SLICE)
    try:
        between()
        return (solver.solve(position) if most_nodes else None), solver.nodes
    except (Stopped, Unsound):
        return None, solver.nodes


def _won(position: NestedPosition, looked: Decision, best: Move | None) -> Decision:
    """A win of the mover with `best`, else of the other side: at the latest with its own last move of the game."""
    left = position.rules.cells - position.ply
    plies = left - (left + 1) % 2 if best is not None else left - left % 2
    move = looked.move if best is None else best
    value = float(negamax.WIN - plies if best is not None else plies - negamax.WIN)
    win_in = plies if best is not None else -plies
    return replace(looked, move=move, value=value, win_in=win_in, bound=True, proven=True, pv=(move,))
