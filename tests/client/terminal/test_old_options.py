"""The options from before the subcommands: each comes to a subcommand, and says so once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from client.cli import main as cli
from client.terminal import language
from client.terminal import play as playing
from client.terminal.play_options import Settings
from client.terminal.preferences import Preferences

PREFERENCES = Preferences()


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NOUGHTS_SERVER", raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    yield
    language.speak(language.ENGLISH)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("--bot alphabeta:3", "bot alphabeta:3"),
        ("--bot random --depth 4", "bot random --limit depth=4"),
        ("--bot random --nodes 9", "bot random --limit nodes=9"),
        ("--bots random alphabeta --think 500ms --human-pace", "bots random alphabeta --limit 500ms --human-pace"),
        ("--invite --game ultimate --clock 5+3 --rated", "invite --game ultimate --clock 5+3 --rated"),
        ("--open --seat o", "open --seat o"),
        ("--self --start b2", "self --start b2"),
        ("--join http://h:1/join/CODE --guest --game qubic", "--guest join http://h:1/join/CODE"),
        ("--room r1 --server h:2", "--server h:2 join r1"),
        ("--watch r1 --code C", "watch r1 --code C"),
        ("--replay 7 --ascii", "--ascii replay 7"),
    ],
)
def test_an_old_line_does_what_the_new_one_does(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    seen: list[Settings] = []

    async def remember(settings: Settings) -> int:
        seen.append(replace(settings, preferences=PREFERENCES))
        return 0

    monkeypatch.setattr(playing, "_play", remember)
    assert cli._status(["play", *new.split()]) == 0
    assert capfd.readouterr() == ("", "")
    assert cli._status(["play", *old.split()]) == 0
    assert seen[0] == seen[1]
    shown = capfd.readouterr()
    subcommand = new[new.index(next(word for word in new.split() if word.isalpha())) :]
    assert shown == ("", f"Hint: `noughts play {subcommand}` does the same.\n")
