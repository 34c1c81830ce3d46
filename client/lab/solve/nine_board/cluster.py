"""Leaves of a nine-board tree searched by the workers of a Dask cluster, whose address is as everywhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final

from client.lab.solve.nine_board.search import ClusterLost, Leaf, Looked, look
from engine.search.solve.nine_board_solver import Solver
from server.workers.cluster.build import Build, WrongBuild, build
from server.workers.cluster.members import Members, wrong_here

SLICE: Final = 1 << 18
"""Positions after which a worker may answer the cluster's questions: a tenth of a second."""
WAIT_S: Final = 0.5
FAILURES: Final = 3
"""This many searches may fail in a row before the cluster is given up."""


class ClusterWorkers:
    """Each thread of the cluster searches one leaf at a time. A worker keeps its table for the next leaf."""

    def __init__(self, address: str, entries: int, say: Callable[[str], object]) -> None:
        """`entries`: of each worker's table. Raises CannotPlayThere."""
        self._entries = entries
        self._members = Members(address, say)
        self._names = count()
        self._under_way: dict[str, tuple[Leaf, Any]] = {}
        self._over: SimpleQueue[str] = SimpleQueue()
        self._failures = 0

    @property
    def free(self) -> int:
        return self._members.number - len(self._under_way)

    def begin(self, leaf: Leaf) -> None:
        client = self._members.client
        name = f"nine-board-{client.id}-{next(self._names)}"
        future = client.submit(
            look_there, leaf, self._entries, build(), key=name, pure=False, retries=0, **self._members.preference
        )
        self._under_way[name] = leaf, future
        future.add_done_callback(lambda _: self._over.put(name))

    def next(self) -> Looked | Leaf | None:
        """Raises ClusterLost."""
        if not self._members.still_there():
            raise ClusterLost("The cluster is lost.")
        try:
            name = self._over.get(timeout=WAIT_S)
        except Empty:
            return None
        leaf, future = self._under_way.pop(name)
        if future.status == "finished":
            self._failures = 0
            found: Looked | WrongBuild = future.result()
            if isinstance(found, Looked):
                return found
            self._members.refuse(found)
            return leaf
        self._failures += 1
        if self._failures >= FAILURES:
            error = future.exception() if future.status == "error" else None
            raise ClusterLost(
                f"{FAILURES} searches on the cluster failed one after the other, the last since {error!r}."
            )
        return leaf

    def close(self) -> None:
        self._members.close()


# What follows runs in the workers of the cluster.


_turn = threading.Lock()
_solvers: dict[int, Solver] = {}
"""The last solver used, by the entries of its table: no more, since each may take gigabytes."""


def look_there(leaf: Leaf, entries: int, wanted: Build) -> Looked | WrongBuild:
    """Search a leaf in the process of a worker; one at a time."""
    if (wrong := wrong_here(wanted)) is not None:
        return wrong
    with _turn:
        if entries not in _solvers:
            _solvers.clear()
            _solvers[entries] = Solver(entries, largest_slice=SLICE)
        begun_s = time.thread_time()
        row = look(_solvers[entries], leaf)
        return Looked(leaf, row, row.nodes, time.thread_time() - begun_s)
