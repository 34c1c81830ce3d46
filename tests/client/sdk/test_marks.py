"""Marks that somebody chooses, and those that are refused."""

from __future__ import annotations

import pytest

from client.sdk.marks import BadMarks, parse_marks


@pytest.mark.parametrize(("written", "marks"), [("X,O", ("X", "O")), ("🐱,ab", ("🐱", "ab")), ("x , o", ("x", "o"))])
def test_marks(written: str, marks: tuple[str, str]) -> None:
    assert parse_marks(written) == marks


@pytest.mark.parametrize("written", ["", "X", "X,X", "abc,d", "X,", "X,\x1b", "X,\u200b", "X,O,Z", "a b,c"])
def test_bad_marks(written: str) -> None:
    with pytest.raises(BadMarks):
        parse_marks(written)
