"""Finished games out of the way: removed for good, or moved to an archive and brought back.

An archive is a database of its own with the same schema. Games are copied to it and committed there before anything is
removed here, and they are removed a few at a time, each time only if the archive has every row as it is. So a command
that is killed at any moment loses nothing, and the next one continues from there; meanwhile others may write.

What belongs together goes together: a run of a ladder with all of its games, its list and its standings, the last run
with the samples of the ladder, from which its nights are known; a room with all of its games and its history. A room
where no game began goes by when it closed. Rated games stay, since ratings are explained by them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from server.db.connect import BUSY_TIMEOUT_S, DatabaseError, check_place, connect, explain, transaction
from server.db.deleted_players import NAMING_DELETED_OF, NamingRow
from server.db.lock import claim, ladder_suffix
from server.db.migrate import prepare, require_schema
from server.db.statements import SQL
from server.play.writes import Statement

BATCH_GAMES: Final = 200
"""Games in one transaction, which lasts some tenths of a second."""

_CHOSEN = """
SELECT id, source, run_id, room_number, EXISTS (SELECT 1 FROM rating_changes AS c WHERE c.game_id = g.id)
FROM games AS g
WHERE termination IS NOT NULL AND (:before_ms IS NULL OR ended_ms < :before_ms)
  AND (:source IS NULL OR source = :source) AND (:game IS NULL OR game = :game)
  AND (:run IS NULL OR run_id = :run OR substr(run_id, 1, length(:run) + 1) = :run || '/')
ORDER BY id
"""
_RUN_SIZES = "SELECT run_id, count(*) FROM games WHERE source = 'ladder' AND run_id IS NOT NULL GROUP BY run_id"
_ROOM_SIZES = """
SELECT room_number, count(*) FROM games JOIN rooms AS r ON r.number = room_number
WHERE r.closed_ms IS NOT NULL OR r.slept_ms IS NOT NULL GROUP BY room_number
"""
# One that only sleeps is still waiting for somebody.
_ROOMS_WITHOUT_GAMES = """
SELECT number FROM rooms
WHERE closed_ms IS NOT NULL AND (:before_ms IS NULL OR closed_ms < :before_ms)
  AND (:source IS NULL OR :source = 'room') AND :run IS NULL
  AND (:game IS NULL OR json_extract(spec, '$.game') = :game)
  AND NOT EXISTS (SELECT 1 FROM games WHERE room_number = number)
ORDER BY number
"""
_ARCHIVED_ROOMS_WITHOUT_GAMES = """
SELECT number FROM archive.rooms
WHERE number NOT IN (SELECT number FROM main.rooms)
  AND NOT EXISTS (SELECT 1 FROM archive.games WHERE room_number = number)
"""
# Those that the archive may name, including players who only spoke in a room, or made it and did not play.
_DELETED_PEOPLE = """
SELECT id FROM main.players
WHERE name = 'deleted player ' || id AND token_hash IS NULL AND (
  id IN (SELECT id FROM archive.players)
  OR CAST(id AS TEXT) IN (SELECT json_extract(body, '$.by.id') FROM archive.events WHERE type = 'said')
  OR CAST(id AS TEXT) IN (SELECT json_extract(spec, '$.creator.id') FROM archive.rooms)
)
"""


class Choice(NamedTuple):
    """Which finished games; None for all."""

    before_ms: int | None = None
    """Games that ended earlier."""
    source: str | None = None
    run: str | None = None
    """A run's id, or its beginning up to a slash."""
    game: str | None = None


class Unit(NamedTuple):
    """Games that go together, with their room if they have one; or a room where no game began."""

    games: tuple[int, ...]
    room: int | None = None


class Selection(NamedTuple):
    """What a choice comes to."""

    units: list[Unit]
    runs: list[str]
    """Runs of ladders, as a whole."""
    kept: dict[str, int]
    """Games chosen that stay, by why."""

    @property
    def games(self) -> int:
        return sum(len(unit.games) for unit in self.units)

    @property
    def rooms(self) -> int:
        return sum(unit.room is not None for unit in self.units)

    @property
    def ladders(self) -> list[str]:
        return sorted({run.partition("/")[0] for run in self.runs})


RATED = "rated games, which ratings are made of"
RUN_GOES_ON = "games of ladder runs with others that are not chosen"
ROOM_GOES_ON = "games of rooms that are open, or have others that are not chosen"

Advance: TypeAlias = Callable[[int], None]
"""Told how many more games are done."""
Begin: TypeAlias = Callable[[Selection], Advance]
Part: TypeAlias = tuple[str, str, str]
"""Rows of a table: its name, a column, and the values (a JSON list) that it has in them."""


def select(path: Path, choice: Choice) -> Selection:
    """Raises DatabaseError."""
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        return _select(connection, choice)


def prune(path: Path, choice: Choice, begin: Begin, *, vacuum: bool = False) -> Selection:
    """Removes the games for good. Raises DatabaseError, after which those of finished transactions are gone."""
    with connect(path, "rw") as connection, ExitStack() as locks:
        require_schema(connection, path)
        selection = _locked(locks, connection, path, choice)
        _remove_all(connection, selection, begin(selection), lambda parts: None)
        if vacuum:
            connection.execute("VACUUM")
    return selection


def archive(path: Path, target: Path, choice: Choice, begin: Begin, *, vacuum: bool = False) -> Selection:
    """Moves the games to `target`, which is made if it is missing. What `begin` returns hears of each game twice.

    Raises DatabaseError: then each game is still here, or whole in `target`, and the same call goes on.
    """
    with connect(path, "rw") as connection, ExitStack() as locks:
        require_schema(connection, path)
        selection = _locked(locks, connection, path, choice)
        _check_other_file(path, target)
        prepare(target)
        _attach(connection, target)
        with _failures_of(target):
            _check_same_ids(connection, path, target)
        advance = begin(selection)
        with _failures_of(target):
            _copy_samples(connection, "main", "archive", selection)
            for parts, games in _steps(connection, "main", selection):
                with transaction(connection):
                    _remove(connection, "archive", parts)
                    _copy(connection, "main", "archive", parts)
                advance(games)
        _remove_all(connection, selection, advance, lambda parts: _check_copied(connection, parts, target))
        if vacuum:
            connection.execute("VACUUM")
    return selection


def restore(path: Path, source: Path, begin: Begin) -> Selection:
    """Brings back every game of an archive, which stays as it is. Games that are here already are left alone.

    Raises DatabaseError: then the same call goes on where this one stood.
    """
    _check_other_file(path, source)
    check_place(source, may_be_missing=True)
    if not source.exists():
        raise DatabaseError(f"There is no archive {source}: `noughts db archive` makes one.")
    with connect(source, "rw") as archived:
        require_schema(archived, source)
    with connect(path, "rw") as connection, ExitStack() as locks:
        require_schema(connection, path)
        _attach(connection, source)
        _check_belongs(connection, path, source)
        selection = _archived(connection)
        _lock(locks, path, selection)
        advance = begin(selection)
        deleted = connection.execute(_DELETED_PEOPLE).fetchall()
        _copy_samples(connection, "archive", "main", selection)
        # Lists last, since standings count the games of their list.
        for parts, games in reversed([*_steps(connection, "archive", selection)]):
            with transaction(connection):
                _copy(connection, "archive", "main", parts)
                _forget_again(connection, deleted)
            advance(games)
    return selection


# What is chosen


def _select(connection: sqlite3.Connection, choice: Choice) -> Selection:
    chosen = connection.execute(_CHOSEN, choice._asdict()).fetchall()
    kept: Counter[str] = Counter()
    free: list[Unit] = []
    by_run: dict[str, list[int]] = defaultdict(list)
    by_room: dict[int, list[int]] = defaultdict(list)
    for id, source, run, room, rated in chosen:
        if rated:
            kept[RATED] += 1
        elif source == "ladder" and run is not None:
            by_run[run].append(id)
        elif room is not None:
            by_room[room].append(id)
        else:
            free.append(Unit((id,)))
    sizes = dict(connection.execute(_RUN_SIZES))
    runs = [run for run, games in by_run.items() if len(games) == sizes[run]]
    kept[RUN_GOES_ON] += sum(len(games) for run, games in by_run.items() if run not in runs)
    room_sizes = dict(connection.execute(_ROOM_SIZES))
    rooms = [Unit(tuple(games), room) for room, games in by_room.items() if len(games) == room_sizes.get(room)]
    rooms += [Unit((), room) for (room,) in connection.execute(_ROOMS_WITHOUT_GAMES, choice._asdict())]
    kept[ROOM_GOES_ON] += sum(map(len, by_room.values())) - sum(len(unit.games) for unit in rooms)
    of_runs = [Unit((id,)) for run in runs for id in by_run[run]]
    return Selection([*free, *of_runs, *rooms], runs, {why: games for why, games in kept.items() if games})


def _archived(connection: sqlite3.Connection) -> Selection:
    """What an archive has and the database has not."""
    rows = connection.execute("SELECT id, room_number FROM archive.games WHERE id NOT IN (SELECT id FROM main.games)")
    by_room: dict[int | None, list[int]] = defaultdict(list)
    for id, room in rows.fetchall():
        by_room[room].append(id)
    free = [Unit((id,)) for id in by_room.pop(None, [])]
    rooms = [Unit(tuple(games), room) for room, games in by_room.items()]
    rooms += [Unit((), room) for (room,) in connection.execute(_ARCHIVED_ROOMS_WITHOUT_GAMES).fetchall()]
    lists = connection.execute(
        "SELECT run_id FROM archive.ladder_lists WHERE run_id NOT IN (SELECT run_id FROM main.ladder_lists)"
    )
    runs = [run for (run,) in lists]
    return Selection([*free, *rooms], runs, {})


def _batches(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    batch: list[Unit] = []
    size = 0
    for unit in units:
        batch.append(unit)
        size += max(1, len(unit.games))
        if size >= BATCH_GAMES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


# What nobody else may have in hand meanwhile


def _locked(locks: ExitStack, connection: sqlite3.Connection, path: Path, choice: Choice) -> Selection:
    selection = _select(connection, choice)
    _lock(locks, path, selection)
    if _select(connection, choice) != selection:
        raise DatabaseError(f"Somebody was still writing games to {path}: nothing was done, try again.")
    return selection


def _lock(locks: ExitStack, path: Path, selection: Selection) -> None:
    """A server has its rooms in memory, and a ladder counts the games of its lists; no other games are in use."""
    if selection.rooms:
        taken = f"A server uses {path}: stop it first, or choose games that were not played in rooms, with --source."
        locks.enter_context(claim(path, ".lock", taken))
    for ladder in selection.ladders:
        taken = f"The ladder {ladder} uses {path}: stop it first, or choose other games."
        locks.enter_context(claim(path, ladder_suffix(ladder), taken))


def _check_other_file(path: Path, other: Path) -> None:
    with suppress(OSError):
        if path.samefile(other):
            raise DatabaseError(f"{other} is the database itself: name another file for the archive.")


def _check_same_ids(connection: sqlite3.Connection, path: Path, other: Path) -> None:
    """Ids must mean the same in both, or games would overwrite others, or come back under other people's names."""
    for what, sql in _OTHERS:
        found = connection.execute(sql).fetchone()
        if found is not None:
            raise DatabaseError(f"{other} is another database's archive: {what} {found[0]} is not the same in {path}.")


def _check_belongs(connection: sqlite3.Connection, path: Path, source: Path) -> None:
    """An archive may come back."""
    _check_same_ids(connection, path, source)
    again = connection.execute(_PLAYED_AGAIN).fetchone()
    if again is not None:
        raise DatabaseError(f"The run {again[0]} was played again since: prune or archive it, then restore {source}.")


_OTHER_PLAYER: Final = """
SELECT a.id FROM archive.players AS a JOIN main.players AS p ON p.id = a.id
WHERE p.kind != a.kind OR p.created_ms != a.created_ms LIMIT 1
"""
_OTHER_BOT: Final = """
SELECT a.player_id FROM archive.bot_versions AS a
JOIN main.bot_versions AS b ON (b.name, b.parameters, b.version) = (a.name, a.parameters, a.version)
WHERE a.player_id != b.player_id LIMIT 1
"""
_OTHER_GAME: Final = """
SELECT a.id FROM archive.games AS a JOIN main.games AS g ON g.id = a.id
WHERE (g.started_ms, g.source, g.game, g.x_player, g.o_player)
   != (a.started_ms, a.source, a.game, a.x_player, a.o_player) LIMIT 1
"""
_OTHER_ROOM: Final = """
SELECT a.number FROM archive.rooms AS a JOIN main.rooms AS r ON r.number = a.number WHERE r.id != a.id LIMIT 1
"""
_OTHERS: Final = (("player", _OTHER_PLAYER), ("player", _OTHER_BOT), ("game", _OTHER_GAME), ("room", _OTHER_ROOM))
_PLAYED_AGAIN = """
SELECT g.run_id FROM archive.games AS a
JOIN main.games AS g ON (g.run_id, g.pair_id, g.x_player) = (a.run_id, a.pair_id, a.x_player)
WHERE a.source = 'ladder' AND g.source = 'ladder' AND a.id != g.id LIMIT 1
"""


# Rows, and the tables that they are in


def _steps(connection: sqlite3.Connection, schema: str, selection: Selection) -> Iterator[tuple[list[Part], int]]:
    """What is moved in each transaction, and how many games that is: the lists, then a few games at a time.

    Lists go first and come back last, so that nobody sees standings with half of their games. A list that is not in
    this schema was moved earlier.
    """
    here = {run for (run,) in connection.execute(f"SELECT run_id FROM {schema}.ladder_lists")}
    runs = json.dumps([run for run in selection.runs if run in here])
    yield [(table, column, runs) for table, column in _holders(connection, "ladder_lists", "run_id")], 0
    of_game, of_room = _holders(connection, "games", "id"), _holders(connection, "rooms", "number")
    for units in _batches(selection.units):
        games = [game for unit in units for game in unit.games]
        keys = json.dumps(games)
        rooms = json.dumps([unit.room for unit in units if unit.room is not None])
        parts = [(table, column, keys) for table, column in of_game]
        parts += [(table, column, rooms) for table, column in of_room if table != "games"]
        yield parts, len(games)


def _holders(connection: sqlite3.Connection, table: str, key: str) -> list[tuple[str, str]]:
    """A table with its key, after all tables whose rows refer to it, with their column: in the order to delete in."""
    found = []
    for (other,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        for _, _, parent, column, of, *_ in _references(connection, other):
            if (parent, of) == (table, key):
                found += _holders(connection, other, column)
    return [*found, (table, key)]


def _references(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    return connection.execute(f"PRAGMA main.foreign_key_list({table})").fetchall()


_IN = "IN (SELECT value FROM json_each(?))"
_PASSING: Final = "ladder_live"
"""The game that a ladder is playing, one row for each. A killed ladder leaves its row, which means nothing
elsewhere."""


def _lasting(parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if part[0] != _PASSING]


def _remove(connection: sqlite3.Connection, schema: str, parts: Iterable[Part]) -> None:
    for table, column, keys in parts:
        connection.execute(f"DELETE FROM {schema}.{table} WHERE {column} {_IN}", (keys,))


def _remove_all(
    connection: sqlite3.Connection, selection: Selection, advance: Advance, check: Callable[[Sequence[Part]], None]
) -> None:
    for parts, games in _steps(connection, "main", selection):
        with transaction(connection):
            check(parts)
            _remove(connection, "main", parts)
            connection.execute(_DROP_SAMPLES, (json.dumps(selection.ladders),))
        advance(games)


def _copy(connection: sqlite3.Connection, source: str, target: str, parts: Sequence[Part]) -> None:
    """Copy the rows with the players that they name, but without the secrets by which these are known."""
    lasting = _lasting(parts)
    for table, column, keys in lasting:
        for _, _, parent, name, *_ in _references(connection, table):
            if parent == "players":
                named = f"(SELECT {name} FROM {source}.{table} WHERE {column} {_IN})"
                connection.execute(_COPY_PLAYERS.format(source=source, target=target, named=named), (keys,))
                connection.execute(_COPY_BOTS.format(source=source, target=target, named=named), (keys,))
    for table, column, keys in reversed(lasting):
        rows = f"SELECT * FROM {source}.{table} WHERE {column} {_IN}"
        connection.execute(f"INSERT INTO {target}.{table} {rows}", (keys,))
    for raise_ids in _RAISE_IDS:
        connection.execute(raise_ids.format(target=target))


def _copy_samples(connection: sqlite3.Connection, source: str, target: str, selection: Selection) -> None:
    """Copy the samples of every ladder that a run is of. They never change, so those already there are the same."""
    with transaction(connection):
        connection.execute(_COPY_SAMPLES.format(source=source, target=target), (json.dumps(selection.ladders),))


_COPY_SAMPLES = (
    f"INSERT OR IGNORE INTO {{target}}.ladder_samples SELECT * FROM {{source}}.ladder_samples WHERE ladder {_IN}"
)
_DROP_SAMPLES = f"""
DELETE FROM main.ladder_samples WHERE ladder {_IN} AND ladder NOT IN (SELECT ladder FROM main.ladder_lists)
"""
_COPY_PLAYERS = """
INSERT OR IGNORE INTO {target}.players (id, name, kind, created_ms)
SELECT id, name, kind, created_ms FROM {source}.players WHERE id IN {named}
"""
_COPY_BOTS = (
    "INSERT OR IGNORE INTO {target}.bot_versions SELECT * FROM {source}.bot_versions WHERE player_id IN {named}"
)
# An id that a copied row has is never allocated again.
_RAISE_IDS = [
    f"UPDATE {{target}}.ids SET next = max(next, 1 + coalesce((SELECT max({column}) FROM {{target}}.{table}), 0)) "
    f"WHERE kind = '{kind}'"
    for kind, table, column in (("player", "players", "id"), ("room", "rooms", "number"), ("game", "games", "id"))
]


def _check_copied(connection: sqlite3.Connection, parts: Iterable[Part], target: Path) -> None:
    """Raises DatabaseError unless the archive has each of these rows as it is now."""
    for table, column, keys in _lasting(parts):
        rows = f"WHERE {column} {_IN}"
        differing = f"SELECT * FROM main.{table} {rows} EXCEPT SELECT * FROM archive.{table} {rows} LIMIT 1"
        if connection.execute(differing, (keys, keys)).fetchone() is not None:
            raise DatabaseError(
                f"Somebody wrote to games while they were copied to {target}: those are still here; archive them again."
            )


def _forget_again(connection: sqlite3.Connection, deleted: Sequence[tuple[int]]) -> None:
    """Delete again what was brought back of people whose data was deleted meanwhile."""
    players = json.dumps([id for (id,) in deleted])
    naming = connection.execute(NAMING_DELETED_OF, {"players": players, "limit": -1}).fetchall()
    for statement, parameters in (NamingRow(*row).anonymised for row in naming):
        connection.execute(SQL[statement], parameters)
    connection.executemany(SQL[Statement.DROP_SHARES], deleted)


# Transactions


def _attach(connection: sqlite3.Connection, other: Path) -> None:
    """Attach it as the schema `archive`. It is made, checked and opened by its own name first."""
    with _failures_of(other):
        connection.execute("ATTACH ? AS archive", (str(other.absolute()),))
        # An archive is one file without a log: a transaction is committed when its journal is deleted, which FULL does
        # not sync. A power cut could bring the journal back and undo what has been removed here since.
        connection.execute("PRAGMA archive.synchronous = EXTRA")


@contextmanager
def _failures_of(path: Path) -> Iterator[None]:
    """SQLite's errors as those of this file."""
    try:
        yield
    except sqlite3.Error as error:
        explain(path, error, BUSY_TIMEOUT_S)
