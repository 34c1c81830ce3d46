"""What a review says of one move: plain data, for whoever stores, sends or shows it without loading a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.rules.position import Move

VERSION = 1
"""Grows when moves are judged otherwise, so that stored reviews are made again."""

Verdict: TypeAlias = Literal["won", "drawn", "lost", "better", "even", "worse"]
"""For who made the move; the first three only where it is exact."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One move of a finished game. Plies to an end count the move itself; a negative number is a loss."""

    verdict: Verdict
    exact: bool
    value: float
    """-1 to 1, for who made the move: 1, 0 or -1 where it is exact, else an estimate strictly between."""
    win_in: int | None
    """Plies to the forced end, 1 for a move that completes a line; None where none is proven."""
    at_most: bool
    """`win_in` is a bound: it may be sooner."""
    best: tuple[Move, ...]
    """The best line from before the move. It begins with the move where none is better."""
    could: Verdict
    """What the first move of `best` leads to,"""
    could_in: int | None
    """and in how many plies."""
    nodes: int
