"""Whole games on a Dask cluster; it has the face of an `Arena`.

A Dask worker plays what it gets in an arena of its own, so that a bot that kills or hangs its process costs that bot
its game there as here. A Dask worker that dies or leaves has its games played again by others, and where the whole
cluster is lost, this machine plays what is left.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final

from engine.bots import match
from engine.bots.match import Played, Task
from engine.bots.roster import Bot
from server.workers import arena
from server.workers.arena import Arena, Chunk, Ended, Live, Play, default_jobs, each, modules
from server.workers.cluster.address import CannotPlayThere, checked, processes, silent, with_certificates
from server.workers.cluster.build import Build, WrongBuild, build, wrong
from server.workers.engines.engine import EngineBot

LOOK_S: Final = 0.1
"""How often a Dask worker looks whether its games are still wanted."""
CONNECT_S: Final = 10
ANSWER_S: Final = 5
"""The cluster is lost, or a worker hangs, that does not say for so long what it is."""
WORKERS_S: Final = 2.0
"""How often workers that join or leave are noticed."""
ALONE_S: Final = 10.0
"""A cluster that has had no worker for so long is lost; dask starts a worker that has died again in less."""
IDLE_S: Final = 60.0
"""What a run that nobody has ended, since it was killed, has kept on a worker may end so long after its last game."""
NICE: Final = 10
"""How far games step back on a worker, behind searches that people wait for."""
AHEAD: Final = 2
"""Chunks that a thread of the cluster has or is to have next, so that it need not wait for the way there and back."""
CHUNK_S: Final = 0.2
"""Short games go in chunks of so much processor time: Dask takes milliseconds for each."""
DEATHS: Final = 3
"""So many workers may die over the same games before they are played here."""


def played_anywhere(
    tasks: Sequence[Task], jobs: int, cluster: str | None, say: Callable[[str], object], play: Play = match.play
) -> Generator[Played]:
    """Each task once, as it is done: in `jobs` processes here, or where a cluster is named, there.

    Closing the iterator ends the games. Raises CannotPlayThere.
    """
    if cluster is None:
        return arena.played(tasks, jobs, play)
    bots = (bot for task in tasks for bot in (task.x, task.o))
    return each(tasks, ClusterArena(cluster, say, bots), play, CHUNK_S)


class ClusterArena:
    """Games on a cluster, whose address is as in `server.workers.cluster.address`.

    `say` is told in a sentence what the user should know, `bots` are those that will play. Use it from one thread.
    """

    def __init__(self, address: str, say: Callable[[str], object], bots: Iterable[Bot] = ()) -> None:
        """Raises CannotPlayThere."""
        for bot in bots:
            if isinstance(bot, EngineBot):
                raise CannotPlayThere(
                    f"{bot.name} cannot play on a cluster, since its program is on this machine: leave it out, or "
                    "play without --cluster."
                )
        self._say = say
        self._cluster, self._client = connected(address)
        self._names = count()
        self._run = f"noughts-{self._client.id}"
        self._on_the_way: dict[str, tuple[Chunk, Any]] = {}
        self._deaths: Counter[str] = Counter()
        self._done: SimpleQueue[str] = SimpleQueue()
        self._local: Arena | None = None
        """in the place of a cluster that is lost"""
        self._here: deque[Chunk] = deque()
        """what it is to play"""
        self._held = False
        self._good: dict[str, int] = {}
        """the threads of each worker that has our build"""
        self._refused: set[str] = set()
        self._looked_s = self._peopled_s = time.monotonic()
        """when workers were last looked for, and when there was one that can be used"""
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
    def jobs(self) -> int:
        """Games at a time."""
        return default_jobs() if self._local is not None else sum(self._good.values())

    @property
    def pids(self) -> list[int]:
        """Of the processes on this machine, once it plays."""
        return [] if self._local is None else self._local.pids

    def live(self) -> list[Live]:
        """The games under way on this machine: what is on others is known when it is over."""
        return [] if self._local is None else self._local.live()

    def hold(self, held: bool) -> None:
        """What is on other machines goes on."""
        self._held = held
        if self._local is not None:
            self._local.hold(held)

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
            play, chunk, build(), self._run, key=name, pure=False, retries=0, **self._preference
        )
        self._on_the_way[name] = (chunk, future)
        future.add_done_callback(lambda _: self._done.put(name))

    def next(self, timeout_s: float | None = None) -> Ended | None:
        """As `Arena.next`. Raises CannotStart once it plays here."""
        if self._local is not None:
            ended = self._local.next(timeout_s)
            self._hand_over()
            return ended
        self._look_now_and_then()
        if self._local is not None:
            return None
        try:
            name = self._done.get(timeout=WORKERS_S if timeout_s is None else min(timeout_s, WORKERS_S))
        except Empty:
            return None
        chunk, future = self._on_the_way.pop(name)
        if future.status == "finished":
            answer = future.result()
            if isinstance(answer, Ended):
                return Ended(chunk, answer.games, answer.again, answer.cpu_us)
            self._refuse(answer)
            if self._good:
                self.begin(chunk)
            else:
                self._play_here([chunk])
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
            with suppress(OSError):
                self._client.run(stop, self._run, on_error="ignore", callback_timeout=ANSWER_S)
        with suppress(OSError):  # who has not ended by then, does so with this process
            self._client.close(timeout=1)
            if self._cluster is not None:
                self._cluster.close(timeout=ANSWER_S)

    @property
    def _is_lost(self) -> bool:
        return bool(self._client.status != "running")

    @property
    def _preference(self) -> Mapping[str, Any]:
        """Where to play, if not anywhere. Others may too: who has died is back under another address."""
        return {"workers": list(self._good), "allow_other_workers": True} if self._refused else {}

    def _look_now_and_then(self) -> None:
        """Is it still there, and who has joined or left?"""
        now_s = time.monotonic()
        if not self._is_lost and now_s - self._looked_s < WORKERS_S:
            return
        with suppress(OSError):  # it may be back the next time
            if not self._is_lost:
                self._look_at_workers()
        if self._is_lost or time.monotonic() - self._peopled_s > ALONE_S:
            self._play_here([])

    def _look_at_workers(self) -> None:
        """Which have our build; of the others the user is told. Raises OSError."""
        self._looked_s = time.monotonic()
        threads: Mapping[str, int] = self._client.nthreads(callback_timeout=ANSWER_S)
        self._good = {worker: threads[worker] for worker in self._good if worker in threads}
        asked = [worker for worker in threads if worker not in self._good and worker not in self._refused]
        if asked:
            told: Mapping[str, Any] = self._client.run(
                build, workers=asked, on_error="return", callback_timeout=ANSWER_S
            )
            for worker, has in told.items():
                if (refused := wrong(worker, has)) is None:
                    self._good[worker] = threads[worker]
                else:
                    self._refuse(refused)
        if self._good:
            self._peopled_s = self._looked_s

    def _refuse(self, refused: WrongBuild) -> None:
        self._good.pop(refused.worker, None)
        if refused.worker not in self._refused:
            self._refused.add(refused.worker)
            self._say(refused.sentence)

    def _try_again(self, chunk: Chunk, future: Any) -> None:
        """Its workers have died over it, or what it said could not be read."""
        first = str(chunk.tasks[0])
        self._deaths[first] += 1
        self._say(f"A game is played again: {_reason(future)}.")
        if self._deaths[first] < DEATHS:
            with suppress(OSError):
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
        self._local.hold(self._held)
        self._here.extend(chunks)
        self._hand_over()

    def _hand_over(self) -> None:
        while self._here and self._local is not None and self._local.free:
            self._local.begin(self._here.popleft())


def connected(address: str) -> tuple[Any, Any]:
    """A cluster of our own or None, and a client of it. Raises CannotPlayThere."""
    here = processes(checked(address))
    dask: Any = import_module("distributed")
    if here is not None:
        cluster = dask.LocalCluster(
            n_workers=here, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", memory_limit=0
        )
        return cluster, dask.Client(cluster)
    try:
        return None, dask.Client(with_certificates(address), timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise CannotPlayThere(silent(address, error)) from None


def _reason(future: Any) -> str:
    error = future.exception() if future.status == "error" else None
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}" if error else f"it was {future.status}"


# What follows runs in the workers of the cluster.


_turn = threading.Lock()
_stopped: set[str] = set()
"""Runs whose games are no longer wanted."""
_idle: dict[str, list[tuple[Arena, float]]] = {}
"""By run, and since when. Each has a process with whatever its searches have loaded: the next games begin at once."""


def stop(run: str) -> None:
    """Whatever plays for a run ends."""
    with _turn:
        _stopped.add(run)
        for idle, _ in _idle.pop(run, []):
            idle.close()


def play(chunk: Chunk, wanted: Build, run: str) -> Ended | WrongBuild | None:
    """What has become of a chunk; None for one that is no longer wanted."""
    if build() != wanted:
        dask: Any = import_module("distributed")
        return WrongBuild(dask.get_worker().address, str(build()))
    with _turn:
        _end_forgotten(run)
        idle = _idle.setdefault(run, [])
        bots = (bot for task in chunk.tasks for bot in (task.x, task.o))
        plays = idle.pop()[0] if idle else Arena(1, modules(bots), nice=NICE)
    plays.begin(chunk)
    ended = None
    while ended is None and run not in _stopped:
        ended = plays.next(LOOK_S)
    with _turn:
        if run in _stopped:
            plays.close()
        else:
            idle.append((plays, time.monotonic()))
    return ended


def _end_forgotten(run: str) -> None:
    """What others have kept here for long."""
    now_s = time.monotonic()
    for other in [other for other in _idle if other != run]:
        for one in [one for one in _idle[other] if now_s - one[1] > IDLE_S]:
            _idle[other].remove(one)
            one[0].close()
