"""Queries that cannot change the database, and that can be stopped.

Three locks, each of which would suffice: the file is opened with SQLite's `mode=ro`, `PRAGMA query_only` is on, and an
authorizer refuses every statement that is not a query before it begins.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from server.db.connect import LOOK_OPS, DatabaseError, connect
from server.db.migrate import require_schema

LONGEST_VALUE: Final = 64 * 1024 * 1024
"""Bytes. One step that makes a longer text could neither be interrupted nor kept in memory."""

_READS: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_PRAGMAS: Final = frozenset({"foreign_key_list", "index_info", "index_list", "table_info", "table_list", "table_xinfo"})
_BLANK: Final = re.compile(r"(?:\s|;|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
_FAULTS_OF_QUERIES: Final = frozenset(
    {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE}
)
_REFUSALS: Final = frozenset({sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY})
_REFUSALS_WITHOUT_CODE: Final = ("not authorized to use function", "vtable constructor failed")
"""So SQLite tells of a refused function and of a refused table that is one, without a code of its own."""


class WrongQuery(Exception):
    """What is wrong with a query, in one sentence."""


class Result(NamedTuple):
    columns: list[str]
    rows: Iterator[tuple[Any, ...]]
    """Read from the database as they are taken. Raises what `Queries.run` raises."""


class Queries:
    """Runs queries over a connection that must be used for nothing else. `timeout_s` bounds each; None is no bound."""

    def __init__(self, connection: sqlite3.Connection, timeout_s: float | None) -> None:
        self._connection = connection
        self._timeout_s = timeout_s
        self._deadline_s: float | None = None
        self._has_refused = False
        connection.execute("PRAGMA query_only = ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.set_authorizer(self._authorize)
        connection.set_progress_handler(self._is_late, LOOK_OPS)

    def run(self, sql: str) -> Result | None:
        """The result of one statement; None for a comment.

        Raises WrongQuery, DatabaseError for one that takes too long, KeyboardInterrupt at once, and sqlite3.Error.
        """
        self._deadline_s = None if self._timeout_s is None else time.monotonic() + self._timeout_s
        self._has_refused = False
        with self._explained():
            cursor = self._connection.execute(sql)
        if cursor.description is None:
            return None
        return Result([name for name, *_ in cursor.description], self._rows(cursor))

    def _rows(self, cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        with self._explained():
            # `yield from` would close the cursor too, perhaps after its connection.
            for row in cursor:  # noqa: UP028
                yield row

    def _is_late(self) -> bool:
        # Python raises KeyboardInterrupt here, and SQLite takes any exception for a wish to stop.
        return self._deadline_s is not None and time.monotonic() > self._deadline_s

    def _authorize(self, action: int, first: str | None, *_: str | None) -> int:
        if _is_allowed(action, first):
            return sqlite3.SQLITE_OK
        self._has_refused = True
        return sqlite3.SQLITE_DENY

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Warning, sqlite3.ProgrammingError) as error:
            raise WrongQuery(_wrong(error)) from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code == sqlite3.SQLITE_INTERRUPT:
                if self._is_late():
                    raise DatabaseError(f"The query took more than {self._timeout_s:g} s and was stopped.") from error
                raise KeyboardInterrupt from error
            if not self._has_refused and (code == sqlite3.SQLITE_AUTH or str(error).startswith(_REFUSALS_WITHOUT_CODE)):
                # Ctrl-C came while the statement was looked at: SQLite takes any exception there for a refusal.
                raise KeyboardInterrupt from error
            if code in _REFUSALS:
                raise WrongQuery("Only queries are answered: this statement could change something.") from error
            if code in _FAULTS_OF_QUERIES:
                raise WrongQuery(_wrong(error)) from error
            raise


@contextmanager
def queries(path: Path, timeout_s: float | None = None) -> Iterator[Queries]:
    """Raises DatabaseError, also for a database that is not of this release."""
    with connect(path, "ro") as connection:
        require_schema(connection, path)
        yield Queries(connection, timeout_s)


def split(sql: str) -> list[str]:
    """The statements of a text, without those that are only comments."""
    found, begin = [], 0
    for end in (match.end() for match in re.finditer(";", sql)):
        if sqlite3.complete_statement(sql[begin:end]):
            found.append(sql[begin:end])
            begin = end
    return [statement.strip() for statement in [*found, sql[begin:]] if not _BLANK.fullmatch(statement)]


def _is_allowed(action: int, first: str | None) -> bool:
    return (
        action in _READS
        or (action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS)
        # A table-valued function such as json_each declares its columns so; the table itself cannot be written.
        or (action == sqlite3.SQLITE_UPDATE and first == "sqlite_master")
    )


def _wrong(error: sqlite3.Error | sqlite3.Warning) -> str:
    return f"The query is wrong: {str(error).rstrip('.')}."
