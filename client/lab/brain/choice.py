"""What a protocol asks of a bot: a move within a time. The protocols know no search, and tests need none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.rules.position import Move, Position
from engine.search.decision import Decision

Choose: TypeAlias = Callable[[Position, int, Sequence[Move], int], Decision]
"""A decision for a position, in so many milliseconds at most. The moves led to it from the first position, in the game
of this number, from 0: each game of a conversation has its own, or a bot would play all of them alike."""

_NUMBER = re.compile(r"-?[0-9]{1,18}")


class ProtocolError(Exception):
    """The arena sent something that its protocol does not allow and has no answer for. One sentence."""


def numbers(text: str, separator: str | None = None) -> tuple[int, ...]:
    """The whole numbers of a line. Raises ValueError for anything else among them."""
    words = [word.strip() for word in text.split(separator)]
    if not all(_NUMBER.fullmatch(word) for word in words):
        raise ValueError(f"{text.strip()[:40]!r} is not made of whole numbers.")
    return tuple(map(int, words))
