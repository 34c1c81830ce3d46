from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from server.db.connections import DatabaseConnection, open_connection
from server.db.store import Store, StoreUnavailable
from tests.support.database_files import new_database


class Opened:
    """Opens connections as the product does, counts them, and fails where a test says."""

    def __init__(self, fail_at: int | None = None) -> None:
        self.asked: list[bool] = []
        self.closed = 0
        self._fail_at = fail_at

    async def __call__(self, path: Path, *, writes: bool, busy_timeout_s: float) -> DatabaseConnection:
        if len(self.asked) == self._fail_at:
            raise sqlite3.OperationalError("no more files")
        self.asked.append(writes)
        connection = await open_connection(path, writes=writes, busy_timeout_s=busy_timeout_s)
        close = connection.close

        async def counted() -> None:
            self.closed += 1
            await close()

        connection.close = counted  # type: ignore[method-assign]
        return connection


async def test_a_store_opens_all_its_connections_through_its_opener(tmp_path: Path) -> None:
    opener = Opened()
    store = await Store.open(new_database(tmp_path), opener=opener)
    await store.close()
    assert opener.asked == [True, False, False]
    assert opener.closed == 3


@pytest.mark.parametrize("fail_at", [0, 1, 2])
async def test_a_connection_that_cannot_be_opened_leaves_none_open(tmp_path: Path, fail_at: int) -> None:
    opener = Opened(fail_at)
    with pytest.raises(StoreUnavailable, match=r"cannot be opened: no more files\."):
        await Store.open(new_database(tmp_path), opener=opener)
    assert opener.closed == fail_at


async def test_one_that_reads_refuses_to_write(tmp_path: Path) -> None:
    connection = await open_connection(new_database(tmp_path), writes=False, busy_timeout_s=0)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await connection.rows("DELETE FROM moves")
    await connection.close()


async def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    connection = await open_connection(new_database(tmp_path), writes=True, busy_timeout_s=0)
    probe = "INSERT INTO write_probe (id, filler) VALUES (?, zeroblob(1))"
    with pytest.raises(sqlite3.IntegrityError):
        await connection.transact([(probe, [(1,), (1,)])])
    assert [*await connection.rows("SELECT count(*) FROM write_probe")] == [(0,)]
    await connection.transact([(probe, [(1,)])])
    assert [*await connection.rows("SELECT count(*) FROM write_probe")] == [(1,)]
    await connection.close()


async def test_two_batches_handed_in_at_once_are_both_written(tmp_path: Path) -> None:
    connection = await open_connection(new_database(tmp_path), writes=True, busy_timeout_s=0)
    probe = "INSERT INTO write_probe (id, filler) VALUES (?, zeroblob(1))"
    await asyncio.gather(connection.transact([(probe, [(1,)])]), connection.transact([("DELETE FROM ids", [()])]))
    assert [*await connection.rows("SELECT (SELECT count(*) FROM write_probe), (SELECT count(*) FROM ids)")] == [(1, 0)]
    await connection.close()
