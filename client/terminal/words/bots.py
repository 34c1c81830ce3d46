"""The bots that a menu offers for a game, the likeliest choices first, each in one line."""

from __future__ import annotations

from collections.abc import Sequence

from client.sdk import NoughtsError
from client.sdk.records import Records, ServerBot
from client.sdk.text import clean
from client.terminal.language import t, there_is
from client.terminal.words.room import bot_name, level_words, rating_text
from engine.bots.roster import BotEntry, Number, bots
from engine.bots.roster.strength import strength
from engine.rules.position import Rules
from server.wire import RatingView

LEVELS = "level"
_FIRST = (LEVELS, "strongest")


async def bots_of_server(records: Records, game: Rules) -> list[ServerBot]:
    """The server's bots that play the game; none if it cannot be asked, since ours are known without it."""
    try:
        return await records.bots(game.id)
    except NoughtsError:
        return []


def offered_bots(game: Rules, listed: Sequence[ServerBot] = (), start_plies: int = 0) -> dict[str, str]:
    """Full name of a bot -> what a menu says of it. Whoever looks for somebody to play wants a level.

    `listed` is what the server says of its bots, where that is known: ratings, and the engines that it hosts,
    of which those are left out that cannot begin after `start_plies` moves.
    """
    ratings = {name: rating for bot in listed for name, rating in bot.ratings.items()}
    able = sorted((entry for entry in bots() if entry.plays(game)), key=_place)
    ours = {name: _line(entry, name, game, ratings.get(name)) for entry in able for name in _names(entry)}
    engines = [bot for bot in listed if bot.engine and bot.family not in ours and bot.takes_start(start_plies)]
    return ours | {bot.family: _engine_line(bot, ratings.get(bot.family)) for bot in engines}


def _place(entry: BotEntry) -> int:
    return _FIRST.index(entry.family) if entry.family in _FIRST else len(_FIRST)


def _names(entry: BotEntry) -> list[str]:
    """Every level, and of the others the one with its defaults: further ones can be typed."""
    levels = _levels(entry)
    return [entry.name_of((level,)) for level in levels] if levels else [entry.name]


def _levels(entry: BotEntry) -> range:
    if entry.family != LEVELS or not isinstance(entry.parameters[0], Number):
        return range(0)
    return range(entry.parameters[0].low, entry.parameters[0].high + 1)


def _engine_line(engine: ServerBot, rating: RatingView | None) -> str:
    return t("bot.line", name=_rated(clean(engine.title), rating), character=clean(engine.character))


def _rated(name: str, rating: RatingView | None) -> str:
    return name if rating is None else f"{name} ({rating_text(rating)})"


def _line(entry: BotEntry, name: str, game: Rules, rating: RatingView | None) -> str:
    levels = _levels(entry)
    shown = _rated(bot_name(name), rating)
    if levels:
        return t("bot.line.level", name=shown, strength=level_words(int(name.partition(":")[2]), levels[-1]))
    measured = strength(name, game.id)
    if measured is None:
        return t("bot.line", name=shown, character=_character(entry))
    return t("bot.line.measured", name=shown, strength=_strength_words(measured), character=_character(entry))


def _character(entry: BotEntry) -> str:
    """A bot newer than our texts is described in the server's words."""
    key = f"bots.{entry.family}.character"
    return t(key) if there_is(key) else entry.character


def _strength_words(measured: str) -> str:
    """`about level 3` in our language."""
    word, _, level = measured.partition(" level ")
    return t(f"bots.strength.{word}", level=level) if there_is(f"bots.strength.{word}") else measured
