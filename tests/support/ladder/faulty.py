"""Bots that each do one thing wrong on command, to test programs that play games. Otherwise they play at random.

They pickle by their class, so that worker processes find them here; the roster knows nothing of them.
"""

from __future__ import annotations

import faulthandler
from random import Random
from typing import Final
from unittest import mock

from engine.bots import roster, uniform
from engine.bots.roster import Bot, BotEntry, Choice, Number
from engine.rules.limit import Limit
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.watch import Watch
from server.ladder import config

LATE_MS: Final = 1_000
"""How late a move is that loses on time."""
_NOWHERE: Final = 1 << 14

_ENTRY: Final = BotEntry(
    family="faulty",
    title="Faulty",
    character="Plays at random and does one thing wrong on command.",
    source="ours, for tests",
    version=1,
    entry_point=f"{__name__}:decide",
    parameters=(
        Choice("fault", "what it does wrong", ("crash", "die", "stall", "illegal", "flag", "nothing"), "crash"),
        Number("percent", "in how many of a hundred games", 1, 100, 100),
    ),
    compiled=False,
)


class FaultyBot(Bot):
    """`faulty:FAULT,PERCENT`."""

    @property
    def entry(self) -> BotEntry:
        return _ENTRY


def bot(name: str) -> Bot:
    """A bot of the roster, or `faulty:FAULT[,PERCENT]`."""
    family, _, text = name.partition(":")
    if family != "faulty":
        return roster.bot(name)
    fault, _, percent = text.partition(",")
    values = (fault, int(percent or 100))
    return FaultyBot(_ENTRY.name_of(values), family, tuple(zip(("fault", "percent"), values, strict=True)), 1)


def parse(text: str) -> config.Ladder:
    """A ladder in which faulty bots may play."""
    with mock.patch.object(config, "bot", bot):
        return config.parse(text)


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`values`: the fault, and in how many of a hundred games it happens, at the bot's first move after an opening.

    A search of depth 1 has no fault: warming up asks for it.
    """
    fault, percent = values
    if position.ply not in (2, 3) or limit.depth == 1 or random.randrange(100) >= int(percent):
        return uniform.decide((), position, limit, random, watch)
    if fault == "crash":
        raise RuntimeError("a crash on command")
    if fault == "die":
        faulthandler._sigsegv()  # type: ignore[attr-defined] # as a fault in compiled code does
    if fault == "illegal":
        return Decision(_NOWHERE)
    while fault == "stall" or (fault == "flag" and limit.move_ms and watch.elapsed_ms() <= limit.move_ms + LATE_MS):
        pass
    return uniform.decide((), position, limit, random, watch)
