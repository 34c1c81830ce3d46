"""What the roster says about a bot: the parameters of its name, its source, what it plays and what it cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.rules.limit import Limit
from engine.rules.position import Rules

Value: TypeAlias = int | str

EVERY_GAME = ("every game",)

_DIGITS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Number:
    """A whole-number parameter from `low` to `high`."""

    name: str
    meaning: str
    low: int
    high: int
    default: int
    distinct: Callable[[Rules], int] | None = None
    """The highest value that plays differently from those below it in a game; without it, `high` in every game."""

    def high_in(self, rules: Rules) -> int:
        """The highest value worth offering in a game. Higher ones up to `high` are accepted too."""
        return self.high if self.distinct is None else self.distinct(rules)

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
    """A family of bots: what a list shows about it, and where its search is."""

    family: str
    title: str
    character: str
    """One sentence on how it plays."""
    source: str
    version: int
    entry_point: str
    """`module:function`, loaded by `engine.bots.player` at the bot's first decision: naming a bot loads no search.

    The function is called as `decide(values, position, limit, random, watch)`, with the values of the parameters in the
    order of the name, a running position, a seeded `random.Random` and the shell's watch; it returns a Decision.
    """
    games: tuple[str, ...] = EVERY_GAME
    """The games it plays, for people: ids, forms of ids such as `mnk:N,N,N`, or "every game"."""
    plays: Callable[[Rules], bool] = lambda rules: True
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    """What the author left open and what we chose, a sentence each."""
    compiled: bool = True
    """Its search may run in kernels, which must be compiled or loaded before its first move."""
    instant: bool = False
    """Its move costs so little that no worker is needed."""
    refuses: Callable[[Limit], str | None] = lambda limit: None
    """Why a limit cannot be kept, in one sentence; None for a limit that can."""
    opening_plies: int | None = None
    """For a bot that follows each game from its start, and so can neither be set to a position nor go back: the longest
    opening that it can be given. None for a bot that can be asked about any position."""
    first_ms: int = 0
    """The first move of a game may always take this long: the start of a program is in it."""
    first_move_nodes: Callable[[tuple[Value, ...], Rules, Limit], int] = lambda values, rules, limit: 0
    """About how many positions its first move takes, where that can be more than anybody waits for; else 0."""

    @property
    def module(self) -> str:
        """The module of its search."""
        return self.entry_point.partition(":")[0]

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
