"""What only the simulated connection does; tests/server/db/test_connections.py has what the product's does too."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.simulation.apsw_connection import ApswConnection
from tests.simulation.disk import Disk
from tests.support.database.database_files import new_database


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(Random(0), new_database(tmp_path).read_bytes())


async def test_the_work_is_done_before_it_is_answered(disk: Disk) -> None:
    """So that a process may die between the two."""
    answers: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
    connection = ApswConnection(disk.connect(), answers.put_nowait)
    writing = asyncio.ensure_future(connection.transact([("DELETE FROM ids", [()])]))
    behind = asyncio.ensure_future(connection.rows("SELECT count(*) FROM ids"))
    answer = await answers.get()
    assert not writing.done()
    assert disk.copy().connect().execute("SELECT count(*) FROM ids") == [(0,)]
    answer()
    await writing
    (await answers.get())()
    assert await behind == [(0,)]


async def test_whoever_asks_a_dead_process_is_told_so(disk: Disk) -> None:
    connection = await disk.opener(Path("/anywhere"), writes=True, busy_timeout_s=0)
    disk.kill()
    for asked in (connection.rows("SELECT 1"), connection.transact([])):
        with pytest.raises(sqlite3.OperationalError) as told:
            await asked
        assert told.value.sqlite_errorcode == sqlite3.SQLITE_IOERR
    await connection.close()
