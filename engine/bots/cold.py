"""Bots on a machine that has not compiled their kernels: what each waits for, and which need not wait.

Interpreted, a kernel makes 10,000 to 100,000 positions a second, some hundred times fewer than compiled, and the same
move bit for bit under limits of nodes and depth. So a search may be interpreted if its positions are few enough to be
made in a few seconds, which is less than compiling takes. Pure; naming what a bot needs loads no kernel.
"""

from __future__ import annotations

from typing import Final

from engine.bots import skills
from engine.bots.roster import Bot
from engine.rules.flat import FlatRules
from engine.rules.limit import Limit
from engine.rules.position import Rules
from engine.search.skill import LEARNED, by_patterns, by_threats, by_tree, is_solved_at_once
from engine.search.warm import BREAKER, FLAT, NESTED, NINE_BOARD, PATTERNS, QUBIC, SOLVER, TREES, WEIGHTED

LEVEL: Final = 6
"""The highest level that is interpreted, where it keeps no patterns; a move of level 7 on Qubic took over 4 s."""
PLIES: Final = 3
"""The furthest that `alphabeta`, or any search that is limited in depth, looks ahead interpreted: under 1 s."""
NODES: Final = 10_000
"""The most nodes of a limit under which any search of positions is interpreted: up to 1 s."""
PATTERN_NODES: Final = 1_000
"""The same where patterns are kept."""
_CELLS: Final = 225
"""The largest board whose levels were measured; on larger ones a position costs more."""
_HIGHEST: Final = {"level": LEVEL, "ply": PLIES}
_SEARCHES: Final = ("alphabeta", "level", "strongest")
"""The families that search positions and do nothing besides, so that nodes and plies say what a move costs."""


def needs(bot: Bot, rules: Rules) -> frozenset[str]:
    """The stages of `engine.search.warm` that must be done before the bot's first move in a game runs compiled."""
    if not bot.entry.compiled:
        return frozenset()
    if _keeps_patterns(bot, rules):
        return frozenset({PATTERNS})
    if bot.family == "mcts" or (bot.family == "strongest" and by_tree(rules)):
        return frozenset({WEIGHTED, TREES})
    if (bot.family == "strongest" and rules.id in LEARNED) or _is_learned_level(bot, rules):
        return frozenset({WEIGHTED})
    if bot.family == "perfect" and rules.id in LEARNED:
        return frozenset({WEIGHTED, NINE_BOARD})
    if bot.family in ("strongest", "perfect") and by_threats(rules):
        return frozenset({QUBIC})
    if not isinstance(rules, FlatRules):
        return frozenset({NESTED})
    if bot.family != "perfect":
        return frozenset({FLAT})
    return frozenset({FLAT, SOLVER} if is_solved_at_once(rules) else {FLAT, SOLVER, BREAKER})


def _keeps_patterns(bot: Bot, rules: Rules) -> bool:
    return by_patterns(rules) and (bot.family == "strongest" or _is_learned_level(bot, rules))


def _is_learned_level(bot: Bot, rules: Rules) -> bool:
    return bot.family == "level" and skills.level(rules, int(dict(bot.parameters)["level"])).learned


def may_be_interpreted(bot: Bot, rules: Rules, limit: Limit) -> bool:
    """Whether a move takes at most a few seconds interpreted, so that nobody need wait for compiled code."""
    if not bot.entry.compiled:
        return True
    if bot.family not in _SEARCHES or rules.cells > _CELLS:
        return False
    if _keeps_patterns(bot, rules):
        return (limit.nodes or NODES) <= PATTERN_NODES
    if (limit.nodes or NODES + 1) <= NODES or (limit.depth or PLIES + 1) <= PLIES:
        return True
    return any(int(value) <= _HIGHEST[name] for name, value in bot.parameters)
