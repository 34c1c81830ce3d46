"""The bots that a menu offers for a game, the most wanted first, each in one line."""

from __future__ import annotations

from client.terminal.words import level_words
from engine.position import Rules
from engine.roster import BotEntry, Number, bots
from engine.roster.strength import strength

LEVELS = "level"
_FIRST = (LEVELS, "strongest")


def offered_bots(game: Rules) -> dict[str, str]:
    """Full name of a bot -> what a menu says of it. Who looks for somebody to play wants a level."""
    able = sorted((entry for entry in bots() if entry.plays(game)), key=_place)
    return {name: _line(entry, name, game) for entry in able for name in _names(entry)}


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


def _line(entry: BotEntry, name: str, game: Rules) -> str:
    levels = _levels(entry)
    if levels:
        return f"Bot {name}, {level_words(int(name.partition(':')[2]), levels[-1])}"
    measured = strength(name, game.id)
    return f"Bot {name}: {f'{measured}. ' if measured else ''}{entry.character}"
