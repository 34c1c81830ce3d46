"""`noughts report puzzles`: puzzles made from the games of a database."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.rules.registry import rules
from server.db.migrate import prepare
from server.report.command import report
from server.report.review import puzzles_command
from tests.support.database.database_files import execute
from tests.support.report.games import ANN, BOB, add_game
from tests.support.report.progress import each_piece
from tests.support.report.puzzle_reader import read_file

FORK = "a1 c3 c1 b1"
"""X to play: a3 makes two lines that lack one cell."""
FORKED, PRIVATE, RUNNING, OTHER = 1, 2, 3, 4


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    prepare(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO players VALUES (?, 'Ann', 'person', ?, 1)", (ANN, bytes([1]) * 32))
        connection.execute("INSERT INTO players VALUES (?, 'level:2', 'bot', NULL, 1)", (BOB,))
    add_game(path, FORKED, "tictactoe", f"{FORK} b3 a3 a2 c2 b2", None, "board_full")
    add_game(path, PRIVATE, "mnk:4,4,4", "a1", "x", "resignation", private=1)
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(report, ["puzzles", "--db", str(path), *arguments])


def test_what_a_game_holds_is_written(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "puzzles.json"
    result = run(path, "--out", str(out), "--plies", "3")
    assert result.exit_code == 0, result.output
    (found,) = read_file(out.read_bytes()).values()
    texts = rules("tictactoe").texts
    (puzzle, source) = found[0]
    assert [texts[move] for move in puzzle.moves] == FORK.split()
    assert texts[puzzle.key] == "a3"
    assert (source.game, source.x, source.o) == (FORKED, None, "level:2")  # no person's name is passed on
    assert run(path, "--plies", "3").stdout == out.read_text()
    assert "tictactoe: 1 of" in result.stderr


def test_running_and_private_games_give_none(path: Path) -> None:
    execute(path, "UPDATE games SET private = 1 WHERE id = ?", (FORKED,))
    add_game(path, RUNNING, "tictactoe", f"{FORK} b3", None, None)
    result = run(path)
    assert result.exit_code != 0
    assert "No puzzle was found" in result.output


def test_one_kind_of_game(path: Path) -> None:
    result = run(path, "--game", "nine-board")
    assert result.exit_code != 0
    told = json.loads(run(path, "--game", "tictactoe").stdout)
    assert list(told["games"]) == ["tictactoe"]


def test_what_cannot_be_written(path: Path, tmp_path: Path) -> None:
    assert "is the database itself" in run(path, "--out", str(path)).output
    result = run(path, "--game", "tictactoe", "--out", str(tmp_path / "none" / "puzzles.json"))
    assert "cannot be written" in result.output


def test_options_follow_the_command(path: Path) -> None:
    result = CliRunner().invoke(report, ["--db", str(path), "puzzles"])
    assert "--db before `puzzles` belongs to a report on all games: its own options follow it." in result.output


def test_progress_tells_what_was_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles_command, "progress", each_piece)
    told = run(path, "--game", "tictactoe").stderr.splitlines()
    assert told[0] == "Searching games of tictactoe"
    assert told[1].startswith("Searching games of tictactoe: 1; ")
    assert told[-1].startswith("tictactoe: ")
