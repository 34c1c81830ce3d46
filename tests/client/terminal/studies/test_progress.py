"""The puzzles that were solved, and where that is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.terminal.preferences import Preferences
from client.terminal.studies.progress import Progress


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(tmp_path / "terminal.json")


def test_what_was_solved_is_solved_the_next_time(preferences: Preferences) -> None:
    first = Progress(preferences)
    assert not first.has("tictactoe 1")
    for name in ("tictactoe 1", "qubic 2", "tictactoe 1"):
        assert first.add(name) == ""
    again = Progress(preferences)
    assert again.has("tictactoe 1")
    assert again.has("qubic 2")
    assert not again.has("qubic 1")


def test_the_newest_thousand_are_kept(preferences: Preferences, tmp_path: Path) -> None:
    kept = [str(number) for number in range(1000)]
    (tmp_path / "solved.json").write_text(json.dumps(kept))
    progress = Progress(preferences)
    progress.add("999")
    progress.add("new")
    assert json.loads((tmp_path / "solved.json").read_text()) == [*kept[1:], "new"]
    assert not progress.has("0")


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff", b"[" * 100_000])
def test_a_file_of_something_else_is_as_good_as_none(preferences: Preferences, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "solved.json").write_bytes(content)
    progress = Progress(preferences)
    assert not progress.has("1")
    assert progress.add("1") == ""
    assert Progress(preferences).has("1")


def test_what_cannot_be_kept_holds_for_now(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    progress = Progress(Preferences(tmp_path / "file" / "terminal.json"))
    assert "solved.json" in progress.add("1")
    assert progress.has("1")
    nowhere = Progress(Preferences())
    assert nowhere.add("1") == ""
    assert nowhere.has("1")
