"""Engines that a test has played with end with it, and may be slow where the machine is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.workers.engines import playing, session


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    playing.end_games()
    playing.end_idle()
    playing._sessions.clear()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "START_MS", 60_000)
