"""Alpha-beta in plain Python."""

from __future__ import annotations

from random import Random

from engine.position import Position
from engine.search import uniform
from engine.search.decision import Decision
from engine.search.limits import Limit, Watch


def choose(position: Position, depth: int, limit: Limit, random: Random, watch: Watch) -> Decision:
    return uniform.choose(position, random)
