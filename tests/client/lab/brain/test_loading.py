"""What is said while a bot is loaded."""

from __future__ import annotations

from threading import Event

import click
import pytest

from client.lab.brain import loading
from engine.bots.roster import bot
from engine.rules.registry import rules


def test_a_bot_that_is_compiled_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    said = Event()
    echo = click.echo

    def say(text: str, err: bool) -> None:
        echo(text, err=err)
        said.set()

    monkeypatch.setattr(loading, "LONG_S", 0.0)
    monkeypatch.setattr(click, "echo", say)
    monkeypatch.setattr(loading, "warm_up", lambda bot, game: said.wait(10))
    loading.load_aloud(bot("strongest"), rules("gomoku"))
    heard = capsys.readouterr()
    assert "strongest is being compiled" in heard.err
    assert heard.out == ""


def test_one_that_is_ready_at_once_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(loading, "warm_up", lambda bot, game: None)
    loading.load_aloud(bot("strongest"), rules("gomoku"))
    assert capsys.readouterr().err == ""


def test_one_without_kernels_is_never_said_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    class NeverStarted:
        """A timer of which `start` does not exist."""

        daemon = False

        def __init__(self, *arguments: object) -> None: ...
        def cancel(self) -> None: ...

    monkeypatch.setattr(loading, "Timer", NeverStarted)
    monkeypatch.setattr(loading, "warm_up", lambda bot, game: None)
    loading.load_aloud(bot("random"), rules("gomoku"))
