"""Our search on Qubic: wins by continuous threats, and alpha-beta that looks for them at every node.

Values are as in `engine.search.negamax`. A win by threats is looked for first, with more and more nodes; then the
alpha-beta deepens, a ply at a time, until a limit ends it or the result is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from engine.kernels import pv_search, pv_stack, qubic_search, qubic_threats
from engine.kernels.pv_stack import WIN
from engine.kernels.qubic_search import Options
from engine.kernels.qubic_threats import Threats
from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.position import Move, Position, marks_of
from engine.search import qubic_weights, slices, table, threat_wins
from engine.search.decision import LEAST_WIN, Decision
from engine.search.deepening import MOST_DEPTH, Deepening
from engine.search.table import Table
from engine.search.turning import turns
from engine.search.watch import Watch

_WIDTH: Final = 12
_CAP: Final = 100
_GROWTH: Final = 3
_MOST_CAP: Final = 3_000
_ROOT_CAP: Final = 1_000
"""See `Options`."""
_FIRST_CAPS: Final = (1_000, 4_000, 16_000, 64_000)
"""Nodes of the search for a win by threats at the root, tried in turn: the clock is read between."""
_PARTS: Final = 8
"""It gets one part in this many of the time and of the nodes."""
_FAILURES: Final = 1 << 16
"""Places for positions without a win by threats: 512 kB."""
_MANY_SYMMETRIES: Final = 4
"""Marks beyond which hardly any position has a symmetry."""


def choose(
    position: Position,
    limit: Limit,
    watch: Watch,
    most_nodes: int | None = None,
    moves: Sequence[Move] | None = None,
) -> Decision:
    """The best move of a position that is not over; `most_nodes` bounds the search besides `limit`.

    Only `moves` are considered if they are given; then a loss is not proven. As `negamax.choose`, a search that time
    alone ends goes on with what the process remembers of the game.
    """
    assert isinstance(position, FlatPosition)
    with table.lent() as lent:
        return _Search(position, limit, watch, most_nodes, lent, moves).decide()


@lru_cache(maxsize=1)
def _tables() -> Threats:
    return qubic_threats.threats(threat_wins.qubic().lines, 1)


class _Search(Deepening):
    """One search from one root."""

    def __init__(
        self,
        position: FlatPosition,
        limit: Limit,
        watch: Watch,
        most_nodes: int | None,
        memory: Table,
        moves: Sequence[Move] | None,
    ) -> None:
        left = position.rules.cells - position.ply
        depth = min(limit.depth or MOST_DEPTH, left, MOST_DEPTH)
        self._position = position
        self._own, self._others = marks_of(position, position.to_move)
        self._nodes = slices.node_limit(limit.nodes or most_nodes)
        self._threats = qubic_threats.emptied(_tables(), _FAILURES)
        timed = limit.move_ms and not (limit.nodes or most_nodes)
        mark = memory.mark((position.rules.id, "threats") if timed else None)
        plies = min(left, 2 * depth + 24)
        self._board = qubic_search.board(plies, qubic_weights.current())
        super().__init__(pv_stack.stack(plies, 64, 64, memory.entries, mark), depth, limit, watch)
        self._allowed = set(position.legal_moves() if moves is None else moves)
        self._partial = len(self._allowed) < left
        self._left_out = -WIN
        """What the moves that are not searched are worth: they lose."""

    def decide(self) -> Decision:
        if not (self._settled_at_once() or self._wins_by_threats()):
            self._deepen()
        return self._decision()

    def _move(self, place: int) -> Move:
        return place

    def _run(self, depth: int, until_nodes: int) -> int:
        options = Options(_WIDTH, _CAP, _GROWTH, _MOST_CAP, _ROOT_CAP, self._nodes)
        return pv_search.run(self._board, self._stack, self._threats, options, until_nodes)

    def _settled_at_once(self) -> bool:
        """A line is completed, or one of the other side's stopped; two of those lose."""
        winning = threat_wins.completing(self._own, self._others) & self._allowed
        stopping = threat_wins.completing(self._others, self._own)
        self._order = sorted(winning or stopping & self._allowed or self._allowed)
        self._line = (self._order[0],)
        if winning:
            self._value, self._reached = WIN - 1, 1
        elif len(stopping) > 1:
            self._value, self._reached = 2 - WIN, 2
        self._proven = self._value is not None
        return self._proven

    def _wins_by_threats(self) -> bool:
        """Look for a win by threats, with a part of the time and of the nodes. If there is none, list the moves that
        may hold."""
        own, others, threats = self._own, self._others, self._threats
        counters = self._stack.counters
        budget = self._nodes // _PARTS + 1
        cap = 0
        for cap in _FIRST_CAPS:
            found = threat_wins.search(threats, own, others, self._of_the_rest(min(cap, budget)))
            counters[pv_stack.NODES] += threats.counters[0]
            if found == qubic_threats.WON and self._has_won(budget):
                return True
            if found != qubic_threats.CAPPED or cap >= budget or self._is_late():
                break
        self._list(self._of_the_rest(min(cap, budget)))
        return False

    def _of_the_rest(self, nodes: int) -> int:
        """This many nodes, or all that are left if there are fewer."""
        return min(nodes, self._nodes - int(self._stack.counters[pv_stack.NODES]))

    def _has_won(self, budget: int) -> bool:
        """Take the shortest win by threats, one having been found, if its first move is allowed."""
        most = self._of_the_rest(budget)
        line, nodes = threat_wins.shortest(self._threats, self._own, self._others, most)
        self._stack.counters[pv_stack.NODES] += nodes
        if line[0] not in self._allowed:
            return False
        self._line, self._value, self._reached, self._proven = line, WIN - len(line), len(line), True
        return True

    def _list(self, cap: int) -> None:
        """List the root's moves. Those that lose to a win by threats which the other side has already are left out."""
        own, others = np.uint64(self._own), np.uint64(self._others)
        lost_in = qubic_search.list_root(self._board, self._stack, self._threats, own, others, cap)
        if len(self._order) == 1:
            return
        listed = self._stack.moves[0, : self._stack.frames[0, pv_stack.COUNT]].tolist()
        order = [move for move in listed if move in self._allowed]
        if order:
            self._order = self._without_symmetric(order)
            self._left_out = lost_in - WIN if lost_in else -WIN
        self._line = (self._order[0],)

    def _without_symmetric(self, moves: list[Move]) -> list[Move]:
        """The moves without those that a symmetry of the position takes to an earlier one."""
        position = self._position
        if position.ply > _MANY_SYMMETRIES or self._partial:
            return moves
        same = turns(position)
        firsts: dict[Move, Move] = {}
        for move in moves:
            firsts.setdefault(min(turn[move] for turn in same), move)
        return list(firsts.values())

    def _is_late(self) -> bool:
        move_ms = self._limit.move_ms
        return self._watch.stopped() or (move_ms is not None and _PARTS * self._watch.elapsed_ms() >= move_ms)

    def _take(self, values: list[int], depth: int, finished: bool) -> None:
        line, is_lost = self._line, finished and max(values) < -LEAST_WIN
        super()._take(values, depth, finished)
        if is_lost:
            self._value = max(max(values), self._left_out)
            # The move that held for longest in the search is played: to find out that it loses takes the most.
            self._line = line if depth > 1 else self._line
