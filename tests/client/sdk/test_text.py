"""Other people's text made safe, and how wide it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.sdk.text import clean, width


@pytest.mark.parametrize(
    ("dirty", "shown"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1;2qdata\x1b\\y", "y"),
        ("\x1bcreset", "reset"),
        ("\x1b(0x", "x"),
        ("\x9b2Jx", "x"),
        ("\x1b", ""),
        ("a\nb\tc\r\x00\x07", "abc"),
        ("\u202eabc\u2066", "abc"),
        ("a\u2028b\u2029c\ud800d\ue000e\u0378f", "abcdef"),
        ("Zoë 猫 👩\u200d💻", "Zoë 猫 👩\u200d💻"),
        ("[31m is harmless", "[31m is harmless"),
    ],
)
def test_clean(dirty: str, shown: str) -> None:
    assert clean(dirty) == shown


@given(st.text())
def test_nothing_that_a_terminal_obeys_survives(text: str) -> None:
    kept = clean(text)
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in kept)
    assert clean(kept) == kept


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("X", 1),
        ("猫", 2),
        ("\uff21", 2),
        ("e\u0301", 1),
        ("a\u20dd", 1),
        ("\u0915\u0941", 1),
        ("👩\u200d💻", 4),
        ("\x07", 0),
    ],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
