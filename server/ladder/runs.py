"""The recorded runs of ladders by name: a ladder, one of its lists, and as they stood after which night.

A night is one process of `noughts ladder run`. The name of a run is LADDER[/LIST[/DIGEST]][@NIGHT]: nights count from
1, or from -1 for the last; without one it is the list as it is now.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from engine.rules.notation import shown
from server.db import ladder as ladder_rows
from server.db.connect import connect
from server.db.ladder import ListRow, Night
from server.db.migrate import require_schema
from server.ladder.schedule import PairScore
from server.ladder.store import score_of

_NAME: Final = re.compile(r"(?P<run>(?P<ladder>[^/@]+)(/[^/@]+){0,2})(@(?P<night>-?[1-9][0-9]{0,8}))?")
_END_MS: Final = (1 << 63) - 1


class RunUnknown(click.UsageError):
    """A name of no run, or of several; one sentence says what would be right."""


class BotKey(NamedTuple):
    """What identifies a bot in any database."""

    name: str
    version: int | None


class PlayedPair(NamedTuple):
    """A recorded pair of games; the score is that of `a`."""

    a: BotKey
    b: BotKey
    score: PairScore
    ended_ms: int
    """When the later of its games ended."""


class Run(NamedTuple):
    """One list as it stood after a night, or as it is now."""

    file: str
    list: ListRow
    night: int | None
    """From 1."""
    pairs: dict[int, PlayedPair]
    """By number."""

    @property
    def name(self) -> str:
        """The name by which commands take it."""
        return self.list.run_id if self.night is None else f"{self.list.run_id}@{self.night}"

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)


class LadderRuns(NamedTuple):
    """What is recorded of one ladder."""

    ladder: str
    lists: Sequence[ListRow]
    nights: Sequence[Night]


def recorded(path: Path) -> Iterator[LadderRuns]:
    """Every ladder of a database, by name. Raises DatabaseError."""
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        for (ladder,) in connection.execute(ladder_rows.LADDERS).fetchall():
            yield LadderRuns(ladder, _lists(connection, ladder), _nights(connection, ladder))


def runs(path: Path, name: str) -> list[Run]:
    """The lists of this name, at most one of each. Raises RunUnknown and DatabaseError."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise RunUnknown(f"{shown(name)} names no run: write LADDER, LADDER/LIST or LADDER/LIST@NIGHT.")
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        chosen = _chosen(_lists(connection, found["ladder"]), found["run"], path)
        nights = _nights(connection, found["ladder"])
        night = None if found["night"] is None else _night(int(found["night"]), nights, found["ladder"], path)
        end_ms = _END_MS if night is None or night == len(nights) else nights[night].begun_ms
        return [Run(str(path), one, night, _pairs(connection, one.run_id, end_ms)) for one in chosen]


def _chosen(lists: Sequence[ListRow], run: str, path: Path) -> list[ListRow]:
    chosen = [one for one in lists if f"{one.run_id}/".startswith(f"{run}/")]
    if not chosen:
        raise RunUnknown(f"There is no run {shown(run)} in {path}: `noughts ladder runs` lists what there is.")
    for one in chosen:
        same = [other for other in chosen if other.list == one.list]
        if len(same) > 1:
            each = " and ".join(f"{other.run_id} ({other.games:,} games)" for other in same)
            raise RunUnknown(f"{len(same)} runs are called {one.ladder}/{one.list}: {each}; write one of them whole.")
    return chosen


def _night(asked: int, nights: Sequence[Night], ladder: str, path: Path) -> int:
    night = asked if asked > 0 else len(nights) + 1 + asked
    if not 1 <= night <= len(nights):
        there = f"nights 1 to {len(nights)}" if len(nights) > 1 else "night 1" if nights else "no night"
        raise RunUnknown(f"There is no night {asked} of {ladder} in {path}: it has {there}.")
    return night


def _lists(connection: sqlite3.Connection, ladder: str) -> list[ListRow]:
    return [ListRow(*row) for row in connection.execute(ladder_rows.LISTS_OF, (ladder,))]


def _nights(connection: sqlite3.Connection, ladder: str) -> list[Night]:
    return [Night(*row) for row in connection.execute(ladder_rows.NIGHTS, (ladder,))]


def _pairs(connection: sqlite3.Connection, run_id: str, end_ms: int) -> dict[int, PlayedPair]:
    """The pairs whose games both ended before `end_ms`."""
    pairs: dict[int, list[tuple[int, int, str | None, str]]] = {}
    bots: dict[int, BotKey] = {}
    ended: dict[int, int] = {}
    for pair, x, x_name, x_version, o, o_name, o_version, winner, termination, ended_ms in connection.execute(
        ladder_rows.PLAYED_PAIRS, (run_id, end_ms)
    ):
        bots[x], bots[o] = BotKey(x_name, x_version), BotKey(o_name, o_version)
        pairs.setdefault(pair, []).append((x, o, winner, termination))
        ended[pair] = max(ended_ms, ended.get(pair, 0))
    played = {}
    for pair, games in pairs.items():
        score = score_of(games)
        if len(games) == 2 and score.bots is not None:
            played[pair] = PlayedPair(bots[score.bots[0]], bots[score.bots[1]], score, ended[pair])
    return played
