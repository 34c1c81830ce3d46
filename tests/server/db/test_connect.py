"""Connections: every one that may write has the same settings."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from server.db.connect import connect
from tests.support.database_files import new_database, opened

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
