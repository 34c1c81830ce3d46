"""Cleaning and measuring."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.sdk.text import clean, width
from client.terminal.drawing.text import centred, cropped, wrapped


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


def test_width() -> None:
    assert [width(text) for text in ("X", "猫", "e\u0301", "👩", "")] == [1, 2, 1, 2, 0]


@given(st.text(max_size=20), st.integers(1, 12))
def test_cropped_fits(text: str, columns: int) -> None:
    assert width(cropped(text, columns)) <= columns


def test_centred() -> None:
    assert centred("猫", 5) == " 猫  "
    assert centred("long", 2) == "long"


def test_long_lines_break_between_words() -> None:
    assert wrapped("one two three\n  four five six", 9) == "one two\nthree\n  four\n  five\n  six"
    assert wrapped("see http://127.0.0.1:8765/room/r1#abc now", 12) == "see\nhttp://127.0.0.1:8765/room/r1#abc\nnow"
    assert wrapped("one two  three four five", 19) == "one two  three four\n         five"
    assert wrapped("one  two  three four", 15) == "one  two\n     three four", "in a row of columns"
    assert wrapped("one  two  three four five", 15) == "one  two  three\n     four five", "a column that has no room"
    assert wrapped("one two three  four five", 15) == "one two three\nfour five", "not in a narrow rest"
    assert wrapped(" 12  one two three", 12) == " 12  one two\n     three"
    assert wrapped("  X   O  \n---+---", 9) == "  X   O  \n---+---"
