"""Whole games on a Dask cluster; it has the face of an `Arena`.

A Dask worker plays what it gets in an arena of its own, so that a bot that kills or hangs its process loses that game,
there as here. A Dask worker that dies or leaves has its games played again by others, and where the whole cluster is
lost, this machine plays what is left.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final

from engine.bots import match
from engine.bots.match import Played, Task
from engine.bots.roster import Bot
from server.workers import arena
from server.workers.arena import Arena, Chunk, Ended, Live, Play, default_jobs, each, modules
from server.workers.cluster.address import Misused
from server.workers.cluster.build import Build, WrongBuild, build
from server.workers.cluster.members import ANSWER_S, WORKERS_S, Members, wrong_here
from server.workers.engines.engine import EngineBot

LOOK_S: Final = 0.1
"""How often a Dask worker looks whether its games are still wanted."""
IDLE_S: Final = 60.0
"""How long after its last game a worker keeps the arenas of a run that was killed, and so was ended by nobody."""
NICE: Final = 10
"""Niceness of games on a worker, behind searches that people wait for."""
AHEAD: Final = 2
"""Chunks that a thread of the cluster has or is to have next, so that it need not wait for the way there and back."""
CHUNK_S: Final = 0.2
"""Short games go in chunks of this much processor time: Dask takes milliseconds for each."""
DEATHS: Final = 3
"""How many workers may die over the same games before they are played here."""


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
                raise Misused(
                    f"{bot.name} cannot play on a cluster, since its program is on this machine: leave it out, or "
                    "play without --cluster."
                )
        self._say = say
        self._members = Members(address, say)
        self._client = self._members.client
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

    @property
    def jobs(self) -> int:
        """Games at a time."""
        return default_jobs() if self._local is not None else self._members.number

    @property
    def pids(self) -> list[int]:
        """Ids of the processes on this machine, once it plays."""
        return [] if self._local is None else self._local.pids

    def live(self) -> list[Live]:
        """The games under way on this machine: what is on others is known when it is over."""
        return [] if self._local is None else self._local.live()

    def hold(self, held: bool) -> None:
        """Hold what is played on this machine; what is on others goes on."""
        self._held = held
        if self._local is not None:
            self._local.hold(held)

    @property
    def free(self) -> int:
        """How many more chunks keep it busy."""
        if self._local is not None:
            return self._local.free - len(self._here)
        return AHEAD * self._members.number - len(self._on_the_way)

    @property
    def busy(self) -> bool:
        return bool(self._on_the_way or self._here) or (self._local is not None and self._local.busy)

    def begin(self, chunk: Chunk) -> None:
        if self._local is None and self._members.are_lost:
            self._play_here([chunk])
            return
        if self._local is not None:
            self._here.append(chunk)
            self._hand_over()
            return
        name = f"{self._run}-{next(self._names)}"
        future = self._client.submit(
            play, chunk, build(), self._run, key=name, pure=False, retries=0, **self._members.preference
        )
        self._on_the_way[name] = (chunk, future)
        future.add_done_callback(lambda _: self._done.put(name))

    def next(self, timeout_s: float | None = None) -> Ended | None:
        """Like `Arena.next`. Raises CannotStart once it plays here."""
        if self._local is not None:
            ended = self._local.next(timeout_s)
            self._hand_over()
            return ended
        if not self._members.still_there():
            self._play_here([])
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
            self._members.refuse(answer)
            if self._members.threads:
                self.begin(chunk)
            else:
                self._play_here([chunk])
        elif self._members.are_lost:
            self._play_here([chunk])
        else:
            self._try_again(chunk, future)
        return None

    def close(self) -> None:
        """End the games under way, wherever they are."""
        if self._local is not None:
            self._local.close()
        if not self._members.are_lost:
            with suppress(OSError):
                self._client.run(stop, self._run, on_error="ignore", callback_timeout=ANSWER_S)
        self._members.close()

    def _try_again(self, chunk: Chunk, future: Any) -> None:
        """Try a chunk again over which workers have died, or whose answer could not be read."""
        first = str(chunk.tasks[0])
        self._deaths[first] += 1
        self._say(f"A game is played again: {_reason(future)}.")
        if self._deaths[first] < DEATHS:
            with suppress(OSError):
                self._members.look()
            if self._members.threads:
                self.begin(chunk)
                return
        self._play_here([chunk])

    def _play_here(self, chunks: list[Chunk]) -> None:
        """Play here these and all that is under way: the answers are lost with the cluster."""
        chunks += [chunk for chunk, _ in self._on_the_way.values()]
        self._on_the_way.clear()
        self._say("The cluster is lost: the rest is played on this machine.")
        bots = {bot for chunk in chunks for task in chunk.tasks for bot in (task.x, task.o)}
        self._local = Arena(default_jobs(), modules(bots))
        self._local.hold(self._held)
        self._here.extend(chunks)
        self._hand_over()

    def _hand_over(self) -> None:
        while self._here and self._local is not None and self._local.free > 0:
            self._local.begin(self._here.popleft())


def _reason(future: Any) -> str:
    error = future.exception() if future.status == "error" else None
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}" if error else f"it was {future.status}"


# What follows runs in the workers of the cluster.


_turn = threading.Lock()
_stopped: set[str] = set()
"""Runs whose games are no longer wanted."""
_idle: dict[str, list[tuple[Arena, float]]] = {}
"""Idle arenas by run, and since when. Each has a process with its searches loaded: the next games begin at once."""


def stop(run: str) -> None:
    """Whatever plays for a run ends."""
    with _turn:
        _stopped.add(run)
        for idle, _ in _idle.pop(run, []):
            idle.close()


def play(chunk: Chunk, wanted: Build, run: str) -> Ended | WrongBuild | None:
    """Play a chunk; None for one that is no longer wanted."""
    if (wrong := wrong_here(wanted)) is not None:
        return wrong
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
    """End the arenas that other runs have left idle here for long."""
    now_s = time.monotonic()
    for other in [other for other in _idle if other != run]:
        for one in [one for one in _idle[other] if now_s - one[1] > IDLE_S]:
            _idle[other].remove(one)
            one[0].close()
