"""Plays games in worker processes. A bot that kills or hangs its process loses its game, not the match.

The parent knows how far each game is through a slot of shared memory: the worker notes each move and when its search
began. So the game of a dead worker is forfeited by the side that was thinking, with its moves on record.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from functools import cache
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, Final, Literal, TypeAlias

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from engine import match
from engine.match import Played, Task, Watches
from engine.position import Move, O, Side, X
from engine.roster import bot
from engine.rules.registry import rules

Play: TypeAlias = Callable[[Task, Watches], Played]
"""A function of a module, so that workers can import it."""

GRACE_MS: Final = 10_000
"""A search that goes on for so much longer than its `move_ms` has hung."""
_LOOK_S: Final = 0.25
_JOIN_S: Final = 5
_ATTEMPTS: Final = 2
"""At a game whose worker died before any bot was asked."""
_SIDES: Final[tuple[Side | None, ...]] = (None, X, O)


class Slot(ctypes.Structure):
    """One worker's game: written by the worker, read by the parent."""

    _fields_ = (
        ("pid", ctypes.c_int32),
        ("mover", ctypes.c_int32),  # an index of _SIDES: who is deciding, or being loaded
        ("since_ns", ctypes.c_int64),  # monotonic; 0 unless a decision that counts is running
        ("length", ctypes.c_int32),
        ("moves", ctypes.c_int16 * 361),  # the first `length`, the start among them
    )


def default_jobs() -> int:
    """One process fewer than there are cores for us, at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def played(tasks: Sequence[Task], jobs: int, play: Play = match.play, grace_ms: int = GRACE_MS) -> Generator[Played]:
    """Each task once, as it is done, in `jobs` processes at a time. Closing the iterator ends the processes."""
    arena = _Arena(min(jobs, max(1, len(tasks))), play, grace_ms, _minds(tasks))
    try:
        waiting = deque((task, 1) for task in tasks)
        while waiting or arena.busy:
            while waiting and arena.free:
                arena.begin(*waiting.popleft())
            ended = arena.next()
            if isinstance(ended, Played):
                yield ended
            else:
                waiting.appendleft(ended)
    finally:
        arena.close()


def _minds(tasks: Sequence[Task]) -> list[str]:
    """The modules of the bots' searches. Loaded once in the fork server, they cost each worker nothing."""
    return sorted({one.entry.mind.partition(":")[0] for task in tasks for one in (task.x, task.o)})


class _Arena:
    """The processes and what each is doing."""

    def __init__(self, jobs: int, play: Play, grace_ms: int, minds: Sequence[str]) -> None:
        self._play = play
        self._grace_ns = grace_ms * 1_000_000
        self._jobs = jobs
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([__name__, *minds])
        self._slots: Any = self._context.RawArray(Slot, jobs)
        self._ended: SimpleQueue[int] = SimpleQueue()
        self._running: dict[int, tuple[Task, int, ProcessFuture[Played]]] = {}
        self._hung: set[int] = set()
        self.free = list(range(jobs))
        self._pool = self._new_pool()

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def begin(self, task: Task, attempt: int) -> None:
        number = self.free.pop()
        slot = self._slots[number]
        slot.pid = slot.mover = slot.since_ns = slot.length = 0
        if not self._pool.active:  # broken down as a whole
            self._pool = self._new_pool()
        future = self._pool.schedule(_work, args=[self._play, task, number])
        self._running[number] = (task, attempt, future)
        future.add_done_callback(lambda _: self._ended.put(number))

    def next(self) -> Played | tuple[Task, int]:
        """The next game that has ended; or a task, with the number of its next attempt, that is to begin again."""
        while True:
            try:
                number = self._ended.get(timeout=_LOOK_S)
            except Empty:
                self._end_hung()
                continue
            return self._outcome(number)

    def close(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join(_JOIN_S)

    def _outcome(self, number: int) -> Played | tuple[Task, int]:
        task, attempt, future = self._running.pop(number)
        self.free.append(number)
        hung = number in self._hung
        self._hung.discard(number)
        error = future.exception()
        if error is None:
            return future.result()
        slot = self._slots[number]
        side = _SIDES[slot.mover]
        if side is None and attempt < _ATTEMPTS:
            return task, attempt + 1
        moves = list(slot.moves[len(task.start) : slot.length])
        termination: Literal["stall", "crash"] = "stall" if hung else "crash"
        return match.forfeited(task, moves, side, termination, _reason(error, hung))

    def _end_hung(self) -> None:
        """Kills the workers whose search should have ended long ago. Their games end by that."""
        now_ns = time.monotonic_ns()
        for number, (task, _, _) in self._running.items():
            slot = self._slots[number]
            side, since_ns = _SIDES[slot.mover], slot.since_ns
            move_ms = task.limits[side].move_ms if side else None
            if move_ms is None or not since_ns or number in self._hung:
                continue
            if now_ns - since_ns > move_ms * 1_000_000 + self._grace_ns:
                self._hung.add(number)
                os.kill(slot.pid, signal.SIGKILL)

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(max_workers=self._jobs, context=self._context, initializer=_prepare, initargs=[self._slots])


def _reason(error: BaseException, hung: bool) -> str:
    if hung:
        return "did not answer in time and was killed"
    if isinstance(error, ProcessExpired):
        return f"died with exit status {error.exitcode}"
    return f"failed: {' '.join(f'{type(error).__name__}: {error}'.split())[:200]}"


_slots: Any = None


def _prepare(slots: Any) -> None:
    """Run once in a new worker: die with the parent. (Ctrl-C is left to the parent by the pool itself.)"""
    global _slots
    _slots = slots
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent,), daemon=True).start()


def _die_with(parent: BaseProcess) -> None:
    """Without this a game goes on after `kill -9` of the command: the fork server, our real parent, outlives it."""
    parent.join()
    os._exit(1)


def _work(play: Play, task: Task, number: int) -> Played:
    slot = _slots[number]
    slot.pid = os.getpid()
    for side in (X, O):
        slot.mover = _SIDES.index(side)
        _warm_up(task.bot(side).name, task.game)
    slot.mover = 0
    return play(task, lambda moves: _Watch(slot, moves))


@cache
def _warm_up(bot_name: str, game: str) -> None:
    """Once in each process, and in nobody's time."""
    match.warm_up(bot(bot_name), rules(game))


class _Watch:
    """The clock of one decision, which it notes in the slot."""

    def __init__(self, slot: Slot, moves: Sequence[Move]) -> None:
        slot.moves[slot.length : len(moves)] = moves[slot.length :]
        slot.length = len(moves)
        slot.mover = _SIDES.index(O if len(moves) % 2 else X)
        self._started_ns = slot.since_ns = time.monotonic_ns()

    def elapsed_us(self) -> int:
        return (time.monotonic_ns() - self._started_ns) // 1000

    def elapsed_ms(self) -> int:
        return self.elapsed_us() // 1000

    def stopped(self) -> bool:
        return False

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        return None
