"""Text that a terminal shows: what fits. Pure."""

from __future__ import annotations

import re
import textwrap

from client.sdk.text import width

_NO_BREAK = "\0"


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


def wrapped(text: str, columns: int) -> str:
    """The text with lines that are too long broken between words, under what stands after a number or a gap in front.

    A word, such as a link, stays whole, and so does each column of a row of three or more, where it can.
    """
    return "\n".join(line if width(line) <= columns else _broken(line, columns) for line in text.split("\n"))


def _broken(line: str, columns: int) -> str:
    in_front = re.match(r" *(\d+ +|\S.*?\S {2,})?", line)
    indent = width(in_front[0]) if in_front is not None else 0
    parts = re.split(" {2,}", line.strip())
    if len(parts) > 2 and all(width(part) <= columns - indent for part in parts):
        line = re.sub("(?<! ) (?! )", _NO_BREAK, line)
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=" " * indent if indent <= columns // 2 else "",
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    ).replace(_NO_BREAK, " ")
