"""The bots of the literature, each rebuilt from its author's description."""

from __future__ import annotations

from engine.roster.entry import BotEntry

LITERATURE: tuple[BotEntry, ...] = ()
