"""The words by which people leave what they look at."""

from __future__ import annotations

from enum import Enum

ENDED, LEFT, INTERRUPTED = 0, 1, 130
"""Exit statuses: the game has ended, its player left before that, or pressed Ctrl-C."""


class Exit(Enum):
    BACK = "back"
    """Back to where it was opened."""
    QUIT = "quit"
    """Out of noughts; the end of input means this too."""


_WORDS = dict.fromkeys(("back", "lobby", "new"), Exit.BACK) | dict.fromkeys(("quit", "q", "exit"), Exit.QUIT)


def exit_asked(typed: str) -> Exit | None:
    """The way out that a word asks for; None for any other. It may begin with a slash, as in a game."""
    return _WORDS.get(typed.strip().lower().removeprefix("/"))
