"""Searching exactly N plies, as the programs of the literature do: no deepening, no table, no order but the stated one.

Values are whole numbers in the searcher's own scale, from the view of the side to move at the root. What differs from
author to author is an argument: how ends and leaves are judged (`Scoring`), when a branch is cut (`Cut`), the order
of the moves, and whether equal moves at the root must be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import Final

from engine.position import Move, Position
from engine.rules import lines
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.nested import ALL_BOARDS, NestedPosition
from engine.search.limits import NO_LIMIT, NO_WATCH, Limit, Watch

_INFINITY: Final = 1 << 60
_NODES_BETWEEN_LOOKS: Final = 256


class Cut(IntEnum):
    """When the rest of a node's moves is left unsearched."""

    NONE = 0
    """Never: minimax."""
    LOOSE = 1
    """alpha >= beta."""
    STRICT = 2
    """alpha > beta, in the textbook's form: a node with no move above alpha answers alpha itself (fail-hard), which is
    not beyond its parent's beta. So only parents of leaves are ever cut, and most of the tree is searched."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a searcher that sits at the root judges ends and leaves, from its own view."""

    lines: tuple[tuple[int, ...], ...] | None = None
    """Flat boards: `lines[own][others]` is the value of a line with so many marks of the root's side and of the other,
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
    """Of each move, for the side to move: exact where equal to the best, else at most an upper bound below the best;
    exact everywhere without cuts."""
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
    equal and be worse. Of `limit` the bounds `nodes` and `move_ms` are kept; its
    depth is the caller's affair.
    """
    found = _Search(position, depth, scoring, cut, shuffle, limit, watch)
    finished = False
    with suppress(_Stopped):
        found.root(moves, first_only)
        finished = True
    return Searched(
        moves=tuple(found.moves),
        values=tuple(found.values),
        nodes=found.nodes,
        leaves=found.leaves,
        pruned=found.pruned,
        interior=found.interior,
        pv=found.pv,
        finished=finished,
    )


class _Stopped(Exception):
    """Unwinds the search when its limit is reached."""


class _Search:
    def __init__(
        self,
        position: Position,
        depth: int,
        scoring: Scoring,
        cut: Cut,
        shuffle: int | None,
        limit: Limit,
        watch: Watch,
    ) -> None:
        self._position = position
        self._side = position.to_move
        self._depth = depth
        self._scoring = scoring
        self._cut = cut
        self._random = None if shuffle is None else Random(shuffle)
        self._limit = limit
        self._watch = watch
        rules = position.rules
        self._masks = [lines.mask_of(line) for line in rules.lines] if isinstance(rules, FlatRules) else []
        self.moves: list[Move] = []
        self.values: list[int] = []
        self.pv: tuple[Move, ...] = ()
        self.nodes = self.leaves = self.pruned = self.interior = 0

    def root(self, moves: Sequence[Move] | None, first_only: bool) -> None:
        best = -_INFINITY
        for move in self._ordered(self._position) if moves is None else moves:
            alpha = best if first_only else best - 1
            value, line = self._child(self._position, move, self._depth, alpha, _INFINITY)
            self.moves.append(move)
            self.values.append(value)
            if value > best:
                best, self.pv = value, line

    def _child(self, position: Position, move: Move, depth: int, alpha: int, beta: int) -> tuple[int, tuple[Move, ...]]:
        """A move's value for the side that makes it, searched `depth` plies deep, and the line that it begins."""
        if self.nodes % _NODES_BETWEEN_LOOKS == 0 or self.nodes == self._limit.nodes:
            self._look()
        self.nodes += 1
        child = position.play(move)
        if child.outcome is not None or depth == 1:
            self.leaves += 1
            value = self._leaf(child, depth - 1)
            return value if position.to_move == self._side else -value, (move,)
        value, line = self._negamax(child, depth - 1, -beta, -alpha)
        return -value, (move, *line)

    def _negamax(self, position: Position, depth: int, alpha: int, beta: int) -> tuple[int, tuple[Move, ...]]:
        self.interior += 1
        best = alpha if self._cut == Cut.STRICT else -_INFINITY
        best_line: tuple[Move, ...] = ()
        moves = self._ordered(position)
        for tried, move in enumerate(moves, 1):
            value, line = self._child(position, move, depth, max(alpha, best), beta)
            if value > best:
                best, best_line = value, line
            if (self._cut == Cut.LOOSE and best >= beta) or (self._cut == Cut.STRICT and best > beta):
                self.pruned += len(moves) - tried
                break
        return best, best_line

    def _ordered(self, position: Position) -> Sequence[Move]:
        moves = position.legal_moves()
        return moves if self._random is None else self._random.sample(moves, len(moves))

    def _leaf(self, position: Position, depth_left: int) -> int:
        """The value of an end or a leaf, from the view of the root's side."""
        scoring, outcome = self._scoring, position.outcome
        if outcome is None:
            return self._evaluation(position)
        if outcome.winner is None:
            return self._evaluation(position) if scoring.draw_adds_lines else 0
        if scoring.win_adds_lines:
            return self._evaluation(position)
        won = scoring.win + scoring.faster * depth_left
        return won if outcome.winner == self._side else -won

    def _evaluation(self, position: Position) -> int:
        scoring, total = self._scoring, 0
        if scoring.lines is not None and isinstance(position, FlatPosition):
            own, theirs = (position.x, position.o) if self._side == "x" else (position.o, position.x)
            for mask in self._masks:
                total += scoring.lines[(own & mask).bit_count()][(theirs & mask).bit_count()]
        elif scoring.boards is not None and isinstance(position, NestedPosition):
            own, theirs = (position.x, position.o) if self._side == "x" else (position.o, position.x)
            for board in range(9):
                if not (position.won_x | position.won_o | position.closed) >> board & 1:
                    total += scoring.boards(own >> 9 * board & ALL_BOARDS, theirs >> 9 * board & ALL_BOARDS)
        return total

    def _look(self) -> None:
        nodes, move_ms = self._limit.nodes, self._limit.move_ms
        if (
            (nodes is not None and self.nodes >= nodes)
            or (move_ms is not None and self._watch.elapsed_ms() >= move_ms)
            or self._watch.stopped()
        ):
            raise _Stopped
