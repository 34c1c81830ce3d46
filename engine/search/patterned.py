"""Our search for many in a row on large flat boards: patterns, continuous fours, and alpha-beta over both.

Values are as in `engine.search.negamax`. A win by fours is looked for first, with more and more moves; then the
alpha-beta deepens, a ply at a time, until a limit ends it or the result is certain.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.kernels import fours, pattern_search, patterns
from engine.kernels.pattern_search import WIN, Options
from engine.kernels.patterns import PatternBoard
from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.lines import cells_of
from engine.rules.position import Move, Position
from engine.search import pattern_evaluation, slices, table
from engine.search.decision import LEAST_WIN, SURE_PLIES, Decision, win_in
from engine.search.table import Table
from engine.search.watch import Watch

_WIDTH: Final = 10
"""The most promising moves tried, and in the last ply; 8 and 14 did no better in 24 games at 30 ms."""
_LAST_WIDTH: Final = 8
_ROOT_WIDTH: Final = 30
_CAP: Final = 12
"""Moves of a search for a win by fours below the last ply."""
_BELOW: Final = 2
_ROOT_CAP: Final = 50
"""After each of the root's moves, for each ply of the search."""
_MOST_FOURS: Final = 100_000
"""Moves of a search for a win by fours from the root."""
_LEAST_FOURS: Final = 1_000
"""Of these, what is made however late the search begins: less than a millisecond."""
_MOST_DEPTH: Final = 40
_REPORT_EVERY_MS: Final = 250


def pattern_board(position: FlatPosition) -> PatternBoard:
    """The board of a position, see `engine.kernels.patterns`."""
    columns, rows = position.rules.dimensions
    return patterns.board(
        columns, rows, position.rules.length, pattern_evaluation.worth(), pattern_evaluation.promise(),
        cells_of(position.x), cells_of(position.o),
    )  # fmt: skip


def choose(position: Position, limit: Limit, watch: Watch, most_nodes: int | None = None) -> Decision:
    """The best move of a position that is not over; `most_nodes` bounds the search besides `limit`.

    As `negamax.choose`, a search that time alone ends goes on with what the process remembers of the game.
    """
    assert isinstance(position, FlatPosition)
    with table.lent() as lent:
        return _Search(position, limit, watch, most_nodes, lent).decide()


class _Search:
    """One search from one root."""

    def __init__(
        self, position: FlatPosition, limit: Limit, watch: Watch, most_nodes: int | None, memory: Table
    ) -> None:
        left = position.rules.cells - position.ply
        self._depth = min(limit.depth or _MOST_DEPTH, left, _MOST_DEPTH)
        self._limit = limit
        self._watch = watch
        self._nodes = slices.node_limit(limit.nodes or most_nodes)
        self._side = position.ply & 1
        self._board = pattern_board(position)
        self._fours = fours.fours(position.rules.cells)
        timed = limit.move_ms and not (limit.nodes or most_nodes)
        mark = memory.mark(("patterns", position.rules.id) if timed else None)
        plies = min(left, 2 * self._depth + 24)
        places = len(self._board.cell)
        self._stack = pattern_search.stack(plies, position.rules.cells, places, memory.entries, mark)
        self._partial = False
        self._order = self._listed(position)
        self._value: int | None = None
        self._line: tuple[Move, ...] = (self._cell(self._order[0]),)
        self._reached = 0
        self._proven = False
        self._last_report_ms = 0

    def decide(self) -> Decision:
        if not self._wins_by_fours():
            self._deepen()
        counters = self._stack.counters
        plies = win_in(self._value) if self._proven and self._value is not None else None
        return Decision(
            move=self._line[0],
            nodes=int(counters[pattern_search.NODES]),
            leaves=int(counters[pattern_search.LEAVES]),
            depth=self._reached,
            value=None if self._value is None else float(self._value),
            win_in=plies,
            bound=plies is None or abs(plies) > SURE_PLIES,
            proven=self._proven,
            pruned=int(counters[pattern_search.PRUNED]),
            interior=int(counters[pattern_search.INTERIOR]),
            pv=self._line,
        )

    def _cell(self, place: int) -> Move:
        return int(self._board.cell[place])

    def _listed(self, position: FlatPosition) -> list[int]:
        """The root's moves as places, the most promising first; all of them where none is of any use."""
        completing = patterns.of_kind(self._board, 1 - self._side, patterns.COMPLETING)
        if completing:
            return completing
        left_out = pattern_search.list_root(self._board, self._stack, self._side, _ROOT_WIDTH)
        count = int(self._stack.frames[0, pattern_search.COUNT])
        if not count:
            return [int(self._board.at[move]) for move in position.legal_moves()]
        self._partial = left_out > 0
        return [int(place) for place in self._stack.moves[0, :count]]

    def _wins_by_fours(self) -> bool:
        """Look for a win by continuous fours, with a part of the time and of the nodes."""
        most = min(_MOST_FOURS, self._nodes // 4 + 1)
        plies = fours.CAPPED

        def step(until: int) -> int:
            nonlocal plies
            plies = fours.run(self._board, self._fours, self._side, min(until, most))
            if plies != fours.CAPPED:
                return pattern_search.FINISHED
            made = int(self._fours.counters[fours.MOVES])
            return pattern_search.PAUSED if made < most else pattern_search.OUT_OF_NODES

        move_ms = self._limit.move_ms
        quarter_ms = None if move_ms is None else move_ms // 4
        slices.run_steps(step, self._fours.counters, self._watch, quarter_ms, least=_LEAST_FOURS)
        fours.leave(self._board, self._fours, self._side)
        self._stack.counters[pattern_search.NODES] += self._fours.counters[fours.MOVES]
        if plies <= 0:
            return False
        self._value, self._reached, self._proven = WIN - plies, plies, True
        self._line = self._four_line()
        return True

    def _four_line(self) -> tuple[Move, ...]:
        line: list[int] = []
        last = int(self._fours.counters[fours.LENGTH]) - 1
        for number in range(last):
            line += [int(self._fours.moves[number]), int(self._fours.replies[number])]
        return tuple(map(self._cell, [*line, int(self._fours.moves[last])]))

    def _deepen(self) -> None:
        """Search 1, 2, ... plies, and no more once the result is certain or a limit is reached."""
        for depth in range(1, self._depth + 1):
            options = Options(_WIDTH, _LAST_WIDTH, _CAP, _BELOW, _ROOT_CAP * depth, self._nodes)
            pattern_search.begin(self._stack, self._order, depth)
            finished = slices.run_steps(
                partial(pattern_search.run, self._board, self._stack, self._fours, options),
                self._stack.counters,
                self._watch,
                self._limit.move_ms,
                self._report,
                slices.LEAST,
            )
            values = self._stack.root_values[: pattern_search.tried_at_root(self._stack)].tolist()
            if values:
                self._take(values, depth, finished)
            if not finished:
                return
            guessed = self._stack.counters[pattern_search.GUESSES] > 0
            ended = win_in(max(values)) is not None
            self._proven = max(values) > LEAST_WIN or (not self._partial and (ended or not guessed))
            if self._proven or ended:
                return

    def _take(self, values: list[int], depth: int, finished: bool) -> None:
        best = max(values)
        if not finished and best < -LEAST_WIN:
            # Every move that was searched loses, so the next one is played, with the value of the iteration before.
            if len(values) < len(self._order):
                self._line = (self._cell(self._order[len(values)]),)
            return
        place = values.index(best)
        move = self._order[place]
        self._value, self._reached = best, depth if finished else depth - 1
        self._proven = best > LEAST_WIN
        length = int(self._stack.frames[0, pattern_search.LINE_LENGTH])
        self._line = tuple(map(self._cell, self._stack.line[0, :length].tolist()))
        self._order = [move, *self._order[:place], *self._order[place + 1 :]]

    def _report(self) -> None:
        now_ms = self._watch.elapsed_ms()
        if self._value is not None and now_ms - self._last_report_ms >= _REPORT_EVERY_MS:
            self._last_report_ms = now_ms
            nodes = int(self._stack.counters[pattern_search.NODES])
            self._watch.report(nodes, self._reached, float(self._value), self._line)
