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
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple, Never, TypeAlias

from msgspec import Struct

from engine.bots.adjudication import NO_ADJUDICATION, Adjudication
from engine.bots.player import NO_LIMIT, Limit, check
from engine.bots.roster import Bot, Roster, bot
from engine.rules.notation import shown
from engine.rules.openings import Opening, classes, openings
from engine.rules.position import Rules, UnknownGame
from engine.rules.registry import rules
from engine.stats.sprt import Sprt
from server.ladder import schedule
from server.ladder.moment import moment
from server.ladder.schedule import LineUp, Mode, PairingPlan
from server.typed_toml import TomlError, convert, takes, whole, without_mark

DRAWN_PLIES: Final = 2
"""Plies of each opening, unless the configuration says otherwise."""
MAX_LISTS: Final = 100
MAX_BOTS: Final = 100
"""Bots in a list."""
_DIGEST: Final = 12
_BLOCK: Final = 64
"""Openings dealt at first, and then twice as many as before."""
_LARGEST: Final = (1 << 63) - 1

_Name: TypeAlias = Annotated[
    str, takes("1 to 40 letters, digits or the signs : , . _ -", pattern=r"\A[A-Za-z0-9][A-Za-z0-9:,._-]{0,39}\Z")
]
_Limit: TypeAlias = Annotated[
    str,
    takes('"move_ms=100", "nodes=1000" or "depth=3"', pattern=r"\A(move_ms|nodes|depth)=[1-9][0-9]{0,17}\Z"),
]
_Bots: TypeAlias = Annotated[
    list[str], takes(f'2 to {MAX_BOTS} bots, as in ["strongest", "level:1"]', min_length=2, max_length=MAX_BOTS)
]


_Mode: TypeAlias = Annotated[
    str, takes('"round-robin", "gauntlet" or "sprt"', pattern=r"\A(round-robin|gauntlet|sprt)\Z")
]
_New: TypeAlias = Annotated[list[str], takes('one bot of the list or more, as in ["level:1"]', min_length=1)]
_Sprt: TypeAlias = Annotated[
    str, takes('two Elo differences, as in "0,10"', pattern=r"\A-?[0-9]{1,4}(\.[0-9]+)?,-?[0-9]{1,4}(\.[0-9]+)?\Z")
]
_TIME: Final = 'a time, as "07:00" or "2026-11-22T07:00"'
_Until: TypeAlias = Annotated[str, takes(_TIME, pattern=r"\A([0-9]{4}-[0-9]{2}-[0-9]{2}T)?[0-9]{2}:[0-9]{2}\Z")]


class _List(Struct, frozen=True, forbid_unknown_fields=True):
    bots: _Bots
    game: Annotated[str, takes('the name of a game, as "tictactoe"')] = ""
    name: _Name | None = None
    limit: _Limit | None = None
    pairs: Annotated[int, whole(1, 10_000)] = 2
    opening_plies: Annotated[int, whole(0, 20)] | None = None
    repeat_openings: bool = False
    mode: _Mode = "round-robin"
    new: _New | None = None
    sprt: _Sprt | None = None
    until_width: Annotated[float, takes("a width in Elo above 0, up to 10000", gt=0, le=10_000)] | None = None
    until_rounds: Annotated[int, whole(1, 1_000_000)] | None = None
    openings: Annotated[str, takes('a file, as "openings.txt"')] | None = None
    adjudicate_win: Annotated[int, whole(2, 1000)] | None = None
    adjudicate_draw: Annotated[int, whole(2, 1000)] | None = None
    adjudicate_plies: Annotated[int, whole(1, 100_000)] | None = None
    overrun_ms: Annotated[int, whole(0, 3_600_000)] = 200
    stall_ms: Annotated[int, whole(1, 3_600_000)] = 60_000


_Lists: TypeAlias = Annotated[
    list[_List],
    takes(
        f"1 to {MAX_LISTS} lists, each [[lists]] and below it game = ... and bots = [...]",
        min_length=1,
        max_length=MAX_LISTS,
    ),
]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    lists: _Lists
    seed: Annotated[int, whole(-_LARGEST, _LARGEST)] = 0
    until: _Until | None = None
    engines: Annotated[str, takes('a file of engines, as "engines.toml"')] | None = None


class Begun(NamedTuple):
    """What was recorded of a list that has been opened before."""

    run_id: str
    entrants: tuple[Bot, ...]
    """Every bot that has ever been in its line-up, in the order in which they entered."""
    line_ups: tuple[LineUp, ...]
    """Indices are of `entrants`."""


@dataclass(frozen=True, slots=True)
class BotList:
    """One list of a ladder. A list keeps its games while bots enter and leave it; other settings make another list."""

    ladder: str
    name: str
    seed: int
    game: str
    """Canonical id."""
    limit: Limit
    bots: tuple[Bot, ...]
    pairs: int
    """Pairs between any two bots in the round robin."""
    opening_plies: int
    repeat_openings: bool
    """Whether two bots may meet in the same opening again."""
    overrun_ms: int
    """A move this far over its `move_ms` loses on time."""
    stall_ms: int
    """Without a `move_ms`, a decision that takes this long is taken to have hung."""
    mode: Mode = "round-robin"
    new: tuple[Bot, ...] = ()
    """See `LineUp`, as with the next three."""
    elo: tuple[float, float] | None = None
    width: float | None = None
    rounds: int | None = None
    openings: tuple[Opening, ...] = ()
    """Openings from a file, in its order; without any they are drawn by the seed."""
    adjudication: Adjudication = NO_ADJUDICATION
    begun: Begun | None = None
    """None while it is not known whether it has games already."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides the games of a new list. Bots with their versions: another version is another bot."""
        return {
            "game": self.game,
            "seed": self.seed,
            "schedule": schedule.VERSION,
            "limit": self.limit.bounds or None,
            "bots": [{"name": one.name, "version": one.version} for one in self.bots],
            "pairs": self.pairs,
            "opening_plies": self.opening_plies,
            "repeat_openings": self.repeat_openings,
            "overrun_ms": self.overrun_ms,
            "stall_ms": self.stall_ms,
            **self._optional_settings,
        }

    @property
    def _optional_settings(self) -> dict[str, Any]:
        """Settings that lists of earlier versions did not have, and so only where they are set."""
        told: dict[str, Any] = {}
        if self.openings:
            told["openings"] = hashlib.sha256(json.dumps(self.openings).encode()).hexdigest()[:_DIGEST]
        if self.adjudication != NO_ADJUDICATION:
            told["adjudication"] = asdict(self.adjudication)
        return told

    @property
    def limit_text(self) -> str:
        """The limit as it is written in a configuration."""
        return " ".join(f"{name}={value}" for name, value in self.limit.bounds.items()) or "own limits"

    @property
    def run_id(self) -> str:
        """The id that it has had since it was new."""
        if self.begun is not None:
            return self.begun.run_id
        text = json.dumps(self.settings, sort_keys=True, separators=(",", ":"))
        return f"{self.ladder}/{self.name}/{hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]}"

    @property
    def entrants(self) -> tuple[Bot, ...]:
        """Its bots and those that have left it. Indices of bots are of these."""
        return self.bots if self.begun is None else self.begun.entrants

    @property
    def left(self) -> frozenset[int]:
        """The indices of bots that are no longer among its bots."""
        return frozenset(index for index, one in enumerate(self.entrants) if one not in self.bots)

    def label(self, bot: int) -> str:
        """The name of an entrant, with its version where the list has had several."""
        return labels((each.name, each.version) for each in self.entrants)[bot]

    @property
    def pairing(self) -> PairingPlan:
        line_ups = () if self.begun is None else self.begun.line_ups
        return PairingPlan(
            len(self.entrants), self.pairs, f"{self.seed}/{self.name}", self.different_openings, line_ups
        )

    def line_up(self, round: int = 0) -> LineUp:
        """What the configuration asks for from this round on. Its bots are among the entrants."""
        index = self.entrants.index
        bots, new = (tuple(sorted(map(index, some))) for some in (self.bots, self.new))
        return LineUp(round, bots, self.pairs, self.mode, new, self.elo, self.width, self.rounds)

    @property
    def line_up_changed(self) -> bool:
        """Whether the configuration asks for something else than was recorded last."""
        if self.begun is None:
            return False
        last = self.begun.line_ups[-1]
        return not set(self.bots) <= set(self.entrants) or self.line_up(last.round) != last

    def with_line_up(self, round: int) -> BotList:
        """The list as it is asked for from this round on; line-ups of later rounds never began."""
        assert self.begun is not None
        line_ups = tuple(one for one in self.begun.line_ups if one.round < round)
        known = self.begun.entrants[: 1 + max((bot for one in line_ups for bot in one.bots), default=-1)]
        entrants = known + tuple(one for one in self.bots if one not in known)
        entered = replace(self, begun=Begun(self.begun.run_id, entrants, line_ups))
        return replace(entered, begun=Begun(self.begun.run_id, entrants, (*line_ups, entered.line_up(round))))

    @property
    def different_openings(self) -> int | None:
        """How many there are; None where they are too many to be counted, or may be used again."""
        counted = None if self.repeat_openings else self.openings or classes(rules(self.game), self.opening_plies)
        return None if counted is None else len(counted)

    def opening(self, index: int) -> Opening:
        """The opening with this number in the list's sequence."""
        if self.openings:
            return self.openings[index % len(self.openings)]
        dealt = max(_BLOCK, 1 << index.bit_length())
        return _openings(self.game, self.seed, dealt, self.opening_plies)[index]


@dataclass(frozen=True, slots=True)
class Ladder:
    """What one configuration asks for."""

    name: str
    lists: tuple[BotList, ...]
    until: str | None = None
    """A time, as on the command line."""


_LINE_UP: Final = ("bots", "pairs", "entrants", "line_ups")
"""Settings that may change without making another list."""


def labels(bots: Iterable[tuple[str, int | None]]) -> list[str]:
    """Names of bots, by their names and versions: with the version where another one has the same name."""
    keys = list(bots)
    several = Counter(name for name, _ in keys)
    return [f"{name} v{version}" if several[name] > 1 else name for name, version in keys]


def lasting(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, configured or recorded, whose change would make it another list."""
    return {name: value for name, value in settings.items() if name not in _LINE_UP}


def parse(
    text: str, read: Callable[[str], str] | None = None, read_roster: Callable[[str], Roster] | None = None
) -> Ladder:
    """The ladder of a configuration. Raises TomlError.

    `read` answers the text of a file that it names, `read_roster` the bots of a file of engines.
    """
    told = convert(text, _File)
    find = bot if told.engines is None else (read_roster or _no_file)(told.engines).bot
    lists = tuple(_list(one, told.name, told.seed, find, read or _no_file) for one in told.lists)
    names = [one.name for one in lists]
    for one in names:
        if names.count(one) > 1:
            raise TomlError(f"Two lists are called {shown(one)}: give each its own name with name = ...")
    return Ladder(told.name, lists, told.until and _checked(told.until))


def _checked(until: str) -> str:
    try:
        moment(until)
    except ValueError:
        raise TomlError(f"until must be {_TIME}, not {shown(until)}.") from None
    return until


def _no_file(name: str) -> Never:
    raise TomlError(f"{shown(name)} cannot be read here.")


def _list(told: _List, ladder: str, seed: int, find: Callable[[str], Bot], read: Callable[[str], str]) -> BotList:
    try:
        played = rules(told.game)
    except UnknownGame as error:
        raise TomlError(str(error)) from None
    name = told.name or played.id
    key, _, number = (told.limit or "").partition("=")
    limit = Limit(**{key: int(number)}) if key else NO_LIMIT
    try:
        bots = tuple(map(find, told.bots))
        for one in bots:
            if bots.count(one) > 1:
                raise ValueError(f"it names {one.name} twice; name each bot once.")
        if told.openings is not None and told.opening_plies is not None:
            raise ValueError("openings has the openings of a file, opening_plies draws some: set one of them.")
        plies = DRAWN_PLIES if told.opening_plies is None else told.opening_plies
        made = BotList(
            ladder, name, seed, played.id, limit, bots, told.pairs, plies, told.repeat_openings,
            told.overrun_ms, told.stall_ms, **_aim(told, bots, find),
            openings=() if told.openings is None else read_openings(played, told.openings, read(told.openings)),
            adjudication=Adjudication(told.adjudicate_win, told.adjudicate_draw, told.adjudicate_plies),
        )  # fmt: skip
        made.opening(0)
        longest = max((len(opening) for opening in made.openings), default=plies)
        for one in bots:
            check(one, played, limit, longest)
    except ValueError as error:
        raise TomlError(f"List {name}: {error}") from None
    return made


def read_openings(rules: Rules, name: str, text: str) -> tuple[Opening, ...]:
    """The openings of a file: one a line, its moves separated by spaces; `#` begins a comment. Raises ValueError."""
    found: dict[Opening, int] = {}
    for number, line in enumerate(without_mark(text).splitlines(), start=1):
        moves = line.partition("#")[0].split()
        if not moves:
            continue
        where, position, opening = f"{name}, line {number}", rules.initial, []
        for move in moves:
            try:
                opening.append(rules.parse_move(move))
                position = position.play(opening[-1])
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
        if position.outcome is not None:
            raise ValueError(f"{where}: the game is over after these moves; an opening leaves it running.")
        if found.setdefault(tuple(opening), number) != number:
            raise ValueError(f"{where} is the opening of line {found[tuple(opening)]}; write each opening once.")
    if not found:
        raise ValueError(f"{name} has no openings: write one a line, its moves separated by spaces.")
    return tuple(found)


def _aim(told: _List, bots: tuple[Bot, ...], find: Callable[[str], Bot]) -> dict[str, Any]:
    """What the games are for, as fields of a BotList. Raises ValueError."""
    new = tuple(map(find, told.new or ()))
    elo: tuple[float, ...] | None = None
    if told.mode == "gauntlet":
        if missing := [one.name for one in new if one not in bots]:
            raise ValueError(f"new names {missing[0]}, which is not among its bots; add it to bots.")
        if not new or set(new) == set(bots):
            raise ValueError("a gauntlet needs new = [...]: some of its bots, but not all, to meet the others.")
    elif told.new is not None:
        raise ValueError('new is for a gauntlet only; leave it out, or set mode = "gauntlet".')
    if told.mode == "sprt":
        if len(bots) != 2 or told.sprt is None:
            raise ValueError('an SPRT needs two bots and the Elo differences of its hypotheses, as sprt = "0,10".')
        elo = tuple(map(float, told.sprt.split(",")))
        Sprt(*elo)
        new = bots[:1]
    elif told.sprt is not None:
        raise ValueError('sprt is for a test only; leave it out, or set mode = "sprt".')
    return {"mode": told.mode, "new": new, "elo": elo, "width": told.until_width, "rounds": told.until_rounds}


@lru_cache(maxsize=512)
def _openings(game: str, seed: int, number: int, plies: int) -> tuple[Opening, ...]:
    return openings(rules(game), seed, number, plies)
