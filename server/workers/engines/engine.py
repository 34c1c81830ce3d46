"""Another's program that plays: what is known of it, and the bot that it is. Plain data, so that it can be pickled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.bots.roster import Bot, BotEntry
from engine.bots.roster.entry import EVERY_GAME
from engine.rules.limit import Limit
from engine.rules.position import Move, Rules

OptionValue: TypeAlias = bool | int | float | str


class Protocol(NamedTuple):
    """A protocol that engines may speak, and what it covers."""

    title: str
    games: tuple[str, ...] = EVERY_GAME
    """Names of the games, for people."""
    suits: Callable[[Rules], bool] = lambda rules: True
    opening_plies: int | None = None
    """As in a BotEntry: with a number, the engine is told one move after the other and remembers its game."""
    has_settings: bool = True
    """Whether the protocol has words for time, bounds and options."""
    has_bounds: bool = True
    """Whether it also has one for bounds other than time."""
    connects: bool = False
    """Whether it is spoken over a connection that the engine makes, to the port of `PORT`."""
    move_ms: int = 1000
    """Milliseconds for a move, unless something else limits it."""
    first_ms: int = 0
    """The first move of a game may always take this long: the engine's start is in it."""


def _is_five_in_a_row(rules: Rules) -> bool:
    return len(rules.dimensions) == 2 and not rules.nested and getattr(rules, "length", None) == 5


def _is(*games: str) -> Callable[[Rules], bool]:
    return lambda rules: rules.id in games


_CODINGAME: Final = ("ultimate:count", "ultimate", "tictactoe")
PROTOCOLS: Final[Mapping[str, Protocol]] = {
    "json": Protocol("JSON lines"),
    "ugi": Protocol("UGI"),
    "gomocup": Protocol(
        "the Gomocup protocol", ("gomoku", "mnk:M,N,5", "mnk:M,N,5,exact"), _is_five_in_a_row, has_bounds=False
    ),
    "codingame": Protocol(
        "CodinGame's protocol", _CODINGAME, _is(*_CODINGAME), 0, has_settings=False, move_ms=100, first_ms=1000
    ),
    "servt": Protocol(
        "the UNSW nine-board protocol", ("nine-board",), _is("nine-board"), 1, has_settings=False, connects=True
    ),
}
PORT: Final = "{port}"
"""Stands for the port to connect to in an engine's arguments."""
CONNECTED: Final = "connected"
"""The line that comes before its own, once it has."""
BOUNDS: Final = ("nodes", "depth")
"""Bounds on a decision besides its time."""
_DIGITS: Final = 8
"""Hexadecimal digits of the digest that is an engine's version; such a number fits any client's integers."""


@dataclass(frozen=True, slots=True)
class Engine:
    """Another's program, and what it may do and use. What a file leaves out has its default here."""

    name: str
    command: str
    """A program's name, found on the PATH, or its path, from `home` on."""
    home: str
    """The folder of the file that names it, absolute."""
    protocol: str
    arguments: tuple[str, ...] = ()
    folder: str = "."
    """Folder in which it runs, relative to `home`."""
    games: tuple[str, ...] = ()
    """Canonical ids; none for every game."""
    options: tuple[tuple[str, OptionValue], ...] = ()
    """Sorted by name."""
    limits: tuple[str, ...] = ()
    """The bounds besides time that it keeps. Time is told to every engine, which must keep it."""
    character: str = ""
    move_ms: int = 1000
    """Milliseconds for a move without another limit of time."""
    memory_mb: int = 1024
    cpu_s: int = 3600
    """Seconds of processor time after which its process is ended."""
    file_mb: int = 16
    """The size of any file that it writes."""

    @property
    def version(self) -> int:
        """A digest of what decides how it plays: protocol, command, arguments and options."""
        told = json.dumps([self.protocol, self.command, self.arguments, self.options])
        return int(hashlib.sha256(told.encode()).hexdigest()[:_DIGITS], 16)

    @property
    def entry(self) -> BotEntry:
        return _entry(self)

    @property
    def bot(self) -> EngineBot:
        return EngineBot(self.name, self.name, (), self.version, self)

    @property
    def remembers(self) -> bool:
        """Whether it is told one move after the other, and so must stay with one process for a whole game."""
        return PROTOCOLS[self.protocol].opening_plies is not None

    @property
    def least_ms(self) -> int:
        """The time that it must have for any move, since it cannot be told another; 0 for one that can."""
        return 0 if PROTOCOLS[self.protocol].has_settings else self.move_ms

    def plays(self, rules: Rules) -> bool:
        return PROTOCOLS[self.protocol].suits(rules) and (not self.games or rules.id in self.games)

    def refuses(self, limit: Limit) -> str | None:
        """Why it cannot keep a limit, in one sentence; None for one that it keeps."""
        for bound in BOUNDS:
            if getattr(limit, bound) is not None and bound not in self.limits:
                kept = " or ".join(("move_ms", *self.limits))
                return f"{self.name} keeps no limit of {bound}: it takes {kept}."
        if limit.move_ms is not None and limit.move_ms < self.least_ms:
            return f"{self.name} cannot be told its time: a limit must leave it its {self.move_ms} ms for a move."
        return None


@dataclass(frozen=True, slots=True)
class EngineBot(Bot):
    """An engine as a bot like ours."""

    engine: Engine

    @property
    def entry(self) -> BotEntry:
        return self.engine.entry

    def values(self, moves: Sequence[Move]) -> tuple[object, ...]:
        return self.engine, tuple(moves)


@lru_cache(maxsize=256)
def _entry(engine: Engine) -> BotEntry:
    protocol = PROTOCOLS[engine.protocol]
    return BotEntry(
        family=engine.name,
        title=engine.name,
        character=engine.character or f"Another's program, which plays over {protocol.title}.",
        source=f"another's program, over {protocol.title}",
        version=engine.version,
        entry_point="server.workers.engines.playing:decide",
        games=engine.games or protocol.games,
        plays=engine.plays,
        compiled=False,
        refuses=engine.refuses,
        opening_plies=protocol.opening_plies,
        first_ms=protocol.first_ms,
    )
