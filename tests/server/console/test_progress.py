"""Progress on stderr: bars on a terminal, lines elsewhere."""

from __future__ import annotations

import sys

import pytest

from server.console.progress import Lines, progress


def test_in_a_pipe_it_is_a_line_now_and_then(capfd: pytest.CaptureFixture[str]) -> None:
    with Lines(announce=True, every_s=0).step("games", 4) as step:
        step.advance()
        step.advance(2, "1 won")
        step.advance()
    assert capfd.readouterr().err.splitlines() == ["games: 4", "games: 1 of 4", "games: 3 of 4; 1 won"]


def test_a_total_that_nobody_knows(capfd: pytest.CaptureFixture[str]) -> None:
    with Lines(announce=True, every_s=0).step("reading") as step:
        step.advance(1000)
    assert capfd.readouterr().err.splitlines() == ["reading", "reading: 1000"]


def test_what_is_quick_says_nothing_in_a_pipe(capfd: pytest.CaptureFixture[str]) -> None:
    with progress() as shown, shown.step("games", 2) as step:
        step.advance()
        step.advance()
        shown.say("One is late.")
    assert capfd.readouterr() == ("", "One is late.\n")


def test_on_a_terminal_it_is_a_bar_and_leaves_stdout_alone(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress() as shown, shown.step("games [1]", 2) as step:
        step.advance()
        step.advance(note="1 won [2]")
        shown.say("[3] is late.")
        print("a result")
    out, err = capfd.readouterr()
    assert out == "a result\n"
    for words in ("0/2", "games [1]", "[3] is late."):
        assert words in err


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_only_takes_lines_gets_lines(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", term)
    with progress() as shown:
        assert isinstance(shown, Lines)
