"""The fixed-depth search once more, recursive and over the rules' positions: every leaf is judged from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.rules import lines
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.nested import ALL_BOARDS, NestedPosition
from engine.rules.position import Move, Position
from engine.search.fixed import Cut, Scoring, Searched

_INFINITY = 1 << 60


def search(
    position: Position,
    depth: int,
    scoring: Scoring,
    *,
    cut: Cut = Cut.NONE,
    shuffle: int | None = None,
    moves: Sequence[Move] | None = None,
    first_only: bool = False,
) -> Searched:
    """As `engine.search.fixed.search`, without limits."""
    found = _Search(position, depth, scoring, cut, shuffle)
    found.root(moves, first_only)
    return Searched(
        moves=tuple(found.moves),
        values=tuple(found.values),
        nodes=found.nodes,
        leaves=found.leaves,
        pruned=found.pruned,
        interior=found.interior,
        pv=found.pv,
        finished=True,
    )


class _Search:
    def __init__(
        self,
        position: Position,
        depth: int,
        scoring: Scoring,
        cut: Cut,
        shuffle: int | None,
    ) -> None:
        self._position = position
        self._side = position.to_move
        self._depth = depth
        self._scoring = scoring
        self._cut = cut
        self._random = None if shuffle is None else Random(shuffle)
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
            strict = self._cut in (Cut.STRICT, Cut.STRICT_SOFT)
            if (self._cut == Cut.LOOSE and best >= beta) or (strict and best > beta):
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
