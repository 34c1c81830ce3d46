"""Write sets that come together are one commit; nothing is acknowledged that is not on the disk."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.db import writer
from server.db.connections import Batch
from server.db.store import Conflict, Store, StoreUnavailable
from server.play.writes import Statement, Write
from tests.support.database.database_files import (
    GAME,
    ROOM,
    add_event,
    add_move,
    execute,
    opened,
    people_and_rooms,
    start_game,
)


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
    "parameters", [(1, 2), (object(), 1, 1, "said", "{}"), (2**70, 1, 1, "said", "{}"), (1, 1, 1, "said", "\ud800")]
)
async def test_parameters_that_no_statement_takes_spare_the_others(
    store: Store, parameters: tuple[object, ...]
) -> None:
    good = store.write([add_move(GAME, 0)])
    bad = store.write([(Statement.ADD_EVENT, parameters)])
    await good
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
