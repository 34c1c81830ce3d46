"""Leaves of a nine-board tree searched by the workers of a Dask cluster, whose address is as everywhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final

from client.lab.solve.nine_board_search import ClusterLost, Leaf, Looked, look
from engine.search.nine_board_solver import Solver
from server.workers.cluster.address import CannotPlayThere, silent
from server.workers.cluster.build import build, wrong
from server.workers.cluster.games import ALONE_S, ANSWER_S, DEATHS, WORKERS_S, connected

SLICE: Final = 1 << 18
"""Positions after which a worker may answer the cluster's questions: a tenth of a second."""
WAIT_S: Final = 0.5


class ClusterWorkers:
    """Each thread of the cluster searches one leaf at a time. A worker keeps its table for the next leaf."""

    def __init__(self, address: str, entries: int, say: Callable[[str], object]) -> None:
        """`entries`: of each worker's table. Raises CannotPlayThere."""
        self._entries, self._say = entries, say
        self._cluster, self._client = connected(address)
        self._names = count()
        self._under_way: dict[str, tuple[Leaf, Any]] = {}
        self._over: SimpleQueue[str] = SimpleQueue()
        self._failures = 0
        self._good: dict[str, int] = {}
        self._refused: set[str] = set()
        self._looked_s = self._peopled_s = time.monotonic()
        try:
            self._look_at_workers()
        except OSError as error:
            self.close()
            raise CannotPlayThere(silent(address, error)) from None
        if not self._good:
            self.close()
            raise CannotPlayThere(
                f"No worker of the cluster can be used: each must have this noughts ({build()}); "
                "install the same release there and start it again."
            )

    @property
    def free(self) -> int:
        return sum(self._good.values()) - len(self._under_way)

    def begin(self, leaf: Leaf) -> None:
        name = f"nine-board-{self._client.id}-{next(self._names)}"
        future = self._client.submit(
            look_there, leaf, self._entries, key=name, pure=False, retries=0, workers=list(self._good)
        )
        self._under_way[name] = leaf, future
        future.add_done_callback(lambda _: self._over.put(name))

    def next(self) -> Looked | Leaf | None:
        """Raises ClusterLost."""
        self._look_now_and_then()
        try:
            name = self._over.get(timeout=WAIT_S)
        except Empty:
            return None
        leaf, future = self._under_way.pop(name)
        if future.status == "finished":
            self._failures = 0
            found = future.result()
            assert isinstance(found, Looked)
            return found
        self._failures += 1
        if self._failures >= DEATHS:
            error = future.exception() if future.status == "error" else None
            raise ClusterLost(f"{DEATHS} searches on the cluster failed one after the other, the last since {error!r}.")
        return leaf

    def close(self) -> None:
        with suppress(OSError):
            self._client.close(timeout=1)
            if self._cluster is not None:
                self._cluster.close(timeout=ANSWER_S)

    def _look_now_and_then(self) -> None:
        now_s = time.monotonic()
        is_lost = self._client.status != "running"
        if not is_lost and now_s - self._looked_s < WORKERS_S:
            return
        with suppress(OSError):
            if not is_lost:
                self._look_at_workers()
        if is_lost or now_s - self._peopled_s > ALONE_S:
            raise ClusterLost("The cluster is lost.")

    def _look_at_workers(self) -> None:
        """Which have our build. Raises OSError."""
        self._looked_s = time.monotonic()
        threads: dict[str, int] = self._client.nthreads(callback_timeout=ANSWER_S)
        self._good = {worker: number for worker, number in self._good.items() if worker in threads}
        asked = [worker for worker in threads if worker not in self._good and worker not in self._refused]
        if asked:
            told = self._client.run(build, workers=asked, on_error="return", callback_timeout=ANSWER_S)
            for worker, has in told.items():
                if (refused := wrong(worker, has)) is None:
                    self._good[worker] = threads[worker]
                else:
                    self._refused.add(worker)
                    self._say(refused.sentence)
        if self._good:
            self._peopled_s = self._looked_s


# What follows runs in the workers of the cluster.


_turn = threading.Lock()
_solvers: dict[int, Solver] = {}
"""By the entries of its table: the last one used, since each may take gigabytes."""


def look_there(leaf: Leaf, entries: int) -> Looked:
    """Search a leaf in the process of a worker; one at a time."""
    with _turn:
        if entries not in _solvers:
            _solvers.clear()
            _solvers[entries] = Solver(entries, largest_slice=SLICE)
        begun_s = time.thread_time()
        row = look(_solvers[entries], leaf)
        return Looked(leaf, row, time.thread_time() - begun_s)
