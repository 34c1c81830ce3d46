"""Loading a bot before it says that it is ready."""

from __future__ import annotations

from threading import Timer
from typing import Final

import click

from engine.bots.match import warm_up
from engine.bots.roster import Bot
from engine.rules.position import Rules

LONG_S: Final = 3.0


def load_aloud(bot: Bot, game: Rules) -> None:
    """Load it, with a line on stderr where that takes long: the arena that waits for us may quote it."""
    timer = Timer(LONG_S, click.echo, (_sentence(bot),), {"err": True})
    timer.daemon = True
    if bot.entry.compiled:
        timer.start()
    try:
        warm_up(bot, game)
    finally:
        timer.cancel()


def _sentence(bot: Bot) -> str:
    return f"{bot.name} is being compiled, once, for a minute or two; run this command by hand first."
