"""`noughts report compare`: two reports or databases."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from server.console.files import write_file
from server.report.command import report
from server.report.page import changes
from server.report.page.changes import key
from server.report.page.frames import read
from server.report.page.words import ReportData
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import add_list
from tests.support.schemas import checked


def run(*arguments: object) -> Result:
    return CliRunner().invoke(report, ["compare", *map(str, arguments)])


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    return path


def reported(path: Path, folder: Path) -> Path:
    """A folder as `noughts report` leaves it."""
    folder.mkdir()
    figures = key(ReportData(read(path)), 1_800_000_000_000, [], "all games")
    write_file(folder / changes.NAME, msgspec.json.encode(figures))
    return folder


def grown(path: Path) -> None:
    add_list(path, list="new", game="qubic", pairs=1)
    execute(
        path,
        "UPDATE ladder_standings SET place = iif(place < 3, 3 - place, place), rating = rating + iif(place < 3, 7, -7)",
    )


def test_a_report_and_a_later_database(night: Path, tmp_path: Path) -> None:
    folder = reported(night, tmp_path / "before")
    grown(night)
    done = run(folder, night)
    assert done.exit_code == 0, done.output
    assert "Since 2027-01-15 08:00 (UTC): +" in done.stdout
    assert "alphabeta:3 now leads night: small, before strongest." in done.stdout
    assert "New list: night: new." in done.stdout
    standings = done.stdout[done.stdout.index("night: small: standings:") :]
    assert "strongest" in standings
    assert "down 1" in standings


def test_as_json(night: Path, tmp_path: Path) -> None:
    folder = reported(night, tmp_path / "before")
    grown(night)
    found = checked("report compare", run(folder / "report.json", night, "--json").stdout)
    assert found["new_lists"] == ["night: new"]
    assert found["after"]["games"] > found["before"]["games"]
    [both] = found["lists"]
    assert {bot["after"]["bot"]: bot["rating_change"] for bot in both["bots"]}["strongest"] == 7


def test_of_one_game(night: Path) -> None:
    grown(night)
    found = checked("report compare", run(night, night, "--json", "--game", "qubic").stdout)
    assert [*found["after"]["by_game"]] == ["qubic"]
    assert [both["title"] for both in found["lists"]] == ["night: new"]


@pytest.mark.parametrize(
    ("name", "status", "sentence"),
    [
        ("empty", 2, "has no report.json: name a folder that `noughts report` has written."),
        ("missing", 2, "cannot be read (No such file or directory): name a folder with a report, or a database."),
        ("other.json", 2, "does not hold the key figures of a report."),
        ("notes.txt", 1, "is not a SQLite database"),
    ],
)
def test_what_is_neither(night: Path, tmp_path: Path, name: str, status: int, sentence: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "notes.txt").write_text("Dear diary. " * 100)
    done = run(night, tmp_path / name)
    assert (done.exit_code, done.stdout) == (status, "")
    assert sentence in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Error: ")


def test_a_list_with_other_settings_is_found_by_its_name(night: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    path = new_database(other)
    add_list(path, pairs=1, seed=2)
    done = run(night, path)
    assert done.exit_code == 0, done.output
    assert "New list" not in done.stdout
    found = checked("report compare", run(night, path, "--json").stdout)
    assert [one["title"] for one in found["lists"]] == ["night: small"]
    assert found["new_lists"] == found["gone_lists"] == []
