"""The marks of X and O that somebody chooses for themselves. Pure."""

from __future__ import annotations

from client.sdk.text import clean, width

MARKS = ("X", "O")


class BadMarks(ValueError):
    """Marks that could not be told apart or shown on a board."""


def parse_marks(written: str) -> tuple[str, str]:
    """Two marks written as `X,O`. Raises BadMarks."""
    x, comma, o = written.partition(",")
    marks = (x.strip(), o.strip())
    if not comma or not all(_is_mark(mark) for mark in marks) or marks[0] == marks[1]:
        raise BadMarks(f"Write two different marks of one or two characters, as in X,O: {written!r} is not that.")
    return marks


def _is_mark(mark: str) -> bool:
    return 1 <= len(mark) <= 2 and clean(mark) == mark and width(mark) >= 1 and " " not in mark
