"""How somebody likes to play in the terminal, and where that is kept."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from client.terminal import preferences
from client.terminal.preferences import LastGame, Preferences


def test_settings_hold_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "new" / "terminal.json"
    first = Preferences(path)
    assert (first.premove, first.confirm, first.thoughts, first.last) == (True, False, True, None)
    assert first.switch("premove") == "Premoves: off."
    assert first.switch("confirm") == "Confirm moves: on."
    first.remember(LastGame("qubic", "bot", "level:3", "5+3", "random", "human"))
    again = Preferences(path)
    assert (again.premove, again.confirm, again.thoughts) == (False, True, True)
    assert again.last == LastGame("qubic", "bot", "level:3", "5+3", "random", "human")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "no json", '{"premove": 3}', '{"last": {"seat": "z"}}', '{"folded": {"sky": true}}', "\xff",
        '{"premove": false, "last": {"game": "qubic", "opponent": "self", "clock": "soon"}}',
    ],
)  # fmt: skip
def test_a_file_of_something_else_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "terminal.json"
    path.write_text(text, encoding="latin-1")
    assert Preferences(path).premove


def test_folded_panes_hold_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    Preferences(path).fold("rules", True)
    Preferences(path).fold("chat", False)
    assert Preferences(path).folded == {"rules": True, "chat": False}


def test_settings_of_newer_versions_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    path.write_text('{"confirm": true, "sound": "loud"}')
    assert Preferences(path).confirm


def test_settings_that_cannot_be_kept_hold_for_now(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Preferences(tmp_path / "file" / "terminal.json")
    assert "Confirm moves: on. The settings cannot be saved" in kept.switch("confirm")
    assert kept.confirm


def test_where_settings_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert preferences.default_path() == tmp_path / "noughts" / "terminal.json"
