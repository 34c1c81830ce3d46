"""Connections to the database file: opened with the same settings everywhere, with errors in one sentence."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NoReturn, Protocol

from server.db.malformed import malformed_row

BUSY_TIMEOUT_S = 3.0
LOOK_OPS = 10_000
"""Steps of SQLite's machine, a fraction of a millisecond, between two looks for Ctrl-C."""
OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""
_LOOK_S = 0.02
_HEADER = b"SQLite format 3\0"
_NO_DATABASE = "{} is not a SQLite database: name another file, or move this one away."
_PRAGMAS = (
    "foreign_keys = ON",
    "synchronous = FULL",
    # What is deleted is overwritten with zeros: there is little of it, and somebody may have asked for it.
    "secure_delete = ON",
    # In pages, 16 MB: pages that many rooms write to are copied to the database less often than by default.
    "wal_autocheckpoint = 4000",
)


class DatabaseError(Exception):
    """What is wrong with a database file and what would be right, in one sentence."""


class Executor(Protocol):
    """What of a connection its settings and its transactions need. Raises sqlite3.Error."""

    def execute(self, sql: str, parameters: Any = ..., /) -> object: ...

    def executemany(self, sql: str, parameters: Any, /) -> object: ...


class Connection(sqlite3.Connection):
    """A connection set up as all of them are."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        try:
            set_up(self)
        except BaseException:
            self.close()
            raise


@contextmanager
def connect(
    path: Path, mode: Literal["ro", "rw", "rwc"], busy_timeout_s: float = BUSY_TIMEOUT_S
) -> Iterator[sqlite3.Connection]:
    """A connection in autocommit; `mode` is SQLite's: ro, rw, or rwc to make the file.

    Raises DatabaseError, also for SQLite's errors while it is used, and KeyboardInterrupt also in a long statement.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise DatabaseError(f"This Python has SQLite {sqlite3.sqlite_version}; noughts needs {wanted} or newer.")
    check_place(path, may_be_missing=mode == "rwc")
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        with closing(Connection(uri, uri=True, timeout=busy_timeout_s, isolation_level=None)) as connection:
            # Python raises KeyboardInterrupt in it, and SQLite takes any exception for a wish to stop.
            connection.set_progress_handler(lambda: None, LOOK_OPS)
            try:
                yield connection
            except sqlite3.OperationalError as error:
                row = malformed_row(connection) if str(error) == "malformed JSON" else None
                if row is None:
                    raise
                raise DatabaseError(f"{path} is damaged: {row}, which cannot be.") from None
    except sqlite3.Error as error:
        explain(path, error, busy_timeout_s)


@contextmanager
def transaction(connection: Executor) -> Iterator[None]:
    """Commits all that is executed within it, or leaves everything as it was and raises; in autocommit."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors, a conflict or a full disk among them, SQLite has rolled back by itself.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextmanager
def one_moment(connection: Executor) -> Iterator[None]:
    """All that is read within it is of one moment; in autocommit."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        # A full disk, on which SQLite sorts, may have ended it.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def set_up(connection: Executor) -> None:
    """Gives a new connection the settings that all of them have."""
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def use_log(connection: Executor, busy_timeout_s: float) -> None:
    """Gives the database a write-ahead log, without which readers and a writer wait for each other; it stays on.

    SQLite does not wait by itself while others keep it from changing the journal. Raises sqlite3.Error.
    """
    deadline_s = time.monotonic() + busy_timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline_s:
                raise
        # No event loop waits here: this runs in a command or in the thread of a connection that is being opened.
        time.sleep(_LOOK_S)


def check_place(path: Path, *, may_be_missing: bool) -> None:
    try:
        if "\0" in str(path):
            raise ValueError("a file name cannot contain a null character")
        with suppress(FileNotFoundError, NotADirectoryError):
            path.stat()  # since Python 3.14 the questions below keep other errors to themselves
        if path.is_dir():
            raise DatabaseError(f"{path} is a folder: name a database file in it.")
        if path.exists() and not path.is_file():  # SQLite would make a journal beside it first
            raise DatabaseError(f"{path} is a device or a pipe: name a file for the database.")
        if not path.parent.is_dir():
            raise DatabaseError(f"The folder {path.parent} for the database {path.name} does not exist: make it first.")
        if path.exists() and path.stat().st_nlink > 1:
            raise DatabaseError(
                f"{path} has another name, a hard link: SQLite keeps its log beside one of them only, so delete the "
                "link, or make it a copy."
            )
        if not may_be_missing and not path.exists():
            raise DatabaseError(f"There is no database {path}: `noughts serve` or `noughts db migrate` makes one.")
    except (OSError, ValueError) as error:
        raise DatabaseError(f"{path} cannot be the name of a database: {error}.") from error


def check_header(path: Path) -> None:
    """Raises DatabaseError for a file of something else, before anything is made beside it.

    Not while this process has the database open: closing a file gives up every lock that the process has on it.
    """
    check_place(path, may_be_missing=True)
    with suppress(OSError), path.open("rb") as file:  # SQLite says what is wrong with others
        header = file.read(len(_HEADER))
        if header and header != _HEADER:
            raise DatabaseError(_NO_DATABASE.format(path))


def explain(path: Path, error: sqlite3.Error, busy_timeout_s: float) -> NoReturn:
    """Raises DatabaseError: what SQLite's error says of this file, in one sentence. Or KeyboardInterrupt."""
    # A full disk and the like carry extended codes, whose low byte is the plain one.
    extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if extended == sqlite3.SQLITE_INTERRUPT:
        raise KeyboardInterrupt from error
    # No space for the index of the log, which the first to open the database makes.
    code = sqlite3.SQLITE_FULL if extended == sqlite3.SQLITE_IOERR_SHMSIZE else extended & 0xFF
    reasons = {
        sqlite3.SQLITE_NOTADB: _NO_DATABASE.format(path),
        sqlite3.SQLITE_CORRUPT: f"{path} is damaged ({error}): restore a backup.",
        sqlite3.SQLITE_BUSY: f"{path} was locked by another program for {busy_timeout_s:g} s: stop it or wait for it.",
        sqlite3.SQLITE_READONLY: f"{path} cannot be written: give this user write access to it and to its folder.",
        sqlite3.SQLITE_PERM: f"{path} cannot be opened: give this user read and write access to it and to its folder.",
        sqlite3.SQLITE_CANTOPEN: (
            f"{path} cannot be opened: give this user read and write access to it and to its folder."
        ),
        sqlite3.SQLITE_FULL: f"The disk of {path} is full: free some space.",
    }
    raise DatabaseError(reasons.get(code, f"{path} cannot be used: {error}.")) from error
