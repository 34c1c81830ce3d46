"""Flat boards and cubes, played by solving every position anew; where that is slow, openings are looked up.

On larger boards it is asked first which moves hold as Breaker: after these the other side completes no line, whatever
it plays. If the other side holds as well, the position is drawn, long before it could be solved.
"""

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
from engine.search.perfect.flat_holding import Held, held
from engine.search.skill import is_solved_at_once
from engine.search.solve.solver import Known, Solution, Solver, Stopped
from engine.search.watch import Watch

_ENTRIES: Final = (1 << 20) - 3
"""Size of the table: 21 MB; a new one for each move, so that equal questions get equal answers."""
_MOST_NODES: Final = 1 << 26
"""Some forty seconds, where no limit is given. The most that a position has been seen to need is 25 million."""
_MOST_NODES_HELD: Final = 1 << 23
"""Some five seconds, for a win that the mover may have where it holds anyway."""
_SLICE: Final = 1 << 12
"""Nodes between two readings of the clock: about 3 ms."""
_CHOOSING_PLIES: Final = 4
_CHOOSING_NODES: Final = 20_000


def decide(position: FlatPosition, limit: Limit, random: Random, watch: Watch) -> Decision:
    """The move of a position that is not over.

    A won position is won as fast as can be, a lost one lost as slowly; of the moves that draw it takes the one that
    looks best a few plies ahead. Half of the nodes or of the time go into solving, on larger boards the first half of
    that into holding. If they do not suffice, or if a depth is asked for, it plays as `strongest` does; but where some
    moves are known to hold, one of these or one that wins.
    """
    if limit.depth is not None:
        return strongest.decide((), position, limit, random, watch)
    known = flat_book.look_up(position)
    if known is not None:
        return _answer(position, known, limit, random, watch)
    holding = _holding(position, limit, watch)
    if holding.is_drawn:
        drawn = Solution("draw", None, holding.moves, (), holding.nodes)
        return _answer(position, drawn, limit, random, watch)
    solved = _solved(position, holding, limit, watch)
    if isinstance(solved, Solution):
        return _answer(position, solved, limit, random, watch)
    return _guessed(position, holding, solved, limit, random, watch)


def _holding(position: FlatPosition, limit: Limit, watch: Watch) -> Held:
    if is_solved_at_once(position.rules):
        return Held()
    most_nodes = limit.nodes // 4 if limit.nodes else None
    return held(position, most_nodes, None if limit.move_ms is None else limit.move_ms // 4, watch)


def _solved(position: FlatPosition, holding: Held, limit: Limit, watch: Watch) -> Solution | int:
    """The solution with all nodes made so far, or these alone if they do not suffice."""
    most_nodes = _MOST_NODES_HELD if holding.moves else _MOST_NODES
    if limit.nodes:
        most_nodes = limit.nodes // 2 - holding.nodes
    end_ms = None if limit.move_ms is None else (limit.move_ms + 1) // 2

    def between(known: Known) -> None:
        if watch.stopped() or (end_ms is not None and watch.elapsed_ms() >= end_ms):
            raise Stopped

    solver = Solver(position.rules, entries=_ENTRIES, between=between, largest_slice=_SLICE, most_nodes=most_nodes)
    try:
        between(solver.known)
        solution = solver.solve(position)
    except Stopped:
        return holding.nodes + solver.nodes
    return replace(solution, nodes=holding.nodes + solution.nodes)


def _guessed(position: FlatPosition, holding: Held, used: int, limit: Limit, random: Random, watch: Watch) -> Decision:
    """What `strongest` plays, if that is known to hold or to win, or nothing is known to hold."""
    left = replace(limit, nodes=limit.nodes - used) if limit.nodes else limit
    if not holding.moves:
        guessed = strongest.decide((), position, left, random, watch)
        return replace(guessed, nodes=guessed.nodes + used)
    few = min((left.nodes or _MOST_NODES) // 2, _CHOOSING_NODES)
    timed = Limit(move_ms=limit.move_ms)
    safe = negamax.choose(position, _CHOOSING_PLIES, timed, random, watch, moves=holding.moves, most_nodes=few)
    if (safe.win_in or 0) <= 0:
        safe = replace(safe, proven=False)  # of some moves only
    if left.nodes:
        left = replace(left, nodes=left.nodes - safe.nodes)
    guessed = strongest.decide((), position, left, random, watch)
    chosen = guessed if guessed.move in holding.moves or (guessed.win_in or 0) > 0 else safe
    return replace(chosen, nodes=used + safe.nodes + guessed.nodes)


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
