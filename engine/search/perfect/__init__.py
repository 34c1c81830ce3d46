"""Perfect play, of the games that are solved here."""

from __future__ import annotations

from random import Random

from engine.position import Position
from engine.rules.nested import NestedPosition
from engine.rules.ultimate import SuperRules
from engine.search.decision import Decision
from engine.search.limits import Limit, Watch


def mind(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`perfect`."""
    from engine.search.perfect import super_player

    assert isinstance(position, NestedPosition)
    assert isinstance(position.rules, SuperRules)
    return super_player.decide(position, limit, random, watch)
