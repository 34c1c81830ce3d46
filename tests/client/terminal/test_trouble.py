"""What went wrong, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.sdk import RequestRefused
from client.terminal.language import ENGLISH, speak
from client.terminal.trouble import trouble_words
from server.wire import ErrorCode, RefusedField


@pytest.fixture
def german() -> Iterator[None]:
    speak("de")
    yield
    speak(ENGLISH)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("code", ["not_now", "malformed", "bad_bot", "bad_clock", "unknown_bot"])
def test_what_only_the_server_knows_is_quoted(code: ErrorCode) -> None:
    told = trouble_words(RequestRefused(code, "There are no takebacks {here}."))
    assert told.endswith("„There are no takebacks {here}.“")


@pytest.mark.parametrize(
    ("name", "least", "most", "sentence"),
    [
        ("clock.initial_ms", 1_000, 10_800_000, "The time for all moves must be 1 s to 3 h."),
        ("clock.increment_ms", 0, 180_000, "The increment must be 0 s to 3 min."),
        ("clock.move_ms", 100, 86_400_000, "The time for a move must be 0.1 s to 24 h."),
        ("limit.depth", 1, 1000, "Depth is 1 to 1000."),
    ],
)
def test_bounds_are_told_in_the_units_of_a_clock(name: str, least: int, most: int, sentence: str) -> None:
    field = RefusedField(name=name, least=least, most=most)
    assert trouble_words(RequestRefused("bad_clock", "Depth is 1 to 1000.", field=field)) == sentence
