"""What pages ask of the records: on a connection of its own, one query at a time, and none for long.

Anybody may ask for a page, and counting all games of a list takes as long as there are games. Nobody's greeting or
join waits behind that: those have another connection. Pages wait for each other, so a query that takes too long is
stopped.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Any

import aiosqlite

from server.play.writes import StoreUnavailable

AGAIN_S = 0.05
"""An interrupt before the connection's thread has begun the query is lost, so it is sent again until the query ends."""


class PageReader:
    """`query_s` is how long a query may take. Ended by `close`, which closes the connection."""

    def __init__(self, connection: aiosqlite.Connection, query_s: float) -> None:
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
        self._running = rows = asyncio.ensure_future(self._connection.execute_fetchall(sql, parameters))
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
