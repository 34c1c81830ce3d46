"""What lines of `noughts play` would play, for tests: games are not played."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.cli import main as cli
from client.terminal import language
from client.terminal import play as playing
from client.terminal.play_options import Settings


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Settings]]:
    """What each command that is run here would play, in English and on the usual server if it names none."""
    seen: list[Settings] = []

    async def remember(settings: Settings) -> int:
        seen.append(settings)
        return 0

    monkeypatch.setattr(playing, "_play", remember)
    monkeypatch.delenv("NOUGHTS_SERVER", raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    yield seen
    language.speak(language.ENGLISH)


def play(line: str) -> int:
    """The exit status of `noughts play` with these words."""
    return cli._status(["play", *line.split()])
