"""The result of judging a position, without playing it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.position import Move
from engine.search.watch import Watch


class Stopped(Exception):
    """The answer is no longer wanted."""


def raise_if_stopped(watch: Watch) -> None:
    if watch.stopped():
        raise Stopped


@dataclass(frozen=True, slots=True)
class Finding:
    """The proven or estimated result of best play for the side to move, in a position that is not over."""

    exact: bool
    """The value is proven, and is then 1, 0 or -1; an estimate lies between."""
    value: float
    win_in: int | None = None
    """Plies to the forced end, negative for a loss; None for a draw, for an estimate, and where it is not known."""
    bound: bool = False
    """The end may come sooner than `win_in` says: a proof that is not the shortest."""
    best: tuple[Move, ...] = ()
    """Moves that are known to lead to this; the first is where `line` begins."""
    line: tuple[Move, ...] = ()
    is_all: bool = False
    """`best` holds every move with this result."""
    nodes: int = 0
