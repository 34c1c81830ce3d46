from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from engine.stats.glicko import Rating
from server.db import writer
from server.db.play import RatingPoint, RatingRow, VariationRow
from server.db.store import Conflict, Store, StoreUnavailable
from server.db.writer import Batch
from server.play.writes import Statement, Write
from tests.support.database.database_files import (
    ANN,
    BOB,
    BOT,
    INVITE_ROOM,
    ROOM,
    add_event,
    add_move,
    execute,
    new_database,
    opened,
    people_and_rooms,
    rating_history,
    start_game,
)

GAME = 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    """With people, rooms and one running game in the first room."""
    async with opened(path) as store:
        await store.write([*people_and_rooms(), start_game(GAME, room_number=ROOM, serial=1, source="room")])
        yield store


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program has the write lock."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


async def taken(store: Store) -> None:
    """Until the writer has taken the queue; its transaction has begun or is about to."""
    for _ in range(3):
        await asyncio.sleep(0)
    assert store.writer.queued == 0


async def probes(store: Store, count: int) -> None:
    """Until an unavailable store has tried so often to write."""
    transact, tried = store.writer._connection.transact, asyncio.Semaphore(0)

    async def counting(batch: Batch) -> None:
        try:
            await transact(batch)
        finally:
            tried.release()

    store.writer._connection.transact = counting  # type: ignore[method-assign]
    for _ in range(count):
        await asyncio.wait_for(tried.acquire(), 60)
    store.writer._connection.transact = transact  # type: ignore[method-assign]


class Availability:
    """What a store told about itself."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self._changed = asyncio.Event()

    def __call__(self, available: bool) -> None:
        self.told.append(available)
        self._changed.set()

    async def until(self, *told: bool) -> None:
        while self.told != list(told):
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 60)


# Batches


async def test_what_is_queued_together_is_one_commit(store: Store) -> None:
    before = store.writer.commits
    await asyncio.gather(*(store.write([add_move(GAME, ply), add_event(ROOM, ply + 1)]) for ply in range(50)))
    assert store.writer.commits == before + 1
    assert [move.ply for move in await store.move_rows(GAME)] == list(range(50))


async def test_batches_grow_while_one_is_being_committed(store: Store) -> None:
    before = store.writer.commits
    first = store.write([add_move(GAME, 0)])
    await taken(store)
    assert not first.done()
    rest = [store.write([add_move(GAME, ply)]) for ply in range(1, 30)]
    await asyncio.gather(first, *rest)
    assert store.writer.commits == before + 2


async def test_those_who_wait_for_one_commit_are_told_a_few_at_a_time(store: Store) -> None:
    waiting = [store.write([add_move(GAME, ply)]) for ply in range(40)]
    await waiting[0]
    assert sum(one.done() for one in waiting) == writer.TOLD_AT_ONCE
    await asyncio.gather(*waiting)


async def test_a_batch_has_a_bound(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BATCH_SETS", 10)
    before = store.writer.commits
    await asyncio.gather(*(store.write([add_move(GAME, ply)]) for ply in range(25)))
    assert store.writer.commits == before + 3


@pytest.mark.parametrize("rows", [1, 2, 3, 63, 64, 65, 127, 200])
async def test_any_number_of_rows_arrives_in_order_and_unchanged(store: Store, rows: int) -> None:
    bodies = [f'{{"e":"said","text":"{seq} ü ✓"}}' for seq in range(1, rows + 1)]
    await asyncio.gather(
        *(store.write([add_event(ROOM, seq, body.encode() if seq % 2 else body)]) for seq, body in enumerate(bodies, 1))
    )
    events = await store.room_events(ROOM)
    assert [event.seq for event in events] == list(range(1, rows + 1))
    assert [event.body for event in events] == bodies


async def test_statements_of_one_batch_run_in_their_order(path: Path) -> None:
    """A move may come before its player, room and game in the queue, as long as all come in one batch."""
    async with opened(path) as store:
        sets: list[list[Write]] = [
            [add_event(ROOM, 1)],
            [add_move(GAME, 0)],
            [start_game(GAME, room_number=ROOM)],
            people_and_rooms(),
        ]
        await asyncio.gather(*map(store.write, sets))
        assert store.writer.commits == 1


async def test_a_commit_is_on_disk_before_the_future_is_done(store: Store, path: Path) -> None:
    await store.write([add_move(GAME, 0)])
    assert execute(path, "SELECT count(*) FROM moves") == [(1,)]


async def test_everything_is_there_after_reopening(path: Path) -> None:
    async with opened(path) as store:
        await store.write(people_and_rooms())
        await store.write([start_game(GAME), add_move(GAME, 0, value=0.5, nodes=9), add_event(ROOM, 1)])
    async with opened(path) as store:
        assert [room.id for room in await store.awake_rooms()] == ["room-one", "room-two"]
        [move] = await store.move_rows(GAME)
        assert (move.cell, move.value, move.nodes) == (0, 0.5, 9)
        assert len(await store.room_events(ROOM)) == 1


async def test_commits_are_durable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connections: list[aiosqlite.Connection] = []

    def connect(*arguments: object, **settings: object) -> aiosqlite.Connection:
        connections.append(real_connect(*arguments, **settings))  # type: ignore[arg-type]
        return connections[-1]

    real_connect = aiosqlite.connect
    monkeypatch.setattr(aiosqlite, "connect", connect)
    async with opened(path):
        writer = connections[0]
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            assert list(await writer.execute_fetchall(f"PRAGMA {pragma}")) == [(value,)]


async def test_what_bots_told_is_found_in_the_events_of_their_game(store: Store) -> None:
    game = await store.game(GAME)
    assert game is not None
    found = '{"e":"moved","ply":%d,"search":{"depth":2,"pv":["a1","b2"]}}'
    during, before = game.started_ms, game.started_ms - 1
    events = [
        (1, before, "moved", found % 0),  # of an earlier game of the room
        (2, during, "moved", found % 1),
        (3, during, "moved", '{"e":"moved","ply":2}'),
        (4, during, "said", '{"e":"said","text":"pv"}'),
    ]
    await store.write([(Statement.ADD_EVENT, (ROOM, *event)) for event in events])
    assert await store.variations(GAME) == [VariationRow(ply=1, at_ms=during, pv='["a1","b2"]')]


# Conflicts


async def test_a_second_row_for_a_ply_is_a_conflict_and_spares_the_others(store: Store) -> None:
    await store.write([add_move(GAME, 0, cell=4)])
    good = store.write([add_event(ROOM, 1)])
    bad = store.write([add_event(ROOM, 2), add_move(GAME, 0, cell=5)])
    also_good = store.write([add_move(GAME, 1)])
    results = await asyncio.gather(good, bad, also_good, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), Conflict, type(None)]
    assert [move.cell for move in await store.move_rows(GAME)] == [4, 1]
    assert [event.seq for event in await store.room_events(ROOM)] == [1]
    assert store.available


@pytest.mark.parametrize(
    "write",
    [
        (Statement.ADD_EVENT, (ROOM, 0, 1, "said", "{}")),
        (Statement.ADD_EVENT, (99, 1, 1, "said", "{}")),
        (Statement.ADD_EVENT, (ROOM, 1, "today", "said", "{}")),
        (Statement.ADD_PLAYER, (9, "Eve", "person", b"a" * 32, 1)),
        (Statement.ADD_PLAYER, (9, "Eve", "cat", None, 1)),
        (Statement.ADD_PLAYER, (9, None, "person", None, 1)),
        (Statement.ADD_BOT_VERSION, (ANN, "alphabeta", '{"depth":2}', 1)),
        (Statement.ADD_ROOM, (9, "room-nine", "no json", None, 1)),
        add_move(99, 0),
        add_move(GAME, -1),
        add_move(GAME, 0, value="high"),
        start_game(9, x_player=99),
        start_game(9, source="dream"),
        start_game(9, room_number=ROOM, serial=1),
        start_game(9, move_ms=100, initial_ms=1000),
        (Statement.END_GAME, (5, "x", "boredom", 3, GAME)),
        (Statement.END_GAME, (5, "nobody", "line", 3, GAME)),
        (Statement.END_GAME, (None, "x", "line", 3, GAME)),
    ],
)
async def test_the_schema_refuses(store: Store, write: Write) -> None:
    with pytest.raises(Conflict):
        await store.write([write])
    await store.write([add_move(GAME, 0), add_event(ROOM, 1)])


@pytest.mark.parametrize(
    "parameters", [(1, 2), (object(), 1, 1, "said", "{}"), (2**70, 1, 1, "said", "{}"), (1, 1, 1, "said", "\ud800")]
)
async def test_parameters_that_no_statement_takes_spare_the_others(
    store: Store, parameters: tuple[object, ...]
) -> None:
    good = store.write([add_move(GAME, 0)])
    bad = store.write([(Statement.ADD_EVENT, parameters)])
    assert await good is None
    with pytest.raises((sqlite3.Error, OverflowError, UnicodeError)):
        await bad
    assert store.available


async def test_commits_are_timed(path: Path) -> None:
    taken_ms: list[float] = []
    async with opened(path, on_commit=taken_ms.append) as store:
        await asyncio.gather(store.write(people_and_rooms()), store.write([]))
        assert len(taken_ms) == 2, "one for each write set"
        with pytest.raises(Conflict):
            await store.write([add_event(99, 1)])
    assert len(taken_ms) == 2, "what is refused takes no time"
    assert all(0 < ms < 60_000 for ms in taken_ms)


async def test_a_cancelled_future_changes_nothing_for_others(store: Store) -> None:
    cancelled, other = store.write([add_move(GAME, 0)]), store.write([add_move(GAME, 1)])
    cancelled.cancel()
    await other
    assert len(await store.move_rows(GAME)) == 2


async def test_cancelled_futures_do_not_hide_a_conflict_nor_meet_one(store: Store) -> None:
    cancelled, conflict, cancelled_too = [store.write([add_move(GAME, 0)]) for _ in range(3)]
    cancelled.cancel()
    cancelled_too.cancel()
    with pytest.raises(Conflict):
        await conflict
    await store.write([add_move(GAME, 1)])


async def test_a_second_event_for_a_seq_is_a_conflict(store: Store) -> None:
    await store.write([add_event(ROOM, 1, '{"e":"first"}')])
    with pytest.raises(Conflict):
        await store.write([add_event(ROOM, 1, '{"e":"second"}')])
    assert [event.body for event in await store.room_events(ROOM)] == ['{"e":"first"}']


# Takebacks


async def test_a_takeback_keeps_what_the_moves_took(store: Store, path: Path) -> None:
    moves = [
        add_move(GAME, ply, wait_ms=ply, x_ms=9, o_ms=8, nodes=7, depth=6, value=0.5, win_in=-4, pruned=3)
        for ply in range(4)
    ]
    await store.write(moves)
    before = execute(path, "SELECT * FROM moves WHERE ply >= 2")
    await store.write(
        [
            (Statement.KEEP_TAKEN_BACK, (11, GAME, 2)),
            (Statement.DELETE_TAKEN_BACK, (GAME, 2)),
            add_event(ROOM, 11),
        ]
    )
    assert [move.ply for move in await store.move_rows(GAME)] == [0, 1]
    kept = execute(path, "SELECT * FROM moves_taken_back")
    assert [(game, *rest) for game, _, *rest in kept] == before
    assert {seq for _, seq, *_ in kept} == {11}
    await store.write([add_move(GAME, 2, cell=8)])
    await store.write([(Statement.KEEP_TAKEN_BACK, (15, GAME, 2)), (Statement.DELETE_TAKEN_BACK, (GAME, 2))])
    assert execute(path, "SELECT taken_seq, ply, cell FROM moves_taken_back") == [(11, 2, 2), (11, 3, 3), (15, 2, 8)]


# Availability


async def test_a_full_disk_is_unavailable_until_there_is_room(path: Path) -> None:
    told = Availability()
    async with opened(path, on_availability=told) as store:
        await store.write(people_and_rooms())
        [(pages,)] = await store.writer._connection.rows("PRAGMA page_count")
        await store.writer._connection.rows(f"PRAGMA max_page_count = {pages}")
        big = f'"{"x" * 10_000}"'
        failed = [store.write([add_event(ROOM, seq, big)]) for seq in (1, 2)]
        for future in failed:
            with pytest.raises(StoreUnavailable, match="full"):
                await future
        assert not store.available
        assert told.told == [False]
        with pytest.raises(StoreUnavailable, match="full"):
            await store.write([add_event(ROOM, 1)])
        assert len(await store.awake_rooms()) == 2, "reading works"
        await probes(store, 3)
        assert told.told == [False], "a probe is no smaller than what it stands for"
        await store.writer._connection.rows("PRAGMA max_page_count = 100000")
        await told.until(False, True)
        await store.write([add_event(ROOM, 1, big)])
        assert [event.seq for event in await store.room_events(ROOM)] == [1]
    assert execute(path, "SELECT count(*) FROM write_probe") == [(0,)]


def lose(path: Path) -> Path:
    """Where the file is now."""
    return path.rename(path.with_name("away"))


async def test_a_log_that_was_deleted_is_noticed_with_nothing_lost(path: Path, tmp_path: Path) -> None:
    told = Availability()
    async with opened(path, on_availability=told, watch_interval_s=0.0) as store:
        await store.write(people_and_rooms())
        lose(Path(f"{path}-wal"))
        await told.until(False)
        with pytest.raises(StoreUnavailable, match="db-wal was deleted while the server runs: restart it"):
            await store.write([add_event(ROOM, 1)])
        assert len(execute(Path(shutil.copy(path, tmp_path / "copy")), "SELECT * FROM rooms")) == 2, "without the log"


async def test_nothing_is_acknowledged_while_a_deleted_log_is_rescued(path: Path, tmp_path: Path) -> None:
    told = Availability()
    async with opened(path, on_availability=told, watch_interval_s=0.0) as store:
        await store.write(people_and_rooms())
        rows = store.writer._connection.rows
        late: list[asyncio.Future[None]] = []

        async def rescuing(sql: str, parameters: Any = ()) -> Any:
            late.append(store.write([add_event(ROOM, 2)]))
            return await rows(sql, parameters)

        store.writer._connection.rows = rescuing  # type: ignore[method-assign]
        in_flight = store.write([add_event(ROOM, 1)])
        await taken(store)
        lose(Path(f"{path}-wal"))
        await in_flight
        await told.until(False)
        for refused in (late[0], store.write([add_event(ROOM, 3)])):
            with pytest.raises(StoreUnavailable, match="db-wal was deleted"):
                await refused
        assert execute(Path(shutil.copy(path, tmp_path / "copy")), "SELECT seq FROM events") == [(1,)], (
            "without the log"
        )


async def test_nothing_is_written_to_a_deleted_log(path: Path) -> None:
    async with opened(path, watch_interval_s=60.0) as store:
        await store.write(people_and_rooms())
        lose(Path(f"{path}-wal"))
        with pytest.raises(StoreUnavailable, match="db-wal was deleted"):
            await store.write([add_event(ROOM, 1)])


async def test_a_database_that_was_moved_is_noticed_until_it_is_back(path: Path) -> None:
    told = Availability()
    async with opened(path, on_availability=told, watch_interval_s=0.0) as store:
        away = lose(path)
        await told.until(False)
        with pytest.raises(StoreUnavailable, match="was deleted"):
            await store.write(people_and_rooms())
        away.rename(path)
        await told.until(False, True)
        await store.write(people_and_rooms())


async def test_a_lock_held_too_long_is_unavailable_until_it_is_gone(path: Path) -> None:
    told = Availability()
    async with opened(path, on_availability=told, busy_timeout_s=0) as store:
        with locked(path):
            queued = [store.write(people_and_rooms()), store.write([add_event(ROOM, 1)])]
            results = await asyncio.gather(*queued, return_exceptions=True)
            assert [type(result) for result in results] == [StoreUnavailable, StoreUnavailable]
        await told.until(False, True)
        await store.write(people_and_rooms())


async def test_a_lock_held_shortly_is_waited_for(path: Path) -> None:
    async with opened(path, busy_timeout_s=30) as store:
        with locked(path):
            future = store.write(people_and_rooms())
            await taken(store)
            assert not future.done()
        await future


async def test_those_whose_commit_fails_are_told_a_few_at_a_time(path: Path) -> None:
    async with opened(path, busy_timeout_s=0) as store:
        with locked(path):
            waiting = [store.write([add_move(GAME, ply)]) for ply in range(40)]
            with pytest.raises(StoreUnavailable):
                await waiting[0]
            assert sum(one.done() for one in waiting) == writer.TOLD_AT_ONCE
            failed = await asyncio.gather(*waiting, return_exceptions=True)
            assert {type(error) for error in failed} == {StoreUnavailable}


async def test_what_was_queued_behind_a_failed_batch_fails_too(path: Path) -> None:
    async with opened(path, busy_timeout_s=0) as store:
        with locked(path):
            first = store.write(people_and_rooms())
            await taken(store)
            second = store.write([add_event(ROOM, 1)])
            results = await asyncio.gather(first, second, return_exceptions=True)
        assert [type(result) for result in results] == [StoreUnavailable, StoreUnavailable]


async def test_a_file_that_turned_read_only_is_unavailable(path: Path) -> None:
    told = Availability()
    async with opened(path, on_availability=told) as store:
        await store.writer._connection.rows("PRAGMA query_only = ON")
        with pytest.raises(StoreUnavailable, match="readonly"):
            await store.write(people_and_rooms())
        await store.writer._connection.rows("PRAGMA query_only = OFF")
        await told.until(False, True)


async def test_a_store_that_cannot_write_can_be_closed(path: Path) -> None:
    async with opened(path, busy_timeout_s=0, probe_interval_s=3600) as store:
        with locked(path):
            with pytest.raises(StoreUnavailable):
                await store.write(people_and_rooms())
            await store.close()


async def test_while_split_a_batch_may_become_unavailable(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up while a conflict is being looked for: nobody is left waiting."""
    transact, calls = store.writer._connection.transact, 0

    async def third_is_full(batch: Batch) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise sqlite3.OperationalError("database or disk is full")
        await transact(batch)

    monkeypatch.setattr(store.writer._connection, "transact", third_is_full)
    sets = [[add_move(GAME, 0)], [add_move(GAME, 0)], [add_move(GAME, 1)]]
    results = await asyncio.gather(*map(store.write, sets), return_exceptions=True)
    assert [type(result) for result in results] == [type(None), StoreUnavailable, StoreUnavailable]


async def test_the_queue_has_a_bound(path: Path) -> None:
    async with opened(path, queue_sets=3) as store:
        futures = [store.write([]) for _ in range(4)]
        with pytest.raises(StoreUnavailable, match="busy"):
            await futures[3]
        await asyncio.gather(*futures[:3])
        await store.write(people_and_rooms())
        assert store.available


async def test_closing_finishes_what_is_queued(path: Path) -> None:
    store = await Store.open(path)
    futures = [store.write(people_and_rooms()), *(store.write([add_event(ROOM, seq)]) for seq in range(1, 20))]
    await store.close()
    assert all(future.done() and future.exception() is None for future in futures)
    assert execute(path, "SELECT count(*) FROM events") == [(19,)]
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.write([])
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.awake_rooms()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.next_id("game")
    await store.close()


async def test_a_file_that_is_no_database_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("Dear diary, this is no database at all. " * 50)
    with pytest.raises(StoreUnavailable, match="not a database"):
        await Store.open(tmp_path / "notes.db")


# Ids


async def test_two_stores_on_one_file_take_turns_and_share_no_id(path: Path) -> None:
    async with opened(path, block_ids=3) as one, opened(path, block_ids=3) as other:
        ids = await asyncio.gather(*(store.next_id("game") for store in (one, other) for _ in range(10)))
        assert len(set(ids)) == 20
        await one.write(people_and_rooms())
        await asyncio.gather(
            *(store.write([start_game(id)]) for store, part in ((one, ids[:10]), (other, ids[10:])) for id in part)
        )
        assert len(await one.games(limit=100)) == 20


async def test_ids_count_up_by_kind_and_go_on_after_a_restart(path: Path) -> None:
    async with opened(path) as store:
        assert [await store.next_id("game") for _ in range(3)] == [1, 2, 3]
        assert await store.next_id("player") == 1
    async with opened(path) as store:
        assert await store.next_id("game") > 3


async def test_no_id_of_a_block_is_lost_to_callers_at_once(path: Path) -> None:
    async with opened(path, block_ids=4) as store:
        assert await asyncio.gather(*(store.next_id("room") for _ in range(10))) == list(range(1, 11))


async def test_losing_the_disk_twice_is_told_once(path: Path) -> None:
    told = Availability()
    async with opened(path, busy_timeout_s=0, probe_interval_s=3600, on_availability=told) as store:
        with locked(path):
            results = await asyncio.gather(store.next_id("game"), store.next_id("room"), return_exceptions=True)
        assert [type(result) for result in results] == [StoreUnavailable, StoreUnavailable]
        assert told.told == [False]


async def test_no_id_without_a_reservation(path: Path) -> None:
    told = Availability()
    async with opened(path, busy_timeout_s=0, on_availability=told) as store:
        with locked(path), pytest.raises(StoreUnavailable):
            await store.next_id("game")
        await told.until(False, True)
        assert await store.next_id("game") == 1


# Reading


ENDLESS = "WITH RECURSIVE far (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM far) SELECT count(*) FROM far"


async def begun(store: Store, sql: str) -> asyncio.Task[list[int]]:
    """A page's query that the store has given to the database."""
    query = asyncio.create_task(store.read(int, sql))
    for _ in range(3):
        await asyncio.sleep(0)
    assert store.reader._pages._running is not None
    return query


async def test_nobody_waits_for_the_query_of_a_page(path: Path) -> None:
    async with opened(path, page_query_s=30) as store:
        await store.write(people_and_rooms())
        slow = await begun(store, ENDLESS)
        ann = await store.player_by_token(b"a" * 32)
        assert ann is not None
        assert await store.player(ANN) == ann
        assert await store.bot_version("alphabeta", '{"depth":2}', 1) == BOT
        assert await store.rating(ANN, "tictactoe") is None
        assert await store.game(GAME) is None
        assert len(await store.awake_rooms()) == 2
        assert await store.room_events(ROOM) == []
        await store.write([add_event(ROOM, 1)])
        assert not slow.done()
    with pytest.raises(StoreUnavailable, match="closed"):
        await slow


@pytest.mark.parametrize("bound_s", [0, 0.2])
async def test_a_query_of_a_page_that_takes_too_long_is_stopped(path: Path, bound_s: float) -> None:
    async with opened(path, page_query_s=bound_s) as store:
        slow = await begun(store, ENDLESS)
        store.reader._pages._query_s = 30
        behind = asyncio.create_task(store.read(int, "SELECT 7"))
        with pytest.raises(StoreUnavailable, match=r"^A query took more than .* s and was stopped\.$"):
            await slow
        assert await behind == [7]
        assert await store.games() == []


async def test_a_query_is_stopped_that_the_database_begins_when_its_time_is_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite forgets an interrupt that comes before the query."""
    async with opened(path, page_query_s=0) as store:
        connection, free, interrupted = store.reader._pages._connection, threading.Event(), asyncio.Event()
        interrupt = connection.interrupt

        async def told_interrupt() -> None:
            await interrupt()
            interrupted.set()

        monkeypatch.setattr(connection, "interrupt", told_interrupt)
        busy = asyncio.create_task(connection._connection._execute(free.wait))
        await asyncio.sleep(0)
        slow = await begun(store, ENDLESS)
        await interrupted.wait()
        free.set()
        await busy
        with pytest.raises(StoreUnavailable, match="was stopped"):
            await slow


async def test_pages_go_on_when_an_asker_has_gone(path: Path) -> None:
    async with opened(path, page_query_s=0.2) as store:
        slow = await begun(store, ENDLESS)
        store.reader._pages._query_s = 30
        waiting, behind = (asyncio.create_task(store.read(int, sql)) for sql in (ENDLESS, "SELECT 7"))
        await asyncio.sleep(0)
        for gone in (slow, waiting):
            gone.cancel()
            await asyncio.wait([gone])
        assert await behind == [7]


async def test_closing_stops_the_query_of_a_page_and_refuses_those_behind(path: Path) -> None:
    async with opened(path, page_query_s=60) as store:
        queries = [await begun(store, ENDLESS), *(asyncio.create_task(store.read(int, ENDLESS)) for _ in range(3))]
        await asyncio.sleep(0)
        await asyncio.wait_for(store.close(), 60)
        for query in queries:
            with pytest.raises(StoreUnavailable, match=r"^The store is closed\.$"):
                await query
        await store.close()


async def test_a_query_that_is_wrong_is_told(store: Store) -> None:
    with pytest.raises(StoreUnavailable, match="no such table: dreams"):
        await store.read(int, "SELECT 1 FROM dreams")
    assert await store.read(int, "SELECT 7") == [7]


async def test_players(store: Store) -> None:
    ann = await store.player_by_token(b"a" * 32)
    assert ann is not None
    assert (ann.id, ann.name, ann.kind, ann.created_ms) == (ANN, "Ann", "person", 1)
    await store.write([(Statement.RENAME_PLAYER, ("Anna", ANN))])
    renamed = await store.player(ANN)
    assert renamed is not None
    assert renamed.name == "Anna"
    assert await store.player_by_token(b"unknown") is None
    assert await store.player(99) is None
    assert await store.player(BOT) is None, "a bot of the roster has no token and cannot come"
    assert await store.bot_version("alphabeta", '{"depth":2}', 1) == BOT
    assert await store.bot_version("alphabeta", '{"depth":3}', 1) is None


async def test_players_are_found_by_a_part_of_the_name_or_by_the_whole_number(store: Store) -> None:
    for search, found in (("", [BOB, ANN]), ("O", [BOB]), (str(ANN), [ANN]), (f"{ANN} or so", []), ("alpha", [])):
        assert [player.id for player in await store.players_named(search, 9)] == found, search


async def test_players_are_found_in_capitals_of_any_script(store: Store) -> None:
    await store.write([(Statement.RENAME_PLAYER, ("Zoë Эве Groß", ANN))])
    for search in ("ZOË", "эВЕ", "GROSS", "groß"):
        assert [player.id for player in await store.players_named(search, 9)] == [ANN], search


async def test_a_deleted_player_gets_neither_a_name_nor_a_token_again(store: Store) -> None:
    await store.write([(Statement.ANONYMISE_PLAYER, ("deleted player 1", ANN))])
    await store.write([(Statement.RENAME_PLAYER, ("Ann", ANN)), (Statement.CHANGE_TOKEN, (b"c" * 32, ANN))])
    assert await store.player(ANN) is None
    assert await store.player_by_token(b"c" * 32) is None


async def test_closed_rooms_are_not_open(store: Store) -> None:
    await store.write([(Statement.CLOSE_ROOM, (9, ROOM))])
    [room] = await store.awake_rooms()
    assert (room.number, room.id, room.spec, room.code, room.created_ms) == (2, "room-two", "{}", "secret-code", 5)


async def test_a_game_record(store: Store) -> None:
    await store.write(
        [
            start_game(
                5, room_number=INVITE_ROOM, serial=2, source="room", game="qubic", x_player=BOT, initial_ms=1000,
                increment_ms=0, x_limit='{"depth":2}', start='["a1.1"]', run_id="night", pair_id=3, opening_id="a",
            )
        ]
    )  # fmt: skip
    await store.write([(Statement.END_GAME, (77, "o", "flag", 12, 5))])
    game = await store.game(5)
    assert game is not None
    assert (game.room, game.serial, game.source, game.game) == ("room-two", 2, "room", "qubic")
    assert (game.x_player, game.x_name, game.x_kind, game.x_version) == (BOT, "alphabeta:2", "bot", 1)
    assert (game.o_player, game.o_name, game.o_kind, game.o_version) == (BOB, "Bob", "person", None)
    assert (game.initial_ms, game.increment_ms, game.move_ms) == (1000, 0, None)
    assert (game.x_limit, game.o_limit, game.start) == ('{"depth":2}', None, '["a1.1"]')
    assert (game.run_id, game.pair_id, game.opening_id, game.seed) == ("night", 3, "a", 7)
    assert (game.machine, game.software, game.started_ms) == ("m", "0.1.0", 5)
    assert (game.ended_ms, game.winner, game.termination, game.plies) == (77, "o", "flag", 12)
    assert (game.rated, game.private) == (0, 1)
    assert await store.game(99) is None


async def test_games_of_an_invite_room_are_listed_to_their_players_only(store: Store) -> None:
    await store.write([start_game(2, room_number=INVITE_ROOM, serial=1, source="room", o_player=BOT)])

    async def listed(viewer: int | None) -> list[int]:
        return [game.id for game in await store.games(viewer=viewer)]

    assert await listed(None) == [1]
    assert await listed(BOB) == [1]
    assert await listed(ANN) == [2, 1]
    assert await listed(BOT) == [2, 1]
    private = await store.game(2)
    assert private is not None
    assert [private.visible_to(viewer) for viewer in (None, ANN, BOB, BOT)] == [False, True, False, True]
    public = await store.game(1)
    assert public is not None
    assert public.visible_to(None)


async def test_pages_of_games_newest_first(store: Store) -> None:
    # Ids come in blocks, so a greater one may have started earlier; equal times are told apart by the id.
    started = {1: 1, 2: 50, 3: 40, 4: 40, 5: 30, 6: 60}
    await store.write(
        [
            start_game(
                id,
                started_ms=ms,
                game="qubic" if id in (2, 5) else "tictactoe",
                x_player=BOT if id in (3, 5) else ANN,
                o_player=BOT if id in (3, 6) else BOB,
            )
            for id, ms in started.items()
            if id > 1
        ]
    )

    async def pages(**filters: object) -> list[list[int]]:
        found: list[list[int]] = []
        before = None
        while page := [game.id for game in await store.games(limit=2, before=before, **filters)]:  # type: ignore[arg-type]
            found.append(page)
            before = page[-1]
        return found

    assert await pages() == [[6, 2], [4, 3], [5, 1]]
    assert await pages(game="qubic") == [[2, 5]]
    assert await pages(player=BOT) == [[6, 3], [5]]
    assert await pages(player=ANN, game="tictactoe") == [[6, 4], [1]]
    assert await pages(player=99) == []
    assert await pages(a=BOT) == await pages(player=BOT)
    assert await pages(a=ANN, b=BOT) == await pages(a=BOT, b=ANN) == [[6]]
    assert await pages(player=BOB, a=ANN) == [[2, 4], [1]]
    assert await pages(player=BOB, a=ANN, b=BOT) == []
    assert await pages(a=BOT, b=BOT) == await pages(player=BOT, a=BOT, b=BOT) == [[3]]
    assert await pages(player=ANN, a=BOT, b=BOT) == []
    assert await store.games(before=99) == []


async def test_games_of_a_run_and_its_openings(store: Store) -> None:
    runs = {
        2: ("night/small/1", "a1 b2"),
        3: ("night/small/1", "a1 b2"),
        4: ("night/small/1", "b2 a1"),
        5: ("other", "a1 b2"),
    }
    await store.write(
        [
            start_game(id, source="ladder", run_id=run, pair_id=id, opening_id=opening)
            for id, (run, opening) in runs.items()
        ]
    )

    async def listed(**filters: object) -> list[int]:
        return [game.id for game in await store.games(**filters)]  # type: ignore[arg-type]

    assert await listed(run="night/small/1") == [4, 3, 2]
    assert await listed(run="night/small/1", before=4) == [3, 2]
    assert await listed(run="night/small/1", opening="a1 b2") == [3, 2]
    assert await listed(run="night/small/1", a=BOB, b=ANN, opening="b2 a1") == [4]
    assert await listed(run="night/small/1", a=BOT) == await listed(run="night") == []
    assert await listed(opening="a1 b2") == [5, 3, 2]


# Ratings


def rated_end(game: int, player: int, rating: float, games: int, kind: str = "tictactoe") -> list[Write]:
    """What a rated game's end writes of one of its players, at `1000 * game` ms."""
    return [
        (Statement.SET_RATING, (player, kind, rating, 90.5, 0.06, games, 1000 * game)),
        (Statement.ADD_RATING_CHANGE, (game, player, 1500.0, rating, 90.5, 0.06)),
    ]


def ended_game(game: int, kind: str = "tictactoe") -> list[Write]:
    return [start_game(game, game=kind), (Statement.END_GAME, (1000 * game, "x", "line", 5, game))]


async def test_a_player_without_rated_games_has_no_rating(store: Store) -> None:
    assert await store.rating(ANN, "tictactoe") is None
    assert await store.ratings(ANN) == []
    assert await rating_history(store, ANN, "tictactoe") == []


async def test_a_rating_and_how_it_came_about(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.25, 1), *rated_end(20, BOB, 1400.0, 1)])
    await store.write([*ended_game(12), *ended_game(30), *rated_end(30, ANN, 1650.5, 2)])
    await store.write([*ended_game(40, "qubic"), *rated_end(40, ANN, 1480.0, 1, "qubic")])
    assert await store.rating(ANN, "tictactoe") == Rating(
        rating=1650.5, deviation=90.5, volatility=0.06, games=2, updated_ms=30_000
    )
    assert await store.ratings(ANN) == [
        RatingRow(game="tictactoe", rating=1650.5, deviation=90.5, games=2, updated_ms=30_000),
        RatingRow(game="qubic", rating=1480.0, deviation=90.5, games=1, updated_ms=40_000),
    ]
    assert await rating_history(store, ANN, "tictactoe") == [
        RatingPoint(game_id=20, ended_ms=20_000, rating=1600.25, deviation=90.5),
        RatingPoint(game_id=30, ended_ms=30_000, rating=1650.5, deviation=90.5),
    ]
    assert [point.game_id for point in await rating_history(store, BOB, "tictactoe")] == [20]


async def test_the_ratings_of_bots_are_those_of_bots_in_that_game(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.0, 1), *rated_end(20, BOT, 1712.5, 1)])
    await store.write([*ended_game(21, "qubic"), *rated_end(21, BOT, 1300.0, 1, "qubic")])
    [row] = await store.bot_ratings("tictactoe")
    assert (row.name, row.version, row.rating, row.games) == ("alphabeta:2", 1, 1712.5, 1)
    assert (row.deviation, row.volatility, row.updated_ms) == (90.5, 0.06, 20_000)
    assert await store.bot_ratings("gomoku") == []


async def test_a_rating_made_from_one_that_is_no_longer_true_is_a_conflict(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.0, 1)])
    await store.write([*ended_game(21), *rated_end(21, ANN, 1620.0, 2)])
    for stale in (1, 2, 4):
        with pytest.raises(Conflict):
            await store.write([*ended_game(22), *rated_end(22, ANN, 1700.0, stale)])
    assert [point.rating for point in await rating_history(store, ANN, "tictactoe")] == [1600.0, 1620.0]
    assert (await store.ratings(ANN))[0].rating == 1620.0
    assert await store.game(22) is None


async def test_a_game_rates_a_player_once(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.0, 1)])
    with pytest.raises(Conflict):
        await store.write(rated_end(20, ANN, 1700.0, 2))
    assert (await store.ratings(ANN))[0].rating == 1600.0


async def test_what_else_is_known_of_a_game(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    async with opened(path) as store:
        pair = {"run_id": "night/small/1", "pair_id": 3}
        await store.write([*people_and_rooms(), *(start_game(id, **pair) for id in (1, 2)), start_game(3)])
        execute(path, "INSERT INTO faults VALUES (2, 1, 'Ann stalled.')")
        first, second, third = [await store.game_extras(id) for id in (1, 2, 3)]
        assert first is not None
        assert second is not None
        assert third is not None
        assert (first.fault, first.pair_game) == (None, 2)
        assert (second.fault, second.pair_game) == ("Ann stalled.", 1)
        assert (third.fault, third.pair_game) == (None, None)
        assert await store.game_extras(99) is None
