"""A lazily explored tree for 3 x 3 and alpha-beta for the nine boards, after Osipa.

The tree: each position is explored at most once, when it is first asked for; its moves are tried in order until one is
worth as much as any move can be. It plays perfectly.

The nine boards: alpha-beta on shuffled moves, 3 plies deep up to his step 30, which has 30 moves before it, and 4 from
then on; the game's first move, step 0, is random. A win is +1, however far, a loss -1. `control` adds 0.1 for each
board in which a side can win at once, minus the other's; `ways` 1/60 for each such winning move; `zero` nothing.

Left open: the tree's order of moves (by cell) and which of equal ones it plays (the first); the cut (alpha > beta:
while no board is controlled all is equal, and only a strict cut makes the first moves the slowest, as he has them in
Figure 1); and that of equal moves the first in the shuffled order is played. Positions reached by different orders of
moves are one in the tree, which is how nothing is computed twice. A decision counts the nodes that its part of the tree
has, whether it or an earlier one explored them, so that it is the same whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from engine.bots.literature.answer import Scale, decision, depth_of, first, win_in
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.nested import ALL_BOARDS, HAS_LINE
from engine.rules.position import Move, Position
from engine.search.decision import Decision
from engine.search.fixed import Cut, Scoring, Searched, search
from engine.search.watch import NO_WATCH, Watch

# The tree.


class Explored(NamedTuple):
    """What the tree knows of a position."""

    value: int
    """1, 0 or -1 for the side to move."""
    moves: tuple[Move, ...]
    """The moves that were tried; none if the game is over."""
    skipped: int
    """The moves that were not tried, because the last one tried is worth as much as any can be."""
    best: tuple[Move, ...]
    """The best play of both sides from here."""


class Tree:
    """A tree that grows where it is needed, and never shrinks."""

    def __init__(self) -> None:
        self._known: dict[Position, Explored] = {}

    def __len__(self) -> int:
        """Positions explored so far."""
        return len(self._known)

    def explored(self, position: Position, look: Callable[[], None] = lambda: None) -> Explored:
        """The position's node, with everything below that its value needs.

        `look` is called before each new position; what it raises ends the exploring, and what is known stays known.
        """
        known = self._known.get(position)
        if known is None:
            look()
            known = self._known[position] = self._explore(position, look)
        return known

    def _explore(self, position: Position, look: Callable[[], None]) -> Explored:
        if position.outcome is not None:
            # In 3 x 3 only the last move can have won, and the other side made it.
            return Explored(0 if position.outcome.winner is None else -_BEST, (), 0, ())
        value = -_BEST - 1
        best: tuple[Move, ...] = ()
        moves = position.legal_moves()
        for tried, move in enumerate(moves, 1):
            after = self.explored(position.play(move), look)
            if -after.value > value:
                value, best = -after.value, (move, *after.best)
            if value == _BEST:
                return Explored(value, moves[:tried], len(moves) - tried, best)
        return Explored(value, moves, 0, best)

    def counts(self, position: Position) -> tuple[int, int, int]:
        """Nodes and leaves below an explored position, and the moves that were skipped there and below."""
        seen = {position}
        waiting = [position]
        leaves = skipped = 0
        while waiting:
            node = waiting.pop()
            skipped += self._known[node].skipped
            leaves += node.outcome is not None
            new = {node.play(move) for move in self._known[node].moves} - seen
            seen |= new
            waiting += new
        return len(seen) - 1, leaves, skipped


_BEST: Final = 1
_TREE: Final = Tree()
"""The tree of this process: at most the 5,478 positions of 3 x 3."""


class _Stopped(Exception):
    """Unwinds the exploring when its time is up."""


def tree(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """Stopped before the position's value is known, it returns the first legal move without a value."""

    def look() -> None:
        if watch.stopped() or (limit.move_ms is not None and watch.elapsed_ms() >= limit.move_ms):
            raise _Stopped

    try:
        root = _TREE.explored(position, look)
    except _Stopped:
        return Decision(position.legal_moves()[0])
    nodes, leaves, skipped = _TREE.counts(position)
    depth = position.rules.cells - position.ply
    return Decision(
        move=root.best[0],
        nodes=nodes,
        leaves=leaves,
        depth=depth,
        value=float(root.value),
        win_in=win_in(position, root.best[0], root.value, depth, Scale()) if root.value else None,
        proven=True,
        pruned=skipped,
        interior=nodes - leaves,
        pv=root.best,
    )


# The nine boards.

UNIT: Final = 60
"""Values are sixtieths: a board that can be won at once is 6 of them, a winning move 1, a win 60."""
_SCALE: Final = Scale(win=UNIT, unit=UNIT)
_LAST_SHALLOW: Final = 30


def ways(own: int, others: int) -> int:
    """How many squares win a small board for the side whose marks are given first, both as 9-bit sets."""
    free = ALL_BOARDS & ~(own | others)
    return sum(free >> square & HAS_LINE[own | 1 << square] for square in range(9))


def _control_value(own: int, others: int) -> int:
    return UNIT // 10 * ((ways(own, others) > 0) - (ways(others, own) > 0))


def _ways_value(own: int, others: int) -> int:
    return ways(own, others) - ways(others, own)


SCORINGS: Final = {
    "zero": Scoring(win=UNIT),
    "control": Scoring(boards=_control_value, win=UNIT),
    "ways": Scoring(boards=_ways_value, win=UNIT),
}


def nine_board(
    values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch
) -> Decision:
    if position.ply == 0:
        move = random.choice(position.legal_moves())
        return Decision(move, pv=(move,))
    depth = depth_of(position, plies_at(position.ply), limit)
    found = searched(position, depth, str(values[0]), Cut.STRICT, random.getrandbits(32), limit, watch)
    return decision(position, found, first(found), depth, _SCALE)


def plies_at(ply: int) -> int:
    """How deep a position is searched in which `ply` moves have been made: his n, 0 at the game's first move."""
    return 3 if ply <= _LAST_SHALLOW else 4


def searched(
    position: Position,
    depth: int,
    evaluation: str,
    cut: Cut,
    shuffle: int | None,
    limit: Limit = NO_LIMIT,
    watch: Watch = NO_WATCH,
) -> Searched:
    """His search, `depth` plies deep, without pruning or with (`Cut.STRICT`), the moves shuffled by a seed
    or, without one, in the order of the cells."""
    scoring = SCORINGS[evaluation]
    return search(position, depth, scoring, cut=cut, shuffle=shuffle, first_only=True, limit=limit, watch=watch)
