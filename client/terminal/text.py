"""Text that a terminal shows: how wide it is, and what fits. Pure."""

from __future__ import annotations

import unicodedata


def width(text: str) -> int:
    """Columns that the text takes in a terminal."""
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def centred(text: str, columns: int) -> str:
    space = max(0, columns - width(text))
    return " " * (space // 2) + text + " " * (space - space // 2)


def cropped(text: str, columns: int) -> str:
    """The text in at most so many columns, the end replaced by `~` where it does not fit."""
    if width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > columns - 1:
            break
        kept += character
    return kept + "~"
