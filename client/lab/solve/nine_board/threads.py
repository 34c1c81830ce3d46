"""Leaves of a nine-board tree searched by threads of this process, all with one table.

The kernels run without Python's lock, so each thread keeps a core busy; the table needs no lock either
(engine/kernels/nine_board_proof.py).
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Final

from client.lab.solve.nine_board.search import Leaf, Looked, look
from engine.search.solve.nine_board_solver import Solver, Stopped

_WAIT_S: Final = 0.5


class Threads:
    """Each searches one leaf at a time."""

    def __init__(self, solver: Solver, number: int) -> None:
        """`solver`: the tree's, whose table they share."""
        self._idle = [solver.beside(self._must_go_on) for _ in range(number)]
        self._executor = ThreadPoolExecutor(number, "nine-board")
        self._done: SimpleQueue[Future[Looked]] = SimpleQueue()
        self._is_over = False

    @property
    def free(self) -> int:
        return len(self._idle)

    def begin(self, leaf: Leaf) -> None:
        self._executor.submit(self._look, self._idle.pop(), leaf).add_done_callback(self._done.put)

    def next(self) -> Looked | None:
        """Raises what a search did."""
        try:
            return self._done.get(timeout=_WAIT_S).result()
        except Empty:
            return None

    def close(self) -> None:
        """Ends the searches under way, each within a slice."""
        self._is_over = True
        self._executor.shutdown()

    def _look(self, solver: Solver, leaf: Leaf) -> Looked:
        row = look(solver, leaf)
        self._idle.append(solver)
        return Looked(leaf, row, row.nodes)

    def _must_go_on(self) -> None:
        if self._is_over:
            raise Stopped
