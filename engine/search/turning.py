"""The symmetries of a position, and variety in the opening by them, for searches that would always play the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from engine.rules.lines import Symmetry
from engine.rules.position import Position
from engine.search.decision import Decision

_VARIED_PLIES: Final = 4


def turns(position: Position) -> list[Symmetry]:
    """The symmetries of its board that leave the position as it is."""
    rules, mark = position.rules, position.mark
    marked = [cell for cell in range(rules.cells) if mark(cell)]
    return [turn for turn in rules.symmetries if all(mark(turn[cell]) == mark(cell) for cell in marked)]


def turned(decision: Decision, position: Position, random: Random) -> Decision:
    """Picks a symmetric move in an opening: a long search finds only one, and would always play the same."""
    if position.ply >= _VARIED_PLIES:
        return decision
    turn = random.choice(turns(position))
    return replace(decision, move=turn[decision.move], pv=tuple(turn[move] for move in decision.pv))
