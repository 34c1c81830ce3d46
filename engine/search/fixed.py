"""Searching exactly N plies, as the programs of the literature do: no deepening, no table, and no order but the given
one.

Values are whole numbers in the searcher's own scale, from the view of the side to move at the root. What differs from
author to author is an argument: how ends and leaves are judged (`Scoring`), when a branch is cut (`Cut`), the order
of the moves, and whether equal moves at the root must be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from random import Random

from engine.kernels import negamax as kernel
from engine.kernels.boards import Board
from engine.kernels.negamax import Options
from engine.rules.flat import FlatPosition
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Move, Position
from engine.search import evaluation, slices
from engine.search.boards import flat_board, nested_board
from engine.search.watch import NO_WATCH, Watch


class Cut(IntEnum):
    """When the rest of a node's moves is left unsearched."""

    NONE = kernel.NO_CUT
    """Never: minimax."""
    LOOSE = kernel.LOOSE
    """alpha >= beta."""
    STRICT = kernel.STRICT
    """alpha > beta, where a node with no move above alpha returns alpha itself (fail-hard), as in older textbooks. That
    is not beyond its parent's beta: so only parents of leaves are ever cut, and most of the tree is searched."""
    STRICT_SOFT = kernel.STRICT_SOFT
    """alpha > beta, where it returns the best value that it found (fail-soft), as in later textbooks and Wikipedia."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a searcher that sits at the root judges ends and leaves, from its own view."""

    lines: tuple[tuple[int, ...], ...] | None = None
    """Flat boards: `lines[own][others]` is the value of a line by the marks on it of the root's side and of the other,
    (K+1) x (K+1). A leaf is the sum over all lines."""
    boards: Callable[[int, int], int] | None = None
    """Nested boards: the value of one undecided small board from the 9-bit sets of own and of the other's marks. A
    leaf is the sum over the boards."""
    win: int = 1
    """A won game, from the winner's view; the loser gets the negative."""
    faster: int = 0
    """Added to `win` for each ply of depth that is left at the end."""
    win_adds_lines: bool = False
    """A won end is the sum over lines alone, as any leaf: the win is in the table."""
    draw_adds_lines: bool = False
    """A drawn end is the sum over lines instead of 0."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found."""

    moves: tuple[Move, ...]
    """The root's moves in the order they were searched."""
    values: tuple[int, ...]
    """The value of each move for the side to move: exact where equal to the best, else at most an upper bound below
    the best; exact everywhere without cuts."""
    nodes: int
    """Positions made, the root not counted."""
    leaves: int
    """Nodes that were ends of the game or were evaluated."""
    pruned: int
    """Branches that a cut left unsearched."""
    interior: int
    """Nodes below the root whose moves were searched: the branching factor is nodes / (interior + 1)."""
    pv: tuple[Move, ...]
    """The best play of both sides after the first best move, which it begins with; empty if nothing is finished."""
    finished: bool
    """False when a limit ended the search: `moves` and `values` then hold the finished root moves only, maybe none."""


def search(
    position: Position,
    depth: int,
    scoring: Scoring,
    *,
    cut: Cut = Cut.NONE,
    shuffle: int | None = None,
    moves: Sequence[Move] | None = None,
    first_only: bool = False,
    limit: Limit = NO_LIMIT,
    watch: Watch = NO_WATCH,
) -> Searched:
    """Search a position that is not over `depth` >= 1 plies deep; a game that ends earlier is a leaf there.

    Moves are searched in the order of their cells, at the root in that of `moves` if given, or at every node in an
    order shuffled by the seed `shuffle`. Equal best moves are told from worse ones, unless `first_only` asks for the
    first best alone, which is cheaper: the window is then closed at the best value so far, and later moves may look
    equal and be worse. The bounds `nodes` and `move_ms` of `limit` are kept; its
    depth is left to the caller.
    """
    plies = min(depth, position.rules.cells - position.ply)
    board = _board(position, scoring, plies)
    first = position.legal_moves() if moves is None else tuple(moves)
    if moves is None and shuffle is not None:
        first = tuple(Random(shuffle).sample(first, len(first)))
    stack = kernel.stack(plies, position.rules.cells, seed=1 if shuffle is None else shuffle + 1)
    options = Options(
        cut=int(cut),
        order=kernel.BY_INDEX if shuffle is None else kernel.SHUFFLED,
        margin=0 if first_only else 1,
        win=scoring.win + scoring.faster * depth,
        faster=scoring.faster,
        win_adds=int(scoring.win_adds_lines),
        draw_adds=int(scoring.draw_adds_lines),
        node_limit=slices.node_limit(limit.nodes),
    )
    kernel.begin(stack, first, depth)
    finished = slices.run(board, stack, options, watch, limit.move_ms)
    tried = kernel.tried_at_root(stack)
    values = tuple(stack.root_values[:tried].tolist())
    counters = stack.counters
    return Searched(
        moves=first[:tried],
        values=values,
        nodes=int(counters[kernel.NODES]),
        leaves=int(counters[kernel.LEAVES]),
        pruned=int(counters[kernel.PRUNED]),
        interior=int(counters[kernel.INTERIOR]),
        pv=kernel.line(stack, values.index(max(values))) if values else (),
        finished=finished,
    )


def _board(position: Position, scoring: Scoring, plies: int) -> Board:
    if isinstance(position, FlatPosition):
        length = position.rules.length
        values = scoring.lines or ((0,) * (length + 1),) * (length + 1)
        return flat_board(position, values, plies)
    assert isinstance(position, NestedPosition)
    return nested_board(position, scoring.boards or _nothing, evaluation.no_big_values, plies)


def _nothing(own: int, others: int) -> int:
    """All boards are alike."""
    return 0
