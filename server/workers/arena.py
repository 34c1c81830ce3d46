"""Whole games in worker processes. A bot that kills or hangs its process loses its game; nobody else loses anything.

The parent knows how far each game is through a slot of shared memory: the worker notes each move and when its search
began. So the game of a dead worker is forfeited by the side that was thinking, with its moves on record. Many short
games go to a worker at once, as one chunk, since a trip there and back takes longer than they do.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import click

from engine.bots import match
from engine.bots.fault import BotFault
from engine.bots.match import MoveWatch, Played, Task, Watches
from engine.bots.roster import Bot
from engine.rules.position import Move, O, Side, X
from engine.rules.registry import rules
from server.workers.children import ORPHANED, Child, Ending, ForkServer, Pauses, cpu_ms
from server.workers.engines import playing
from server.workers.engines.engine import EngineBot
from server.workers.fork_server import Channel
from server.workers.patience import Patience
from server.workers.slot import SIDES, GameSlot, Work

Play: TypeAlias = Callable[[Task, Watches], Played]
"""A function of a module, so that workers can import it."""

GRACE_MS: Final = 10_000
"""A search that goes on for this much longer than its `move_ms` has hung."""
LOAD_MS: Final = 300_000
"""Loading a bot, which may compile its searches, takes no more processor time unless it has hung."""
BEGIN_S: Final = 120.0
"""A worker that has begun nothing after this long hangs, and with it the fork server, which loads what it needs."""
STATUS_S: Final = 5.0
"""How long the end of a worker waits for its exit status, which is recorded with the game that it lost."""
STARTS: Final = 8
"""Workers that fail to start in a row before that is given up, after some seconds."""
_ATTEMPTS: Final = 2
"""Attempts at a game whose worker died before any bot was asked."""
_HELD_POLL_S: Final = 0.005
"""How often a held worker looks whether it may go on. It polls: a lock that it shares with others would stay taken if
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
    """Bounds the processor time of a decision without a `move_ms`; without it such a decision may take forever."""
    attempt: int = 1
    orphaned: int = 0
    """How often its worker has died with the fork server, which is no attempt."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What has become of a chunk: games that are done, and chunks that are to begin again since its worker died."""

    chunk: Chunk
    games: tuple[Timed, ...]
    again: tuple[Chunk, ...] = ()
    cpu_us: int = 0
    """Processor time that the worker used."""


class PlaysChunks(Protocol):
    """An arena, wherever it plays."""

    @property
    def free(self) -> int:
        """How many more chunks it can take now; negative if it has fewer workers than before."""

    @property
    def busy(self) -> bool:
        """Whether something is on its way."""

    @property
    def jobs(self) -> int:
        """Games at a time."""

    @property
    def pids(self) -> list[int]:
        """Ids of the processes on this machine that have played."""

    def live(self) -> list[Live]:
        """The games under way, as far as they can be watched."""

    def hold(self, held: bool) -> None:
        """While held, what it plays on this machine stands still. May be called from any thread."""

    def begin(self, chunk: Chunk) -> None: ...
    def next(self, timeout_s: float | None = None) -> Ended | None:
        """What the next chunk that ends has become; None where there is nothing yet."""

    def close(self) -> None: ...


def default_jobs() -> int:
    """One process fewer than the cores we may use, at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def played(tasks: Sequence[Task], jobs: int, play: Play = match.play, grace_ms: int = GRACE_MS) -> Generator[Played]:
    """Each task once, as it is done, in `jobs` processes at a time. Closing the iterator ends the processes."""
    return each(tasks, Arena(min(jobs, max(1, len(tasks))), search_modules(tasks), grace_ms), play)


def each(tasks: Sequence[Task], arena: PlaysChunks, play: Play = match.play, chunk_s: float = 0.0) -> Generator[Played]:
    """Each task once, as it is done in an arena, which closes with the iterator.

    Short games go to it in chunks that take about `chunk_s` of processor time.
    """
    try:
        waiting, again = deque(tasks), deque[Chunk]()
        size = 1
        while waiting or again or arena.busy:
            while (waiting or again) and arena.free > 0:
                if not again:
                    size = max(
                        1, min(size, len(waiting) // max(1, 2 * arena.jobs))
                    )  # so that all end at about the same time
                    again.append(Chunk(tuple(waiting.popleft() for _ in range(size)), play))
                arena.begin(again.popleft())
            ended = arena.next()
            if ended is not None:
                again.extend(ended.again)
                if ended.games and ended.cpu_us:
                    size = int(chunk_s * 1e6 * len(ended.games) / ended.cpu_us)
                yield from (game.played for game in ended.games)
    finally:
        arena.close()


def search_modules(tasks: Iterable[Task]) -> list[str]:
    """The modules of the bots' searches. Loaded once in the fork server, they cost each worker nothing."""
    return modules(bot for task in tasks for bot in (task.x, task.o))


def modules(bots: Iterable[Bot]) -> list[str]:
    """The modules of these bots' searches."""
    return sorted({bot.entry.module for bot in bots})


class CannotStart(click.ClickException):
    """No worker can be started; the message says why, in one sentence, and ends whatever command asked for games."""


@dataclass(eq=False, slots=True)
class Worker:
    """A process that plays, or will when it is first needed."""

    child: Child | None = None
    chunk: Chunk | None = None
    look: asyncio.TimerHandle | None = None
    """when its search may have taken too long"""
    patience: Patience = field(default_factory=Patience)
    patient_since_ns: int = 0
    """when what it is about began"""


class Arena:
    """The processes and what each is doing. `nice` is their niceness.

    They are heard and watched while `next` waits, on an event loop of its own. Use it from one thread that outlives it;
    only `hold` may be called from others.
    """

    def __init__(self, jobs: int, search_modules: Sequence[str], grace_ms: int = GRACE_MS, nice: int = 0) -> None:
        self.jobs = jobs
        self._grace_ms = grace_ms
        self._nice = nice
        self._loop = asyncio.new_event_loop()
        self._forks = ForkServer((__name__, *search_modules), self._loop, status_s=STATUS_S)
        self._workers = [Worker() for _ in range(jobs)]
        self._ended: deque[Ended | CannotStart] = deque()
        self._pauses = Pauses()
        self._held = False

    @property
    def free(self) -> int:
        """Workers without a chunk."""
        return sum(worker.chunk is None for worker in self._workers)

    @property
    def busy(self) -> bool:
        return self.free < len(self._workers) or bool(self._ended)

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that have played."""
        return [worker.child.pid for worker in self._workers if worker.child and worker.child.pid]

    def begin(self, chunk: Chunk) -> None:
        """Hands a chunk to a worker that is free."""
        worker = next(worker for worker in self._workers if worker.chunk is None)
        worker.chunk = chunk
        self._hand_over(worker)

    def next(self, timeout_s: float | None = None) -> Ended | None:
        """What the next chunk that ends has become; None if that takes longer than `timeout_s`. Raises CannotStart."""
        if not self._ended:
            timer = None if timeout_s is None else self._loop.call_later(timeout_s, self._loop.stop)
            self._loop.run_forever()  # until a chunk ends, or the timer does
            if timer is not None:
                timer.cancel()
        ended = self._ended.popleft() if self._ended else None
        if isinstance(ended, CannotStart):
            raise ended
        return ended

    def live(self) -> list[Live]:
        """The games under way."""
        found = []
        for worker in self._workers:
            if worker.chunk is not None and worker.child is not None and (played := worker.child.slot.played()):
                task, moves = worker.chunk.tasks[played[0]], played[1]
                if moves[: len(task.start)] == task.start:
                    found.append(Live(task, moves))
        return found

    def hold(self, held: bool) -> None:
        """While held, searches stand still where they next read their clock, and so does their time.

        May be called from any thread; what is played already hears of it while `next` waits.
        """
        self._held = held
        with suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(self._pass_on_hold)

    def _pass_on_hold(self) -> None:
        for worker in self._workers:
            if worker.child is not None:
                worker.child.slot.held = int(self._held)
                self._look_in(worker, 0 if worker.chunk is not None and not self._held else None)

    def close(self) -> None:
        self._forks.close()
        self._loop.close()

    def _hand_over(self, worker: Worker) -> None:
        """Send its chunk to the worker's process, which is started where there is none."""
        if worker.child is None:
            try:
                worker.child = self._forks.fork(
                    work, (self._nice,), GameSlot, partial(self._hear, worker), partial(self._on_end, worker)
                )
            except OSError as error:
                self._try_again(worker, error.strerror or repr(error))
                return
        chunk, slot = worker.chunk, worker.child.slot
        assert chunk is not None
        slot.index = slot.mover = slot.loading = slot.since_ns = slot.length = slot.begun = 0
        slot.held = int(self._held)
        worker.child.send(chunk)
        worker.child.limit(BEGIN_S)

    def _try_again(self, worker: Worker, trouble: str) -> None:
        """Try again after a start that has failed."""
        pause_s = self._pauses.after_failure()
        if self._pauses.failures < STARTS:
            self._loop.call_later(pause_s, self._hand_over, worker)
        else:
            self._tell(CannotStart(f"No process to play games in can be started: {trouble}."))

    def _hear(self, worker: Worker, message: _Begun | _Games | _Failed) -> None:
        assert worker.child is not None
        if isinstance(message, _Begun):
            self._pauses.reset()
            worker.child.limit(None)
            self._look_in(worker, 0)
        elif isinstance(message, _Games):
            self._tell(Ended(self._take(worker), message.games, cpu_us=message.cpu_us))
        else:
            self._tell(self._forfeit(worker, "crash", message.error))

    def _on_end(self, worker: Worker, ending: Ending) -> None:
        assert worker.child is not None
        slot, worker.child = worker.child.slot, None
        chunk = worker.chunk
        if chunk is None:
            return
        if ending.orphaned and chunk.orphaned < ORPHANED:
            self._tell(self._begin_again(worker, replace(chunk, orphaned=chunk.orphaned + 1)))
        elif slot.begun:
            self._tell(self._forfeit(worker, "stall" if ending.hung else "crash", str(ending), slot))
        else:
            if ending.hung:
                self._forks.restart()
            self._try_again(worker, f"the last one {ending}")

    def _tell(self, ended: Ended | CannotStart) -> None:
        self._ended.append(ended)
        self._loop.stop()

    def _take(self, worker: Worker) -> Chunk:
        """Take its chunk, which is over, from the worker."""
        chunk, worker.chunk = worker.chunk, None
        assert chunk is not None
        self._look_in(worker, None)
        if worker.child is not None:
            worker.child.limit(None)
        return chunk

    def _forfeit(self, worker: Worker, termination: Literal["stall", "crash"], reason: str, slot: Any = None) -> Ended:
        """The game that was being played is lost by whoever was thinking; the others begin again."""
        assert slot is not None or worker.child is not None
        slot = slot or worker.child.slot  # type: ignore[union-attr]
        side = SIDES[slot.mover]
        assert worker.chunk is not None
        if side is None and worker.chunk.attempt < _ATTEMPTS:
            return self._begin_again(worker, replace(worker.chunk, attempt=worker.chunk.attempt + 1))
        chunk = self._take(worker)
        task = chunk.tasks[slot.index]
        moves = list(slot.moves[len(task.start) : slot.length])
        lost = match.forfeited(task, moves, side, termination, reason)
        now_ms = time.time_ns() // 1_000_000
        # Those before it are lost with the worker. Each has a seed of its own, so most are played as they were.
        others = tuple(other for other in chunk.tasks if other is not task)
        again = (replace(chunk, tasks=others, attempt=1),) if others else ()
        return Ended(chunk, (Timed(lost, now_ms, now_ms),), again)

    def _begin_again(self, worker: Worker, again: Chunk) -> Ended:
        """All of its chunk: nobody is to blame."""
        return Ended(self._take(worker), (), (again,))

    def _look_in(self, worker: Worker, seconds: float | None) -> None:
        if worker.look is not None:
            worker.look.cancel()
        worker.look = None if seconds is None else self._loop.call_later(seconds, self._look, worker)

    def _look(self, worker: Worker) -> None:
        """Ends a worker whose decision has taken too long, else comes back when the present or next one may have."""
        if self._held or worker.chunk is None or worker.child is None:
            return
        slot = worker.child.slot
        left_ms: float = min([LOAD_MS, *self._bounds_ms(worker.chunk, slot.index)])
        if (work := slot.work()) is not None:
            left_ms = min(left_ms, self._left_ms(worker, worker.chunk, worker.child, work))
        if left_ms > 0:
            self._look_in(worker, left_ms / 1000)
        else:
            worker.child.limit(0)

    def _left_ms(self, worker: Worker, chunk: Chunk, child: Child, work: Work) -> float:
        """Time until what the worker does has taken too long; 0 or less once it has."""
        bound_ms = LOAD_MS if work.loading else self._bound_ms(chunk, work.game, work.side)
        if bound_ms is None:
            return math.inf
        passed_ms = (time.monotonic_ns() - work.since_ns) / 1_000_000
        if not work.loading and chunk.tasks[work.game].limits[work.side].move_ms is not None:
            return bound_ms - passed_ms  # by the clock, as its own limit is
        if worker.patient_since_ns != work.since_ns:
            worker.patience, worker.patient_since_ns = Patience(), work.since_ns
        used_ms = None if child.pid is None or passed_ms < bound_ms else cpu_ms(child.pid)
        return worker.patience.left_ms(bound_ms, passed_ms, None if used_ms is None else used_ms - work.used_ms)

    def _bounds_ms(self, chunk: Chunk, index: int) -> list[int]:
        bounds = [self._bound_ms(chunk, index, side) for side in (X, O)]
        return [bound for bound in bounds if bound is not None]

    def _bound_ms(self, chunk: Chunk, index: int, side: Side) -> int | None:
        move_ms = chunk.tasks[index].limits[side].move_ms
        return chunk.stall_ms if move_ms is None else move_ms + self._grace_ms


# What follows runs in the workers.


class _Begun(NamedTuple):
    """A chunk has come."""


class _Games(NamedTuple):
    games: tuple[Timed, ...]
    cpu_us: int


class _Failed(NamedTuple):
    error: str


def work(channel: Channel, slot: Any, nice: int) -> None:
    """A worker: one chunk after the other, until the parent closes the channel, which raises EOFError."""
    if nice:
        os.nice(nice)
    while True:
        chunk: Chunk = channel.receive()
        slot.begun = 1
        channel.send(_Begun())
        channel.send(_played(chunk, slot))


def _played(chunk: Chunk, slot: Any) -> _Games | _Failed:
    cpu_ns = time.process_time_ns()
    try:
        games = tuple(_game(chunk.play, task, index, slot) for index, task in enumerate(chunk.tasks))
    except Exception as error:
        return _Failed(f"failed: {' '.join(f'{type(error).__name__}: {error}'.split())[:200]}")
    return _Games(games, (time.process_time_ns() - cpu_ns) // 1000)


def _game(play: Play, task: Task, index: int, slot: Any) -> Timed:
    slot.length = 0
    slot.index = index
    slot.loading = 1
    for bot in dict.fromkeys((task.x, task.o)):  # an engine that plays itself is waited for once
        slot.enter(X if bot == task.x else O)
        _make_ready(bot, task.game)
    slot.leave()
    started_ms, begun_ns = time.time_ns() // 1_000_000, time.monotonic_ns()
    done = play(task, lambda moves: _Watch(slot, moves))
    slot.leave()
    playing.end_games()
    # By the clock that never jumps: a game does not end before it began, whatever happens to the date.
    return Timed(done, started_ms, started_ms + (time.monotonic_ns() - begun_ns) // 1_000_000)


@cache
def _warm_up(bot: Bot, game: str) -> None:
    """Once in each process, at the cost of no bot's time."""
    match.warm_up(bot, rules(game))


def _make_ready(bot: Bot, game: str) -> None:
    """Starting another's engine costs no bot's time, even after a fault; whatever is wrong with it shows in the
    game."""
    if isinstance(bot, EngineBot):
        with suppress(BotFault):
            playing.prepare(bot.engine, rules(game))
    else:
        _warm_up(bot, game)


class _Watch(MoveWatch):
    """The clock of one decision, which it notes in the slot. It stands while the arena is held."""

    def __init__(self, slot: GameSlot, moves: Sequence[Move]) -> None:
        self._slot = slot
        slot.moves[slot.length : len(moves)] = moves[slot.length :]
        slot.length = len(moves)
        self._started_ns = slot.enter(O if len(moves) % 2 else X)

    def elapsed_us(self) -> int:
        if self._slot.held:
            self._stand()
        return (time.monotonic_ns() - self._started_ns) // 1000

    def stopped(self) -> bool:
        if self._slot.held:
            self._stand()
        return False

    def _stand(self) -> None:
        begun_ns = time.monotonic_ns()
        self._slot.since_ns = 0
        while self._slot.held:
            time.sleep(_HELD_POLL_S)
        self._started_ns += time.monotonic_ns() - begun_ns
        self._slot.since_ns = self._started_ns
