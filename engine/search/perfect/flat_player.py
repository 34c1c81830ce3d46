"""Small flat boards and cubes, played by solving every position anew; where that is slow, openings are looked up."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.position import Side
from engine.search import negamax, strongest
from engine.search.decision import Decision
from engine.search.perfect import flat_book
from engine.search.solver import Known, Solution, Solver, Stopped
from engine.search.watch import Watch

_ENTRIES: Final = (1 << 20) - 3
"""Positions that are remembered: 21 MB, made anew for each move so that equal questions get equal answers."""
_MOST_NODES: Final = 1 << 26
"""Some forty seconds, where no limit is given. The most that a position has been seen to need is 25 million."""
_SLICE: Final = 1 << 12
"""Nodes between two looks at the clock: about 3 ms."""
_CHOOSING_PLIES: Final = 4
_CHOOSING_NODES: Final = 20_000


def decide(position: FlatPosition, limit: Limit, random: Random, watch: Watch) -> Decision:
    """The move of a position that is not over.

    A won position is won as fast as can be, a lost one lost as slowly; of the moves that draw it takes the one that
    looks best a few plies ahead. Half of the nodes or of the time go into solving; if they do not suffice, or if a
    depth is asked for, it plays as `strongest` does.
    """
    if limit.depth is not None:
        return strongest.decide((), position, limit, random, watch)
    known = flat_book.look_up(position)
    if known is not None:
        return _answer(position, known, limit, random, watch)
    most_nodes = limit.nodes // 2 if limit.nodes else _MOST_NODES
    end_ms = None if limit.move_ms is None else (limit.move_ms + 1) // 2

    def between(known: Known) -> None:
        if watch.stopped() or (end_ms is not None and watch.elapsed_ms() >= end_ms):
            raise Stopped

    solver = Solver(position.rules, entries=_ENTRIES, between=between, largest_slice=_SLICE, most_nodes=most_nodes)
    try:
        between(solver.known)
        solution = solver.solve(position)
    except Stopped:
        left = replace(limit, nodes=limit.nodes - solver.nodes) if limit.nodes else limit
        guessed = strongest.decide((), position, left, random, watch)
        return replace(guessed, nodes=guessed.nodes + solver.nodes)
    return _answer(position, solution, limit, random, watch)


def _answer(position: FlatPosition, solution: Solution, limit: Limit, random: Random, watch: Watch) -> Decision:
    if solution.plies is None:
        return _drawing(position, solution, limit, random, watch)
    return _decided(position.to_move, solution, solution.plies)


def _decided(mover: Side, solution: Solution, plies: int) -> Decision:
    wins = solution.value == mover
    return Decision(
        solution.line[0],
        nodes=solution.nodes,
        depth=plies,
        value=float(negamax.WIN - plies if wins else plies - negamax.WIN),
        win_in=plies if wins else -plies,
        bound=False,
        proven=True,
        pv=solution.line,
    )


def _drawing(position: FlatPosition, solution: Solution, limit: Limit, random: Random, watch: Watch) -> Decision:
    left = Limit(move_ms=limit.move_ms) if limit.move_ms else Limit(nodes=_left(limit, solution.nodes))
    chosen = negamax.choose(position, _CHOOSING_PLIES, left, random, watch, moves=solution.best)
    return Decision(
        chosen.move,
        nodes=solution.nodes + chosen.nodes,
        leaves=chosen.leaves,
        depth=chosen.depth,
        value=0.0,
        proven=True,
        pruned=chosen.pruned,
        interior=chosen.interior,
        pv=(chosen.move,),
    )


def _left(limit: Limit, used: int) -> int:
    return min(limit.nodes - used, _CHOOSING_NODES) if limit.nodes else _CHOOSING_NODES
