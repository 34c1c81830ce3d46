"""The marks of X and O that somebody chooses for themselves. Pure."""

from __future__ import annotations

from typing import Final

from client.sdk.text import clean, width

MARKS = ("X", "O")
_UNCERTAIN: Final = (
    "\u200c\u200d",
    *("".join(map(chr, codes)) for codes in (range(0xFE00, 0xFE10), range(0x1F3FB, 0x1F400))),
)
"""Joiners, variation selectors and skin tones: some terminals draw them into the character before, others beside it."""


class BadMarks(ValueError):
    """Marks that could not be told apart or shown on a board."""


class UncertainMarks(BadMarks):
    """Marks that terminals draw in different widths, so that a board would lose its columns."""


class SwappedMarks(BadMarks):
    """Marks that show one side as the other."""


def parse_marks(written: str) -> tuple[str, str]:
    """Two marks written as `X,O`. Raises BadMarks.

    A mark may take two columns, or four as two emoji do: a board is drawn with cells as wide as its widest mark.
    """
    x, comma, o = written.partition(",")
    x, o = x.strip(), o.strip()
    if not comma or not (_is_mark(x) and _is_mark(o)) or x.casefold() == o.casefold():
        raise BadMarks(f"Write two different marks of one or two characters, as in X,O: {written!r} is not that.")
    if any(character in some for some in _UNCERTAIN for character in x + o):
        raise UncertainMarks(
            f"Not every terminal draws {written!r} in the same width: write marks without variation selectors, joiners "
            "and skin tones, as in ❌,⭕."
        )
    if MARKS[1] == x.upper() or MARKS[0] == o.upper():
        wrong = "X as O" if MARKS[1] == x.upper() else "O as X"
        raise SwappedMarks(f"The mark of X comes first: {x},{o} would show {wrong}; write {o},{x}.")
    return x, o


def _is_mark(mark: str) -> bool:
    return 1 <= len(mark) <= 2 and clean(mark) == mark and width(mark) >= 1 and " " not in mark
