"""What runs inside a worker process: one search or review of a move at a time, watched through a slot of shared memory.

Imports the engine and of the server only slots, so that a worker starts fast.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from engine.analysis.verdict import MoveVerdict
from engine.bots.player import Decision, Limit, decide
from engine.bots.roster import bot
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.warm import stages, warm
from server.workers.slot import PV_LENGTH, SearchSlot

WARM_UP_NICE = 5


@dataclass(frozen=True, slots=True)
class Job:
    """A decision to be made: the game, the moves so far as cells, and what may be spent on the next."""

    game: str
    cells: tuple[int, ...]
    bot: str
    limit: Limit
    budget_ms: int
    seed: int


@dataclass(frozen=True, slots=True)
class ReviewJob:
    """A move to be judged: the game, the moves before it as cells, and the move."""

    game: str
    cells: tuple[int, ...]
    move: int
    budget_ms: int
    """For a worker that is in trouble: nodes bound what is judged, so that it is the same on every machine."""


class NotJudged(Exception):
    """Workers died over a move, or hung, so often that it was given up."""


_slots: Any = None


def prepare(slots: Any, nice: int, own_session: bool, is_warm: bool) -> None:
    """Run once in a new worker: die with the server, load the kernels from the cache, and step back behind it.

    Nothing is loaded before the cache is filled (`is_warm`), so that only one process compiles.
    """
    global _slots
    _slots = slots
    _belong_to_server()
    if is_warm:
        # Before it steps back: somebody may be waiting, and it is soon done. A load that fails harms nobody here: a
        # search that needs it tries again and fails for itself.
        with suppress(Exception):
            warm(lambda done, of: None)
    if own_session:
        _lower_autogroup(nice)
    if nice:
        os.nice(nice)


def warm_up(reports: Connection, nice: int) -> None:
    """Compile every kernel in a process of its own, telling `reports` how far it is and what is wrong.

    It steps back less than searches do: all bots wait for it, and it comes once.
    """
    _belong_to_server()
    os.nice(min(nice, WARM_UP_NICE))
    from server.workers.preload import WARNINGS  # loaded there already, and never in the process that serves

    for sentence in WARNINGS:
        reports.send(sentence)
    if WARNINGS:
        return  # what is compiled would be lost with this process
    reports.send((0, len(stages())))
    warm(lambda done, of: reports.send((done, of)))


def _belong_to_server() -> None:
    """Leave signals to the parent, and die with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    server = multiprocessing.parent_process()
    if server is not None:
        threading.Thread(target=_die_with, args=(server,), daemon=True).start()


def _die_with(server: BaseProcess) -> None:
    """Without this a search goes on after `kill -9` of the server: the fork server, our real parent, outlives it."""
    server.join()
    os._exit(1)


def _lower_autogroup(nice: int) -> None:
    """Linux shares the processor between sessions first: only in one of our own do we step back behind the server's."""
    try:
        os.setsid()
        with open("/proc/self/autogroup", "w") as autogroup:
            autogroup.write(str(nice))
    except OSError:
        return  # autogroups are switched off here, and nice alone decides


class _SlotWatch:
    """The engine's view of a slot: time, the stop flag, and where to report."""

    def __init__(self, slot: SearchSlot, budget_ms: int) -> None:
        self._slot = slot
        self._budget_ms = budget_ms
        self._started_ns = time.monotonic_ns()

    def elapsed_ms(self) -> int:
        return (time.monotonic_ns() - self._started_ns) // 1_000_000

    def stopped(self) -> bool:
        return bool(self._slot.stop) or self.elapsed_ms() >= self._budget_ms

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        slot = self._slot
        slot.version += 1
        slot.nodes, slot.depth, slot.value = nodes, depth, value
        slot.pv_length = min(len(pv), PV_LENGTH)
        for index, cell in enumerate(pv[:PV_LENGTH]):
            slot.pv[index] = cell
        slot.version += 1


def search(job: Job, slot_number: int) -> tuple[Decision, int]:
    """The decision, and the milliseconds it took."""
    watch = _SlotWatch(_slots[slot_number], job.budget_ms)
    _slots[slot_number].pid = os.getpid()
    decision = decide(bot(job.bot), position(job), job.limit, job.seed, watch)
    return decision, watch.elapsed_ms()


def review(job: ReviewJob, slot_number: int) -> tuple[MoveVerdict, int]:
    """What is said of the move, and the milliseconds it took. Raises what `judge` raises when it is stopped."""
    watch = _SlotWatch(_slots[slot_number], job.budget_ms)
    _slots[slot_number].pid = os.getpid()
    from engine.analysis.review import judge  # loads the kernels: the process that serves imports this module too

    judged = judge(position(job), job.move, watch)
    return judged, watch.elapsed_ms()


def position(job: Job | ReviewJob) -> Position:
    """The one that is searched."""
    reached = rules(job.game).initial
    for cell in job.cells:
        reached = reached.play(cell)
    return reached
