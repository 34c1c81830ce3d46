"""What a player's skill asks of the search, as data. Naming a skill loads no search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rules.flat import FlatRules
from engine.rules.position import Rules

ENDLESS: Final = 99
"""A depth in plies that nodes always end first."""
BOUNDLESS: Final = 1 << 62
"""Nodes that time always ends first."""
LARGE_CELLS: Final = 40
_HUGE_CELLS: Final = 100
_SECOND: Final = 8_000_000
"""Positions that take a second or less."""
_PATTERN_SECOND: Final = 800_000
"""The same where patterns are kept."""
_PATTERN_LENGTH: Final = 5
_PATTERN_CELLS: Final = 64
_SOLVED_CELLS: Final = 30
LEARNED: Final = {"nine-board": "nine-board", "ultimate": "ultimate", "ultimate:count": "ultimate"}
"""The games that are judged by learned weights, and the game whose weights these are: those of Ultimate serve whether
or not boards are counted."""

_TREES: Final = ("ultimate", "ultimate:count")


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
    """The most promising moves considered below the position itself, at most this number; 0 for all."""
    tactics: bool = True
    """Wins are taken and blocked before anything else is considered, and lines of forced blocks are followed on."""
    learned: bool = False
    """Positions are judged by learned weights, and late moves looked at less closely."""


def strongest(rules: Rules) -> Skill:
    """Our best for a game, at a second a move or less."""
    nodes = _PATTERN_SECOND if by_patterns(rules) else _SECOND
    learned = rules.id in LEARNED or by_patterns(rules)
    return Skill(sees=1, depth=ENDLESS, nodes=nodes, width=width(rules), learned=learned)


def by_patterns(rules: Rules) -> bool:
    """Whether the learned weights are those of patterns, in `engine.search.patterned`: for five in a row, where longer
    lines win too, on flat boards from 8 x 8 on."""
    return (
        isinstance(rules, FlatRules)
        and not rules.exact
        and len(rules.dimensions) == 2
        and (rules.length == _PATTERN_LENGTH and rules.cells >= _PATTERN_CELLS)
    )


def by_threats(rules: Rules) -> bool:
    """Whether `strongest` plays a game by `engine.search.qubic`."""
    return rules.id == "qubic"


def is_solved_at_once(rules: FlatRules) -> bool:
    """Whether `perfect` solves any position within seconds; on larger boards it asks first which moves hold."""
    return rules.cells <= _SOLVED_CELLS


def by_tree(rules: Rules) -> bool:
    """Whether `strongest` plays a game by `engine.search.mcts` until near its end."""
    return rules.id in _TREES


def width(rules: Rules) -> int:
    """At equal nodes, 8 beats all moves on gomoku by 100 points of Elo and 12 does so on qubic by 75; on boards up to
    8 x 8 narrow searches gain nothing, nor on nested ones, where most moves are forced into one board. Narrower ones
    win at first (4 on gomoku, 200,000 nodes: 55 %) and lose with more nodes (2 million: 37 %)."""
    if rules.nested or rules.cells <= LARGE_CELLS:
        return 0
    if len(rules.dimensions) == 3:
        return 12
    return 8 if rules.cells >= _HUGE_CELLS else 0
