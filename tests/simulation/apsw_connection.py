"""A `DatabaseConnection` on apsw without threads: it works inside callbacks of the loop and answers by another one.

What it raises is sqlite3's, with the codes and classes that Python's own module would have chosen.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

import apsw

from server.db.connections import Batch, transact

T = TypeVar("T")

LONG_OPS: Final = 2_000_000
"""Steps of SQLite's machine after which a query is taken for one that goes on until it is interrupted."""

_CLASSES: Final[dict[int, type[sqlite3.Error]]] = {
    **dict.fromkeys((apsw.SQLITE_INTERNAL, apsw.SQLITE_NOTFOUND), sqlite3.InternalError),
    **dict.fromkeys(
        (
            *(apsw.SQLITE_ERROR, apsw.SQLITE_PERM, apsw.SQLITE_ABORT, apsw.SQLITE_BUSY, apsw.SQLITE_LOCKED),
            *(apsw.SQLITE_READONLY, apsw.SQLITE_INTERRUPT, apsw.SQLITE_IOERR, apsw.SQLITE_FULL),
            *(apsw.SQLITE_CANTOPEN, apsw.SQLITE_PROTOCOL, apsw.SQLITE_EMPTY, apsw.SQLITE_SCHEMA),
        ),
        sqlite3.OperationalError,
    ),
    apsw.SQLITE_TOOBIG: sqlite3.DataError,
    **dict.fromkeys((apsw.SQLITE_CONSTRAINT, apsw.SQLITE_MISMATCH), sqlite3.IntegrityError),
    **dict.fromkeys((apsw.SQLITE_MISUSE, apsw.SQLITE_RANGE), sqlite3.InterfaceError),
}
"""As CPython's Modules/_sqlite/util.c has them; the rest are DatabaseErrors."""


class Rows(list[tuple[Any, ...]]):
    """What a statement answered, all of it, asked for as sqlite3's cursors are."""

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        return self[0] if self else None


class ApswExecutor:
    """An apsw connection as `server.db.connect.Executor`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def execute(self, sql: str, parameters: Any = (), /, *, long_ops: int = 0) -> Rows:
        """Interrupted after so many steps of SQLite's machine, unless `long_ops` is 0."""
        with raising_as_sqlite3():
            self.connection.set_progress_handler((lambda: True) if long_ops else None, long_ops)
            return Rows(self.connection.execute(sql, parameters).fetchall())

    def executemany(self, sql: str, parameters: Iterable[Sequence[object]], /) -> None:
        with raising_as_sqlite3():
            self.connection.executemany(sql, parameters).fetchall()

    def close(self) -> None:
        # Of a process that died: SQLite cannot tidy up behind it.
        with suppress(apsw.Error):
            self.connection.close()


class ApswConnection:
    """`answer` is given what hands out an answer, to be called once, sooner or later."""

    def __init__(self, executor: ApswExecutor, answer: Callable[[Callable[[], None]], object]) -> None:
        self._executor = executor
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._asked: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = deque()
        self._works = False
        self._endless: tuple[asyncio.Future[Any], sqlite3.Error] | None = None

    async def rows(self, sql: str, parameters: Any = ()) -> Iterable[Any]:
        return await self._ask(partial(self._query, sql, parameters))

    async def transact(self, batch: Batch) -> None:
        await self._ask(partial(transact, self._executor, batch))

    async def interrupt(self) -> None:
        if self._endless is not None:
            (asker, error), self._endless = self._endless, None
            self._answer(partial(self._tell, asker, None, error))

    async def close(self) -> None:
        await self._ask(self._executor.close)

    def _ask(self, work: Callable[[], T]) -> asyncio.Future[T]:
        asker: asyncio.Future[T] = self._loop.create_future()
        self._asked.append((work, asker))
        self._work_on()
        return asker

    def _work_on(self) -> None:
        if self._asked and not self._works:
            self._works = True
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        work, asker = self._asked.popleft()
        try:
            found, error = work(), None
        except _Endless as endless:
            self._endless = asker, endless.error
            return
        except BaseException as raised:  # also a test's timeout, or its asker would wait for ever
            found, error = None, raised
        self._answer(partial(self._tell, asker, found, error))

    def _tell(self, asker: asyncio.Future[Any], found: Any, error: BaseException | None) -> None:
        self._works = False
        self._work_on()
        if asker.done():
            return
        if error is not None:
            asker.set_exception(error)
        else:
            asker.set_result(found)

    def _query(self, sql: str, parameters: Any) -> Rows:
        try:
            return self._executor.execute(sql, parameters, long_ops=LONG_OPS)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise _Endless(error) from error
            raise


class _Endless(Exception):
    def __init__(self, error: sqlite3.Error) -> None:
        self.error = error


@contextmanager
def raising_as_sqlite3() -> Iterator[None]:
    """Raises an error of apsw's as sqlite3 would have."""
    try:
        yield
    except apsw.Error as error:
        raise _translated(error) from error
    except TypeError as error:
        raise sqlite3.ProgrammingError(str(error)) from error


def _translated(error: apsw.Error) -> sqlite3.Error:
    if isinstance(error, apsw.BindingsError):
        return sqlite3.ProgrammingError(str(error))
    # A connection closed because its process died has no code.
    code = error.extendedresult if hasattr(error, "extendedresult") else apsw.SQLITE_IOERR
    told = _CLASSES.get(code & 0xFF, sqlite3.DatabaseError)(str(error))
    told.sqlite_errorcode = code
    told.sqlite_errorname = str({**apsw.mapping_result_codes, **apsw.mapping_extended_result_codes}[code])
    return told
