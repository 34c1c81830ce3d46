"""Connections: every one that may write has the same settings."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from server.console.interrupts import handled
from server.db.connect import Connection, DatabaseError, connect, explain, one_moment
from server.db.connections import open_connection
from tests.support.database.database_files import new_database, opened
from tests.support.full_disk import full_disk

SETTINGS = {"foreign_keys": 1, "synchronous": 2, "secure_delete": 1, "wal_autocheckpoint": 4000}


def test_a_programs_connection_refuses_what_refers_to_nothing(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    with connect(path, "rw") as connection:
        assert {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in SETTINGS} == SETTINGS
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("INSERT INTO explored_games (game_id) VALUES (7)")


async def test_the_servers_writer_is_set_the_same(tmp_path: Path) -> None:
    async with opened(new_database(tmp_path)) as store:
        found = {name: next(iter(await store.writer._connection.rows(f"PRAGMA {name}")))[0] for name in SETTINGS}
    assert found == SETTINGS


@pytest.mark.parametrize("mode", ["ro", "rw", "rwc"])
def test_every_connection_of_a_command_syncs_its_commits(tmp_path: Path, mode: Literal["ro", "rw", "rwc"]) -> None:
    with connect(new_database(tmp_path), mode) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_the_connection_of_a_ladders_writer_syncs_its_commits(tmp_path: Path) -> None:
    with closing(Connection(new_database(tmp_path))) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("writes", [True, False])
async def test_every_connection_of_a_server_syncs_its_commits(tmp_path: Path, writes: bool) -> None:
    connection = await open_connection(new_database(tmp_path), writes=writes, busy_timeout_s=0)
    assert [*await connection.rows("PRAGMA synchronous")] == [(2,)]
    await connection.close()


def test_an_interrupt_ends_a_long_statement_at_once(tmp_path: Path) -> None:
    many = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 3000000) SELECT n FROM t"
    made: list[object] = []

    def make() -> None:
        with connect(new_database(tmp_path), "rw") as connection:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            try:
                connection.execute(f"CREATE TEMP TABLE made AS {many}")
            finally:
                made.extend(connection.execute("SELECT name FROM sqlite_temp_master"))

    with handled({signal.SIGALRM: signal.default_int_handler}), pytest.raises(KeyboardInterrupt):
        make()
    assert not made


def test_an_interrupt_is_none_of_a_files_faults(tmp_path: Path) -> None:
    """As where two databases are used, and an error is explained by the file that it is of."""
    with closing(sqlite3.connect(new_database(tmp_path))) as connection:
        connection.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.execute("SELECT * FROM ids")
    with pytest.raises(KeyboardInterrupt):
        explain(tmp_path, caught.value, 0)


def test_a_disk_too_full_to_open_the_database_is_called_full(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    full = pytest.raises(DatabaseError, match=r"^The disk of \S+ is full: free")
    with full_disk(4096), full, connect(path, "rw") as connection:
        connection.execute("SELECT * FROM ids")


def test_what_ended_a_reading_is_told(tmp_path: Path) -> None:
    """SQLite has then ended the transaction by itself."""

    def read() -> None:
        with connect(new_database(tmp_path), "rw") as connection, one_moment(connection):
            connection.execute("ROLLBACK")
            raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(DatabaseError, match="disk is full"):
        read()


ROOT = Path(__file__).resolve().parents[3]
OPENED_BY_THEMSELVES = {
    "server/db/connections.py": 1,  # in memory, closed at once
    "server/db/migrate.py": 3,  # in memory; the two ends of a backup
    "client/lab/bench/server/history.py": 1,  # made for a measurement and thrown away
    "client/lab/bench/ladder.py": 1,
    "client/lab/bench/reports.py": 2,
    "client/lab/bench/soak/piece.py": 1,  # counts, and writes nothing
}
OTHERWISE_SYNCED = {
    "server/db/connect.py": 1,  # FULL, for all
    "server/db/retention.py": 1,  # EXTRA, for an archive
    "server/explorer/index.py": 1,  # NORMAL: what a power cut takes is counted again
    "client/lab/bench/server/history.py": 1,  # OFF: nobody would miss it
    "client/lab/bench/reports.py": 1,
}


def test_no_other_connection_is_opened_or_synced_otherwise() -> None:
    opened_by_themselves: dict[str, int] = {}
    otherwise_synced: dict[str, int] = {}
    for file in sorted(path for room in ("server", "client", "engine") for path in (ROOT / room).rglob("*.py")):
        name, text = file.relative_to(ROOT).as_posix(), file.read_text("utf-8")
        for found, number in (
            (opened_by_themselves, text.count("sqlite3.connect(")),
            (otherwise_synced, text.count("synchronous = ")),
        ):
            if number:
                found[name] = number
    assert opened_by_themselves == OPENED_BY_THEMSELVES
    assert otherwise_synced == OTHERWISE_SYNCED
