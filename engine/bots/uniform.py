"""No search at all: every legal move is equally likely."""

from __future__ import annotations

from random import Random

from engine.rules.limit import Limit
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.watch import Watch


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """A legal move of a position that is not over, uniformly."""
    move = random.choice(position.legal_moves())
    return Decision(move, pv=(move,))
