"""The bots by name, as data. A new bot is one entry in `ours.py` or `literature.py`; programs of others are guests.

A bot's name is `NAME[:P1[,P2]]`. Parameters left out take their defaults, and the name that is stored and shown has
them filled in: `alphabeta` is `alphabeta:2`. How a bot plays under a name and version never changes; a change of its
play is a new version.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from engine.bots.roster.entry import BotEntry, Choice, Number, Parameter, Value
from engine.bots.roster.literature import LITERATURE
from engine.bots.roster.ours import OURS
from engine.rules.limit import Limit
from engine.rules.notation import shown
from engine.rules.position import Move, Rules

__all__ = [
    "MAX_NAME_LENGTH",
    "OUR_ROSTER",
    "Bot",
    "BotEntry",
    "Choice",
    "Number",
    "Parameter",
    "Roster",
    "UnknownBot",
    "Value",
    "bot",
    "bots",
]

MAX_NAME_LENGTH = 64
"""Characters of a bot's name."""


class UnknownBot(ValueError):
    """A name of no bot, or one with a parameter out of range."""


@dataclass(frozen=True, slots=True)
class Bot:
    """One bot with all its parameters settled. Made by `bot(name)`; plain data, so that it can be pickled."""

    name: str
    """Canonical, defaults filled in."""
    family: str
    parameters: tuple[tuple[str, Value], ...]
    """Pairs of name and value, in the order of the name."""
    version: int

    @property
    def entry(self) -> BotEntry:
        return _BY_FAMILY[self.family]

    def values(self, moves: Sequence[Move]) -> tuple[object, ...]:
        """What its search is called with, in a position that these moves led to."""
        return tuple(value for _, value in self.parameters)

    def plays(self, rules: Rules) -> bool:
        """Whether it plays this game."""
        return self.entry.plays(rules)

    def takes(self, limit: Limit) -> str | None:
        """None for a limit that it can keep, else one sentence that says why not."""
        return self.entry.refuses(limit)

    def warning(self, rules: Rules, limit: Limit) -> str | None:
        """One sentence on a first move that takes minutes or ages; None for all others."""
        nodes = self.entry.first_move_nodes(tuple(value for _, value in self.parameters), rules, limit)
        if nodes < _MANY_NODES:
            return None
        power = len(str(nodes)) - 1
        return (
            f"{self.name} looks at some 10^{power} positions for its first move on {rules.id}: that takes "
            f"{_duration(nodes // _NODES_PER_S)}. Fewer plies or a limit make it play."
        )


_NODES_PER_S: Final = 10_000_000
"""Speed of a plain search, within a factor of two or three."""
_MANY_NODES: Final = 60 * _NODES_PER_S
_UNITS: Final = ((365 * 86_400, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"))


def _duration(seconds: int) -> str:
    """`about 7 minutes`, `many years`."""
    for size, name in _UNITS:
        number = seconds // size
        if number >= 1000:
            return f"many {name}"
        if number >= 2:
            return f"about {number} {name}"
    return "about a minute"


_ENTRIES: tuple[BotEntry, ...] = (*OURS, *LITERATURE)
_BY_FAMILY = {entry.family: entry for entry in _ENTRIES}
_BY_ALIAS = {entry.family: entry for entry in _ENTRIES} | {
    alias: entry for entry in _ENTRIES for alias in entry.aliases
}


def bots() -> tuple[BotEntry, ...]:
    """Every family of bots: ours, the weakest first, then those of the literature."""
    return _ENTRIES


@lru_cache(maxsize=256)
def bot(name: str) -> Bot:
    """The bot with this name or alias, its defaults given or not.

    Raises UnknownBot with one sentence that says what would be right.
    """
    if len(name) > MAX_NAME_LENGTH:
        raise UnknownBot(f"A bot's name has at most {MAX_NAME_LENGTH} characters: this one has {len(name)}.")
    family, colon, text = name.partition(":")
    entry = _BY_ALIAS.get(family)
    if entry is None:
        raise _no_bot(name)
    texts = text.split(",") if colon else []
    if len(texts) > len(entry.parameters):
        raise UnknownBot(f"{shown(name)} has too many parameters: write {entry.form}.")
    values = tuple(
        _value(entry, parameter, texts[i] if i < len(texts) else None) for i, parameter in enumerate(entry.parameters)
    )
    named = tuple((parameter.name, value) for parameter, value in zip(entry.parameters, values, strict=True))
    return Bot(entry.name_of(values), entry.family, named, entry.version)


def _value(entry: BotEntry, parameter: Parameter, text: str | None) -> Value:
    if text is None:
        return parameter.default
    value = parameter.read(text)
    if value is None:
        raise UnknownBot(f"The {parameter.name} of {entry.form} is {parameter.range}, not {shown(text)}.")
    return value


def _no_bot(name: str, guests: Sequence[Bot] = ()) -> UnknownBot:
    near = get_close_matches(name.partition(":")[0].lower(), [*_BY_ALIAS, *(guest.name for guest in guests)], 1)
    meant = "".join(f" (did you mean {one}?)" for one in near)
    here = f", and here are also {', '.join(guest.name for guest in guests)}" if guests else ""
    return UnknownBot(f"There is no bot {shown(name)}{meant}: `noughts bots` lists them{here}.")


class Roster:
    """The bots that can be named in one place: all of ours, and guests, each with one name and an entry of its own.

    Raises ValueError for a guest with the name of another bot.
    """

    def __init__(self, guests: Sequence[Bot] = ()) -> None:
        self._guests = tuple(guests)
        self._by_name: dict[str, Bot] = {}
        for guest in guests:
            if guest.name.lower() in _BY_ALIAS:
                raise ValueError(f"{guest.name} is the name of a bot of ours: give the engine another name.")
            if guest.name.lower() in (name.lower() for name in self._by_name):
                raise ValueError(f"Two engines are called {guest.name}: give each its own name.")
            self._by_name[guest.name] = guest

    @property
    def entries(self) -> tuple[BotEntry, ...]:
        """Every family of bots: those of `bots()`, then the guests."""
        return (*_ENTRIES, *(guest.entry for guest in self._guests))

    def bot(self, name: str) -> Bot:
        """Like `bot(name)`, but finds guests too. Raises UnknownBot."""
        if name in self._by_name:
            return self._by_name[name]
        if self._guests and name.partition(":")[0] not in _BY_ALIAS:
            raise _no_bot(name, self._guests)
        return bot(name)


OUR_ROSTER: Final = Roster()
"""The roster without guests."""
