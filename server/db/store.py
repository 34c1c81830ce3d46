"""The records while the server runs: writes in batches, reads beside them.

Reads go over two connections: what players need before they can go on, which is found at once, over the *reader*, and
what pages show over a `PageReader`, so that nobody's greeting waits until somebody's games are counted.

One task writes. It takes whatever has been queued since the last commit, runs it as one transaction, and resolves
the futures of all of it: under load the batches grow by themselves, and without load nothing waits for a timer.

    write() -> queue -> [BEGIN IMMEDIATE, the writes by kind of statement, COMMIT] -> futures

What costs is not the rows but the hops between threads, and how often the database's thread must ask for the
interpreter again: after every call into SQLite, behind an event loop that gives it up for a moment only. So a batch
is one hop, and the rows of moves and events go many to an INSERT.

A batch that cannot be committed because the disk or another program is in the way fails as a whole, and so does every
write until the writer's own probe gets through again: the store is then *unavailable*. A batch with a row that the
schema refuses is split, so that only the culprit gets its Conflict.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import aiosqlite

from engine.analysis.verdict import VERSION, MoveVerdict
from engine.stats.glicko import Rating
from server.db import explorer as explorer_rows
from server.db import play as rows
from server.db import review as review_rows
from server.db.explorer import ExplorerRow
from server.db.page_reader import PageReader
from server.db.play import (
    BesideRow,
    BotRatingRow,
    EventRow,
    GameRow,
    MoveRow,
    PlayerRow,
    RatingPoint,
    RatingRow,
    RoomRow,
    VariationRow,
)
from server.db.statements import SQL
from server.play.writes import Conflict, Statement, StoreUnavailable, Write

__all__ = ["Conflict", "EventRow", "GameRow", "MoveRow", "PlayerRow", "RoomRow", "Store", "StoreUnavailable"]

IdKind: TypeAlias = Literal["player", "room", "game"]
Batch: TypeAlias = Sequence[tuple[str, Sequence[tuple[object, ...]]]]
"""SQL and the rows to execute it with, in order."""
Row = TypeVar("Row")

QUEUE_SETS = 100_000
"""Most write sets that may wait; the next one is refused."""
BATCH_SETS = 4_096
"""Most write sets in one transaction, so that other processes get their turn."""
BLOCK_IDS = 100
"""Ids reserved at a time; a restart leaves the rest of a block unused."""
PROBE_INTERVAL_S = 0.5
BUSY_TIMEOUT_S = 3.0
"""How long a transaction waits for another process's lock."""
PAGE_QUERY_S = 2.0
"""How long a query of a page may take."""

_WRITER_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    # What is deleted is overwritten with zeros: there is little of it, and somebody may have asked for it.
    "secure_delete = ON",
    # In pages, 16 MB: pages that many rooms write to are copied to the database less often than by default.
    "wal_autocheckpoint = 4000",
)

# A probe must take fresh pages, as new rows do: rewriting a page that exists succeeds on a disk that is full.
_PROBE: Batch = [("INSERT OR REPLACE INTO write_probe (id, filler) VALUES (1, zeroblob(65536))", [()])]
_PROBE_AFTER: Batch = [("DELETE FROM write_probe", [()])]
_SIZES = (64, 32, 16, 8, 4, 2, 1)
_MANY_ROWS = {
    sql: [(size, sql.replace(values, ", ".join([values] * size))) for size in _SIZES]
    for sql in (SQL[Statement.ADD_MOVE], SQL[Statement.ADD_EVENT])
    for values in [sql.partition(" VALUES ")[2]]
}
"""For the statements of every move: how many rows at once, and the SQL for so many."""
_RESERVE = "UPDATE ids SET next = next + ? WHERE kind = ? RETURNING next"


class _WriterConnection(sqlite3.Connection):
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


class Store:
    """One database, written by this store and perhaps by other processes. Made by `Store.open`, ended by `close`."""

    def __init__(
        self,
        writer: aiosqlite.Connection,
        raw_writer: _WriterConnection,
        reader: aiosqlite.Connection,
        pages: PageReader,
        *,
        on_availability: Callable[[bool], None],
        queue_sets: int,
        block_ids: int,
        probe_interval_s: float,
    ) -> None:
        self._writer = writer
        self._raw_writer = raw_writer
        self._reader = reader
        self._pages = pages
        self._on_availability = on_availability
        self._queue_sets = queue_sets
        self._block_ids = block_ids
        self._probe_interval_s = probe_interval_s
        self._loop = asyncio.get_running_loop()
        self._queue: list[_WriteSet] = []
        self._work = asyncio.Event()
        self._closing = asyncio.Event()
        self._lost: StoreUnavailable | None = None
        self._blocks: dict[IdKind, range] = {}
        self._reserving: dict[IdKind, asyncio.Lock] = {}
        self._commits = 0
        self._task = self._loop.create_task(self._run(), name="store writer")

    @classmethod
    async def open(
        cls,
        path: Path | str,
        *,
        on_availability: Callable[[bool], None] = lambda available: None,
        queue_sets: int = QUEUE_SETS,
        block_ids: int = BLOCK_IDS,
        probe_interval_s: float = PROBE_INTERVAL_S,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        page_query_s: float = PAGE_QUERY_S,
    ) -> Store:
        """Opens a database that `server.db.migrate.prepare` has prepared. Raises StoreUnavailable.

        `on_availability` is called with False when writes begin to fail and with True when they work again.
        """
        raw: list[_WriterConnection] = []

        def connect_writer(*arguments: Any, **keywords: Any) -> _WriterConnection:
            raw.append(_WriterConnection(*arguments, **keywords))
            return raw[0]

        name = _absolute(path)
        settings: dict[str, Any] = {"timeout": busy_timeout_s, "isolation_level": None}
        opened: list[aiosqlite.Connection] = []
        try:
            opened.append(writer := await aiosqlite.connect(name, factory=connect_writer, **settings))
            opened.append(reader := await aiosqlite.connect(name, **settings))
            opened.append(pages := await aiosqlite.connect(name, **settings))
            for pragma in _WRITER_PRAGMAS:
                await _set_pragma(writer, pragma, busy_timeout_s)
            for connection in (reader, pages):
                await connection.execute_fetchall("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            for connection in opened:
                await connection.close()
            raise StoreUnavailable(f"The database {path} cannot be opened: {error}.") from error
        return cls(
            writer,
            raw[0],
            reader,
            PageReader(pages, page_query_s),
            on_availability=on_availability,
            queue_sets=queue_sets,
            block_ids=block_ids,
            probe_interval_s=probe_interval_s,
        )

    # Writing

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
        await asyncio.wait([self._task])
        await self._writer.close()
        await self._reader.close()
        await self._pages.close()

    def _refusal(self) -> StoreUnavailable | None:
        if self._closing.is_set():
            return StoreUnavailable("The store is closed.")
        if self._lost is not None:
            return StoreUnavailable(str(self._lost))
        if len(self._queue) >= self._queue_sets:
            return StoreUnavailable(f"The store is busy: {len(self._queue)} write sets wait already.")
        return None

    async def _reserve(self, kind: IdKind) -> range:
        refusal = self._refusal()
        if refusal is not None:
            raise refusal
        try:
            [(end,)] = await self._writer.execute_fetchall(_RESERVE, (self._block_ids, kind))
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
        self._raw_writer.batch = batch
        await self._writer.commit()

    # Availability

    def _lose(self, error: BaseException) -> None:
        """Refuses what is queued and what comes, until the writer's probe works."""
        first = self._lost is None
        self._lost = StoreUnavailable(f"The database cannot be written: {error}.")
        refused, self._queue = self._queue, []
        _fail(refused, self._lost)
        self._work.set()
        if first:
            self._on_availability(False)

    async def _probe(self) -> None:
        """Tries to write until it works or the store is closing."""
        while self._lost is not None and not await self._closes_within(self._probe_interval_s):
            try:
                await self._transact(_PROBE)
                await self._transact(_PROBE_AFTER)
            except sqlite3.Error:
                continue
            self._lost = None
            self._on_availability(True)

    async def _closes_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()

    # Reading

    async def player_by_token(self, token_hash: bytes) -> PlayerRow | None:
        return _only(await self._look_up(PlayerRow, rows.PLAYER_BY_TOKEN, (token_hash,)))

    async def player(self, id: int) -> PlayerRow | None:
        """One who has a token: a bot of the roster is nobody who could come."""
        return _only(await self._look_up(PlayerRow, rows.PLAYER, (id,)))

    async def bot_version(self, name: str, parameters: str, version: int) -> int | None:
        """The player id of a bot of the roster; `parameters` is compared as text."""
        return _only(await self._look_up(int, rows.BOT_VERSION, (name, parameters, version)))

    async def open_rooms(self) -> list[RoomRow]:
        """Rooms that are not closed, oldest first."""
        return await self._look_up(RoomRow, rows.OPEN_ROOMS, ())

    async def room_events(self, number: int) -> list[EventRow]:
        """A room's whole history in the order of `seq`."""
        return await self._look_up(EventRow, rows.ROOM_EVENTS, (number,))

    async def move_rows(self, game_id: int) -> list[MoveRow]:
        """The present line of a game, in order."""
        return await self.read(MoveRow, rows.MOVES, (game_id,))

    async def moves_of(self, games: Sequence[int]) -> dict[int, list[MoveRow]]:
        """The present lines of several games, by their ids; nothing of games without moves."""
        found = await self.read(_move_of_game, rows.MOVES_OF_GAMES, (json.dumps(list(games)),))
        return {game: [move for _, move in moves] for game, moves in groupby(found, itemgetter(0))}

    async def variations(self, game_id: int) -> list[VariationRow]:
        """What bots told of the lines that they expected, in a game of a room."""
        return await self.read(VariationRow, rows.VARIATIONS, (game_id,))

    async def beside(self, game_id: int) -> BesideRow | None:
        """What else is known of a game, None where there is none."""
        return _only(await self.read(BesideRow, rows.BESIDE, (game_id,)))

    async def cells(self, game_id: int) -> list[int]:
        """The moves of a game."""
        return await self._look_up(int, rows.CELLS, (game_id,))

    async def judged(self, game_id: int) -> dict[int, MoveVerdict]:
        """What this version's review has said of a game's moves so far, by ply, the last first."""
        return dict(await self._look_up(review_rows.judged_row, review_rows.JUDGED, (game_id, VERSION)))

    async def explored(self, game: str, key: int) -> list[ExplorerRow]:
        """The counted moves of the positions with this key."""
        return await self.read(ExplorerRow, explorer_rows.MOVES_FROM, (game, key))

    async def unexplored(self) -> int:
        """How many games the explorer should count and has not yet. Looks at every game: 0.4 s for a million."""
        [count] = await self.read(int, explorer_rows.UNEXPLORED)
        return count

    async def game(self, id: int) -> GameRow | None:
        """A game record. Whether somebody may see it is for the caller to ask: `GameRow.visible_to`."""
        return _only(await self._look_up(GameRow, rows.GAME, (id,)))

    async def games(
        self,
        *,
        game: str | None = None,
        player: int | None = None,
        before: int | None = None,
        run: str | None = None,
        a: int | None = None,
        b: int | None = None,
        opening: str | None = None,
        limit: int = 50,
        viewer: int | None = None,
    ) -> list[GameRow]:
        """Games that `viewer` may see, newest first, running ones among them; `before` is the last id of a page.

        `player`, `a` and `b` each had one of the seats; `opening` is named as the run names it.
        """
        players = list(dict.fromkeys(one for one in (player, a, b) if one is not None))
        if len(players) > 2:
            return []
        filters = {"game": game, "before": before, "run": run, "opening": opening}
        sql = rows.games_page(players=len(players), **{name: value is not None for name, value in filters.items()})
        seats = dict(zip(("first", "second"), players, strict=False))
        return await self.read(GameRow, sql, {**filters, **seats, "limit": limit, "viewer": viewer})

    async def rating(self, player: int, game: str) -> Rating | None:
        """What a rating is made on from; None before a player's first rated game of this kind."""
        return _only(await self._look_up(Rating, rows.RATING, (player, game)))

    async def bot_ratings(self, game: str) -> list[BotRatingRow]:
        """Of every version of a bot that has a rating in this kind of game."""
        return await self._look_up(BotRatingRow, rows.BOT_RATINGS, (game,))

    async def ratings(self, player: int) -> list[RatingRow]:
        """A player's ratings, the kind of game played most first; none where no rated game was played."""
        return await self.read(RatingRow, rows.RATINGS, (player,))

    async def rating_history(self, player: int, game: str) -> list[RatingPoint]:
        """A player's rating after each rated game of a kind, in the order in which they ended."""
        return await self.read(RatingPoint, rows.RATING_HISTORY, (player, game))

    async def read(self, row: Callable[..., Row], sql: str, parameters: Any = ()) -> list[Row]:
        """The rows that a page's query answers, each made by `row` from its columns."""
        return await self._rows(row, self._pages.fetch, sql, parameters)

    async def _look_up(self, row: Callable[..., Row], sql: str, parameters: Any = ()) -> list[Row]:
        """The same of what a player waits for: queries that look at few rows, however many games there are."""
        return await self._rows(row, self._reader.execute_fetchall, sql, parameters)

    async def _rows(
        self, row: Callable[..., Row], fetch: Callable[[str, Any], Awaitable[Iterable[Any]]], sql: str, parameters: Any
    ) -> list[Row]:
        if self._task.done():
            raise StoreUnavailable("The store is closed.")
        try:
            return [row(*values) for values in await fetch(sql, parameters)]
        except sqlite3.Error as error:
            raise StoreUnavailable(f"The database cannot be read: {error}.") from error


def _move_of_game(game_id: int, *columns: Any) -> tuple[int, MoveRow]:
    return game_id, MoveRow(*columns)


def _absolute(path: Path | str) -> str:
    """So that no name means something special to SQLite, as `:memory:` does."""
    return str(Path(path).absolute())


async def _set_pragma(connection: aiosqlite.Connection, pragma: str, busy_timeout_s: float) -> None:
    """SQLite does not wait by itself while another process changes the journal, as one that starts at once does."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + busy_timeout_s
    while True:
        try:
            await connection.execute_fetchall(f"PRAGMA {pragma}")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or loop.time() >= deadline:
                raise
        await asyncio.sleep(0.02)


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


def _only(found: Sequence[Row]) -> Row | None:
    return found[0] if found else None
