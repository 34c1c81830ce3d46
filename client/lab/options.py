"""Types of command line arguments: a game, a bot."""

from __future__ import annotations

from typing import Any

import click

from engine.bots import roster
from engine.bots.roster import Bot, UnknownBot
from engine.rules import registry
from engine.rules.position import Rules, UnknownGame


class GameType(click.ParamType[Rules]):
    """A game id, turned into its rules."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        try:
            return registry.rules(str(value))
        except UnknownGame as error:
            raise click.UsageError(str(error)) from None


class BotType(click.ParamType[Bot]):
    """A bot's name, turned into the bot."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Bot:
        try:
            return roster.bot(str(value))
        except UnknownBot as error:
            raise click.UsageError(str(error)) from None
