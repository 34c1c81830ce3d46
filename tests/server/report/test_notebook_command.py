from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.report.notebook_command import notebook
from tests.support.analysis_page import NOTEBOOK
from tests.support.database.database_files import new_database
from tests.support.ladder.records import add_list
from tests.support.terminated import terminated


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    return path


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that would have taken the process over."""
    found: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, words: found.append([program, *words[1:]]))
    return found


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(notebook, ["--db", str(path), *arguments])


def test_it_writes_the_tables_and_opens_the_notebook(path: Path, tmp_path: Path, begun: list[list[str]]) -> None:
    folder = tmp_path / "a" / "b"
    done = run(path, "--out", str(folder), "--", "--headless")
    own = folder / NOTEBOOK.name
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Opening {own} with 13 games and ")
    assert own.read_bytes() == NOTEBOOK.read_bytes()
    assert sorted(file.stem for file in folder.glob("*.parquet")) == ["games", "moves", "standings"]
    assert begun == [[sys.executable, "-m", "marimo", "edit", "--headless", str(own)]]


def test_it_keeps_what_was_changed(path: Path, tmp_path: Path, begun: list[list[str]]) -> None:
    (tmp_path / NOTEBOOK.name).write_text("mine")
    (tmp_path / "games.parquet").write_text("old")
    assert run(path, "--out", str(tmp_path)).exit_code == 0
    assert (tmp_path / NOTEBOOK.name).read_text() == "mine"
    assert (tmp_path / "games.parquet").read_bytes() != b"old"
    assert len(begun) == 1


def test_without_its_packages_it_says_what_to_install(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[list[str]]
) -> None:
    monkeypatch.setattr("server.report.find_spec", lambda name: None if name == "marimo" else sys)
    done = run(path, "--out", str(tmp_path / "out"))
    assert (done.exit_code, done.stderr) == (
        1, "Error: Notebooks need marimo: in a checkout of noughts, pip install '.[notebook]' installs that.\n"
    )  # fmt: skip
    assert not (tmp_path / "out").exists()
    assert not begun


def test_a_file_in_the_place_of_the_folder(path: Path, tmp_path: Path, begun: list[list[str]]) -> None:
    (tmp_path / "out").write_text("mine")
    done = run(path, "--out", str(tmp_path / "out"))
    assert (done.exit_code, done.stderr) == (1, f"Error: {tmp_path / 'out'} is a file: name a folder to write to.\n")
    assert not begun


def test_a_full_disk(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[list[str]]) -> None:
    def full(self: Path, content: bytes) -> None:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = run(path, "--out", str(tmp_path / "out"))
    own = tmp_path / "out" / NOTEBOOK.name
    assert (done.exit_code, done.stderr) == (1, f"Error: {own} cannot be written: No space left on device.\n")
    assert not [*own.parent.glob("*.py*")]
    assert not begun


@pytest.mark.parametrize("of", ["tables", "notebook"])
def test_ended_by_sigterm_it_leaves_no_unfinished_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[list[str]], of: str
) -> None:
    written = {"tables": "server.report.export.parquet.frame", "notebook": "pathlib.Path.write_bytes"}
    monkeypatch.setattr(written[of], terminated)
    done = run(path, "--out", str(tmp_path / "out"))
    assert (done.exit_code, done.output.strip()) == (1, "Aborted!")
    assert [file.suffix for file in (tmp_path / "out").iterdir()] == [".parquet"] * (3 if of == "notebook" else 0)
    assert not begun
