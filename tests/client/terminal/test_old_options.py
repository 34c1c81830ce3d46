"""The options from before the subcommands: each comes to a subcommand, and says so once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.terminal.play_options import Settings
from client.terminal.preferences import Preferences
from tests.support.terminal.commands import asked, play

__all__ = ["asked"]

PREFERENCES = Preferences()


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
    old: str, new: str, asked: list[Settings], capfd: pytest.CaptureFixture[str]
) -> None:
    assert play(new) == 0
    assert capfd.readouterr() == ("", "")
    assert play(old) == 0
    one, other = (replace(settings, preferences=PREFERENCES) for settings in asked)
    assert one == other
    shown = capfd.readouterr()
    subcommand = new[new.index(next(word for word in new.split() if word.isalpha())) :]
    assert shown == ("", f"Hint: `noughts play {subcommand}` does the same.\n")
