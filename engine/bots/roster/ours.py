"""Our own bots."""

from __future__ import annotations

from typing import Final

from engine.bots import skills
from engine.bots.roster.entry import BotEntry, Choice, Number
from engine.rules.flat import FlatRules
from engine.rules.limit import Limit
from engine.rules.position import Rules
from engine.search.skill import LEARNED, is_solved_at_once

_LEAST_LENGTH_HELD: Final = 5
_MOST_CELLS_HELD: Final = 49
"""On flat boards of at most this many cells either side holds the draw, if lines are at least that long."""
_OTHERS: Final = ("mnk:6,6,4", "qubic", "super", "nine-board")
"""Also solved: openings are in a book, or a proof or a strategy is; nine-board only from later positions on."""


def _is_solved(rules: Rules) -> bool:
    if not isinstance(rules, FlatRules) or rules.id in _OTHERS:
        return rules.id in _OTHERS
    if is_solved_at_once(rules):
        return not rules.exact
    is_held = rules.length >= _LEAST_LENGTH_HELD and rules.cells <= _MOST_CELLS_HELD
    return is_held and not rules.exact and len(rules.dimensions) == 2


def _is_learned(rules: Rules) -> bool:
    return rules.id in LEARNED


def _no_depth(limit: Limit) -> str | None:
    if limit.depth is None:
        return None
    return "mcts grows its tree unevenly: it takes a limit of time or nodes, not of depth."


OURS: tuple[BotEntry, ...] = (
    BotEntry(
        family="random",
        title="Random",
        character="Plays any legal move with equal chances, and sees neither wins nor threats.",
        source="ours",
        version=1,
        entry_point="engine.bots.uniform:decide",
        compiled=False,
        instant=True,
        aliases=("spot",),
    ),
    BotEntry(
        family="alphabeta",
        title="Alpha-beta",
        character="Searches a fixed number of plies ahead, takes every win and blocks every loss it sees, and "
        "otherwise counts open lines.",
        source="ours, the textbook algorithm (Knuth & Moore 1975)",
        version=3,
        entry_point="engine.search.negamax:decide",
        parameters=(Number("ply", "how many plies it looks ahead", 1, 20, 2),),
    ),
    BotEntry(
        family="level",
        title="Level",
        character="Makes mistakes as people do: the lower the level, the more moves and threats it overlooks and the "
        "less far ahead it looks, but it never plays at random.",
        source="ours",
        version=4,
        entry_point="engine.bots.levels:decide",
        parameters=(
            Number(
                "level", "how strong; where fewer levels differ, a higher one plays as the top", 1, 8, 3, skills.top
            ),
        ),
    ),
    BotEntry(
        family="strongest",
        title="Strongest",
        character="The best bot for each game: it overlooks nothing and searches for up to about a second.",
        source="ours",
        version=11,
        entry_point="engine.search.strongest:decide",
    ),
    BotEntry(
        family="perfect",
        title="Perfect",
        character="Never gives away a solved game: it wins whenever it can, says within how many moves, and puts off a "
        "loss as long as possible.",
        source="ours; Super after G. Bertholon et al. 2020",
        version=8,
        entry_point="engine.search.perfect:decide",
        games=(
            "mnk:M,N,K with at most 30 cells, or at most 49 with K >= 5",
            "mnk:6,6,4",
            "cube:3",
            "qubic",
            "super",
            "nine-board",
        ),
        plays=_is_solved,
    ),
    BotEntry(
        family="mcts",
        title="Monte Carlo",
        character="Grows a search tree towards the most promising moves, proves what it can, and judges positions by "
        "the strongest bot's learned weights or by random games.",
        source="ours, PUCT (Rosin 2011) with MCTS-Solver (Winands et al. 2008)",
        version=1,
        entry_point="engine.search.mcts:decide",
        games=("nine-board", "ultimate", "ultimate:count"),
        plays=_is_learned,
        parameters=(
            Choice(
                "leaf",
                "what judges a new position: learned weights, random moves to the end of the game, or half of each",
                ("weights", "random", "mixed"),
                "weights",
            ),
            Number("mb", "megabytes that its tree may take", 1, 1024, 64),
        ),
        refuses=_no_depth,
    ),
)
