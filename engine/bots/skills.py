"""How well each level plays each game, as data. Naming a level loads no search.

Levels differ in what they notice, how far they look ahead, how many positions they may make and what they judge by,
never in time, so that a level plays the same everywhere. The figures are settled by measuring: `docs/levels.md` shows
by what score each level beats the one below, and `noughts bench levels` plays it all again.
"""

from __future__ import annotations

from typing import Final

from engine.rules.flat import FlatRules
from engine.rules.position import Rules
from engine.search.skill import ENDLESS, LARGE_CELLS, Skill, by_patterns

LEVELS: Final = 8
"""The highest level that can be named. Where fewer can be told apart, those above play as the top one."""


def levels(rules: Rules) -> tuple[Skill, ...]:
    """The distinct levels of a game, the weakest first."""
    return _LADDERS.get(rules.id) or _ladder_like(rules)


def top(rules: Rules) -> int:
    """The number of distinct levels, 1 to LEVELS: a higher number plays as this one."""
    return len(levels(rules))


def level(rules: Rules, number: int) -> Skill:
    """The skill of a level, from 1."""
    return levels(rules)[min(number, top(rules)) - 1]


def _greedy(sees: float) -> Skill:
    """Judges moves by the lines they make and break, and looks no further."""
    return Skill(sees, depth=1, nodes=1_000, tactics=False)


def _wary(sees: float) -> Skill:
    """Looks at the reply to each move."""
    return Skill(sees, depth=2, nodes=100_000, tactics=False)


def _learned(depth: int) -> Skill:
    """Overlooks nothing, and judges by the learned weights of `strongest`."""
    return Skill(1, depth, nodes=100_000, learned=True)


_TICTACTOE: Final = (
    _greedy(0.01),
    _wary(0.2),
    Skill(0.5, depth=3, nodes=100_000, tactics=False),
    Skill(1, depth=ENDLESS, nodes=100_000),
)
_CUBE_3: Final = (
    _greedy(0.02),
    _greedy(0.12),
    _greedy(0.3),
    _wary(0.35),
    _wary(0.6),
    Skill(1, depth=ENDLESS, nodes=100_000),
)
_SMALL: Final = (
    _greedy(0.05),
    _greedy(0.15),
    _greedy(0.4),
    _wary(0.5),
    Skill(0.8, depth=3, nodes=100_000),
    Skill(1, depth=5, nodes=100_000),
    Skill(1, depth=8, nodes=100_000),
    Skill(1, depth=ENDLESS, nodes=300_000),
)
_QUBIC: Final = (
    _greedy(0.05),
    _greedy(0.15),
    _wary(0.25),
    Skill(0.6, depth=2, nodes=100_000),
    Skill(0.9, depth=3, nodes=200_000),
    Skill(1, depth=4, nodes=200_000),
    Skill(1, depth=6, nodes=200_000, width=12),
    Skill(1, depth=ENDLESS, nodes=400_000, width=12),
)
_GOMOKU: Final = (
    _greedy(0.05),
    _greedy(0.15),
    _wary(0.25),
    Skill(0.6, depth=2, nodes=100_000),
    Skill(0.9, depth=3, nodes=100_000, width=8),
    _learned(3),
    _learned(5),
    _learned(ENDLESS),
)
_LARGE: Final = (
    *_GOMOKU[:5],
    Skill(1, depth=4, nodes=200_000, width=8),
    Skill(1, depth=6, nodes=200_000, width=8),
    Skill(1, depth=ENDLESS, nodes=500_000, width=8),
)
_NINE_BOARD: Final = (
    _greedy(0.02),
    _wary(0.02),
    _wary(0.4),
    Skill(0.7, depth=3, nodes=100_000),
    Skill(1, depth=4, nodes=100_000),
    _learned(4),
    _learned(7),
    _learned(ENDLESS),
)
_ULTIMATE: Final = (
    _greedy(0.05),
    _wary(0.1),
    _wary(0.5),
    Skill(0.9, depth=3, nodes=100_000),
    _learned(3),
    _learned(5),
    _learned(7),
    _learned(ENDLESS),
)
_SUPER: Final = (
    _greedy(0.02),
    _wary(0.02),
    Skill(0.4, depth=3, nodes=100_000),
    Skill(0.9, depth=3, nodes=100_000),
    Skill(1, depth=4, nodes=100_000),
    Skill(1, depth=6, nodes=100_000),
    Skill(1, depth=8, nodes=200_000),
    Skill(1, depth=ENDLESS, nodes=500_000),
)
_LADDERS: Final = {
    "tictactoe": _TICTACTOE,
    "mnk:5,5,4": _SMALL,
    "gomoku": _GOMOKU,
    "cube:3": _CUBE_3,
    "qubic": _QUBIC,
    "nine-board": _NINE_BOARD,
    "ultimate": _ULTIMATE,
    "ultimate:count": _ULTIMATE,
    "super": _SUPER,
}
"""The measured levels, by game."""


def _ladder_like(rules: Rules) -> tuple[Skill, ...]:
    """Levels for a game that nobody has measured: those of the measured game that is most like it."""
    if isinstance(rules, FlatRules) and rules.length == 3:
        return _CUBE_3
    if len(rules.dimensions) == 3:
        return _QUBIC
    if by_patterns(rules):
        return _GOMOKU
    return _LARGE if rules.cells > LARGE_CELLS else _SMALL
