"""Text that a terminal shows: what fits. Pure."""

from __future__ import annotations

from client.sdk.text import width


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
