from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from server.report.export import parquet, tables
from server.report.export.command import export
from tests.support.database.database_files import add_move, execute, new_database, opened, people_and_rooms, start_game
from tests.support.ladder.records import add_list

FILES = ["games.parquet", "moves.parquet", "standings.parquet"]


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """Three lists, and a game that runs, with a move."""
    path = new_database(tmp_path)
    async with opened(path) as store:
        await store.write([*people_and_rooms(), start_game(5000), add_move(5000, 0)])
    execute(path, "UPDATE ids SET next = 10 WHERE kind = 'player'")
    add_list(path, pairs=2)
    add_list(path, list="big", game="ultimate", pairs=1)
    add_list(path, list="timed", game="qubic", pairs=1, limit={"move_ms": 30})
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(export, ["--db", str(path), *arguments])


def view(path: Path, name: str, order: str, where: str = "TRUE") -> list[tuple[object, ...]]:
    return execute(path, f"SELECT * FROM {name} WHERE {where} ORDER BY {order}")


@pytest.mark.parametrize("size", [1, 7, 5000])
def test_the_files_are_the_views(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(tables, "PAGE_GAMES", size)
    out = tmp_path / "a" / "b"
    done = run(path, "--parquet", str(out))
    assert done.exit_code == 0, done.output
    games, moves, standings = (pl.read_parquet(out / f"{name}.parquet") for name in tables.VIEWS)
    assert games.rows() == view(path, "v_games", "game_id")
    assert moves.rows() == view(path, "v_moves", "game_id, ply")
    assert standings.rows() == view(path, "v_standings", "run_id, place, player_id")
    assert done.stderr == f"Wrote {games.height:,} games and {moves.height:,} moves to {out}.\n"
    assert done.stdout == ""
    assert sorted(file.name for file in out.iterdir()) == FILES


def test_what_no_column_can_hold_is_told(path: Path, tmp_path: Path) -> None:
    execute(path, "UPDATE moves SET think_ms = 1 << 62, think_us = NULL WHERE game_id = 5000")
    done = run(path, "--parquet", str(tmp_path / "out"))
    assert done.exit_code == 1
    wanted = f"{path} is damaged: a move of game 5000 has think_us 4.611686018427388e+21, which cannot be."
    assert done.stderr == f"Error: {wanted}\n"


def test_the_columns_are_those_of_the_views(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for name, schema in parquet.SCHEMAS.items():
            found = connection.execute(f"PRAGMA table_info({tables.VIEWS[name]})")
            assert [column for _, column, *_ in found] == list(schema)


def test_filters(path: Path, tmp_path: Path) -> None:
    run(path, "--parquet", str(tmp_path / "out"), "--game", "ultimate")
    games = pl.read_parquet(tmp_path / "out" / "games.parquet")
    assert games.rows() == view(path, "v_games", "game_id", "game = 'ultimate'")
    assert games.height > 5
    standings = pl.read_parquet(tmp_path / "out" / "standings.parquet")
    assert set(standings["list"]) == {"big"}
    run(path, "--parquet", str(tmp_path / "out"), "--since", "2027-01-15T08:00:10")
    moves = pl.read_parquet(tmp_path / "out" / "moves.parquet")
    since = "game_id IN (SELECT game_id FROM v_games WHERE started_ms >= 1800000010000)"
    assert moves.rows() == view(path, "v_moves", "game_id, ply", since)


def test_no_games(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    assert run(path, "--parquet", str(tmp_path / "out")).exit_code == 0
    for name, schema in parquet.SCHEMAS.items():
        assert pl.read_parquet(tmp_path / "out" / f"{name}.parquet").schema == schema


@pytest.mark.parametrize("wrong", [["--out", "x.jsonl"], ["--format", "jsonl"], ["--format", "txt"]])
def test_it_is_one_or_the_other(path: Path, tmp_path: Path, wrong: list[str]) -> None:
    done = run(path, "--parquet", str(tmp_path / "out"), *wrong)
    assert (done.exit_code, "take neither --out nor --format" in done.stderr) == (2, True)
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder(path: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    assert run(path, "--parquet", str(tmp_path / "out")).exit_code == 2
    done = run(path, "--parquet", str(tmp_path / "out" / "deeper"))
    assert (done.exit_code, done.stderr) == (
        1,
        f"Error: {tmp_path / 'out' / 'deeper'} cannot be written: Not a directory.\n",
    )
    assert (tmp_path / "out").read_text() == "mine"


def test_what_fails_leaves_the_old_files(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    run(path, "--parquet", str(out))
    before = (out / "games.parquet").read_bytes()
    add_list(path, list="more", pairs=1, seed=3)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "_join", full)
    done = run(path, "--parquet", str(out))
    assert (done.exit_code, done.stderr) == (1, f"Error: {out} cannot be written: No space left on device.\n")
    assert (out / "games.parquet").read_bytes() == before
    assert sorted(file.name for file in out.iterdir()) == FILES


def test_another_programs_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    done = run(tmp_path / "other.db", "--parquet", str(tmp_path / "out"))
    assert (done.exit_code, "another program's database" in done.stderr) == (1, True)


def test_without_polars_it_says_what_to_install(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.report.find_spec", lambda name: None)
    done = run(path, "--parquet", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "need polars: in a checkout of noughts, make serve or pip install '.[analysis]' installs" in done.stderr
