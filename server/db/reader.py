"""Reading the database while the server runs, over two connections of different patience.

What players need before they can go on is found at once, over a connection of its own. Pages ask over another: anybody
may ask for one, and counting all games of a list takes as long as there are games. Pages wait for each other, so a
query of a page that takes too long is stopped.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

from server.db.connections import DatabaseConnection
from server.play.writes import StoreUnavailable

Row = TypeVar("Row")

PAGE_QUERY_S = 2.0
"""How long a query of a page may take."""
AGAIN_S = 0.05
"""An interrupt before the connection's thread has begun the query is lost, so it is sent again until the query ends."""


class Reader:
    """Reads over two connections that only read; `close` closes both.

    `page_query_s` is how long a query of a page may take.
    """

    def __init__(self, connection: DatabaseConnection, pages: DatabaseConnection, page_query_s: float) -> None:
        self._connection = connection
        self._pages = PageReader(pages, page_query_s)
        self._closed = False

    async def page(self, row: Callable[..., Row], sql: str, parameters: Any = ()) -> list[Row]:
        """The rows that a page's query answers, each made by `row` from its columns."""
        return await self._rows(row, self._pages.fetch, sql, parameters)

    async def look_up(self, row: Callable[..., Row], sql: str, parameters: Any = ()) -> list[Row]:
        """The same for what a player waits for: queries that look at few rows, however many games there are."""
        return await self._rows(row, self._connection.rows, sql, parameters)

    async def close(self) -> None:
        """May be called again."""
        self._closed = True
        await self._connection.close()
        await self._pages.close()

    async def _rows(
        self, row: Callable[..., Row], fetch: Callable[[str, Any], Awaitable[Iterable[Any]]], sql: str, parameters: Any
    ) -> list[Row]:
        if self._closed:
            raise StoreUnavailable("The store is closed.")
        try:
            return [row(*values) for values in await fetch(sql, parameters)]
        except sqlite3.Error as error:
            raise StoreUnavailable(f"The database cannot be read: {error}.") from error


class PageReader:
    """`query_s` is how long a query may take. Ended by `close`, which closes the connection."""

    def __init__(self, connection: DatabaseConnection, query_s: float) -> None:
        self._connection = connection
        self._query_s = query_s
        self._one = asyncio.Lock()
        self._running: asyncio.Future[Any] | None = None
        self._closed = False

    async def fetch(self, sql: str, parameters: Any) -> Sequence[Any]:
        """The rows that a query answers. Raises StoreUnavailable for one that was stopped, and sqlite3.Error."""
        await self._one.acquire()
        # In a task: should the asker go away, the next query must still wait until the thread is done with this one.
        query = asyncio.create_task(self._bounded(sql, parameters))
        query.add_done_callback(self._next)
        return await asyncio.shield(query)

    async def close(self) -> None:
        """Stops the query that runs and refuses those that wait. May be called again."""
        self._closed = True
        if self._running is not None:
            await self._end(self._running)
        async with self._one:
            await self._connection.close()

    async def _bounded(self, sql: str, parameters: Any) -> Sequence[Any]:
        if self._closed:
            raise StoreUnavailable("The store is closed.")
        self._running = rows = asyncio.ensure_future(self._connection.rows(sql, parameters))
        await asyncio.wait([rows], timeout=self._query_s)
        await self._end(rows)
        try:
            return list(rows.result())
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            if self._closed:
                raise StoreUnavailable("The store is closed.") from error
            raise StoreUnavailable(f"A query took more than {self._query_s:g} s and was stopped.") from error

    async def _end(self, query: asyncio.Future[Any]) -> None:
        while not query.done():
            await self._connection.interrupt()
            await asyncio.wait([query], timeout=AGAIN_S)

    def _next(self, done: asyncio.Task[Sequence[Any]]) -> None:
        self._one.release()
        if not done.cancelled():
            done.exception()  # looked at, so that asyncio does not complain where nobody waits for it any more
