"""Alpha-beta over positions in plain Python: iterative deepening, ordered moves, exact ties at the root.

Values are whole numbers from the view of the side to move. A game won at ply `n` below the root is worth `WIN - n`,
lost `n - WIN`, drawn 0, so faster wins and slower losses are worth more; everything between is evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Final

from engine.position import Move, Position
from engine.search.decision import Decision
from engine.search.evaluation import evaluation_of
from engine.search.limits import Limit, Watch

WIN: Final = 1_000_000_000_000
_LEAST_WIN: Final = WIN - 1000
"""No game has 1000 plies, and no evaluation comes near."""
_INFINITY: Final = WIN + 1
_NODES_BETWEEN_LOOKS: Final = 256
"""At the slowest, 19 x 19, some 2 ms of search between two looks at the clock and the stop flag."""
_REPORT_EVERY_MS: Final = 250


def mind(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return choose(position, int(values[0]), limit, random, watch)


def choose(position: Position, depth: int, limit: Limit, random: Random, watch: Watch) -> Decision:
    """The best move of a position that is not over, looking `depth` plies ahead or until the limit ends the search.

    Among moves of exactly equal value one is drawn from `random`. The value is that of plain minimax at the depth
    reached. Stopped before the first ply is searched, it answers the move with the largest gain, without a value.
    """
    search = _Search(position, limit, watch)
    with suppress(_Stopped):
        search.deepen(min(depth, limit.depth or depth, position.rules.cells - position.ply))
    return search.decision(random)


def win_in(value: int) -> int | None:
    """Plies to the forced end that a value stands for, negative for a loss; None for any other value."""
    if value > _LEAST_WIN:
        return WIN - value
    if value < -_LEAST_WIN:
        return -WIN - value
    return None


class _Stopped(Exception):
    """Unwinds the search when its limit is reached."""


class _Search:
    """One search from one root: its counters, and the result of the deepest finished iteration."""

    def __init__(self, root: Position, limit: Limit, watch: Watch) -> None:
        self._root = root
        self._evaluation = evaluation_of(root.rules)
        self._limit = limit
        self._watch = watch
        self._last_report_ms = 0
        self._next_look = 0
        self._guessed = False  # has an evaluated leaf been met in this iteration?
        self.nodes = 0
        self.leaves = 0
        self.pruned = 0
        self.depth = 0
        self.proven = False
        self.value: int | None = None
        self.order: list[Move] = [move for _, move in self._by_gain(root)]
        self.best: list[tuple[Move, ...]] = [(self.order[0],)]
        """Principal variations of the moves of equal best value."""

    def deepen(self, depth: int) -> None:
        """Searches 1, 2, ... `depth` plies, and no more once the result is certain. Raises _Stopped."""
        self._look()
        for plies in range(1, depth + 1):
            self._guessed = False
            value, best = self._search_root(plies)
            self.value, self.best, self.depth = value, best, plies
            self.proven = win_in(value) is not None or not self._guessed
            if self.proven:
                return
            first = [line[0] for line in best]
            self.order = first + [move for move in self.order if move not in first]

    def decision(self, random: Random) -> Decision:
        line = random.choice(sorted(self.best)) if self.value is not None else self.best[0]
        return Decision(
            move=line[0],
            nodes=self.nodes,
            leaves=self.leaves,
            depth=self.depth,
            value=None if self.value is None else float(self.value),
            win_in=None if self.value is None else win_in(self.value),
            proven=self.proven,
            pruned=self.pruned,
            pv=line,
        )

    def _search_root(self, depth: int) -> tuple[int, list[tuple[Move, ...]]]:
        """The root's exact value at this depth, and the lines of all moves that reach it.

        The window below each move is open from one less than the best value so far: a move that equals it is then
        inside and exact, and a bound outside means that the move is worse. Nothing can fail high.
        """
        static = self._evaluation.value(self._root)
        best = -_INFINITY
        lines: list[tuple[Move, ...]] = []
        for move in self.order:
            gain = self._evaluation.gain(self._root, move)
            value, line = self._value_of(self._root, move, static + gain, depth, 0, best - 1, _INFINITY)
            if value > best:
                best, lines = value, []
            if value == best:
                lines.append(line)
        return best, lines

    def _negamax(
        self, position: Position, static: int, depth: int, ply: int, alpha: int, beta: int
    ) -> tuple[int, tuple[Move, ...]]:
        """The value of a position that is not over, at `depth` >= 1 plies, and its principal variation.

        `static` is its evaluation and `ply` its distance from the root. Fail-soft: a value inside (alpha, beta) is
        exact, one at or below alpha is an upper bound, one at or above beta a lower bound; the cut is value >= beta.
        """
        assert alpha < beta
        fastest_win = WIN - (ply + 1)
        best = -_INFINITY
        best_line: tuple[Move, ...] = ()
        # At the last ply a move is cheaper to make than to sort.
        moves = self._by_gain(position) if depth > 1 else self._unordered(position)
        for tried, (gain, move) in enumerate(moves, 1):
            value, line = self._value_of(position, move, static + gain, depth, ply, max(alpha, best), beta)
            if value > best:
                best, best_line = value, line
                if best >= beta or best == fastest_win:
                    self.pruned += len(position.legal_moves()) - tried
                    break
        return best, best_line

    def _value_of(
        self, position: Position, move: Move, static: int, depth: int, ply: int, alpha: int, beta: int
    ) -> tuple[int, tuple[Move, ...]]:
        """A move's value for the side that makes it, bounded as `_negamax` says, and the line that it begins.

        `static` is the evaluation after the move, from the view of the same side.
        """
        self._count_node()
        child = position.play(move)
        outcome = child.outcome
        if outcome is not None:
            self.leaves += 1
            if outcome.winner is None:
                return 0, (move,)
            # The side that ends the game by `count` may lose it.
            won = WIN - (ply + 1)
            return won if outcome.winner == position.to_move else -won, (move,)
        if depth == 1:
            self.leaves += 1
            self._guessed = True
            return static, (move,)
        value, line = self._negamax(child, -static, depth - 1, ply + 1, -beta, -alpha)
        return -value, (move, *line)

    def _by_gain(self, position: Position) -> list[tuple[int, Move]]:
        """The legal moves, the most promising first: wins, then blocks and threats, then the rest."""
        moves = list(self._unordered(position))
        moves.sort(key=_descending_gain)
        return moves

    def _unordered(self, position: Position) -> Iterable[tuple[int, Move]]:
        gain = self._evaluation.gain
        return ((gain(position, move), move) for move in position.legal_moves())

    def _count_node(self) -> None:
        if self.nodes >= self._next_look:
            self._look()
        self.nodes += 1

    def _look(self) -> None:
        """Looks at the limit, the clock and the stop flag. Raises _Stopped."""
        node_limit = self._limit.nodes
        elapsed_ms = self._watch.elapsed_ms()
        if (
            (node_limit is not None and self.nodes >= node_limit)
            or (self._limit.move_ms is not None and elapsed_ms >= self._limit.move_ms)
            or self._watch.stopped()
        ):
            raise _Stopped
        if self.value is not None and elapsed_ms - self._last_report_ms >= _REPORT_EVERY_MS:
            self._last_report_ms = elapsed_ms
            self._watch.report(self.nodes, self.depth, float(self.value), self.best[0])
        self._next_look = self.nodes + _NODES_BETWEEN_LOOKS
        if node_limit is not None:
            self._next_look = min(self._next_look, node_limit)


def _descending_gain(move: tuple[int, Move]) -> tuple[int, int]:
    return -move[0], move[1]
