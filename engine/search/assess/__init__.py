"""Judging positions for reviews: exactly where something decides them, else by a search of `strongest`'s kind.

Nodes bound everything, never time, so that a position is always judged alike.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from engine.rules.flat import FlatPosition
from engine.rules.position import Position
from engine.search.assess import flat, qubic, searched, super_win
from engine.search.finding import Finding, Stopped, raise_if_stopped
from engine.search.solve.solver import solvable
from engine.search.watch import Watch

__all__ = ["Finding", "Stopped", "assess", "forget", "others"]

_REMEMBERED: Final = 256
"""Positions remembered: those of a game, whose moves are judged one after another."""
_memory: OrderedDict[Position, Finding] = OrderedDict()

others = searched.others


def assess(position: Position, watch: Watch) -> Finding:
    """The finding for a position that is not over. Raises Stopped when `watch` says so."""
    raise_if_stopped(watch)
    found = _memory.pop(position, None) or _assess(position, watch)
    _memory[position] = found
    if len(_memory) > _REMEMBERED:
        _memory.popitem(last=False)
    return found


def forget() -> None:
    """Judge every position anew: the answers are the same."""
    _memory.clear()


def _assess(position: Position, watch: Watch) -> Finding:
    if position.rules.id == "qubic":
        return qubic.assess(position, watch)
    if position.rules.id == "super":
        return super_win.assess(position, watch)
    if isinstance(position, FlatPosition) and solvable(position.rules):
        return flat.assess(position, watch)
    return searched.assess(position, watch)
