"""Perfect play of the games that are solved, and of positions that can be."""

from __future__ import annotations

from random import Random

from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.watch import Watch


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`perfect`. The searches of a game are loaded when it is first played."""
    if position.rules.id == "qubic":
        from engine.search.perfect import qubic

        return qubic.decide(values, position, limit, random, watch)
    if isinstance(position, FlatPosition):
        from engine.search.perfect import flat_player

        return flat_player.decide(position, limit, random, watch)
    assert isinstance(position, NestedPosition)
    if position.rules.id == "nine-board":
        from engine.search.perfect import nine_board_player

        return nine_board_player.decide(position, limit, random, watch)
    from engine.search.perfect import super_player

    return super_player.decide(position, limit, random, watch)
