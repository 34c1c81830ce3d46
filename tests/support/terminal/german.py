"""The terminal in German, for one test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.terminal.language import ENGLISH, speak


@pytest.fixture
def german() -> Iterator[None]:
    speak("de")
    yield
    speak(ENGLISH)
