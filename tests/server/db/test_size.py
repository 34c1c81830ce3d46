from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.db.command import db
from server.db.migrate import prepare
from server.db.size import GROWTH_DAYS, Growth, file_bytes, measure
from tests.support.database.database_files import execute, new_database
from tests.support.database.earlier_files import database
from tests.support.report.games import ANN, BOB, add_game

DAY_MS = 86_400_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = new_database(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for id in (ANN, BOB):
            connection.execute("INSERT INTO players VALUES (?, 'Ann', 'person', ?, 1)", (id, bytes([id % 256]) * 32))
    return path


def play(path: Path, *days: float) -> None:
    """A game on each of these days."""
    for id, day in enumerate(days, 1):
        add_game(path, id, "tictactoe", "b2 a1", "x", "resignation")
        execute(path, "UPDATE games SET started_ms = ? WHERE id = ?", (round(day * DAY_MS), id))


def growth(path: Path) -> Growth | None:
    with closing(sqlite3.connect(path)) as connection:
        return measure(connection).growth


def test_tables_take_the_whole_file(path: Path) -> None:
    play(path, 1)
    with closing(sqlite3.connect(path)) as connection:
        found = measure(connection)
    assert found.bytes == path.stat().st_size
    assert sum(found.table_bytes.values()) == pytest.approx(found.bytes - found.free_bytes, rel=0.2)
    assert found.table_bytes["games"] > found.table_bytes["moves"] > 0, "it has more indexes"
    assert list(found.table_bytes.values()) == sorted(found.table_bytes.values(), reverse=True)
    assert (found.games, found.bytes_per_game) == (1, found.bytes - found.free_bytes)


def test_what_is_removed_is_free(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO write_probe VALUES (1, zeroblob(100000))")
        before = measure(connection)
        connection.execute("DELETE FROM write_probe")
        assert measure(connection).free_bytes >= before.free_bytes + 90_000


@pytest.mark.parametrize(
    ("days", "of_days", "games"),
    [
        ([5], 1, 1),
        ([5, 5.5, 5.9], 1, 3),
        ([5, 6.5], 2, 2),
        ([1, 100, 101, 102.9], 3, 3),
        ([93, 94, 95, 96, 97, 98, 99.5], GROWTH_DAYS, 7),
        ([1, 2, 3, 99], 1, 1),
    ],
)
def test_growth_is_of_the_newest_days(path: Path, days: list[float], of_days: int, games: int) -> None:
    play(path, *days)
    found = growth(path)
    assert found is not None
    with closing(sqlite3.connect(path)) as connection:
        per_game = measure(connection).bytes_per_game
    assert per_game is not None
    assert found is not None
    assert astuple(found) == (of_days, games, games / of_days, pytest.approx(games / of_days * per_game))


def test_nothing_grows_without_games(path: Path, tmp_path: Path) -> None:
    assert growth(path) is None
    assert growth(tmp_path / "empty.db") is None


def test_a_sqlite_that_cannot_tell(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TEMP VIEW dbstat AS SELECT 1 AS one")
        assert measure(connection).table_bytes == {}


def test_the_log_counts(path: Path, tmp_path: Path) -> None:
    assert file_bytes(path) == path.stat().st_size
    (tmp_path / f"{path.name}-wal").write_bytes(b"1234")
    assert file_bytes(path) == path.stat().st_size + 4
    assert file_bytes(tmp_path / "missing.db") == 0


def test_info_tells(path: Path) -> None:
    play(path, 1, 1.5, 3)
    shown = CliRunner().invoke(db, ["info", "--db", str(path)]).stdout
    for line in ("bytes free in it: ", "bytes of games: ", "bytes per game: ", "bytes per day: "):
        assert f"\n{line}" in shown
    assert "\ngames per day: 1.0 (3 days up to the newest game)\n" in shown
    told = json.loads(CliRunner().invoke(db, ["info", "--json", "--db", str(path)]).stdout)
    assert (told["size"]["growth"]["games"], told["size"]["growth"]["days"]) == (3, 3)
    assert told["size"]["table_bytes"]["moves"] > 0


def test_info_of_an_older_schema(tmp_path: Path) -> None:
    result = CliRunner().invoke(db, ["info", "--db", str(database(tmp_path))])
    assert result.exit_code == 0, result.output
    assert "\nbytes per game: " in result.stdout
    assert prepare(tmp_path / "noughts.db")
