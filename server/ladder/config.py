"""A ladder's configuration: which bots play which game under which limit. Pure; the text is TOML.

name = "overnight"
seed = 1

[[lists]]
game = "qubic"
limit = "nodes=20000"
bots = ["strongest", "level:1", "random"]
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.bots.player import NO_LIMIT, Limit, check
from engine.bots.roster import Bot, UnknownBot, bot
from engine.rules.notation import shown
from engine.rules.openings import Opening, classes, openings
from engine.rules.position import UnknownGame
from engine.rules.registry import rules
from server.ladder import schedule
from server.ladder.schedule import PairingPlan

MAX_LISTS: Final = 100
MAX_BOTS: Final = 100
"""In a list."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9:,._-]{0,39}")
_LIMIT: Final = re.compile(r"(move_ms|nodes|depth)=([1-9][0-9]{0,17})")
_DIGEST: Final = 12
_BLOCK: Final = 64
"""Openings dealt at first, and then twice as many as before."""
_NUMBERS: Final = {
    # least, most, default
    "pairs": (1, 10_000, 2),
    "opening_plies": (0, 20, 2),
    "overrun_ms": (0, 3_600_000, 200),
    "stall_ms": (1, 3_600_000, 60_000),
}
_LARGEST: Final = (1 << 63) - 1


class ConfigError(ValueError):
    """What is wrong with a configuration and what would be right, in one sentence."""


@dataclass(frozen=True, slots=True)
class BotList:
    """One list of a ladder. Two lists with the same settings are the same list, in whatever file they stand."""

    ladder: str
    name: str
    seed: int
    game: str
    """Canonical id."""
    limit: Limit
    bots: tuple[Bot, ...]
    pairs: int
    """Of each two bots, in the round robin."""
    opening_plies: int
    repeat_openings: bool
    """Whether two bots may meet in the same opening again."""
    overrun_ms: int
    """A move this far over its `move_ms` loses on time."""
    stall_ms: int
    """Without a `move_ms`, a decision that takes this long is taken to have hung."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides its games. Bots with their versions: another version is another bot."""
        bound = {name: value for name in ("move_ms", "nodes", "depth") if (value := getattr(self.limit, name))}
        return {
            "game": self.game,
            "seed": self.seed,
            "schedule": schedule.VERSION,
            "limit": bound or None,
            "bots": [{"name": one.name, "version": one.version} for one in self.bots],
            "pairs": self.pairs,
            "opening_plies": self.opening_plies,
            "repeat_openings": self.repeat_openings,
            "overrun_ms": self.overrun_ms,
            "stall_ms": self.stall_ms,
        }

    @property
    def limit_text(self) -> str:
        """As in a configuration."""
        bound = self.settings["limit"]
        return "own limits" if bound is None else " ".join(f"{name}={value}" for name, value in bound.items())

    @property
    def run_id(self) -> str:
        text = json.dumps(self.settings, sort_keys=True, separators=(",", ":"))
        return f"{self.ladder}/{self.name}/{hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]}"

    @property
    def pairing(self) -> PairingPlan:
        return PairingPlan(len(self.bots), self.pairs, f"{self.seed}/{self.name}", self.different_openings)

    @property
    def different_openings(self) -> int | None:
        """How many there are; None where they are too many to be counted, or may be used again."""
        counted = None if self.repeat_openings else _classes(self.game, self.opening_plies)
        return None if counted is None else len(counted)

    def opening(self, index: int) -> Opening:
        """The opening with this number in the list's sequence."""
        dealt = max(_BLOCK, 1 << index.bit_length())
        return _openings(self.game, self.seed, dealt, self.opening_plies)[index]


@dataclass(frozen=True, slots=True)
class Ladder:
    """What one configuration asks for."""

    name: str
    lists: tuple[BotList, ...]


def parse(text: str, *, faulty: bool = False) -> Ladder:
    """The ladder of a configuration; with `faulty` bots for tests are known. Raises ConfigError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"This is not valid TOML: {str(error).rstrip('.')}.") from None
    except (ValueError, RecursionError):
        raise ConfigError("A number is too long, or brackets are nested too deeply.") from None
    _only(data, {"name", "seed", "lists"}, "A ladder")
    name = _name(data, "name", "A ladder")
    seed = _whole(data.get("seed", 0), "seed", -_LARGEST, _LARGEST)
    listed = data.get("lists")
    if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) for one in listed):
        raise ConfigError("A ladder needs at least one list: write [[lists]] and below it game = ... and bots = [...].")
    if len(listed) > MAX_LISTS:
        raise ConfigError(f"A ladder has at most {MAX_LISTS} lists; this one has {len(listed)}.")
    lists = tuple(_list(one, name, seed, faulty) for one in listed)
    names = [one.name for one in lists]
    for one in names:
        if names.count(one) > 1:
            raise ConfigError(f"Two lists are called {shown(one)}: give each its own name with name = ...")
    return Ladder(name, lists)


def _list(data: Mapping[str, Any], ladder: str, seed: int, faulty: bool) -> BotList:
    known = {"name", "game", "limit", "bots", "repeat_openings", *_NUMBERS}
    _only(data, known, "A list")
    game = data.get("game")
    try:
        played = rules(_text(game or ""))
    except UnknownGame as error:
        raise ConfigError(str(error)) from None
    name = _name({"name": played.id} | dict(data), "name", "A list")
    limit = _limit(data.get("limit"))
    bots = _bots(data.get("bots"), name, faulty)
    try:
        for one in bots:
            check(one, played, limit)
    except ValueError as error:
        raise ConfigError(f"List {name}: {error}") from None
    numbers = {
        key: _whole(data.get(key, default), key, least, most) for key, (least, most, default) in _NUMBERS.items()
    }
    repeat = data.get("repeat_openings", False)
    if not isinstance(repeat, bool):
        raise ConfigError(f"repeat_openings must be true or false, not {shown(_text(repeat))}.")
    made = BotList(ladder, name, seed, played.id, limit, bots, repeat_openings=repeat, **numbers)
    try:
        made.opening(0)
    except ValueError as error:
        raise ConfigError(f"List {name}: {error}") from None
    return made


def _bots(names: Any, where: str, faulty: bool) -> tuple[Bot, ...]:
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise ConfigError(f'List {where} has no bots: write bots = ["strongest", "level:1", ...].')
    if not 2 <= len(names) <= MAX_BOTS:
        raise ConfigError(f"List {where} needs 2 to {MAX_BOTS} bots; it has {len(names)}.")
    try:
        found = tuple(bot(one, faulty) for one in names)
    except UnknownBot as error:
        raise ConfigError(f"List {where}: {error}") from None
    for one in found:
        if found.count(one) > 1:
            raise ConfigError(f"List {where} names {one.name} twice; name each bot once.")
    return found


def _limit(text: Any) -> Limit:
    if text is None:
        return NO_LIMIT
    found = _LIMIT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ConfigError(f'{shown(_text(text))} is not a limit: write "move_ms=100", "nodes=1000" or "depth=3".')
    return Limit(**{found[1]: int(found[2])})


def _name(data: Mapping[str, Any], key: str, what: str) -> str:
    name = data.get(key)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        given = "none" if name is None else shown(_text(name))
        raise ConfigError(
            f"{what} needs a name of 1 to 40 letters, digits or the signs : , . _ - (this one has {given})."
        )
    return name


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ConfigError(f"{name} must be a whole number from {least} to {most}, not {shown(_text(value))}.")
    return value


def _text(value: Any) -> str:
    try:
        return str(value)
    except ValueError:  # Python writes no integers of more than some thousand digits.
        return "a number of thousands of digits"


def _only(data: Mapping[str, Any], known: set[str], what: str) -> None:
    for key in data:
        if key not in known:
            raise ConfigError(f"{what} has no setting {shown(key)}; its settings are {', '.join(sorted(known))}.")


@lru_cache(maxsize=64)
def _classes(game: str, plies: int) -> tuple[Opening, ...] | None:
    return classes(rules(game), plies)


@lru_cache(maxsize=512)
def _openings(game: str, seed: int, number: int, plies: int) -> tuple[Opening, ...]:
    return openings(rules(game), seed, number, plies)
