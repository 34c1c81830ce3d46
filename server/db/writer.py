"""The writer of the database while the server runs: one task, and everything queued since its last commit as one batch.

    write() -> queue -> [BEGIN IMMEDIATE, the writes by kind of statement, COMMIT] -> futures

It runs the batch as one transaction and resolves the futures of all of it: under load the batches grow by themselves,
and without load nothing waits for a timer.

What costs is not the rows but the hops between threads, and how often the database's thread must ask for the
interpreter again: after every call into SQLite, behind an event loop that gives it up for a moment only. So a batch
is one hop, and the rows of moves and events go many to an INSERT.

A batch that cannot be committed because the disk or another program is in the way fails as a whole, and so does every
write until the writer's own probe gets through again: the database is then *unavailable*. A batch with a row that the
schema refuses is split, so that only the culprit gets its Conflict.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import aiosqlite

from server.db.connect import Connection, use_log
from server.db.lock import DatabaseFiles
from server.db.statements import SQL
from server.play.writes import Conflict, Statement, StoreUnavailable, Write

IdKind: TypeAlias = Literal["player", "room", "game"]
Batch: TypeAlias = Sequence[tuple[str, Sequence[tuple[object, ...]]]]
"""SQL and the rows to execute it with, in order."""

QUEUE_SETS = 100_000
"""Most write sets in the queue; the next one is refused."""
BATCH_SETS = 4_096
"""Most write sets in one transaction, so that other processes get their turn."""
BLOCK_IDS = 100
"""Ids reserved at a time; a restart leaves the rest of a block unused."""
PROBE_INTERVAL_S = 0.5
WATCH_INTERVAL_S = 1.0
"""How often a look is taken whether the files are still there."""

# A probe must take fresh pages, as new rows do: rewriting a page that exists succeeds on a disk that is full.
_PROBE: Batch = [("INSERT OR REPLACE INTO write_probe (id, filler) VALUES (1, zeroblob(65536))", [()])]
_PROBE_AFTER: Batch = [("DELETE FROM write_probe", [()])]
_SIZES = (64, 32, 16, 8, 4, 2, 1)
_MANY_ROWS = {
    sql: [(size, sql.replace(values, ", ".join([values] * size))) for size in _SIZES]
    for sql in (SQL[Statement.ADD_MOVE], SQL[Statement.ADD_EVENT])
    for values in [sql.partition(" VALUES ")[2]]
}
"""For the statements of every move: numbers of rows at once, and the SQL for each."""
_RESERVE = "UPDATE ids SET next = next + ? WHERE kind = ? RETURNING next"


class _BatchConnection(Connection):
    """A connection whose `commit` is a whole transaction: a batch costs one hop to aiosqlite's thread and back.

    A hop costs about as much as writing ten moves, and a batch made of aiosqlite's own calls needs at least four.
    """

    batch: Batch = ()

    def commit(self) -> None:
        """Writes `batch` and commits it, or leaves everything as it was and raises."""
        self.execute("BEGIN IMMEDIATE")
        try:
            for sql, parameters in self.batch:
                if sql in _MANY_ROWS:
                    self._insert(sql, parameters)
                else:
                    self.executemany(sql, parameters)
            self.execute("COMMIT")
        except BaseException:
            # After some errors, a conflict or a full disk among them, SQLite has rolled back by itself.
            with suppress(sqlite3.Error):
                self.execute("ROLLBACK")
            raise

    def _insert(self, sql: str, parameters: Sequence[tuple[object, ...]]) -> None:
        """In statements of few sizes, so that all of them stay prepared."""
        place = 0
        for size, many in _MANY_ROWS[sql]:
            while len(parameters) - place >= size:
                self.execute(many, [*chain.from_iterable(parameters[place : place + size])])
                place += size


class _WriteSet(NamedTuple):
    done: asyncio.Future[None]
    writes: Sequence[Write]


class Writer:
    """Writes for this process; other processes may write too. Made by `Writer.open`, ended by `close`."""

    def __init__(
        self,
        connection: aiosqlite.Connection,
        batches: _BatchConnection,
        *,
        on_availability: Callable[[bool], None],
        queue_sets: int,
        block_ids: int,
        probe_interval_s: float,
        watch_interval_s: float,
        files: DatabaseFiles,
    ) -> None:
        self._connection = connection
        self._files = files
        self._batches = batches
        self._on_availability = on_availability
        self._queue_sets = queue_sets
        self._block_ids = block_ids
        self._probe_interval_s = probe_interval_s
        self._watch_interval_s = watch_interval_s
        self._loop = asyncio.get_running_loop()
        self._queue: list[_WriteSet] = []
        self._work = asyncio.Event()
        self._closing = asyncio.Event()
        self._lost: StoreUnavailable | None = None
        self._blocks: dict[IdKind, range] = {}
        self._reserving: dict[IdKind, asyncio.Lock] = {}
        self._commits = 0
        self._task = self._loop.create_task(self._run(), name="database writer")
        self._watching = self._loop.create_task(self._watch(), name="database files")

    @classmethod
    async def open(cls, path: Path, busy_timeout_s: float, **settings: Any) -> Writer:
        """`settings` are those of the constructor. Raises sqlite3.Error."""
        made: list[_BatchConnection] = []
        failed: list[sqlite3.Error] = []

        def connect(*arguments: Any, **keywords: Any) -> _BatchConnection:
            try:
                made.append(_BatchConnection(*arguments, **keywords))
                use_log(made[0], busy_timeout_s)
            except sqlite3.Error as error:
                # Raised below: where connecting raises, aiosqlite leaves a thread that calls the loop once more, which
                # may be closed by then.
                failed.append(error)
                for one in made:
                    one.close()
                return _BatchConnection(":memory:")
            return made[0]

        connection = await aiosqlite.connect(path, factory=connect, timeout=busy_timeout_s, isolation_level=None)
        if failed:
            await connection.close()
            raise failed[0]
        return cls(connection, made[0], files=DatabaseFiles(path), **settings)

    @property
    def available(self) -> bool:
        """Whether writes are accepted, as far as is known."""
        return self._lost is None

    @property
    def commits(self) -> int:
        """Transactions with writes committed so far."""
        return self._commits

    @property
    def queued(self) -> int:
        """Write sets that wait for the next transaction."""
        return len(self._queue)

    def write(self, writes: Sequence[Write]) -> asyncio.Future[None]:
        """Queues one write set, all of which is committed or nothing; `writes` must not change afterwards.

        The future is done after the COMMIT. It raises StoreUnavailable, or Conflict, or for parameters that no
        statement could take the sqlite3 or Python error that says so. Cancelling it does not take the writes back.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        refusal = self._refusal()
        if refusal is not None:
            done.set_exception(refusal)
            return done
        self._queue.append(_WriteSet(done, writes))
        self._work.set()
        return done

    async def next_id(self, kind: IdKind) -> int:
        """An id that no other caller gets, in this process or another. Raises StoreUnavailable."""
        async with self._reserving.setdefault(kind, asyncio.Lock()):
            block = self._blocks.get(kind)
            if not block:
                block = await self._reserve(kind)
            self._blocks[kind] = block[1:]
            return block[0]

    async def close(self) -> None:
        """Finishes what is queued, then closes; later writes are refused. May be called again."""
        self._closing.set()
        self._work.set()
        await asyncio.wait([self._task, self._watching])
        await self._connection.close()

    def _refusal(self) -> StoreUnavailable | None:
        if self._closing.is_set():
            return StoreUnavailable("The store is closed.")
        if self._lost is not None:
            return StoreUnavailable(str(self._lost))
        if len(self._queue) >= self._queue_sets:
            return StoreUnavailable(f"The store is busy: {len(self._queue)} write sets are already waiting.")
        return None

    async def _reserve(self, kind: IdKind) -> range:
        refusal = self._refusal()
        if refusal is not None:
            raise refusal
        try:
            [(end,)] = await self._connection.execute_fetchall(_RESERVE, (self._block_ids, kind))
        except sqlite3.Error as error:
            self._lose(error)
            raise StoreUnavailable(str(self._lost)) from error
        return range(end - self._block_ids, end)

    async def _run(self) -> None:
        """The writer: commits what is queued, probes while unavailable, returns when closing and nothing is left."""
        try:
            while self._queue or not self._closing.is_set():
                await self._work.wait()
                self._work.clear()
                if self._lost is not None:
                    await self._probe()
                while self._queue:
                    batch = self._queue[:BATCH_SETS]
                    del self._queue[:BATCH_SETS]
                    await self._commit(batch)
        finally:
            _fail(self._queue, StoreUnavailable("The store is closed."))

    async def _commit(self, sets: Sequence[_WriteSet]) -> None:
        try:
            await self._transact(_grouped(sets))
        except Exception as error:
            if not _is_refusal(error):
                self._lose(error)
                _fail(sets, StoreUnavailable(str(self._lost)))
            elif len(sets) == 1:
                _fail(sets, Conflict(f"{error}.") if isinstance(error, sqlite3.IntegrityError) else error)
            else:
                await self._commit_one_by_one(sets)
        else:
            self._commits += 1
            for done, _ in sets:
                if not done.done():
                    done.set_result(None)

    async def _commit_one_by_one(self, sets: Sequence[_WriteSet]) -> None:
        for one in sets:
            if self._lost is None:
                await self._commit([one])
            else:
                _fail([one], StoreUnavailable(str(self._lost)))

    async def _transact(self, batch: Batch) -> None:
        self._batches.batch = batch
        await self._connection.commit()

    # Availability

    def _lose(self, error: BaseException | str) -> None:
        """Refuses what is queued and what comes, until the writer's probe works."""
        first = self._lost is None
        self._lost = StoreUnavailable(f"The database cannot be written: {str(error).rstrip('.')}.")
        refused, self._queue = self._queue, []
        _fail(refused, self._lost)
        self._work.set()
        if first:
            self._on_availability(False)

    async def _probe(self) -> None:
        """Tries to write until it works or the store is closing."""
        while self._lost is not None and not await self._closes_within(self._probe_interval_s):
            if self._files.change() is not None:
                continue
            try:
                await self._transact(_PROBE)
                await self._transact(_PROBE_AFTER)
            except sqlite3.Error:
                continue
            self._lost = None
            self._on_availability(True)

    async def _watch(self) -> None:
        """Nothing is acknowledged that only a deleted file holds: what it has goes into the database at once."""
        while not await self._closes_within(self._watch_interval_s):
            change = self._files.change()
            if change is not None and self._lost is None:
                with suppress(sqlite3.Error):
                    await self._connection.execute_fetchall("PRAGMA wal_checkpoint")
                self._lose(change)

    async def _closes_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()


def _grouped(sets: Iterable[_WriteSet]) -> Batch:
    """The writes of many sets by statement, in the order of the statements."""
    by_statement: list[list[tuple[object, ...]]] = [[] for _ in Statement]
    for _, writes in sets:
        for statement, parameters in writes:
            by_statement[statement].append(parameters)
    return [(SQL[statement], by_statement[statement]) for statement in Statement if by_statement[statement]]


def _is_refusal(error: BaseException) -> bool:
    """Whether the rows are to blame, rather than the disk or another program that holds the lock."""
    if isinstance(error, sqlite3.Error):
        return isinstance(
            error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.DataError | sqlite3.InterfaceError
        )
    return isinstance(error, Exception)


def _fail(sets: Iterable[_WriteSet], error: Exception) -> None:
    for done, _ in sets:
        if not done.done():
            done.set_exception(error)
