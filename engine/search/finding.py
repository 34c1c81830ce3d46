"""What is found of a position by who is to judge it, and not to play it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.position import Move
from engine.search.watch import Watch


class Stopped(Exception):
    """Whoever asked wants no answer any more."""


def raise_if_stopped(watch: Watch) -> None:
    if watch.stopped():
        raise Stopped


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of best play from a position that is not over, or what it is thought to be, for the side to move."""

    exact: bool
    """It is proven: the value is 1, 0 or -1. Else it lies between."""
    value: float
    win_in: int | None = None
    """Plies to the forced end, negative for a loss; None for a draw, for an estimate, and where it is not known."""
    bound: bool = False
    """The end may come sooner than `win_in` says: a proof that is not the shortest."""
    best: tuple[Move, ...] = ()
    """Moves that are known to lead to this; the first is where `line` begins."""
    line: tuple[Move, ...] = ()
    is_all: bool = False
    """`best` has every move with this result."""
    nodes: int = 0
