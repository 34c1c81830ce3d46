"""Types of command line arguments: a game, a bot. Shells complete them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from engine.bots.roster import OUR_ROSTER, Bot, BotEntry, Number, Roster, UnknownBot
from engine.rules import registry
from engine.rules.position import Rules, UnknownGame

LIMITS: Final = ("move_ms=100", "move_ms=1000", "nodes=1000", "nodes=100000", "depth=2", "depth=4")
"""Examples that a shell offers."""


ROSTER: Final = "noughts.roster"
"""Where a command's context keeps the bots that can be named, if they are more than ours."""


class GameType(click.ParamType[Rules]):
    """A game id, turned into its rules."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        try:
            return registry.rules(str(value))
        except UnknownGame as error:
            raise click.UsageError(str(error)) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        return complete_game(ctx, param, incomplete)


class BotType(click.ParamType[Bot]):
    """A bot's name, turned into the bot."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Bot:
        try:
            return known_roster(ctx).bot(str(value))
        except UnknownBot as error:
            raise click.UsageError(str(error)) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        return complete_bot(ctx, param, incomplete)


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """The games that are offered to people; other sizes are typed."""
    return items(incomplete, ((game.id, game.name) for game in registry.games()))


def complete_bot(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """A name of each family; once its colon is typed, one for each value of its first parameter."""
    return items(
        incomplete, ((name, entry.title) for entry in known_roster(ctx).entries for name in _names(entry, incomplete))
    )


def _names(entry: BotEntry, incomplete: str) -> Iterator[str]:
    if not entry.parameters or not incomplete.startswith(f"{entry.family}:"):
        yield entry.name
        return
    first, *others = entry.parameters
    values = range(first.low, first.high + 1) if isinstance(first, Number) else first.words
    for value in values:
        yield entry.name_of((value, *(other.default for other in others)))


def known_roster(ctx: click.Context | None) -> Roster:
    """The bots that a command can name: ours, and the engines of its `--engines`."""
    found: Roster = OUR_ROSTER if ctx is None else ctx.meta.get(ROSTER, OUR_ROSTER)
    return found


def items(incomplete: str, offered: Iterable[tuple[str, str | None]]) -> list[CompletionItem[str]]:
    """Items that begin with what is typed, each with what a shell may show beside it."""
    return [CompletionItem(value, help=text) for value, text in offered if value.startswith(incomplete)]
