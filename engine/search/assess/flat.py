"""Judging flat boards and cubes by the solver, as far as its nodes go, and else by the search."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.kernels.solving import ALWAYS
from engine.rules.flat import FlatPosition
from engine.rules.position import other
from engine.search.assess import searched
from engine.search.finding import Finding, raise_if_stopped
from engine.search.solve.solver import Known, Solution, Solver
from engine.search.solve.solver import Stopped as GivenUp
from engine.search.watch import Watch

NODES: Final = 500_000
"""Less than half a second."""
_ENTRIES: Final = (1 << 17) - 1
"""Size of the table: 2.6 MB; a new one for each position, so that equal questions get equal answers."""
_SLICE: Final = 1 << 12


def assess(position: FlatPosition, watch: Watch) -> Finding:
    def between(known: Known) -> None:
        raise_if_stopped(watch)

    solver = Solver(position.rules, entries=_ENTRIES, between=between, largest_slice=_SLICE, most_nodes=NODES)
    try:
        return _solved(position, solver.solve(position))
    except GivenUp:
        return _half_solved(position, solver.known, searched.assess(position, watch))


def _solved(position: FlatPosition, solution: Solution) -> Finding:
    line = solution.line or solution.best[:1]
    if solution.plies is None:
        return Finding(True, 0.0, None, False, solution.best, line, True, solution.nodes)
    wins = solution.value == position.to_move
    win_in = solution.plies if wins else -solution.plies
    return Finding(True, 1.0 if wins else -1.0, win_in, False, solution.best, line, True, solution.nodes)


def _half_solved(position: FlatPosition, known: Known, guess: Finding) -> Finding:
    """What is certain although the nodes ran out. The winner may be known before a winning move is."""
    nodes = known.nodes + guess.nodes
    if guess.exact:
        return replace(guess, nodes=nodes)
    mover = position.to_move
    never = {side for side, plies in known.held.items() if plies == ALWAYS}
    if known.wins == other(mover):
        return replace(guess, exact=True, value=-1.0, nodes=nodes)
    if known.wins == mover:
        return replace(guess, exact=True, value=1.0, best=(), nodes=nodes)
    if len(never) == 2:
        return replace(guess, exact=True, value=0.0, best=(), nodes=nodes)
    least = 0.0 if other(mover) in never else -1.0
    most = 0.0 if mover in never else 1.0
    return replace(guess, value=max(least, min(most, guess.value)), nodes=nodes)
