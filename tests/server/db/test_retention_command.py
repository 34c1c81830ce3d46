"""`noughts db prune`, `archive` and `restore` on the command line."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.db import retention_command
from server.db.command import db
from server.db.migrate import prepare
from tests.support.database.earlier_files import RUN_IDS, database
from tests.support.report.progress import each_piece
from tests.support.schemas import checked


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = database(tmp_path)
    prepare(path)
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(db, [*arguments, "--db", str(path)])


def games(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        [(number,)] = connection.execute("SELECT count(*) FROM games")
        return int(number)


@pytest.mark.parametrize("command", [["prune"], ["archive", "FILE"]])
def test_a_dry_run_tells_and_does_nothing(path: Path, tmp_path: Path, command: list[str]) -> None:
    command = [str(tmp_path / "a.db") if part == "FILE" else part for part in command]
    result = run(path, *command, "--before", "2100-01-01", "--dry-run")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Would ")
    assert result.stdout.splitlines()[1:] == [
        "Kept 2 rated games, which ratings are made of.",
        "Kept 3 games of rooms that are open, or have others that are not chosen.",
    ]
    assert games(path) == 10
    assert not (tmp_path / "a.db").exists()


def test_there_and_back(path: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "a.db")
    result = run(path, "archive", file, "--run", "before/small")
    assert result.stdout == f"Moved 2 games, 1 ladder run to {file}.\n"
    result = run(path, "prune", "--source", "ladder", "--json")
    assert checked("db prune", result.stdout) == {
        "games": 2,
        "runs": [RUN_IDS[1]],
        "rooms": 0,
        "kept": {},
        "dry_run": False,
    }
    assert games(path) == 6
    assert run(path, "restore", file).stdout == f"Brought back 2 games, 1 ladder run from {file}.\n"
    assert checked("db restore", run(path, "restore", file, "--json").stdout)["games"] == 0
    assert games(path) == 8


@pytest.mark.parametrize("command", [["prune"], ["archive", "a.db"], ["prune", "--game", "qubic"]])
def test_games_are_to_be_named(path: Path, command: list[str]) -> None:
    result = run(path, *command)
    assert result.exit_code == 2
    assert "Say which games: --before, --source or --run." in result.stderr
    assert games(path) == 10


@pytest.mark.parametrize("command", [["prune"], ["archive", "a.db"]])
def test_a_run_that_nobody_played_is_told(path: Path, tmp_path: Path, command: list[str]) -> None:
    result = run(path, *command, "--run", "overnigth")
    assert result.exit_code == 2
    assert "has no game of a run 'overnigth'; its newest runs: before/" in " ".join(result.stderr.split())
    assert games(path) == 10


def test_a_run_that_is_gone_already_leaves_the_file_to_shrink(path: Path) -> None:
    assert run(path, "prune", "--run", "before/small").exit_code == 0
    again = run(path, "prune", "--run", "before/small", "--vacuum")
    assert (again.exit_code, again.stdout) == (0, "Removed 0 games.\n")


def test_dates_and_days(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [(ended_ms,)] = [(1795358204239,)]  # of the second of a list's two games
    monkeypatch.setattr(time, "time_ns", lambda: (ended_ms + 90 * 86_400_000) * 1_000_000)
    found = [
        checked(
            "db archive",
            run(path, "archive", "a.db", "--run", "before/small", "--before", before, "--dry-run", "--json").stdout,
        )["games"]
        for before in ("90d", "89d", "2026-11-22", "2026-11-23T00:00")
    ]
    assert found == [0, 2, 0, 2]
    result = run(path, "prune", "--before", "yesterday")
    assert result.exit_code == 2
    assert "'yesterday' is neither a date, as 2026-11-21 or 2026-11-21T18:30, nor a number of days, as 90d." in (
        " ".join(result.stderr.split())
    )


def test_a_failure_is_one_sentence(path: Path, tmp_path: Path) -> None:
    result = run(path, "restore", str(tmp_path / "missing.db"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: There is no archive {tmp_path / 'missing.db'}: ")


def test_progress_counts_what_is_done_with_each_game(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention_command, "progress", each_piece)
    file = str(tmp_path / "a.db")
    archived = run(path, "archive", file, "--run", "before/small").stderr.splitlines()
    assert archived[0] == "Archiving games: 4"  # two of them, copied and removed
    assert "Archiving games: 2 of 4" in archived
    assert run(path, "restore", file).stderr.splitlines()[0] == "Restoring games: 2"
    assert run(path, "prune", "--run", "before/small").stderr.splitlines()[0] == "Removing games: 2"
    assert run(path, "prune", "--source", "match", "--dry-run").stderr == ""
