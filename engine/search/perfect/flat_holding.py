"""Moves with which a side holds a flat board as Breaker: whatever follows, the other side completes no line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from engine.rules.flat import FlatPosition
from engine.rules.position import Move, marks_of
from engine.search.solve.breaker import Breaker
from engine.search.solve.solver import Stopped
from engine.search.watch import Watch

ENTRIES: Final = (1 << 17) - 1
"""Size of the table: 3 MB; a new one for each move, so that equal questions get equal answers."""
_MOST_NODES: Final = 1 << 15
"""Nodes for a question: two seconds or less. Of any two that the boards of `perfect` begin with, the longer takes
14,000."""
_SLICE: Final = 64
"""Nodes between two readings of the clock: 2 to 5 ms."""


@dataclass(slots=True)
class Held:
    """What was found about a position."""

    moves: tuple[Move, ...] = ()
    """Some of the mover's holding moves, ascending; none if it is not known to hold."""
    is_drawn: bool = False
    """Both sides hold."""
    nodes: int = 0


def held(position: FlatPosition, most_nodes: int | None, end_ms: int | None, watch: Watch) -> Held:
    """What is found about a position that is not over until `watch` has seen `end_ms` milliseconds, or says stop."""
    search = _Search(position, most_nodes, end_ms, watch)
    with suppress(Stopped):
        search.run()
    return search.found


class _Search:
    """The questions about one position."""

    def __init__(self, position: FlatPosition, most_nodes: int | None, end_ms: int | None, watch: Watch) -> None:
        self.found = Held()
        self._position = position
        self._most_nodes = most_nodes
        self._end_ms = end_ms
        self._watch = watch
        self._breaker = Breaker(position.rules, ENTRIES, _SLICE)
        self._own, self._others = marks_of(position, position.to_move)

    def run(self) -> None:
        """Raises Stopped."""
        self._look(0)
        if self._position.ply == 0:
            # Where the second side holds, nobody wins after any first move: the other side could else steal its way.
            self.found.is_drawn = self._is_held(self._own, self._others, attacking=True, nodes=_MOST_NODES)
            self.found.moves = self._position.legal_moves() if self.found.is_drawn else ()
            return
        reply = self._reply()
        if reply is None:
            return
        self.found.moves = (reply,)
        for move in self._position.legal_moves():
            if move != reply and self._holds_after(move):
                self.found.moves = tuple(sorted((*self.found.moves, move)))
        self.found.is_drawn = self._is_held(self._own, self._others, attacking=True, nodes=_MOST_NODES)

    def _reply(self) -> Move | None:
        if not self._is_held(self._others, self._own, attacking=False, nodes=_MOST_NODES):
            return None
        move = self._breaker.move
        return self._position.legal_moves()[0] if move is None else move

    def _holds_after(self, move: Move) -> bool:
        return self._is_held(self._others, self._own | 1 << move, attacking=True, nodes=_SLICE)

    def _is_held(self, maker: int, breaker: int, attacking: bool, nodes: int) -> bool:
        """Whether these marks are known to hold `maker`'s."""
        if self._most_nodes is not None:
            nodes = min(nodes, self._most_nodes - self._breaker.nodes)
        if nodes <= 0:
            raise Stopped
        lacking = [line & ~maker for line in self._breaker.lines if not line & breaker]
        return bool(self._breaker.holds(lacking, attacking, nodes, self._look))

    def _look(self, nodes: int) -> None:
        self.found.nodes = nodes
        if self._watch.stopped() or (self._end_ms is not None and self._watch.elapsed_ms() >= self._end_ms):
            raise Stopped
