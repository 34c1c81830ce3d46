"""What a bot answers: a move and how it came by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIN: Final = 1_000_000_000
LEAST_WIN: Final = WIN - 1000
"""No game has 1000 plies, and no evaluation comes near."""
SURE_PLIES: Final = 2
"""No proof of an end within so many plies is longer than the shortest: a move that wins, or the answer to any move."""


def win_in(value: float) -> int | None:
    """Plies to the forced end that a value stands for, negative for a loss; None for any other value."""
    if LEAST_WIN < value <= WIN:
        return int(WIN - value)
    if -WIN <= value < -LEAST_WIN:
        return int(-WIN - value)
    return None


@dataclass(frozen=True, slots=True)
class Decision:
    """A move with its search figures. Plain numbers, so that it can be pickled between processes."""

    move: int
    nodes: int = 0
    """Positions made by the search, its root not counted."""
    leaves: int = 0
    """Nodes that were ends of the game or were evaluated. `pv_search` counts one again where it searches it again, so
    there may be more of them than nodes."""
    depth: int = 0
    """Plies of the deepest finished search."""
    value: float | None = None
    """Value on the bot's own scale, for the side to move; None from a bot that does not judge."""
    win_in: int | None = None
    """Plies within which a forced end comes, negative for a loss; None unless proven."""
    bound: bool = True
    """The end may come sooner than `win_in` says. A whole search to this depth would have seen it sooner; one that
    leaves moves out, or looks less deep at some, has only found a way."""
    proven: bool = False
    """The value is the exact result of best play from here: a win, a loss or a draw."""
    pruned: int = 0
    """Branches that a cut left unsearched."""
    interior: int = 0
    """Nodes below the root whose moves were searched."""
    pv: tuple[int, ...] = ()
    """Principal variation: the moves that both sides were found to play best, `move` first."""
    interpreted: bool = False
    """The kernels ran as plain Python, as they do until they are compiled. That changes only moves found under a limit
    of time, and is set by whoever ran the search."""
