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
    """What engines may speak, and of what."""

    title: str
    games: tuple[str, ...] = EVERY_GAME
    """For people."""
    suits: Callable[[Rules], bool] = lambda rules: True


def _is_five_in_a_row(rules: Rules) -> bool:
    return len(rules.dimensions) == 2 and not rules.nested and getattr(rules, "length", None) == 5


PROTOCOLS: Final[Mapping[str, Protocol]] = {
    "json": Protocol("JSON lines"),
    "ugi": Protocol("UGI"),
    "gomocup": Protocol("the Gomocup protocol", ("gomoku", "mnk:M,N,5"), _is_five_in_a_row),
}
BOUNDS: Final = ("nodes", "depth")
"""On a decision, besides its time."""
_DIGITS: Final = 8
"""Of the digest that is an engine's version; a whole number of so many hexadecimal digits fits any client."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A program of one's own, and what it may do and use. What is left out of a file has its default here."""

    name: str
    command: str
    """A program's name, found on the PATH, or its path, from `home` on."""
    home: str
    """The folder of the file that tells of it, absolute."""
    protocol: str
    arguments: tuple[str, ...] = ()
    folder: str = "."
    """Where it runs, from `home` on."""
    games: tuple[str, ...] = ()
    """Canonical ids; none for every game."""
    options: tuple[tuple[str, OptionValue], ...] = ()
    """In the order of their names."""
    limits: tuple[str, ...] = ()
    """The bounds on a decision that it keeps besides its time, which each is told and must keep."""
    character: str = ""
    move_ms: int = 1000
    """For a move that nobody else limits in time."""
    memory_mb: int = 1024
    cpu_s: int = 3600
    """Of processor time, after which its process is ended."""
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

    def plays(self, rules: Rules) -> bool:
        return PROTOCOLS[self.protocol].suits(rules) and (not self.games or rules.id in self.games)

    def refuses(self, limit: Limit) -> str | None:
        """Why it cannot keep a limit, in one sentence; None for one that it keeps."""
        for bound in BOUNDS:
            if getattr(limit, bound) is not None and bound not in self.limits:
                kept = " or ".join(("move_ms", *self.limits))
                return f"{self.name} keeps no limit of {bound}: it takes {kept}."
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
    )
