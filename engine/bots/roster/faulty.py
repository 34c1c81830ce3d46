"""Bots that each do one thing wrong, to test programs that play games. Not listed, and unknown in rooms."""

from __future__ import annotations

from engine.bots.roster.entry import BotEntry, Choice, Number

FAULTY: tuple[BotEntry, ...] = (
    BotEntry(
        family="faulty",
        title="Faulty",
        character="Plays at random and does one thing wrong on command.",
        source="ours, for tests",
        version=1,
        entry_point="engine.bots.faulty:decide",
        parameters=(
            Choice("fault", "what it does wrong", ("crash", "die", "stall", "illegal", "flag", "nothing"), "crash"),
            Number("percent", "in how many of a hundred games", 1, 100, 100),
        ),
        compiled=False,
    ),
)
