"""Whole games in worker processes. A bot that kills or hangs its process loses its game, nobody else anything.

The parent knows how far each game is through a slot of shared memory: the worker notes each move and when its search
began. So the game of a dead worker is forfeited by the side that was thinking, with its moves on record. Many short
games go to a worker at once, as one chunk, since a trip there and back takes longer than they do.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from engine.bots import match
from engine.bots.match import Played, Task, Watches
from engine.bots.roster import Bot
from engine.rules.position import Move, O, Side, X
from engine.rules.registry import rules
from server.workers.slot import SIDES, GameSlot

Play: TypeAlias = Callable[[Task, Watches], Played]
"""A function of a module, so that workers can import it."""

GRACE_MS: Final = 10_000
"""A search that goes on for so much longer than its `move_ms` has hung."""
LOAD_MS: Final = 300_000
"""Loading a bot, which may compile its searches, takes no longer unless it has hung."""
BEGIN_S: Final = 60.0
"""A chunk that no worker has begun for so long waits for one that never comes; then all workers are made anew."""
_LOOK_S: Final = 0.25
_JOIN_S: Final = 5
_ATTEMPTS: Final = 2
"""At a game whose worker died before any bot was asked."""
_HELD_POLL_S: Final = 0.005
"""A held worker looks so often whether it may go on. By polling: a lock that it shares with others would stay taken if
it were killed."""


class Timed(NamedTuple):
    """A played game and when, in Unix milliseconds."""

    played: Played
    started_ms: int
    ended_ms: int


class Live(NamedTuple):
    """A game that is being played, with every move so far, the start's first."""

    task: Task
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Games that go to a worker together. Equal to itself only: to compare hundreds of games takes too long."""

    tasks: tuple[Task, ...]
    play: Play = match.play
    stall_ms: int | None = None
    """Bounds a decision without a `move_ms`; without it such a decision may take forever."""
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Ended:
    """What has become of a chunk: games that are done, and chunks that are to begin again since its worker died."""

    chunk: Chunk
    games: tuple[Timed, ...]
    again: tuple[Chunk, ...] = ()
    cpu_us: int = 0
    """That the worker used."""


def default_jobs() -> int:
    """One process fewer than there are cores for us, at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def played(tasks: Sequence[Task], jobs: int, play: Play = match.play, grace_ms: int = GRACE_MS) -> Generator[Played]:
    """Each task once, as it is done, in `jobs` processes at a time. Closing the iterator ends the processes."""
    arena = Arena(min(jobs, max(1, len(tasks))), search_modules(tasks), grace_ms)
    try:
        waiting = deque(Chunk((task,), play) for task in tasks)
        while waiting or arena.busy:
            while waiting and arena.free:
                arena.begin(waiting.popleft())
            ended = arena.next()
            if ended is not None:
                waiting.extendleft(ended.again)
                yield from (game.played for game in ended.games)
    finally:
        arena.close()


def search_modules(tasks: Iterable[Task]) -> list[str]:
    """The modules of the bots' searches. Loaded once in the fork server, they cost each worker nothing."""
    return modules(bot for task in tasks for bot in (task.x, task.o))


def modules(bots: Iterable[Bot]) -> list[str]:
    """The modules of these bots' searches."""
    return sorted({bot.entry.module for bot in bots})


class Arena:
    """The processes and what each is doing. `nice` is how far they step back behind other programs."""

    def __init__(self, jobs: int, search_modules: Sequence[str], grace_ms: int = GRACE_MS, nice: int = 0) -> None:
        self._grace_ms = grace_ms
        self._jobs = jobs
        self._nice = nice
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([__name__, *search_modules])
        self._slots: Any = self._context.RawArray(GameSlot, jobs)
        self._held: Any = self._context.RawValue(ctypes.c_int32, 0)
        self._ended: SimpleQueue[tuple[int, object]] = SimpleQueue()
        self._given_up: deque[Chunk] = deque()
        self._running: dict[int, tuple[Chunk, ProcessFuture[tuple[tuple[Timed, ...], int]]]] = {}
        self._hung: set[int] = set()
        self._handed_s: dict[int, float] = {}
        """When each chunk was handed over, as long as no worker is known to have begun it."""
        self._idle = list(range(jobs))
        self._pool = self._new_pool()

    @property
    def free(self) -> int:
        """Workers without a chunk."""
        return len(self._idle)

    @property
    def busy(self) -> bool:
        return bool(self._running or self._given_up)

    @property
    def pids(self) -> list[int]:
        """Of the workers that have played."""
        return [slot.pid for slot in self._slots if slot.pid]

    def begin(self, chunk: Chunk) -> None:
        """Hands a chunk to a worker that is free."""
        number = self._idle.pop()
        slot = self._slots[number]
        slot.index = slot.mover = slot.loading = slot.since_ns = slot.length = slot.begun = 0
        self._handed_s[number] = time.monotonic()
        if not self._pool.active:  # broken down as a whole
            self._pool = self._new_pool()
        future = self._pool.schedule(_work, args=[chunk.play, chunk.tasks, number])
        self._running[number] = (chunk, future)
        future.add_done_callback(lambda done: self._ended.put((number, done)))

    def next(self, timeout_s: float | None = None) -> Ended | None:
        """What the next chunk that ends has become; None if that takes longer than `timeout_s`."""
        deadline_s = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            if self._given_up:
                chunk = self._given_up.popleft()
                return Ended(chunk, (), (chunk,))
            left_s = _LOOK_S if deadline_s is None else min(_LOOK_S, max(0.0, deadline_s - time.monotonic()))
            try:
                number, future = self._ended.get(timeout=left_s)
                if number in self._running and self._running[number][1] is future:
                    return self._outcome(number)
            except Empty:
                self._end_hung()
                self._end_if_unbegun()
                if deadline_s is not None and time.monotonic() >= deadline_s:
                    return None

    def live(self) -> list[Live]:
        """The games under way. A worker may have gone on by one move or game while its slot is read."""
        found = []
        for number, (chunk, _) in self._running.items():
            slot = self._slots[number]
            task = chunk.tasks[slot.index]
            moves = tuple(slot.moves[: slot.length])
            if moves[: len(task.start)] == task.start:
                found.append(Live(task, moves))
        return found

    def hold(self, held: bool) -> None:
        """While held, searches stand still where they next read their clock, and so does their time."""
        self._held.value = int(held)

    def close(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join(_JOIN_S)

    def _outcome(self, number: int) -> Ended:
        chunk, future = self._running.pop(number)
        self._handed_s.pop(number, None)
        self._idle.append(number)
        hung = number in self._hung
        self._hung.discard(number)
        error = future.exception()
        if error is None:
            games, cpu_us = future.result()
            return Ended(chunk, games, cpu_us=cpu_us)
        slot = self._slots[number]
        side = SIDES[slot.mover]
        if side is None and chunk.attempt < _ATTEMPTS:
            return Ended(chunk, (), (replace(chunk, attempt=chunk.attempt + 1),))
        task = chunk.tasks[slot.index]
        moves = list(slot.moves[len(task.start) : slot.length])
        termination: Literal["stall", "crash"] = "stall" if hung else "crash"
        lost = match.forfeited(task, moves, side, termination, _reason(error, hung))
        now_ms = time.time_ns() // 1_000_000
        # Those before it are lost with the worker. Each has a seed of its own, so most are played as they were.
        others = tuple(other for other in chunk.tasks if other is not task)
        return Ended(
            chunk, (Timed(lost, now_ms, now_ms),), (replace(chunk, tasks=others, attempt=1),) if others else ()
        )

    def _end_hung(self) -> None:
        """Kills the workers whose search should have ended long ago. Their games end by that."""
        if self._held.value:
            return
        now_ns = time.monotonic_ns()
        for number, (chunk, _) in self._running.items():
            slot = self._slots[number]
            side, since_ns = SIDES[slot.mover], slot.since_ns
            if side is None or not since_ns or number in self._hung:
                continue
            bound_ms = LOAD_MS if slot.loading else self._bound_ms(chunk, slot.index, side)
            if bound_ms is not None and now_ns - since_ns > bound_ms * 1_000_000:
                with suppress(ProcessLookupError):  # one that has just died by itself has not hung
                    os.kill(slot.pid, signal.SIGKILL)
                    self._hung.add(number)

    def _end_if_unbegun(self) -> None:
        """A worker that is killed while it takes a chunk can leave the pool's own lock taken, for ever."""
        for number, handed_s in list(self._handed_s.items()):
            if self._slots[number].begun:
                del self._handed_s[number]
            elif time.monotonic() - handed_s > BEGIN_S:
                self._give_up()
                return

    def _give_up(self) -> None:
        """Ends all workers; their chunks are to begin again. What still comes of the old ones is not heard."""
        self.close()
        self._given_up.extend(chunk for chunk, _ in self._running.values())
        self._idle += self._running
        self._running.clear()
        self._handed_s.clear()
        self._hung.clear()

    def _bound_ms(self, chunk: Chunk, index: int, side: Side) -> int | None:
        move_ms = chunk.tasks[index].limits[side].move_ms
        return chunk.stall_ms if move_ms is None else move_ms + self._grace_ms

    def _new_pool(self) -> ProcessPool:
        arguments = [self._slots, self._held, self._nice]
        return ProcessPool(max_workers=self._jobs, context=self._context, initializer=_prepare, initargs=arguments)


def _reason(error: BaseException, hung: bool) -> str:
    if hung:
        return "did not answer in time and was killed"
    if isinstance(error, ProcessExpired):
        return f"died with exit status {error.exitcode}"
    return f"failed: {' '.join(f'{type(error).__name__}: {error}'.split())[:200]}"


_slots: Any = None
_held: Any = None


def _prepare(slots: Any, held: Any, nice: int) -> None:
    """Run once in a new worker: die with the parent. (Ctrl-C is left to the parent by the pool itself.)"""
    global _slots, _held
    _slots = slots
    _held = held
    if nice:
        os.nice(nice)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent,), daemon=True).start()


def _die_with(parent: BaseProcess) -> None:
    """Without this a game goes on after `kill -9` of the command: the fork server, our real parent, outlives it."""
    parent.join()
    os._exit(1)


def _work(play: Play, tasks: Sequence[Task], number: int) -> tuple[tuple[Timed, ...], int]:
    slot = _slots[number]
    slot.pid = os.getpid()
    slot.begun = 1
    cpu_ns = time.process_time_ns()
    games = tuple(_game(play, task, index, slot) for index, task in enumerate(tasks))
    return games, (time.process_time_ns() - cpu_ns) // 1000


def _game(play: Play, task: Task, index: int, slot: Any) -> Timed:
    slot.length = 0
    slot.index = index
    slot.loading = 1
    for side in (X, O):
        slot.mover, slot.since_ns = SIDES.index(side), time.monotonic_ns()
        _warm_up(task.bot(side), task.game)
    slot.mover = slot.loading = slot.since_ns = 0
    started_ms, begun_ns = time.time_ns() // 1_000_000, time.monotonic_ns()
    done = play(task, lambda moves: _Watch(slot, moves))
    slot.since_ns = slot.mover = 0
    # By the clock that never jumps: a game does not end before it began, whatever happens to the date.
    return Timed(done, started_ms, started_ms + (time.monotonic_ns() - begun_ns) // 1_000_000)


@cache
def _warm_up(bot: Bot, game: str) -> None:
    """Once in each process, and in nobody's time."""
    match.warm_up(bot, rules(game))


class _Watch:
    """The clock of one decision, which it notes in the slot. It stands while the arena is held."""

    def __init__(self, slot: Any, moves: Sequence[Move]) -> None:
        self._slot = slot
        slot.moves[slot.length : len(moves)] = moves[slot.length :]
        slot.length = len(moves)
        slot.mover = SIDES.index(O if len(moves) % 2 else X)
        self._started_ns = slot.since_ns = time.monotonic_ns()

    def elapsed_us(self) -> int:
        if _held.value:
            self._stand()
        return (time.monotonic_ns() - self._started_ns) // 1000

    def elapsed_ms(self) -> int:
        return self.elapsed_us() // 1000

    def stopped(self) -> bool:
        if _held.value:
            self._stand()
        return False

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        return None

    def _stand(self) -> None:
        begun_ns = time.monotonic_ns()
        self._slot.since_ns = 0
        while _held.value:
            time.sleep(_HELD_POLL_S)
        self._started_ns += time.monotonic_ns() - begun_ns
        self._slot.since_ns = self._started_ns
