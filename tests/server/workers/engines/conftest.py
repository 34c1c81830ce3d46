"""Engines that a test has played with end with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.workers.engines import playing


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    playing.end_games()
    playing.end_idle()
    playing._sessions.clear()
