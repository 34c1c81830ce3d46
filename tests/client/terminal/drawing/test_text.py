"""Cleaning and measuring."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.sdk.text import width
from client.terminal.drawing.text import centred, cropped, wrapped


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
