"""Marks that somebody chooses, and those that are refused."""

from __future__ import annotations

import pytest

from client.sdk.marks import BadMarks, SwappedMarks, UncertainMarks, parse_marks


@pytest.mark.parametrize(
    ("written", "marks"),
    [("X,O", ("X", "O")), ("🐱,ab", ("🐱", "ab")), ("x , o", ("x", "o")), ("❌,⭕", ("❌", "⭕")), ("✖,○", ("✖", "○"))],
)
def test_marks(written: str, marks: tuple[str, str]) -> None:
    assert parse_marks(written) == marks


@pytest.mark.parametrize("written", ["", "X", "X,X", "abc,d", "X,", "X,\x1b", "X,\u200b", "X,O,Z", "a b,c", "ab,AB"])
def test_bad_marks(written: str) -> None:
    with pytest.raises(BadMarks):
        parse_marks(written)


@pytest.mark.parametrize("written", ["✖\ufe0f,O", "X,👍🏽", "X,a\u200d"])
def test_marks_of_an_uncertain_width(written: str) -> None:
    with pytest.raises(UncertainMarks, match="in the same width: write marks without"):
        parse_marks(written)


@pytest.mark.parametrize(("written", "wrong"), [("O,X", "X as O"), ("o,#", "X as O"), ("#,x", "O as X")])
def test_marks_that_show_one_side_as_the_other(written: str, wrong: str) -> None:
    x, o = written.split(",")
    with pytest.raises(SwappedMarks) as caught:
        parse_marks(written)
    assert str(caught.value) == f"The mark of X comes first: {written} would show {wrong}; write {o},{x}."
