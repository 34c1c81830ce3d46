"""The database file: made, checked, migrated and backed up before anything is recorded in it.

Migrations are the numbered SQL files of the package `migrations`. They only go forward, each in one transaction that
takes the write lock first, so that two programs may start at once; what was applied is kept with a checksum. A
database whose schema is not exactly what the migrations make is refused: a record that cannot be trusted to be
complete is worth less than a server that does not start.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sqlite3
import stat
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from server.db.connect import BUSY_TIMEOUT_S, DatabaseError, check_place, connect
from server.db.size import Size, measure

APPLICATION_ID = 1852798311
"""Set by the first migration; "noug" in ASCII."""
_PIECE_PAGES = 4096
"""16 MB."""


class Migration(NamedTuple):
    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Checked:
    """A database that is sound."""

    file: str
    schema_version: int
    behind: int
    """Migrations of this release that it lacks."""

    @property
    def sentence(self) -> str:
        behind = f"{self.behind} behind this release; `noughts db migrate` brings it up to date"
        return f"{self.file} is sound: schema version {self.schema_version}, {behind if self.behind else 'up to date'}."


@dataclass(frozen=True, slots=True)
class Description:
    """What a database is like."""

    file: str
    bytes: int
    schema_version: int
    sqlite: str
    """Version of the library."""
    rows: dict[str, int]
    """Number of rows of each table."""
    size: Size


def migrations() -> list[Migration]:
    """Every migration of this release, in order: `0001_initial.sql` is version 1, name `initial`."""
    found = []
    for file in files("migrations").iterdir():
        if file.name.endswith(".sql"):
            version, _, name = file.name.removesuffix(".sql").partition("_")
            # Line ends are made the same everywhere, or a checkout on another system would look altered.
            found.append(Migration(int(version), name, file.read_text(encoding="utf-8").replace("\r\n", "\n")))
    return sorted(found)


def prepare(
    path: Path | str, *, busy_timeout_s: float = BUSY_TIMEOUT_S, known: Sequence[Migration] | None = None
) -> list[str]:
    """Makes the database, or checks it and brings its schema up to date; safe from several processes at once.

    Answers what was done, in sentences: nothing for a database that was ready. Raises DatabaseError. Before a database
    is migrated, a copy is made next to it as `<name>.<its version>.backup`, and removed again if nothing was migrated.
    """
    path = Path(path)
    known = migrations() if known is None else known
    with connect(path, "rwc", busy_timeout_s) as connection:
        return _migrate(connection, path, known, busy_timeout_s)


def check(
    path: Path | str, *, busy_timeout_s: float = BUSY_TIMEOUT_S, known: Sequence[Migration] | None = None
) -> Checked:
    """Checks schema, every page and every reference, changing nothing. Raises DatabaseError."""
    path = Path(path)
    known = migrations() if known is None else known
    with connect(path, "rw", busy_timeout_s) as connection:
        version = checked_version(connection, path, known)
        if version == 0:
            raise DatabaseError(f"{path} is an empty database: `noughts db migrate` or `noughts serve` sets it up.")
        _check_contents(connection, path)
    return Checked(str(path), version, len([migration for migration in known if migration.version > version]))


def require_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raises DatabaseError unless the schema is exactly this release's."""
    known = migrations()
    version = checked_version(connection, path, known)
    if version != known[-1].version:
        raise DatabaseError(f"{path} has schema version {version}: `noughts db migrate` brings it up to date.")


def back_up(path: Path | str, target: Path | None = None) -> Path:
    """Copies a database that may be in use to `target`, by default next to it. Raises DatabaseError."""
    path = Path(path)
    with connect(path, "rw") as connection:
        version = checked_version(connection, path, migrations())
    return _copy(path, target or _free_name(path, version), BUSY_TIMEOUT_S)


def describe(path: Path | str) -> Description:
    """Raises DatabaseError."""
    path = Path(path)
    with connect(path, "rw") as connection:
        version = checked_version(connection, path, migrations())
        size = measure(connection)
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ).fetchall()
        rows = {table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for (table,) in tables}
    return Description(str(path), size.bytes, version, sqlite3.sqlite_version, rows, size)


# The parts


def _migrate(
    connection: sqlite3.Connection, path: Path, known: Sequence[Migration], busy_timeout_s: float
) -> list[str]:
    """Applies what is pending. Each round takes the write lock and looks again: another process may have been first."""
    done: list[str] = []
    backup: Path | None = None
    first: int | None = None
    # A migration may recreate a table that others refer to; `_apply` checks the references of all of them.
    connection.execute("PRAGMA foreign_keys = OFF")
    while True:
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = checked_version(connection, path, known)
            pending = [migration for migration in known if migration.version > version]
            if not pending:
                # Where nothing can be written, SQLite grants a lock all the same, and fails when a page changes.
                connection.execute("UPDATE ids SET next = next + 1")
                connection.execute("ROLLBACK")
                break
            first = version if first is None else first
            if version and backup is None:
                backup = _copy(path, _free_name(path, version), busy_timeout_s)
            # A new database is made whole, so that nobody meets it half made and keeps a backup of that.
            for migration in pending if version == 0 else pending[:1]:
                _apply(connection, migration)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            if backup is not None:
                _drop_needless(backup, connection, first)
            raise
    if first == 0:
        done.append(f"Made the database {path}.")
    elif first is not None:
        done.append(
            f"Brought {path} from schema version {first} to {version}; the previous version is saved in {backup}."
        )
    return done


def _drop_needless(backup: Path, connection: sqlite3.Connection, first: int | None) -> None:
    """Drop it unless something was migrated: a service restarted after each failure would fill the disk with copies."""
    with suppress(sqlite3.Error, OSError):
        [[version]] = connection.execute("SELECT max(version) FROM schema_migrations")
        if version == first:
            backup.unlink()


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    for statement in statements(migration.sql):
        connection.execute(statement)
    connection.execute(
        "INSERT INTO schema_migrations (version, name, checksum, applied_ms) VALUES (?, ?, ?, ?)",
        (migration.version, migration.name, migration.checksum, time.time_ns() // 1_000_000),
    )
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise DatabaseError(f"Migration {migration.version} would leave dangling references; nothing was changed.")


def statements(sql: str) -> list[str]:
    """The statements of a script; `executescript` is no use here, since it commits before it begins."""
    found: list[str] = []
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    if statement.strip():
        found.append(statement)
    return found


def checked_version(connection: sqlite3.Connection, path: Path, known: Sequence[Migration]) -> int:
    """The schema's version, 0 for an empty database. Raises DatabaseError for any schema that we did not make."""
    schema = _schema(connection)
    application_id = _pragma(connection, "application_id")
    if not schema and application_id == 0:
        return 0
    if application_id != APPLICATION_ID:
        raise DatabaseError(f"{path} is another program's database: name another file.")
    if not any(name == "schema_migrations" for _, name, _ in schema):
        raise DatabaseError(f"{path} has lost its table schema_migrations: restore a backup.")
    applied = connection.execute("SELECT version, name, checksum FROM schema_migrations ORDER BY version").fetchall()
    _check_history(path, applied, known)
    _check_schema(path, schema, known[: len(applied)])
    return int(applied[-1][0]) if applied else 0


def _check_history(path: Path, applied: Sequence[tuple[int, str, str]], known: Sequence[Migration]) -> None:
    newest = known[-1].version
    for place, (version, name, checksum) in enumerate(applied):
        if version > newest:
            last, last_name, _ = applied[-1]
            raise DatabaseError(
                f"{path} was written by a newer noughts (schema version {last}, {last_name}; this one knows "
                f"{newest}): install that release, or restore a backup."
            )
        expected = known[place]
        if (version, checksum) != (expected.version, expected.checksum):
            raise DatabaseError(
                f"{path} was made by an altered migration {version} ({name}): use the release that made it, or restore "
                "a backup."
            )


def _check_schema(path: Path, schema: set[tuple[str, str, str]], applied: Sequence[Migration]) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        for migration in applied:
            memory.executescript(migration.sql)
        expected = _schema(memory)
    names = sorted({f"{kind} {name}" for kind, name, _ in schema ^ expected})
    if names:
        raise DatabaseError(
            f"The schema of {path} was altered by hand ({', '.join(names)}): undo that, or restore a backup."
        )


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Kind, name and SQL of all that was created; SQLite's own tables and the indexes it makes by itself apart."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite#_%' ESCAPE '#'")
    return {(kind, name, sql) for kind, name, sql in rows}


def _check_contents(connection: sqlite3.Connection, path: Path) -> None:
    problems = [str(problem) for (problem,) in connection.execute("PRAGMA integrity_check(10)")]
    if problems != ["ok"]:
        raise DatabaseError(f"{path} is damaged ({'; '.join(problems)}): restore a backup.")
    dangling = connection.execute("PRAGMA foreign_key_check").fetchone()
    if dangling:
        raise DatabaseError(f"{path} has a row in {dangling[0]} that refers to a missing row of {dangling[2]}.")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    [[value]] = connection.execute(f"PRAGMA {name}")
    return int(value)


def _free_name(path: Path, version: int) -> Path:
    """`noughts.db.1.backup`, or with a number behind it where that exists: no backup is ever overwritten."""
    name = path.with_name(f"{path.name}.{version}.backup")
    copy = 2
    while name.exists():
        name = path.with_name(f"{path.name}.{version}.backup{copy}")
        copy += 1
    return name


def _copy(path: Path, target: Path, busy_timeout_s: float) -> Path:
    """Copies through SQLite, which sees a whole database while others write. An unfinished copy never has the name."""
    if target.exists():
        raise DatabaseError(f"{target} already exists: name another file for the backup.")
    check_place(target, may_be_missing=True)
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        _drop_abandoned(target)
        # Whoever may not read the names and chat in the database may not read them in the copy.
        partial.touch(stat.S_IMODE(path.stat().st_mode) | stat.S_IRUSR | stat.S_IWUSR)
        with (
            closing(sqlite3.connect(path.absolute(), timeout=busy_timeout_s)) as source,
            closing(sqlite3.connect(partial)) as copy,
        ):
            # In pieces, between which Ctrl-C is heard; and of one moment, or each writer would have it begin anew.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master")
            source.backup(copy, pages=_PIECE_PAGES, progress=_listen)
            # A backup is one file, whatever the journal of the original.
            copy.execute("PRAGMA journal_mode = DELETE")
        partial.replace(target)
        _sync_names(target.parent)
    except (sqlite3.Error, OSError) as error:
        raise DatabaseError(f"{path} cannot be backed up to {target}: {error}.") from error
    finally:
        # Also where somebody has pressed Ctrl-C: it has names and chat, and nobody would look for it. On a full disk
        # SQLite leaves the log of the copy as well.
        for ending in ("", "-wal", "-shm", "-journal"):
            partial.with_name(partial.name + ending).unlink(missing_ok=True)
    return target


def _listen(*_: int) -> None:
    """Python hears of Ctrl-C where it calls a function."""


def _drop_abandoned(target: Path) -> None:
    """Drop what is left of copies to this name whose processes were killed."""
    form = re.compile(rf"{re.escape(target.name)}\.(\d{{1,9}})\.partial(-wal|-shm|-journal)?")
    for file in target.parent.iterdir():
        found = form.fullmatch(file.name)
        if found is not None and not _runs(int(found[1])):
            file.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as error:
        return error.errno != errno.ESRCH  # it may be somebody else's
    return True


def _sync_names(folder: Path) -> None:
    """Sync, so that a power cut leaves what was renamed its new name; some file systems cannot sync a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
