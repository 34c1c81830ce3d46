"""The parts of a nine-board proof, found by threads of this process, all with one table.

Whatever a part leaves is for the next, of whichever thread; the last position that was left is first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from queue import Empty, SimpleQueue
from threading import Condition
from typing import Final

from engine.search.solve.nine_board_solver import Place, Solver, Stopped
from engine.search.solve.nine_board_strategy import Claim, Part, part

_WAIT_S: Final = 0.5


class Parts:
    """Looks for parts until none is missing."""

    def __init__(self, solver: Solver, threads: int, claim: Claim, missing: Iterable[Place]) -> None:
        """`solver`: whose table the threads share."""
        self._claim = claim
        self._unproven = _Unproven(missing)
        self._moves = [0] * threads
        self._done: SimpleQueue[Part | None] = SimpleQueue()
        self._is_over = False
        self._solvers = [solver.beside(self._must_go_on) for _ in range(threads)]

    @property
    def moves(self) -> int:
        """Moves of the parts that are under way."""
        return sum(self._moves)

    def found(self) -> Generator[Part | None]:
        """Each part once it is found, and None now and then. Raises Unsound; ended early, it ends the threads."""
        with ThreadPoolExecutor(len(self._solvers), "nine-board") as pool:
            try:
                running = [pool.submit(self._work, number) for number in range(len(self._solvers))]
                while not all(map(Future.done, running)):
                    try:
                        yield self._done.get(timeout=_WAIT_S)
                    except Empty:
                        yield None
                    for thread in running:
                        if thread.done():
                            thread.result()
                while not self._done.empty():
                    yield self._done.get()
                for thread in running:
                    thread.result()
            finally:
                self._is_over = True
                self._unproven.close()

    def _work(self, number: int) -> None:
        try:
            while (place := self._unproven.begin()) is not None:
                places = chain([place], iter(self._unproven.take, None))
                found = part(self._solvers[number], self._claim, places, lambda moves: self._told(number, moves))
                self._told(number, 0)
                self._done.put(found)
                self._unproven.end(found.left)
        finally:
            self._done.put(None)  # so that nobody waits for another part

    def _told(self, number: int, moves: int) -> None:
        self._moves[number] = moves

    def _must_go_on(self) -> None:
        if self._is_over:
            raise Stopped


class _Unproven:
    """Positions that parts are still to begin with, each once."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._places = list(places)
        self._named = set(self._places)
        self._busy = 0
        self._is_closed = False
        self._changed = Condition()

    def begin(self) -> Place | None:
        """A place for a new part, once there is one; None when all are proven or it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._places or not self._busy or self._is_closed)
            if self._is_closed or not self._places:
                return None
            self._busy += 1
            return self._places.pop()

    def take(self) -> Place | None:
        """One more place for a part that has room, if there is one."""
        with self._changed:
            return self._places.pop() if self._places else None

    def end(self, left: Iterable[Place]) -> None:
        """A part is found, and leaves these."""
        with self._changed:
            new = [place for place in left if place not in self._named]
            self._places += new
            self._named.update(new)
            self._busy -= 1
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
