from __future__ import annotations

import csv
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.db.connect import connect
from server.report.export import tables
from server.report.export.command import export
from tests.support.database.database_files import new_database, opened, start_game
from tests.support.ladder.records import add_list

FILES = ["games.csv", "moves.csv", "standings.csv"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = new_database(tmp_path)
    add_list(path, pairs=2)
    add_list(path, list="timed", game="qubic", pairs=1, limit={"move_ms": 30})
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(export, ["--db", str(path), *arguments])


def read(file: Path) -> list[list[str]]:
    with file.open(newline="") as rows:
        return [*csv.reader(rows)]


def view(path: Path, name: str, order: str) -> list[list[str]]:
    """As CSV has it, with its header."""
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f"SELECT * FROM {name} ORDER BY {order}")
        rows = [["" if value is None else str(value) for value in row] for row in cursor]
        return [[column for column, *_ in cursor.description], *rows]


@pytest.mark.parametrize("size", [1, 7, 5000])
def test_the_files_are_the_views(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(tables, "PAGE_GAMES", size)
    out = tmp_path / "a" / "b"
    done = run(path, "--csv", str(out))
    assert done.exit_code == 0, done.output
    games, moves, standings = (read(out / name) for name in FILES)
    assert games == view(path, "v_games", "game_id")
    assert moves == view(path, "v_moves", "game_id, ply")
    assert standings == view(path, "v_standings", "run_id, place, player_id")
    assert done.stderr == f"Wrote {len(games) - 1:,} games and {len(moves) - 1:,} moves to {out}.\n"
    assert done.stdout == ""
    assert sorted(file.name for file in out.iterdir()) == FILES


def test_beside_parquet(path: Path, tmp_path: Path) -> None:
    done = run(path, "--csv", str(tmp_path / "out"), "--parquet", str(tmp_path / "out"))
    assert (done.exit_code, done.stderr.count("Wrote ")) == (0, 2)
    assert len([*(tmp_path / "out").iterdir()]) == 6


def test_without_polars(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.report.find_spec", lambda name: None)
    assert run(path, "--csv", str(tmp_path / "out")).exit_code == 0


def test_filters(path: Path, tmp_path: Path) -> None:
    run(path, "--csv", str(tmp_path / "out"), "--game", "qubic")
    for name in FILES:
        header, *rows = read(tmp_path / "out" / name)
        assert {row[header.index("game")] for row in rows} == {"qubic"}


def test_no_games(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    assert run(path, "--csv", str(tmp_path / "out")).exit_code == 0
    assert [len(read(tmp_path / "out" / name)) for name in FILES] == [1, 1, 1]


def test_it_is_one_or_the_other(path: Path, tmp_path: Path) -> None:
    done = run(path, "--csv", str(tmp_path / "out"), "--format", "txt")
    assert (done.exit_code, "take neither --out nor --format" in done.stderr) == (2, True)


def test_a_full_disk_leaves_the_old_files(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    run(path, "--csv", str(out))
    before = (out / "games.csv").read_bytes()
    add_list(path, list="more", pairs=1, seed=3)

    def full(self: Path, target: Path) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    done = run(path, "--csv", str(out))
    assert (done.exit_code, done.stderr) == (1, f"Error: {out} cannot be written: No space left on device.\n")
    assert (out / "games.csv").read_bytes() == before
    assert sorted(file.name for file in out.iterdir()) == FILES


async def test_a_server_may_write_meanwhile(path: Path) -> None:
    async with opened(path, busy_timeout_s=0) as store:
        with connect(path, "ro") as connection:
            next(tables.pages(connection, None, None))
            assert not connection.in_transaction
            await store.write([start_game(6000)])
