"""A store on the simulated disk, and what can happen to it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from server.db import migrate
from server.db.store import Store, StoreUnavailable
from tests.simulation.disk import Disk
from tests.simulation.medium import Operation
from tests.support.database.database_files import ANN, ROOM, add_event, new_database, opened, people_and_rooms

ANYWHERE = Path("/anywhere/records.db")


@pytest.fixture
def prepared(tmp_path: Path) -> bytes:
    return new_database(tmp_path).read_bytes()


@asynccontextmanager
async def on(disk: Disk) -> AsyncIterator[Store]:
    async with opened(ANYWHERE, opener=disk.opener) as store:
        yield store


async def sequence(disk: Disk) -> list[int]:
    """The events that the disk has."""
    async with on(disk) as store:
        assert [*await store.read(str, "PRAGMA integrity_check")] == ["ok"]
        return [event.seq for event in await store.room_events(ROOM)]


async def test_a_store_works_and_finds_what_it_wrote(prepared: bytes) -> None:
    disk = Disk(Random(1), prepared)
    async with on(disk) as store:
        await store.write(people_and_rooms())
        assert [await store.next_id("player") for _ in range(2)] == [1, 2]
        player = await store.player(ANN)
        assert player is not None
        assert player.name == "Ann"
    assert all(disk.calls[operation] for operation in get_args(Operation))
    assert await sequence(disk) == []


async def test_a_process_that_dies_leaves_what_it_has_written(prepared: bytes) -> None:
    disk = Disk(Random(1), prepared)
    async with on(disk) as store:
        await store.write([*people_and_rooms(), add_event(ROOM, 1)])
        disk.kill()
        before = disk.files()
        with pytest.raises(StoreUnavailable):
            await store.write([add_event(ROOM, 2)])
        with pytest.raises(StoreUnavailable):
            await store.awake_rooms()
    assert disk.files() == before, "nothing reaches the disk any more"
    assert set(before) == {"", "-wal"}
    assert await sequence(disk) == [1]


async def test_what_was_committed_survives_a_power_cut(prepared: bytes) -> None:
    for seed in range(20):
        disk = Disk(Random(seed), prepared)
        async with on(disk) as store:
            await store.write([*people_and_rooms(), add_event(ROOM, 1)])
            disk.power_cut()
        assert await sequence(disk) == [1]


async def test_a_full_disk_is_unavailable_until_there_is_room(prepared: bytes) -> None:
    disk = Disk(Random(1), prepared)
    again = asyncio.Event()
    async with opened(ANYWHERE, opener=disk.opener, on_availability=lambda on: again.set() if on else None) as store:
        await store.write(people_and_rooms())
        disk.full(True)
        with pytest.raises(StoreUnavailable, match=r"^The database cannot be written: database or disk is full\.$"):
            await store.write([add_event(ROOM, 1)])
        assert len(await store.awake_rooms()) == 2, "reading works"
        disk.full(False)
        await again.wait()
        await store.write([add_event(ROOM, 1)])
    assert await sequence(disk) == [1]


@pytest.mark.parametrize("nth", [3, 4])
async def test_a_commit_is_acknowledged_although_the_checkpoint_behind_it_fails(prepared: bytes, nth: int) -> None:
    """A log that begins anew is synced once for its head and once for the commit, then for the checkpoint."""
    disk = Disk(Random(1), prepared, checkpoint_pages=1)
    async with on(disk) as store:
        await store.write([*people_and_rooms(), add_event(ROOM, 1)])
        syncs = disk.calls["sync"]
        disk.fail("sync", nth, lasting=True)
        await store.write([add_event(ROOM, 2)])
        assert disk.calls["sync"] == syncs + nth
        disk.power_cut()
    assert await sequence(disk) == [1, 2]


async def test_a_program_that_would_lock_a_broken_disk_gives_up(prepared: bytes) -> None:
    disk = Disk(Random(1), prepared)
    async with on(disk) as store:
        disk.fail("open")
        disk.locked(True)
        await store.write(people_and_rooms())
        disk.locked(True)
        disk.locked(True)
        with pytest.raises(StoreUnavailable, match=r"database is locked\.$"):
            await store.write([add_event(ROOM, 1)])
        disk.locked(False)


async def test_answers_take_the_loops_time(prepared: bytes) -> None:
    loop = asyncio.get_running_loop()
    slow = await Disk(Random(1), prepared, latency_s=1e-9).opener(ANYWHERE, writes=True, busy_timeout_s=0)
    begun_s = loop.time()
    await slow.rows("SELECT 1")
    assert loop.time() > begun_s
    await slow.close()


async def test_the_product_opens_what_the_simulation_wrote(prepared: bytes, tmp_path: Path) -> None:
    disk = Disk(Random(1), prepared)
    async with on(disk) as store:
        await store.write([*people_and_rooms(), add_event(ROOM, 1)])
        for suffix, content in disk.files().items():
            (tmp_path / f"copy.db{suffix}").write_bytes(content)
    path = tmp_path / "copy.db"
    async with opened(path) as store:
        assert [event.seq for event in await store.room_events(ROOM)] == [1]
    assert migrate.check(path).sentence.endswith("up to date.")


async def test_the_simulation_opens_what_the_product_wrote(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    async with opened(path) as store:
        await store.write([*people_and_rooms(), add_event(ROOM, 1)])
    assert await sequence(Disk(Random(1), path.read_bytes())) == [1]


async def test_a_store_on_no_database_says_so() -> None:
    with pytest.raises(StoreUnavailable, match=r"cannot be opened: file is not a database\.$"):
        await Store.open(ANYWHERE, opener=Disk(Random(1), b"no database " * 100).opener)


async def test_a_seed_repeats(prepared: bytes) -> None:
    async def run() -> dict[Operation, int]:
        disk = Disk(Random(5), prepared)
        async with on(disk) as store:
            await store.write([*people_and_rooms(), *(add_event(ROOM, seq) for seq in range(1, 50))])
            disk.stop("write", 3)
            with pytest.raises(StoreUnavailable):
                await store.write([add_event(ROOM, seq) for seq in range(50, 90)])
            disk.power_cut()
        await sequence(disk)
        return dict(disk.calls)

    assert await run() == await run()


def test_a_connection_in_place_is_asked_as_those_of_sqlite3_are(prepared: bytes) -> None:
    one = Disk(Random(1), prepared).connect()
    assert one.execute("SELECT next FROM ids WHERE kind = ?", ("room",)).fetchall() == [(1,)]
    assert one.execute("SELECT 1 WHERE 0").fetchone() is None
    with pytest.raises(sqlite3.OperationalError, match="no such table: cats"):
        one.executemany("INSERT INTO cats VALUES (?)", [(1,)])
    one.close()
