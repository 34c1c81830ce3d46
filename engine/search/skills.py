"""How well each level plays each game, as data. Naming a level loads no search.

Levels differ in what they notice, how far they look ahead and how many positions they may make: never in time, so that
a level plays the same everywhere. The figures are settled by measuring: `docs/levels.md` shows by what score each level
beats the one below, and `noughts bench levels` plays it all again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.position import Rules

LEVELS: Final = 8
"""The highest level that can be named. Where fewer can be told apart, those above play as the top one."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What a player is able to do in one game."""

    sees: float
    """The probability that a move without anything striking about it is noticed; 1 overlooks nothing."""
    depth: int
    """Plies that are looked ahead."""
    nodes: int
    """Positions that may be made in looking ahead."""
    width: int = 0
    """At most so many moves are considered below the position itself, the most promising; 0 for all."""
    tactics: bool = True
    """Wins are taken and blocked before anything else is considered, and lines of forced blocks are followed on."""


def levels(rules: Rules) -> tuple[Skill, ...]:
    """The distinct levels of a game, the weakest first."""
    ladder = _LADDERS.get(rules.id)
    if ladder is not None:
        return ladder
    if rules.nested:
        return _ULTIMATE
    return _LARGE if rules.cells > _LARGE_CELLS else _SMALL


def top(rules: Rules) -> int:
    """The number of distinct levels, 1 to LEVELS: a higher number plays as this one."""
    return len(levels(rules))


def level(rules: Rules, number: int) -> Skill:
    """The skill of a level, from 1."""
    return levels(rules)[min(number, top(rules)) - 1]


def strongest(rules: Rules) -> Skill:
    """The best that we have for a game, at a second a move or less."""
    wide = rules.nested or rules.cells <= _LARGE_CELLS
    return Skill(sees=1, depth=_ENDLESS, nodes=_SECOND, width=0 if wide else _WIDTH)


_ENDLESS: Final = 99
_SECOND: Final = 8_000_000
_WIDTH: Final = 16
_LARGE_CELLS: Final = 49

_SMALL: Final = (
    Skill(sees=0.1, depth=1, nodes=1_000, tactics=False),
    Skill(sees=0.3, depth=1, nodes=1_000, tactics=False),
    Skill(sees=0.5, depth=2, nodes=10_000, tactics=False),
    Skill(sees=0.7, depth=3, nodes=10_000),
    Skill(sees=0.9, depth=4, nodes=20_000),
    Skill(sees=1, depth=6, nodes=20_000),
    Skill(sees=1, depth=9, nodes=60_000),
    Skill(sees=1, depth=_ENDLESS, nodes=300_000),
)
_LARGE: Final = (
    Skill(sees=0.05, depth=1, nodes=1_000, tactics=False),
    Skill(sees=0.15, depth=1, nodes=1_000, tactics=False),
    Skill(sees=0.3, depth=2, nodes=100_000, tactics=False),
    Skill(sees=0.6, depth=2, nodes=100_000),
    Skill(sees=0.9, depth=3, nodes=200_000, width=12),
    Skill(sees=1, depth=4, nodes=200_000, width=12),
    Skill(sees=1, depth=6, nodes=200_000, width=12),
    Skill(sees=1, depth=_ENDLESS, nodes=400_000, width=12),
)
_ULTIMATE: Final = (
    Skill(sees=0.1, depth=1, nodes=1_000, tactics=False),
    Skill(sees=0.4, depth=1, nodes=1_000, tactics=False),
    Skill(sees=0.6, depth=2, nodes=10_000, tactics=False),
    Skill(sees=0.9, depth=3, nodes=10_000),
    Skill(sees=1, depth=4, nodes=20_000),
    Skill(sees=1, depth=6, nodes=60_000),
    Skill(sees=1, depth=8, nodes=200_000),
    Skill(sees=1, depth=_ENDLESS, nodes=600_000),
)
_LADDERS: Final[dict[str, tuple[Skill, ...]]] = {}
