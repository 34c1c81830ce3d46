"""Super, played by X's forced win: as X it keeps to it, as O it waits for X to leave that win."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Move, X
from engine.search import negamax, strongest
from engine.search.decision import Decision
from engine.search.perfect.super_policy import (
    FILLING_PLIES,
    MOST_PLIES,
    Check,
    Stopped,
    Way,
    after_filling,
    is_filling,
    last_board,
    policy_move,
)
from engine.search.watch import Watch


def decide(position: NestedPosition, limit: Limit, random: Random, watch: Watch) -> Decision:
    """The move of a position that is not over.

    Where X wins by the policy the answer is its move as X, the longest resistance as O, and the plies that are left at
    most. Elsewhere it searches as `strongest` does, and so takes what X has thrown away if the search sees it. Which
    positions the policy leads to is known once it has been followed from the move at which f is settled, a fifth of a
    second, done once for each f; stopped before that, X's move is the policy's without the plies.
    """
    if is_filling(position):
        return _while_filling(position)
    last = last_board(position)
    if last is not None and position.ply >= FILLING_PLIES:
        check = _check_from(last)
        check.stopped = lambda: watch.stopped() or (limit.move_ms is not None and watch.elapsed_ms() >= limit.move_ms)
        try:
            check.way(after_filling(last))
        except Stopped:
            move = policy_move(position) if position.to_move == X else None
            if move is not None:
                return Decision(move, pv=(move,))
        if check.knows(position):
            way = check.way(position)
            return _decision(position, way, check.line(position))
    return strongest.decide((), position, limit, random, watch)


@lru_cache(maxsize=2)
def _check_from(last: int) -> Check:
    """What is known of the positions with this f: two of them are a few megabytes."""
    return Check()


def forced_win(position: NestedPosition, stopped: Callable[[], bool]) -> tuple[int, tuple[Move, ...]] | None:
    """Most plies in which X wins, and a way there, where the policy leads to this position; else None.

    Raises Stopped when `stopped` says so.
    """
    if is_filling(position):
        decision = _while_filling(position)
        return decision.depth, decision.pv
    last = last_board(position)
    if last is None or position.ply < FILLING_PLIES:
        return None
    check = _check_from(last)
    check.stopped = stopped
    check.way(after_filling(last))
    return (check.way(position).plies, check.line(position)) if check.knows(position) else None


def _while_filling(position: NestedPosition) -> Decision:
    """Before f is settled all replies of O are equally good: the policy takes as long for any f."""
    line = []
    after = position
    while after.ply <= FILLING_PLIES:
        move = policy_move(after) if after.to_move == X else after.legal_moves()[0]
        assert move is not None
        line.append(move)
        after = after.play(move)
    return _decision(position, Way(MOST_PLIES - position.ply, line[0]), tuple(line))


def _decision(position: NestedPosition, way: Way, line: tuple[int, ...]) -> Decision:
    win_in = way.plies if position.to_move == X else -way.plies
    value = negamax.WIN - way.plies if position.to_move == X else way.plies - negamax.WIN
    return Decision(way.move, depth=way.plies, value=float(value), win_in=win_in, proven=True, pv=line)
