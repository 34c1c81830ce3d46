"""Iterative deepening over `engine.kernels.pv_search`: what the searches of both kinds of board share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from engine.kernels import pv_stack
from engine.kernels.pv_stack import Stack
from engine.rules.limit import Limit
from engine.rules.position import Move
from engine.search import slices
from engine.search.decision import LEAST_WIN, SURE_PLIES, WIN, Decision, win_in
from engine.search.watch import Watch

MOST_DEPTH: Final = 40
_REPORT_EVERY_MS: Final = 250
_SEEN_PLIES: Final = 4
"""The last plies of a win show without a search: a search of four plies less than a win has would see a shorter one."""


class Deepening(ABC):
    """One search from one root, and what its deepest iteration has found."""

    _shortens = False
    """Whether it looks for shorter wins after it has found one, until a limit ends that."""

    def __init__(self, stack: Stack, depth: int, limit: Limit, watch: Watch) -> None:
        self._stack = stack
        self._depth = depth
        self._limit = limit
        self._watch = watch
        self._order: list[int] = []
        """The root's moves, the most promising first, as the kernel names them."""
        self._partial = False
        """Moves that are not among them might win or hold as well."""
        self._value: int | None = None
        self._line: tuple[Move, ...] = ()
        self._reached = 0
        self._proven = False
        self._last_report_ms = 0

    @abstractmethod
    def _move(self, place: int) -> Move:
        """The move that the kernel names so."""

    @abstractmethod
    def _run(self, depth: int, until_nodes: int) -> int:
        """Continue the kernel in the iteration of this depth."""

    def _decision(self) -> Decision:
        counters = self._stack.counters
        plies = win_in(self._value) if self._proven and self._value is not None else None
        return Decision(
            move=self._line[0],
            nodes=int(counters[pv_stack.NODES]),
            leaves=int(counters[pv_stack.LEAVES]),
            depth=self._reached,
            value=None if self._value is None else float(self._value),
            win_in=plies,
            bound=plies is None or abs(plies) > SURE_PLIES,
            proven=self._proven,
            pruned=int(counters[pv_stack.PRUNED]),
            interior=int(counters[pv_stack.INTERIOR]),
            pv=self._line,
        )

    def _deepen(self) -> None:
        """Search 1, 2, ... plies, until the result is certain or a limit is reached."""
        least = int(self._stack.counters[pv_stack.NODES]) + slices.LEAST
        for depth in range(1, self._depth + 1):
            won = self._win()
            if depth > WIN - won - _SEEN_PLIES:
                return
            pv_stack.begin(self._stack, self._order, depth, won)

            def step(until_nodes: int, depth: int = depth) -> int:
                return self._run(depth, until_nodes)

            finished = slices.run_steps(
                step, self._stack.counters, self._watch, self._limit.move_ms, self._report, least
            )
            values = self._stack.root_values[: pv_stack.tried_at_root(self._stack)].tolist()
            if values and max(values) > won:
                self._take(values, depth, finished)
            if not finished:
                return
            if self._shortens and self._win() > LEAST_WIN:
                continue
            guessed = self._stack.counters[pv_stack.GUESSES] > 0
            ended = win_in(max(values)) is not None
            self._proven = max(values) > LEAST_WIN or (not self._partial and (ended or not guessed))
            if self._proven or ended:
                return

    def _win(self) -> int:
        """The value of the win that was found, less than any value if there is none."""
        return self._value if self._value is not None and self._value > LEAST_WIN else -pv_stack.INFINITY

    def _take(self, values: list[int], depth: int, finished: bool) -> None:
        best = max(values)
        if not finished and best < -LEAST_WIN:
            # Every move that was searched loses, so the next one is played, with the value of the iteration before.
            if len(values) < len(self._order):
                self._line = (self._move(self._order[len(values)]),)
            return
        place = values.index(best)
        move = self._order[place]
        self._value, self._reached = best, depth if finished else depth - 1
        self._proven = best > LEAST_WIN
        length = int(self._stack.frames[0, pv_stack.LINE_LENGTH])
        self._line = tuple(map(self._move, self._stack.line[0, :length].tolist()))
        self._order = [move, *self._order[:place], *self._order[place + 1 :]]

    def _report(self) -> None:
        now_ms = self._watch.elapsed_ms()
        if self._value is not None and now_ms - self._last_report_ms >= _REPORT_EVERY_MS:
            self._last_report_ms = now_ms
            nodes = int(self._stack.counters[pv_stack.NODES])
            self._watch.report(nodes, self._reached, float(self._value), self._line)
