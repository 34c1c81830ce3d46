"""Whole games on a Dask cluster, for whoever has more than one machine; it has the face of an `Arena`.

A Dask worker plays what it gets in an arena of its own, so that a bot that kills or hangs its process costs that bot
its game there as here. A Dask worker that dies or leaves has its games played again by others, and where the whole
cluster is lost, this machine plays what is left.
"""

from __future__ import annotations

import hashlib
import platform
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final

import click

from engine.bots.match import Played, Task
from server.workers.arena import Arena, Chunk, Ended, default_jobs, each, modules

LOOK_S: Final = 0.1
"""How often a Dask worker looks whether its games are still wanted."""
CONNECT_S: Final = 10
AHEAD: Final = 2
"""Chunks that a thread of the cluster has or is to have next, so that it need not wait for the way there and back."""
DEATHS: Final = 3
"""So many workers may die over the same games before they are played here."""


class CannotPlayThere(click.ClickException):
    """No worker of the cluster can be used; one sentence says why and what would be right."""


def played(tasks: Sequence[Task], address: str, say: Callable[[str], object]) -> Generator[Played]:
    """Each task once, as it is done, on a cluster; see `ClusterArena`. Closing the iterator ends the games."""
    return each(tasks, ClusterArena(address, say))


@dataclass(frozen=True, slots=True)
class Build:
    """What decides whether the same game is played the same, bit for bit, wherever it is played."""

    engine: str
    """A digest of the engine's sources and books."""
    python: str
    numba: str

    def __str__(self) -> str:
        return f"engine {self.engine}, Python {self.python}, numba {self.numba}"


def build() -> Build:
    """Of this process."""
    python = ".".join(platform.python_version_tuple()[:2])
    return Build(_engine_digest(), python, version("numba"))


@cache
def _engine_digest() -> str:
    digest = hashlib.sha256()

    def add(place: Traversable, path: str) -> None:
        for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
            name = f"{path}/{entry.name}"
            if entry.is_dir():
                add(entry, name)
            elif entry.name.endswith((".py", ".book")):
                digest.update(name.encode())
                digest.update(entry.read_bytes())

    add(files("engine"), "")
    return digest.hexdigest()[:12]


class ClusterArena:
    """Games on a cluster: `tcp://HOST:PORT` or `tls://HOST:PORT` of a Dask scheduler, or `local:N`, N processes here.

    `say` is told in a sentence what the user should know. Use it from one thread.
    """

    def __init__(self, address: str, say: Callable[[str], object]) -> None:
        """Raises CannotPlayThere."""
        self._say = say
        self._cluster, self._client = _connected(address)
        self._names = count()
        self._run = f"noughts-{self._client.id}"
        self._on_the_way: dict[str, tuple[Chunk, Any]] = {}
        self._deaths: Counter[str] = Counter()
        self._done: SimpleQueue[str] = SimpleQueue()
        self._local: Arena | None = None
        """in the place of a cluster that is lost"""
        self._here: deque[Chunk] = deque()
        """what it is to play"""
        self._good: dict[str, int] = {}
        """the threads of each worker that has our build"""
        self._refused: set[str] = set()
        self._look_at_workers()
        if not self._good:
            self.close()
            raise CannotPlayThere(
                f"No worker of the cluster can be used: each must have this noughts ({build()}); "
                "install the same release there and start it again."
            )

    @property
    def free(self) -> int:
        """How many more chunks keep it busy."""
        if self._local is not None:
            return self._local.free - len(self._here)
        return AHEAD * sum(self._good.values()) - len(self._on_the_way)

    @property
    def busy(self) -> bool:
        return bool(self._on_the_way or self._here) or (self._local is not None and self._local.busy)

    def begin(self, chunk: Chunk) -> None:
        if self._local is None and self._is_lost:
            self._play_here([chunk])
            return
        if self._local is not None:
            self._here.append(chunk)
            self._hand_over()
            return
        name = f"{self._run}-{next(self._names)}"
        future = self._client.submit(
            play, chunk, build(), self._run, key=name, pure=False, retries=0, workers=list(self._good)
        )
        self._on_the_way[name] = (chunk, future)
        future.add_done_callback(lambda _: self._done.put(name))

    def next(self, timeout_s: float | None = None) -> Ended | None:
        """As `Arena.next`. Raises CannotStart once it plays here."""
        if self._local is not None:
            ended = self._local.next(timeout_s)
            self._hand_over()
            return ended
        try:
            name = self._done.get(timeout=timeout_s)
        except Empty:
            return None
        chunk, future = self._on_the_way.pop(name)
        if future.status == "finished":
            answer = future.result()
            if isinstance(answer, Ended):
                return Ended(chunk, answer.games, answer.again, answer.cpu_us)
            self._refuse(answer)
            self.begin(chunk)
        elif self._is_lost:
            self._play_here([chunk])
        else:
            self._try_again(chunk, future)
        return None

    def close(self) -> None:
        """End the games under way, wherever they are."""
        if self._local is not None:
            self._local.close()
        if not self._is_lost:
            self._client.run(stop, self._run, on_error="ignore")
        self._client.close(timeout=1)
        if self._cluster is not None:
            self._cluster.close(timeout=5)

    @property
    def _is_lost(self) -> bool:
        return bool(self._client.status != "running")

    def _look_at_workers(self) -> None:
        """Which have our build; of the others the user is told."""
        threads: Mapping[str, int] = self._client.nthreads()
        told: Mapping[str, Any] = self._client.run(build, on_error="return")
        for worker, has in told.items():
            if has == build():
                self._good[worker] = threads.get(worker, 1)
            else:
                self._refuse(WrongBuild(worker, str(has) if isinstance(has, Build) else "no noughts like this one"))

    def _refuse(self, wrong: WrongBuild) -> None:
        self._good.pop(wrong.worker, None)
        if wrong.worker not in self._refused:
            self._refused.add(wrong.worker)
            self._say(f"Worker {wrong.worker} is not used: it has {wrong.has}, and this is {build()}.")

    def _try_again(self, chunk: Chunk, future: Any) -> None:
        """Its workers have died over it, or what it said could not be read."""
        first = str(chunk.tasks[0])
        self._deaths[first] += 1
        self._say(f"A game is played again: {_reason(future)}.")
        if self._deaths[first] < DEATHS:
            self._look_at_workers()
            if self._good:
                self.begin(chunk)
                return
        self._play_here([chunk])

    def _play_here(self, chunks: list[Chunk]) -> None:
        """Also all that is on the way: its answers are lost with the cluster."""
        chunks += [chunk for chunk, _ in self._on_the_way.values()]
        self._on_the_way.clear()
        self._say("The cluster is lost: the rest is played on this machine.")
        bots = {bot for chunk in chunks for task in chunk.tasks for bot in (task.x, task.o)}
        self._local = Arena(default_jobs(), modules(bots))
        self._here.extend(chunks)
        self._hand_over()

    def _hand_over(self) -> None:
        while self._here and self._local is not None and self._local.free:
            self._local.begin(self._here.popleft())


def _connected(address: str) -> tuple[Any, Any]:
    """A cluster of our own or None, and a client of it. Raises CannotPlayThere."""
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise CannotPlayThere(
            "A cluster needs Dask, which is not installed: install noughts with its extra cluster."
        ) from None
    kind, _, rest = address.partition(":")
    if kind == "local":
        if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest) <= 1024:
            raise CannotPlayThere(f"{address!r} names no cluster: write local:N with N processes, 1 to 1024.")
        cluster = dask.LocalCluster(
            n_workers=int(rest), threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        )
        return cluster, dask.Client(cluster)
    if kind not in ("tcp", "tls") or not rest.startswith("//"):
        raise CannotPlayThere(f"{address!r} names no cluster: write tcp://HOST:PORT, tls://HOST:PORT or local:N.")
    try:
        return None, dask.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else "no answer"
        raise CannotPlayThere(f"No Dask scheduler answers at {address}: {reason.rstrip('.')}.") from None


def _reason(future: Any) -> str:
    error = future.exception() if future.status == "error" else None
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}" if error else f"it was {future.status}"


# What follows runs in the workers of the cluster.


@dataclass(frozen=True, slots=True)
class WrongBuild:
    """The answer of a worker that would play otherwise."""

    worker: str
    has: str


_turn = threading.Lock()
_stopped: set[str] = set()
"""Runs whose games are no longer wanted."""
_idle: dict[str, list[Arena]] = {}
"""By run. Each has a process with whatever its searches have loaded, so the next games begin at once."""


def stop(run: str) -> None:
    """Whatever plays for a run ends."""
    with _turn:
        _stopped.add(run)
        for arena in _idle.pop(run, []):
            arena.close()


def play(chunk: Chunk, wanted: Build, run: str) -> Ended | WrongBuild | None:
    """What has become of a chunk; None for one that is no longer wanted."""
    if build() != wanted:
        dask: Any = import_module("distributed")
        return WrongBuild(dask.get_worker().address, str(build()))
    with _turn:
        kept = _idle.setdefault(run, [])
        arena = kept.pop() if kept else Arena(1, modules(bot for task in chunk.tasks for bot in (task.x, task.o)))
    arena.begin(chunk)
    ended = None
    while ended is None and run not in _stopped:
        ended = arena.next(LOOK_S)
    with _turn:
        if run in _stopped:
            arena.close()
        else:
            kept.append(arena)
    return ended
