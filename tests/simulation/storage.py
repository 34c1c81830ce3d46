"""The database of a simulated server: its connections answer after a while, as threads of their own do."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from server.db.connections import Batch, DatabaseConnection, Opener
from server.db.statements import SQL
from server.play.writes import Statement


class InDoubt:
    """Events (number of the room, seq) whose commit has failed. Their rows may be in the log all the same, and in the
    database after a kill, until the next commit writes over them."""

    def __init__(self) -> None:
        self.events: set[tuple[object, object]] = set()

    def failed(self, batch: Batch) -> None:
        self.events |= {row[:2] for row in added_events(batch)}


def added_events(batch: Batch) -> Iterator[Any]:
    """Rows of events: the number of the room, seq, time, type and body."""
    return (row for sql, rows in batch if sql == SQL[Statement.ADD_EVENT] for row in rows)


class SlowConnection:
    """A DatabaseConnection that is asked, and answers, after delays that the seed says. `note` is shown what is to be
    written."""

    def __init__(
        self, inner: DatabaseConnection, random: Random, in_doubt: InDoubt, note: Callable[[Batch], None]
    ) -> None:
        self._inner = inner
        self._random = random
        self._in_doubt = in_doubt
        self._note = note
        self._turn = asyncio.Lock()
        self.interrupt = inner.interrupt
        self.close = inner.close

    async def rows(self, sql: str, parameters: Any = ()) -> Iterable[Any]:
        async with self._turn:
            await self._wait()
            rows = await self._inner.rows(sql, parameters)
            await self._wait()
            return rows

    async def transact(self, batch: Batch) -> None:
        self._note(batch)
        async with self._turn:
            await self._wait()
            try:
                await self._inner.transact(batch)
                self._in_doubt.events.clear()
            except sqlite3.Error:
                self._in_doubt.failed(batch)
                raise
            finally:
                await self._wait()

    async def _wait(self) -> None:
        await asyncio.sleep(self._random.choice((0.0, 0.0, 0.001, 0.004, 0.02)))


def slow(opener: Opener, random: Random, in_doubt: InDoubt, note: Callable[[Batch], None]) -> Opener:
    async def opened(path: Path, *, writes: bool, busy_timeout_s: float) -> DatabaseConnection:
        inner = await opener(path, writes=writes, busy_timeout_s=busy_timeout_s)
        return SlowConnection(inner, random, in_doubt, note)

    return opened
