"""Judging Super by X's forced win where it leads, and else by the search."""

from __future__ import annotations

from engine.rules.nested import NestedPosition
from engine.rules.position import Position, X
from engine.search.assess import searched
from engine.search.finding import Finding, raise_if_stopped
from engine.search.perfect.super_player import forced_win
from engine.search.perfect.super_policy import Stopped
from engine.search.watch import Watch


def assess(position: Position, watch: Watch) -> Finding:
    assert isinstance(position, NestedPosition)
    found = searched.assess(position, watch)
    if found.exact and found.value > 0:
        return found
    try:
        way = forced_win(position, watch.stopped)
    except Stopped:
        raise_if_stopped(watch)
        raise
    if way is None:
        return found
    plies, line = way
    if found.win_in is not None and abs(found.win_in) <= plies:
        return found
    value, win_in = (1.0, plies) if position.to_move == X else (-1.0, -plies)
    return Finding(True, value, win_in, True, line[:1], line, nodes=found.nodes)
