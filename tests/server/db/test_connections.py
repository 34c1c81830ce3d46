from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from server.db.connections import DatabaseConnection, Opener, open_connection
from server.db.statements import SQL
from server.db.store import Store, StoreUnavailable
from server.play.writes import Statement
from tests.simulation.disk import Disk
from tests.support.database.database_files import new_database, people_and_rooms


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


# What every DatabaseConnection does: the product's, and that of the simulated disk


PROBE = "INSERT INTO write_probe (id, filler) VALUES (?, zeroblob(1))"
PROBES = "SELECT count(*) FROM write_probe"
ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


@dataclass
class Under:
    """A database, one way to open it, and another program that may lock it."""

    path: Path
    opener: Opener
    locked: Callable[[bool], None]

    @asynccontextmanager
    async def connection(self, *, writes: bool = True) -> AsyncIterator[DatabaseConnection]:
        connection = await self.opener(self.path, writes=writes, busy_timeout_s=0)
        try:
            yield connection
        finally:
            await connection.close()


@pytest.fixture(params=["threads", "simulated"])
def under(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Under]:
    path = new_database(tmp_path)
    if request.param == "simulated":
        disk = Disk(Random(0), path.read_bytes())
        yield Under(path, disk.opener, disk.locked)
        disk.kill()
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as other:

        def locked(on: bool) -> None:
            other.execute("BEGIN IMMEDIATE" if on else "ROLLBACK")

        yield Under(path, open_connection, locked)


async def code_and_name(raises: Awaitable[object]) -> tuple[type[Exception], int, str]:
    try:
        await raises
    except sqlite3.Error as error:
        return type(error), error.sqlite_errorcode, error.sqlite_errorname
    raise AssertionError("nothing was raised")


async def test_the_settings_are_those_of_all(under: Under) -> None:
    settings = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    for writes in (True, False):
        async with under.connection(writes=writes) as connection:
            for name, value in {**settings, "query_only": int(not writes)}.items():
                assert [*await connection.rows(f"PRAGMA {name}")] == [(value,)], name


async def test_rows_are_tuples_of_what_was_written(under: Under) -> None:
    async with under.connection() as connection:
        values = (1, 2.5, "ü ✓", b"\x00\xff", None)
        assert [*await connection.rows("SELECT ?, ?, ?, ?, ?", values)] == [values]
        assert [*await connection.rows("SELECT :b, :a", {"a": 1, "b": 2})] == [(2, 1)]
        assert [*await connection.rows("SELECT 1 WHERE 0")] == []
        assert [*await connection.rows("UPDATE ids SET next = next + 5 WHERE kind = 'room' RETURNING next")] == [(6,)]


async def test_one_that_reads_sees_what_is_committed_and_refuses_to_write(under: Under) -> None:
    async with under.connection() as writer, under.connection(writes=False) as reader:
        await writer.transact([(PROBE, [(1,)])])
        assert [*await reader.rows(PROBES)] == [(1,)]
        readonly = (sqlite3.OperationalError, sqlite3.SQLITE_READONLY, "SQLITE_READONLY")
        assert await code_and_name(reader.rows("DELETE FROM moves")) == readonly
        assert await code_and_name(reader.transact([(PROBE, [(2,)])])) == readonly


async def test_a_transaction_is_all_or_nothing(under: Under) -> None:
    async with under.connection() as connection:
        with pytest.raises(sqlite3.IntegrityError):
            await connection.transact([(PROBE, [(1,), (1,)])])
        assert [*await connection.rows(PROBES)] == [(0,)]
        await connection.transact([(PROBE, [(1,)])])
        assert [*await connection.rows(PROBES)] == [(1,)]


async def test_many_rows_arrive_in_order(under: Under) -> None:
    events = [(1, seq, seq, "said", f'{{"n":{seq}}}'.encode()) for seq in range(1, 100)]
    async with under.connection() as connection:
        await connection.transact([(SQL[statement], [values]) for statement, values in people_and_rooms()])
        await connection.transact([(SQL[Statement.ADD_EVENT], events)])
        found = await connection.rows("SELECT room_number, seq, ts, type, CAST(body AS BLOB) FROM events ORDER BY seq")
        assert [*found] == events
        twice = connection.transact([(SQL[Statement.ADD_EVENT], [(1, 200, 1, "said", "{}"), events[0]])])
        assert (await code_and_name(twice))[0] is sqlite3.IntegrityError
        assert [*await connection.rows("SELECT max(seq) FROM events")] == [(99,)]


async def test_what_is_asked_at_once_is_done_in_order(under: Under) -> None:
    async with under.connection() as connection:
        done = await asyncio.gather(
            connection.transact([(PROBE, [(1,)])]),
            connection.rows(PROBES),
            connection.transact([("DELETE FROM write_probe", [()])]),
            connection.rows(PROBES),
        )
    assert [*done[1], *done[3]] == [(1,), (0,)]


async def test_one_who_asked_and_went_leaves_the_rest_untouched(under: Under) -> None:
    async with under.connection() as connection:
        gone = asyncio.ensure_future(connection.transact([(PROBE, [(1,)])]))
        await asyncio.sleep(0)
        gone.cancel()
        assert [*await connection.rows(PROBES)] == [(1,)]


async def test_an_endless_query_is_interrupted_and_no_other(under: Under) -> None:
    async with under.connection(writes=False) as connection:
        endless = asyncio.ensure_future(code_and_name(connection.rows(ENDLESS)))
        while not endless.done():
            await connection.interrupt()
            await asyncio.sleep(0)
        assert await endless == (sqlite3.OperationalError, sqlite3.SQLITE_INTERRUPT, "SQLITE_INTERRUPT")
        await connection.interrupt()
        assert [*await connection.rows("SELECT 2")] == [(2,)]


@pytest.mark.parametrize(
    ("sql", "parameters", "raised", "name"),
    [
        ("SELEC", (), sqlite3.OperationalError, "SQLITE_ERROR"),
        (f"{PROBE}, (1, NULL)", (1,), sqlite3.IntegrityError, "SQLITE_CONSTRAINT_NOTNULL"),
        ("INSERT INTO explored_games (game_id) VALUES (7)", (), sqlite3.IntegrityError, "SQLITE_CONSTRAINT_FOREIGNKEY"),
        ("INSERT INTO ids VALUES ('cat', 0)", (), sqlite3.IntegrityError, "SQLITE_CONSTRAINT_CHECK"),
        ("SELECT ?", (), sqlite3.ProgrammingError, None),
        ("SELECT ?", (object(),), sqlite3.ProgrammingError, None),
        ("SELECT ?", (2**70,), OverflowError, None),
        ("SELECT ?", ("\ud800",), UnicodeEncodeError, None),
        ("SELECT zeroblob(2000000000)", (), sqlite3.DataError, "SQLITE_TOOBIG"),
    ],
)
async def test_errors_are_those_of_sqlite3(
    under: Under, sql: str, parameters: tuple[object, ...], raised: type[Exception], name: str | None
) -> None:
    async with under.connection() as connection:
        with pytest.raises(raised) as error:
            await connection.rows(sql, parameters)
        assert type(error.value) is raised
        assert getattr(error.value, "sqlite_errorname", None) == name


async def test_a_lock_of_another_program_is_told(under: Under) -> None:
    async with under.connection() as connection:
        under.locked(True)
        busy = (sqlite3.OperationalError, sqlite3.SQLITE_BUSY, "SQLITE_BUSY")
        assert await code_and_name(connection.transact([(PROBE, [(1,)])])) == busy
        assert [*await connection.rows(PROBES)] == [(0,)], "reading works"
        under.locked(False)
        await connection.transact([(PROBE, [(1,)])])


async def test_what_is_no_database_is_told(under: Under, tmp_path: Path) -> None:
    text = b"no database " * 1000
    path = tmp_path / "text"
    path.write_bytes(text)
    opener = under.opener if under.opener is open_connection else Disk(Random(0), text).opener
    for writes in (True, False):
        notadb = (sqlite3.DatabaseError, sqlite3.SQLITE_NOTADB, "SQLITE_NOTADB")
        assert await code_and_name(opener(path, writes=writes, busy_timeout_s=0)) == notadb
