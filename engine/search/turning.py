"""Variety in the opening by symmetry, for searches that would always play the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from engine.rules.position import Position
from engine.search.decision import Decision

_VARIED_PLIES: Final = 4


def turned(decision: Decision, position: Position, random: Random) -> Decision:
    """Picks a symmetric move in an opening: a long search finds only one, and would always play the same."""
    if position.ply >= _VARIED_PLIES:
        return decision
    marks = [(cell, mark) for cell in range(position.rules.cells) if (mark := position.mark(cell))]
    turns = position.rules.symmetries
    turn = random.choice([turn for turn in turns if all(position.mark(turn[cell]) == mark for cell, mark in marks)])
    return replace(decision, move=turn[decision.move], pv=tuple(turn[move] for move in decision.pv))
