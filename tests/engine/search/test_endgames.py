"""Ultimate is played exactly near its end: what `strongest` finds within a second's nodes is proven."""

from __future__ import annotations

from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition, NestedRules
from engine.rules.position import Position
from engine.rules.registry import rules
from tests.support.engine.random_games import random_games

FREE = 20
SECOND = 3_000_000
"""Nodes that take a second or less."""


def free_cells(position: Position) -> int:
    assert isinstance(position, NestedPosition)
    return sum(not position.closed >> cell // 9 & 1 and position.mark(cell) is None for cell in range(81))


def late(moves: list[int]) -> Position | None:
    """The first position of a game with so few free cells; None if it ends before."""
    position = rules("ultimate").initial
    for move in moves:
        position = position.play(move)
        if position.outcome is not None or free_cells(position) <= FREE:
            break
    return position if position.outcome is None else None


def test_the_last_cells_of_ultimate_are_played_exactly() -> None:
    ultimate = rules("ultimate")
    assert isinstance(ultimate, NestedRules)
    ends = [position for moves in random_games(ultimate, 30) if (position := late(moves)) is not None]
    assert len(ends) > 9
    assert all(decide(bot("strongest"), position, Limit(nodes=SECOND)).proven for position in ends)
