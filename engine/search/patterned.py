"""Our search for many in a row on large flat boards: patterns, continuous fours, and alpha-beta over both.

Values are as in `engine.search.negamax`. A win by fours is looked for first, with more and more moves; then the
alpha-beta deepens, a ply at a time, until a limit ends it or the result is certain.
"""

from __future__ import annotations

from typing import Final

from engine.kernels import fours, pattern_search, patterns, pv_search, pv_stack
from engine.kernels.pattern_search import Options
from engine.kernels.patterns import PatternBoard
from engine.kernels.pv_stack import WIN
from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.lines import cells_of
from engine.rules.position import Move, Position
from engine.search import pattern_evaluation, slices, table
from engine.search.decision import Decision
from engine.search.deepening import MOST_DEPTH, Deepening
from engine.search.table import Table
from engine.search.watch import Watch

_WIDTH: Final = 10
"""The most promising moves tried, and in the last ply; 8, 14 and 20 do worse (docs/strength/gomoku.md)."""
_LAST_WIDTH: Final = 8
_ROOT_WIDTH: Final = 30
_CAP: Final = 12
"""Moves of a search for a win by fours below the last ply."""
_BELOW: Final = 2
_ROOT_CAP: Final = 50
"""The same after each of the root's moves, for each ply of the search."""
_MARGIN: Final = 250
"""Margin in thousandths of a logit."""
_MARGIN_PLIES: Final = 3
_MOST_FOURS: Final = 100_000
"""Moves of a search for a win by fours from the root."""
_LEAST_FOURS: Final = 1_000
"""Moves that are made however late the search begins: less than a millisecond."""


def pattern_board(position: FlatPosition) -> PatternBoard:
    """The board of a position, see `engine.kernels.patterns`."""
    columns, rows = position.rules.dimensions
    return patterns.board(
        columns, rows, position.rules.length, pattern_evaluation.current(), cells_of(position.x), cells_of(position.o)
    )


def choose(
    position: Position, limit: Limit, watch: Watch, most_nodes: int | None = None, most_depth: int = MOST_DEPTH
) -> Decision:
    """The best move of a position that is not over; `most_nodes` and `most_depth` bound the search besides `limit`.

    As `negamax.choose`, a search that time alone ends goes on with what the process remembers of the game.
    """
    assert isinstance(position, FlatPosition)
    with table.lent() as lent:
        return _Search(position, limit, watch, most_nodes, most_depth, lent).decide()


class _Search(Deepening):
    """One search from one root."""

    _shortens = True
    """Otherwise a search of what the other side then plays would often find a longer win than was announced."""

    def __init__(
        self,
        position: FlatPosition,
        limit: Limit,
        watch: Watch,
        most_nodes: int | None,
        most_depth: int,
        memory: Table,
    ) -> None:
        left = position.rules.cells - position.ply
        depth = min(limit.depth or MOST_DEPTH, left, most_depth, MOST_DEPTH)
        self._nodes = slices.node_limit(limit.nodes or most_nodes)
        self._side = position.ply & 1
        self._board = pattern_board(position)
        self._fours = fours.fours(position.rules.cells)
        timed = limit.move_ms and not (limit.nodes or most_nodes)
        mark = memory.mark(("patterns", position.rules.id) if timed else None)
        plies = min(left, 2 * depth + 24)
        stack = pv_stack.stack(plies, position.rules.cells, len(self._board.cell), memory.entries, mark)
        super().__init__(stack, depth, limit, watch)
        self._order = self._listed(position)
        self._line = (self._move(self._order[0]),)

    def decide(self) -> Decision:
        self._look_for_fours()
        self._deepen()
        return self._decision()

    def _move(self, place: int) -> Move:
        return int(self._board.cell[place])

    def _listed(self, position: FlatPosition) -> list[int]:
        """The root's moves as places, the most promising first; all of them if none is of any use."""
        completing = patterns.of_kind(self._board, 1 - self._side, patterns.COMPLETING)
        if completing:
            return completing
        left_out = pattern_search.list_root(self._board, self._stack, self._side, _ROOT_WIDTH)
        count = int(self._stack.frames[0, pv_stack.COUNT])
        if not count:
            return [int(self._board.at[move]) for move in position.legal_moves()]
        self._partial = left_out > 0
        return [int(place) for place in self._stack.moves[0, :count]]

    def _look_for_fours(self) -> None:
        """Look for a win by continuous fours, with a part of the time and of the nodes."""
        most = min(_MOST_FOURS, self._nodes // 4 + 1) // 2 * 2  # they are made by twos
        plies = fours.CAPPED

        def step(until: int) -> int:
            nonlocal plies
            plies = fours.run(self._board, self._fours, self._side, min(until, most))
            if plies != fours.CAPPED:
                return pv_stack.FINISHED
            made = int(self._fours.counters[fours.MOVES])
            return pv_stack.PAUSED if made < most else pv_stack.OUT_OF_NODES

        move_ms = self._limit.move_ms
        quarter_ms = None if move_ms is None else move_ms // 4
        slices.run_steps(step, self._fours.counters, self._watch, quarter_ms, least=_LEAST_FOURS)
        fours.leave(self._board, self._fours, self._side)
        self._stack.counters[pv_stack.NODES] += self._fours.counters[fours.MOVES]
        if plies > 0:
            self._value, self._reached, self._proven = WIN - plies, plies, True
            self._line = self._four_line()

    def _four_line(self) -> tuple[Move, ...]:
        line: list[int] = []
        last = int(self._fours.counters[fours.LENGTH]) - 1
        for number in range(last):
            line += [int(self._fours.moves[number]), int(self._fours.replies[number])]
        return tuple(map(self._move, [*line, int(self._fours.moves[last])]))

    def _run(self, depth: int, until_nodes: int) -> int:
        options = Options(_WIDTH, _LAST_WIDTH, _CAP, _BELOW, _ROOT_CAP * depth, _MARGIN, _MARGIN_PLIES, self._nodes)
        return pv_search.run(self._board, self._stack, self._fours, options, until_nodes)
