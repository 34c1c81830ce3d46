"""Other people's text in a terminal: made safe, and how wide it is. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Whole sequences go, not only their first character: what is left of one would be noise.
_ESCAPES = re.compile(
    r"""
    (?: \x1b\[ | \x9b ) [0-?]* [ -/]* [@-~]?                            # colours, cursor, screen
    | (?: \x1b[\]PX^_] | [\x90\x98\x9d-\x9f] ) [^\x07\x1b\x9c]* (?: \x07 | \x1b\\ | \x9c )?  # titles, links, clipboard
    | \x1b [\ -/]* [0-~]?                                              # all others
    """,
    re.VERBOSE,
)
_JOINERS = "\u200c\u200d"  # Some scripts and emoji are spelt with them.


def clean(text: str) -> str:
    """`text` without anything that a terminal would obey: escapes, controls, line ends, changes of direction."""
    text = _ESCAPES.sub("", text)
    return "".join(character for character in text if _is_harmless(character))


def width(text: str) -> int:
    """Columns that the text takes in a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_width, text))


@lru_cache(maxsize=1024)
def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _is_harmless(character: str) -> bool:
    if character in _JOINERS:
        return True
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
