"""The bots by name, as data. A new bot is one entry of `_ENTRIES`.

A bot's name is `NAME[:P1[,P2]]`. Parameters left out take their defaults, and the name that is stored and shown has
them filled in: `alphabeta` is `alphabeta:2`. How a bot plays under a name and version never changes; a change of its
play is a new version.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeAlias

from engine.notation import shown
from engine.position import Position, Rules
from engine.search import negamax, uniform
from engine.search.decision import Decision
from engine.search.limits import Limit, Watch

Value: TypeAlias = int | str
Mind: TypeAlias = Callable[[tuple[Value, ...], Position, Limit, Random, Watch], Decision]
"""How a family of bots decides, from the values of its parameters."""

MAX_NAME_LENGTH = 64
"""Characters."""

_DIGITS = re.compile(r"[0-9]{1,9}")


class UnknownBot(ValueError):
    """A name that is no bot's, or one with a parameter out of range."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole-number parameter from `low` to `high`."""

    name: str
    meaning: str
    low: int
    high: int
    default: int

    @property
    def range(self) -> str:
        return f"{self.low}..{self.high}"

    def read(self, text: str) -> int | None:
        """The value, or None for text out of range."""
        value = int(text) if _DIGITS.fullmatch(text) else self.low - 1
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True, slots=True)
class Choice:
    """A parameter that is one of a few words."""

    name: str
    meaning: str
    words: tuple[str, ...]
    default: str

    @property
    def range(self) -> str:
        return "|".join(self.words)

    def read(self, text: str) -> str | None:
        """The value, or None for another word."""
        return text if text in self.words else None


Parameter: TypeAlias = Number | Choice


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A family of bots: all that a list shows of it, and how it decides."""

    family: str
    title: str
    character: str
    """One sentence on how it plays."""
    games: str
    """The games it plays, for people: "every game" or their ids."""
    source: str
    version: int
    mind: Mind
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    plays: Callable[[Rules], bool] = lambda rules: True
    refuses: Callable[[Limit], str | None] = lambda limit: None
    """Why a limit cannot be kept, in one sentence; None for a limit that can."""

    @property
    def name(self) -> str:
        """The canonical name with every default filled in."""
        return self.name_of(tuple(parameter.default for parameter in self.parameters))

    @property
    def form(self) -> str:
        """How a name of this family is written: `alphabeta:PLY`."""
        return self.name_of(tuple(parameter.name.upper() for parameter in self.parameters))

    def name_of(self, values: tuple[Value, ...]) -> str:
        return f"{self.family}:{','.join(map(str, values))}" if values else self.family


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

    def plays(self, rules: Rules) -> bool:
        """Does it play this game?"""
        return self.entry.plays(rules)

    def takes(self, limit: Limit) -> str | None:
        """None for a limit that it can keep, else one sentence that says why not."""
        return self.entry.refuses(limit)


def _random(values: tuple[Value, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return uniform.choose(position, random)


def _alphabeta(values: tuple[Value, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return negamax.choose(position, int(values[0]), limit, random, watch)


_ENTRIES: tuple[BotEntry, ...] = (
    BotEntry(
        family="random",
        title="Random",
        character="Plays any legal move, each as likely as the others, and sees neither wins nor threats.",
        games="every game",
        source="ours",
        version=1,
        mind=_random,
        aliases=("spot",),
    ),
    BotEntry(
        family="alphabeta",
        title="Alpha-beta",
        character="Looks a fixed number of plies ahead, takes every win and blocks every loss it can see, and else "
        "counts open lines.",
        games="every game",
        source="ours, the textbook algorithm (Knuth & Moore 1975)",
        version=1,
        mind=_alphabeta,
        parameters=(Number("ply", "how many plies it looks ahead", 1, 20, 2),),
    ),
)

_BY_FAMILY = {entry.family: entry for entry in _ENTRIES}
_BY_ALIAS = _BY_FAMILY | {alias: entry for entry in _ENTRIES for alias in entry.aliases}


def bots() -> tuple[BotEntry, ...]:
    """Every family of bots, the weakest first."""
    return _ENTRIES


@lru_cache(maxsize=256)
def bot(name: str) -> Bot:
    """The bot of a name, alias or not, with or without its defaults.

    Raises UnknownBot with one sentence that says what would be right.
    """
    if len(name) > MAX_NAME_LENGTH:
        raise UnknownBot(f"A bot's name has at most {MAX_NAME_LENGTH} characters: this one has {len(name)}.")
    family, colon, text = name.partition(":")
    if family not in _BY_ALIAS:
        raise UnknownBot(f"There is no bot {shown(name)}: write one of {_forms()}.")
    entry = _BY_ALIAS[family]
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


def _forms() -> str:
    return ", ".join(entry.form for entry in _ENTRIES)
