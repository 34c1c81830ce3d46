"""The writer of the database while the server runs: one task, and everything queued since its last commit as one batch.

    write() -> queue -> [BEGIN IMMEDIATE, the writes by kind of statement, COMMIT] -> futures

It runs the batch as one transaction and resolves the futures of all of it: under load the batches grow by themselves,
and without load nothing waits for a timer.

A batch that cannot be committed because the disk or another program is in the way fails as a whole, and so does every
write until the writer's own probe gets through again: the database is then *unavailable*. A batch with a row that the
schema refuses is split, so that only the culprit gets its Conflict.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, TypeAlias

from server.db.connections import Batch, DatabaseConnection
from server.db.lock import DatabaseFiles
from server.db.statements import SQL
from server.play.writes import Conflict, Statement, StoreUnavailable, Write

IdKind: TypeAlias = Literal["player", "room", "game"]
QUEUE_SETS = 100_000
"""Most write sets in the queue; the next one is refused."""
BATCH_SETS = 4_096
"""Most write sets in one transaction, so that other processes get their turn."""
TOLD_AT_ONCE = 16
"""Writers who are told in one turn of the event loop what came of their write sets: each then goes on at once."""
BLOCK_IDS = 100
"""Ids reserved at a time; a restart leaves the rest of a block unused."""
PROBE_INTERVAL_S = 0.5
WATCH_INTERVAL_S = 1.0
"""How often a look is taken whether the files are still there, while nobody writes."""

# A probe must take fresh pages, as new rows do: rewriting a page that exists succeeds on a disk that is full.
_PROBE: Batch = [("INSERT OR REPLACE INTO write_probe (id, filler) VALUES (1, zeroblob(65536))", [()])]
_PROBE_AFTER: Batch = [("DELETE FROM write_probe", [()])]
_RESERVE = "UPDATE ids SET next = next + ? WHERE kind = ? RETURNING next"


class _WriteSet(NamedTuple):
    done: asyncio.Future[None]
    writes: Sequence[Write]
    queued_s: float


class Writer:
    """Writes for this process; other processes may write too. Ended by `close`, which closes the connection."""

    def __init__(
        self,
        connection: DatabaseConnection,
        *,
        on_availability: Callable[[bool], None],
        on_commit: Callable[[float], object],
        queue_sets: int,
        block_ids: int,
        probe_interval_s: float,
        watch_interval_s: float,
        files: DatabaseFiles,
    ) -> None:
        self._connection = connection
        self._files = files
        self._on_availability = on_availability
        self._on_commit = on_commit
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
        self._answers: deque[tuple[asyncio.Future[None], Exception | None]] = deque()
        """write sets that are committed, or why they are not, whose writers are not told yet"""
        self._commits = 0
        self._task = self._loop.create_task(self._run(), name="database writer")
        self._watching = self._loop.create_task(self._watch(), name="database files")

    @property
    def available(self) -> bool:
        """Whether writes are accepted, as far as is known."""
        return self._lost is None

    @property
    def trouble(self) -> str | None:
        """Why writes are not accepted, in one sentence; None where they are."""
        return str(self._lost) if self._lost is not None else None

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
        self._queue.append(_WriteSet(done, writes, time.perf_counter()))
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
        while self._answers:
            self._tell()
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
            [(end,)] = await self._connection.rows(_RESERVE, (self._block_ids, kind))
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
                await self._look_at_files()
                while self._queue:
                    batch = self._queue[:BATCH_SETS]
                    del self._queue[:BATCH_SETS]
                    await self._commit(batch)
                    await self._look_at_files()
        finally:
            self._answer(self._queue, StoreUnavailable("The store is closed."))

    async def _commit(self, sets: Sequence[_WriteSet]) -> None:
        try:
            await self._connection.transact(_grouped(sets))
        except Exception as error:
            if not _is_refusal(error):
                self._lose(error)
                self._answer(sets, StoreUnavailable(str(self._lost)))
            elif len(sets) == 1:
                self._answer(sets, Conflict(f"{error}.") if isinstance(error, sqlite3.IntegrityError) else error)
            else:
                await self._commit_one_by_one(sets)
        else:
            self._commits += 1
            now_s, on_commit = time.perf_counter(), self._on_commit
            for _, _, queued_s in sets:
                on_commit((now_s - queued_s) * 1000)
            self._answer(sets)

    def _answer(self, sets: Iterable[_WriteSet], error: Exception | None = None) -> None:
        """Tell those who wait what came of it, a few at a time, while the next batch is on its way."""
        is_telling = bool(self._answers)
        self._answers.extend((done, error) for done, _, _ in sets)
        if not is_telling:
            self._tell()

    def _tell(self) -> None:
        for _ in range(min(TOLD_AT_ONCE, len(self._answers))):
            done, error = self._answers.popleft()
            if done.done():
                continue
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)
        if self._answers:
            self._loop.call_soon(self._tell)

    async def _commit_one_by_one(self, sets: Sequence[_WriteSet]) -> None:
        for one in sets:
            if self._lost is None:
                await self._commit([one])
            else:
                self._answer([one], StoreUnavailable(str(self._lost)))

    # Availability

    def _lose(self, error: BaseException | str) -> None:
        """Refuses what is queued and whatever comes, until the writer's probe succeeds."""
        first = self._lost is None
        self._lost = StoreUnavailable(f"The database cannot be written: {str(error).rstrip('.')}.")
        refused, self._queue = self._queue, []
        self._answer(refused, self._lost)
        self._work.set()
        if first:
            self._on_availability(False)

    async def _probe(self) -> None:
        """Tries to write until it works or the store is closing."""
        while self._lost is not None and not await self._closes_within(self._probe_interval_s):
            if self._files.change() is not None:
                continue
            try:
                await self._connection.transact(_PROBE)
                await self._connection.transact(_PROBE_AFTER)
            except sqlite3.Error:
                continue
            self._lost = None
            self._on_availability(True)

    async def _look_at_files(self) -> None:
        """Before each batch: if a file was deleted or replaced, save what only the deleted one holds, and write no
        more."""
        change = self._files.change()
        if change is not None and self._lost is None:
            with suppress(sqlite3.Error):
                await self._connection.rows("PRAGMA wal_checkpoint")
            self._lose(change)

    async def _watch(self) -> None:
        """Has the writer look at the files also while nobody writes."""
        while not await self._closes_within(self._watch_interval_s):
            self._work.set()

    async def _closes_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()


def _grouped(sets: Iterable[_WriteSet]) -> Batch:
    """The writes of many sets by statement, in the order of the statements."""
    by_statement: list[list[tuple[object, ...]]] = [[] for _ in Statement]
    for _, writes, _ in sets:
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
