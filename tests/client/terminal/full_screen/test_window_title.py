"""The title of the terminal's window."""

from __future__ import annotations

import sys
from io import StringIO

import pytest

from client.terminal.full_screen.window_title import WindowTitle


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "term", "written"),
    [
        (Terminal(), "xterm", "\x1b[22;2t\x1b]2;Your turn\x07\x1b[23;2t"),
        (Terminal(), "linux", ""),
        (StringIO(), "xterm", ""),
    ],
)
def test_a_title_is_kept_shown_and_given_back(
    monkeypatch: pytest.MonkeyPatch, stream: StringIO, term: str, written: str
) -> None:
    monkeypatch.setattr(sys, "__stderr__", stream)
    monkeypatch.setenv("TERM", term)
    window = WindowTitle()
    window.keep()
    window.show("Your turn")
    window.give_back()
    assert stream.getvalue() == written
