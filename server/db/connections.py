"""Connections that keep no event loop waiting: where the server opens its database, and what it asks of one.

The cost is not in the rows but in the hops between threads, and in how often the database's thread must take the
interpreter back: after every call into SQLite, from an event loop that releases it only for a moment. So a batch is one
hop there and one back, and the rows of moves and events go many to an INSERT.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import aiosqlite

from server.db.connect import Connection, Executor, transaction, use_log
from server.db.statements import SQL
from server.play.writes import Statement

Batch: TypeAlias = Sequence[tuple[str, Sequence[tuple[object, ...]]]]
"""SQL and the rows to execute it with, in order."""

_SIZES = (64, 32, 16, 8, 4, 2, 1)
_MANY_ROWS = {
    sql: [(size, sql.replace(values, ", ".join([values] * size))) for size in _SIZES]
    for sql in (SQL[Statement.ADD_MOVE], SQL[Statement.ADD_PERSONS_MOVE], SQL[Statement.ADD_EVENT])
    for values in [sql.partition(" VALUES ")[2]]
}
"""Numbers of rows to insert at once, and the SQL for each, for the statements of every move."""


class DatabaseConnection(Protocol):
    """One connection. Everything raises sqlite3.Error; what is asked at once is done in order."""

    async def rows(self, sql: str, parameters: Any = ()) -> Iterable[Any]:
        """Rows of a query."""

    async def transact(self, batch: Batch) -> None:
        """Writes all of it and commits, or leaves everything as it was."""

    async def interrupt(self) -> None:
        """Stops the query that runs, which then raises."""

    async def close(self) -> None: ...


class Opener(Protocol):
    """Opens connections to a database that is prepared, set as `server.db.connect` says. Raises sqlite3.Error."""

    async def __call__(self, path: Path, *, writes: bool, busy_timeout_s: float) -> DatabaseConnection: ...


async def open_connection(path: Path, *, writes: bool, busy_timeout_s: float) -> DatabaseConnection:
    """An Opener: a thread of its own for each connection."""
    made: list[_Connection] = []
    failed: list[sqlite3.Error] = []

    def connect(*arguments: Any, **keywords: Any) -> sqlite3.Connection:
        try:
            made.append(_Connection(*arguments, **keywords))
            make_ready(made[0], writes=writes, busy_timeout_s=busy_timeout_s)
        except sqlite3.Error as error:
            # Raised below: where connecting raises, aiosqlite leaves a thread that calls the loop once more, which
            # may be closed by then.
            failed.append(error)
            for one in made:
                one.close()
            return sqlite3.connect(":memory:")
        return made[0]

    connection = await aiosqlite.connect(path, factory=connect, timeout=busy_timeout_s, isolation_level=None)
    if failed:
        await connection.close()
        raise failed[0]
    return _ThreadedConnection(connection, made[0])


class _ThreadedConnection:
    """A DatabaseConnection on aiosqlite."""

    def __init__(self, connection: aiosqlite.Connection, inner: _Connection) -> None:
        self._connection = connection
        self._inner = inner
        self.rows = connection.execute_fetchall
        self.interrupt = connection.interrupt
        self.close = connection.close

    async def transact(self, batch: Batch) -> None:
        self._inner.batches.append(batch)
        await self._connection.commit()


class _Connection(Connection):
    """A connection whose `commit` is a whole transaction: a batch costs one hop to aiosqlite's thread and back.

    A hop costs about as much as writing ten moves, and a batch made of aiosqlite's own calls needs at least four.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.create_function("casefold", 1, str.casefold, deterministic=True)  # SQLite's lower() knows ASCII alone
        self.batches: deque[Batch] = deque()
        """Batches to commit, in order: `commit` may be asked for a second before the thread has begun the first."""

    def commit(self) -> None:
        """Writes the next of `batches` and commits it, or leaves everything as it was and raises."""
        transact(self, self.batches.popleft())


def make_ready(connection: Executor, *, writes: bool, busy_timeout_s: float) -> None:
    """Prepares an opened connection for writing, or for reading only. Raises sqlite3.Error."""
    if writes:
        use_log(connection, busy_timeout_s)
    else:
        connection.execute("PRAGMA query_only = ON")


def transact(connection: Executor, batch: Batch) -> None:
    """Writes a batch and commits it, or leaves everything as it was and raises."""
    with transaction(connection):
        for sql, parameters in batch:
            if sql in _MANY_ROWS:
                _insert(connection, sql, parameters)
            else:
                connection.executemany(sql, parameters)


def _insert(connection: Executor, sql: str, parameters: Sequence[tuple[object, ...]]) -> None:
    """Insert rows by statements of few sizes, so that all of them stay prepared."""
    place = 0
    for size, many in _MANY_ROWS[sql]:
        while len(parameters) - place >= size:
            connection.execute(many, [*chain.from_iterable(parameters[place : place + size])])
            place += size
