from __future__ import annotations

import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.console.interrupts import handled
from server.report.export.command import export
from server.report.records import game_text, recorded_games
from tests.support.database.database_files import (
    add_move,
    new_database,
    opened,
    start_game,
)
from tests.support.engine.record_reader import from_json_line
from tests.support.report.three_games import three_games, whole_game
from tests.support.terminated import terminated


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return await three_games(tmp_path)


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(export, ["--db", str(path), *arguments])


def exported(path: Path, *arguments: str) -> list[int | None]:
    """Ids of the games that an export has."""
    result = run(path, *arguments)
    assert result.exit_code == 0, result.output
    return [from_json_line(line).id for line in result.stdout.splitlines()]


def test_each_game_is_written_as_its_text(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        games = [*recorded_games(connection)]
    assert len(games) == 3
    assert run(path).stdout == "".join(game_text(*game, "jsonl") for game in games)
    assert run(path, "--format", "txt").stdout == "".join(game_text(*game, "txt") + "\n" for game in games)


def test_filters(path: Path) -> None:
    assert exported(path) == [1, 2, 3]
    assert exported(path, "--game", "tictactoe") == [1, 3]
    assert exported(path, "--game", "mnk:3,3,3") == [1, 3], "another name of the same game"
    assert exported(path, "--game", "ultimate") == []
    assert exported(path, "--since", "1970-01-02") == [2, 3]
    assert exported(path, "--since", "1970-01-02T00:00:01") == [3]
    assert exported(path, "--since", "1970-01-02T01:00:00+01:00") == [2, 3]
    assert exported(path, "--since", "1970-01-02", "--game", "tictactoe") == [3]


def test_a_date_without_a_zone_is_in_utc(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert exported(path, "--since", "1970-01-02") == [2, 3]
        assert exported(path, "--since", "1970-01-02T00:00:00.001") == [3]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_out_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    out.write_text("old\n")
    result = run(path, "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text() == run(path).stdout
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "chess"], "chess"),
        (["--game", "mnk:2,2,9"], "mnk"),
        (["--since", "yesterday"], "'yesterday' is not a date"),
        (["--since", "2026-02-30"], "'2026-02-30' is not a date"),
        (["--format", "pgn"], "pgn"),
        (["--out", "/nowhere/games.txt"], "cannot be written"),
    ],
)
def test_bad_arguments(path: Path, arguments: list[str], sentence: str) -> None:
    result = run(path, *arguments)
    assert result.exit_code == (1 if sentence == "cannot be written" else 2)
    assert sentence in result.stderr
    assert result.stdout == ""


def test_the_database_is_never_overwritten(path: Path) -> None:
    before = path.read_bytes()
    result = run(path, "--out", str(path))
    assert (result.exit_code, "the database itself" in result.stderr) == (2, True)
    assert path.read_bytes() == before


def test_no_database(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run(tmp_path / "missing.db", "--out", str(out))
    assert (result.exit_code, "There is no database" in result.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_database(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    result = run(tmp_path / "empty.db", "--out", str(tmp_path / "games.jsonl"))
    assert (result.exit_code, "noughts db migrate" in result.stderr) == (1, True)
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]


def test_nothing_to_write_is_told(path: Path, tmp_path: Path) -> None:
    result = run(path, "--game", "ultimate")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{path} has no game that these options let through.\n"
    (tmp_path / "new").mkdir()
    empty = new_database(tmp_path / "new")
    assert run(empty).stderr == f"{empty} has no game.\n"


async def test_what_breaks_the_rules_is_named_and_spares_the_rest(path: Path) -> None:
    async with opened(path) as store:
        await store.write([start_game(4), add_move(4, 0, 5), add_move(4, 1, 5)])
        await store.write([start_game(5, game="chess")])
        await store.write([start_game(6, start='["z9"]')])
        await store.write([start_game(8, o_limit='{"depth":"two"}')])
        await store.write([start_game(9, o_limit="{}")])
        await store.write(whole_game(7))
    result = run(path)
    assert result.exit_code == 1
    assert [from_json_line(line).id for line in result.stdout.splitlines()] == [1, 2, 3, 7]
    for id in (4, 5, 6, 8, 9):
        assert f"Game {id} is excluded: " in result.stderr
    assert "5 games" in result.stderr


async def test_ended_by_sigterm_it_leaves_no_unfinished_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.report.export.command.game_text", terminated)
    there = sorted(path.parent.iterdir())
    with handled({signal.SIGINT: signal.default_int_handler}):  # instead of that of the tests' event loop
        done = CliRunner().invoke(export, ["--db", str(path), "--out", str(path.parent / "games.jsonl")])
    assert (done.exit_code, done.output.strip()) == (1, "Aborted!")
    assert sorted(path.parent.iterdir()) == there
