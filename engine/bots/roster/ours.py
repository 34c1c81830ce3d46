"""Our own bots."""

from __future__ import annotations

from typing import Final

from engine.bots import skills
from engine.bots.roster.entry import BotEntry, Number
from engine.rules.flat import FlatRules
from engine.rules.position import Rules

_MOST_CELLS: Final = 30
"""Flat boards up to this size are solved from any position within seconds."""
_LARGER: Final = ("mnk:6,6,4", "mnk:6,6,5")
"""Also solved, since a book has their openings."""


def _is_solved(rules: Rules) -> bool:
    if isinstance(rules, FlatRules) and rules.cells <= _MOST_CELLS:
        return not rules.exact
    return rules.id in ("qubic", "super", *_LARGER)


OURS: tuple[BotEntry, ...] = (
    BotEntry(
        family="random",
        title="Random",
        character="Plays any legal move, each as likely as the others, and sees neither wins nor threats.",
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
        character="Looks a fixed number of plies ahead, takes every win and blocks every loss it can see, and else "
        "counts open lines.",
        source="ours, the textbook algorithm (Knuth & Moore 1975)",
        version=3,
        entry_point="engine.search.negamax:decide",
        parameters=(Number("ply", "how many plies it looks ahead", 1, 20, 2),),
    ),
    BotEntry(
        family="level",
        title="Level",
        character="Errs as people do: the lower the level, the more moves and threats it overlooks and the less far "
        "ahead it looks, but it plays nothing at random.",
        source="ours",
        version=1,
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
        character="The best bot of each game: overlooks nothing and searches for up to about a second.",
        source="ours",
        version=6,
        entry_point="engine.search.strongest:decide",
    ),
    BotEntry(
        family="perfect",
        title="Perfect",
        character="Never gives away a game that is solved here: wins what can be won, says in how many moves at most, "
        "and makes a loss as long as it can.",
        source="ours; Super after G. Bertholon et al. 2020",
        version=2,
        entry_point="engine.search.perfect:decide",
        games=("mnk:M,N,K with at most 30 cells", "mnk:6,6,4", "mnk:6,6,5", "cube:3", "qubic", "super"),
        plays=_is_solved,
    ),
)
