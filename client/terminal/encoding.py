"""What a terminal's encoding cannot show is spelled with what it can: `-` for a line of a frame, `u` for `ü`."""

from __future__ import annotations

import codecs
import locale
import os
import sys
import unicodedata
from io import TextIOWrapper
from typing import TextIO

from client.sdk.text import width

_HANDLER = "noughts-spelled"
_SPELLED = {
    character: ascii_one
    for ascii_one, characters in {
        "-": "─━\u2013\u2014",
        "|": "│┃▌",
        "+": "┌┐└┘├┤┬┴┼╭╮╰╯",
        ">": "▶",
        "*": "●",
        "o": "○",
        ".": "·▃▄",
        "_": "▁▂",
        "=": "▅▆",
        "#": "▇█",
        '"': "\u201c\u201d\u201e",
        "'": "\u2018\u2019\u201a",
    }.items()
    for character in characters
}


def spell_what_is_missing(*streams: TextIO) -> None:
    """Let these streams write every text from now on, in as many columns as it has."""
    codecs.register_error(_HANDLER, _spell)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=_encoding(stream.encoding), errors=_HANDLER)


def can_show(text: str) -> bool:
    """Whether the terminal has all these characters, according to its locale."""
    try:
        text.encode(_encoding(sys.__stderr__.encoding if sys.__stderr__ is not None else "utf-8"))
    except UnicodeEncodeError:
        return False
    return True


def _encoding(python: str) -> str:
    """Python writes UTF-8 even in the C locale. Unless it was told to, believe the locale."""
    by_locale = sys.flags.utf8_mode and not {"PYTHONUTF8", "PYTHONIOENCODING"} & set(os.environ)
    return locale.getencoding() if by_locale and "utf8" not in sys._xoptions else python


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(character: str) -> str:
    letters = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return _SPELLED.get(character) or letters[: width(character)] or "?" * width(character)
