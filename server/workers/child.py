"""What runs inside a worker process: one search or review of a move at a time, watched through a slot of shared memory.

Imports the engine and, of the server, only slots and what plays other people's engines, so that a worker starts fast.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import NamedTuple

from engine.analysis.verdict import MoveVerdict
from engine.bots.cold import needs
from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, Decision, Limit, decide
from engine.bots.roster import Bot
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from engine.rules.termination import FaultTermination
from engine.search.warm import TREES, compile_stage, stages, warm
from server.workers.engines import playing
from server.workers.engines.engine import EngineBot
from server.workers.engines.session import PREPARE_MS
from server.workers.fork_server import Channel
from server.workers.slot import PV_LENGTH, SearchSlot

WARM_UP_NICE = 5
ENGINES_IDLE_S = 120.0
"""Other people's engines that nobody has asked for this long are ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """A decision to be made: the game, the moves so far as cells, and what may be spent on the next."""

    game: str
    cells: tuple[int, ...]
    bot: Bot
    limit: Limit
    budget_ms: int
    seed: int

    @property
    def by_engine(self) -> bool:
        """Whether somebody else's process thinks while the worker waits."""
        return isinstance(self.bot, EngineBot)

    @property
    def start_ms(self) -> int:
        """Time that may pass before its budget begins: the start of another's engine."""
        return PREPARE_MS if self.by_engine else 0

    @property
    def stays(self) -> bool:
        """Whether the worker that it is given to must get all others like it, whose engines remember their games."""
        return isinstance(self.bot, EngineBot) and self.bot.engine.remembers


@dataclass(frozen=True, slots=True)
class ReviewJob:
    """A move to be judged: the game, the moves before it as cells, and the move."""

    game: str
    cells: tuple[int, ...]
    move: int
    budget_ms: int
    """Bound for a worker in trouble: nodes bound what is judged, so that it is the same on every machine."""
    by_engine: bool = False
    """As in a Job, like the next two."""
    start_ms: int = 0
    stays: bool = False


class NotJudged(Exception):
    """Workers died over a move, or hung, so often that it was given up."""


class Ready(NamedTuple):
    """A worker's first message."""


class Done(NamedTuple):
    """A job's answer and the microseconds it took."""

    answer: Decision | MoveVerdict
    took_us: int


class Failed(NamedTuple):
    """What a job has raised."""

    error: str
    termination: FaultTermination | None = None
    """Where it is the bot's own fault, which another attempt would not mend."""


class Asked(NamedTuple):
    """A job for a worker."""

    number: int
    """counted from 1 for each worker"""
    job: Job | ReviewJob


class GameOver(NamedTuple):
    """Engines need remember the game of this seed no longer; not answered."""

    seed: int


class Answered(NamedTuple):
    """What became of the job of that number."""

    number: int
    outcome: Done | Failed


def work(channel: Channel, slot: SearchSlot, nice: int, own_session: bool) -> None:
    """A worker: one job after the other, until the server closes the channel, which raises EOFError."""
    if own_session:
        _lower_autogroup(nice)
    if nice:
        os.nice(nice)
    from engine.search import table  # loads numpy: the process that serves imports this module too

    table.ready()  # or the first search would spend its time on it
    channel.send(Ready())
    while True:
        while not channel.waits(ENGINES_IDLE_S):
            playing.end_idle()
        asked: Asked | GameOver = channel.receive()
        if isinstance(asked, GameOver):
            playing.end_game(asked.seed)
        else:
            channel.send(Answered(asked.number, answer(asked.job, slot)))


class Complaint(NamedTuple):
    """Why nothing can be compiled, for the log."""

    sentence: str


def load_kernels() -> None:
    """Called once in the fork server: what it has loaded from the cache is there in every worker from its start.

    The memory of searches is not: each worker that writes to it would get a copy, page by page in its bots' time, and
    the fork server would keep its own. A worker makes a table at its start, a tree before its first search with one.
    """
    warm(lambda done, of: None)
    from engine.search import table, tree_memory  # loads numpy, as in `work`

    table.free()
    tree_memory.free()
    _loaded.update(stage for stage in stages() if stage != TREES)


def warm_up(channel: Channel, slot: None, nice: int) -> None:
    """Compile the stages that it is told to, and answer each; or say what is wrong.

    It runs at a higher priority than searches: all bots wait for it, and it happens once.
    """
    os.nice(min(nice, WARM_UP_NICE))
    from server.workers.preload import WARNINGS  # loaded there already, and never in the process that serves

    if WARNINGS:
        channel.send(Complaint(" ".join(WARNINGS)))  # what is compiled would be lost with this process
        return
    while True:  # until the server closes the channel
        stage = channel.receive()
        compile_stage(stage)
        channel.send(stage)


def _lower_autogroup(nice: int) -> None:
    """Linux first divides the processor between sessions, so niceness counts against the server only in a session of
    our own."""
    try:
        os.setsid()
        with open("/proc/self/autogroup", "w") as autogroup:
            autogroup.write(str(nice))
    except OSError:
        return  # autogroups are switched off here, and nice alone decides


_loaded: set[str] = set()
"""the stages whose kernels this process has"""


class _SlotWatch:
    """The engine's view of a slot: time, the stop flag, and where to report."""

    def __init__(self, slot: SearchSlot, budget_ms: int | None) -> None:
        self._slot = slot
        self._budget_ms = budget_ms
        self._started_ns = time.monotonic_ns()

    def elapsed_us(self) -> int:
        return (time.monotonic_ns() - self._started_ns) // 1000

    def elapsed_ms(self) -> int:
        return self.elapsed_us() // 1000

    def stopped(self) -> bool:
        return bool(self._slot.stop) or (self._budget_ms is not None and self.elapsed_ms() >= self._budget_ms)

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        slot = self._slot
        slot.version += 1
        slot.nodes, slot.depth, slot.value = nodes, depth, value
        slot.pv_length = min(len(pv), PV_LENGTH)
        for index, cell in enumerate(pv[:PV_LENGTH]):
            slot.pv[index] = cell
        slot.version += 1


def answer(job: Job | ReviewJob, slot: SearchSlot) -> Done | Failed:
    """Whatever a search or review raises, also when it is stopped, is an answer."""
    try:
        if isinstance(job, Job):
            wanted = needs(job.bot, rules(job.game))
            if wanted - _loaded:
                _load(wanted)
            if isinstance(job.bot, EngineBot):
                playing.prepare(job.bot.engine, rules(job.game), job.cells, _SlotWatch(slot, None), job.seed)
            limit, budget_ms = _bounds(job)
            watch = _SlotWatch(slot, budget_ms)
            decision = decide(job.bot, position(job), limit, job.seed, watch, job.cells)
            return Done(decision, watch.elapsed_us())
        watch = _SlotWatch(slot, job.budget_ms)
        from engine.analysis.review import judge  # loads the kernels: the process that serves imports this module too

        return Done(judge(position(job), job.move, watch), watch.elapsed_us())
    except BotFault as fault:
        return Failed(str(fault), fault.termination)
    except Exception as error:
        return Failed(repr(error))


def _bounds(job: Job) -> tuple[Limit, int | None]:
    """The limit of a decision, and the time at which the watch ends it; None where it ends by itself."""
    limit = job.limit
    if isinstance(job.bot, EngineBot):
        least_ms = min(limit.move_ms or job.bot.engine.move_ms, job.budget_ms)
        # Of two bounds, time and another, an engine is told the one that its clock leaves it.
        is_short = limit.move_ms is not None or limit == NO_LIMIT or least_ms < job.bot.engine.move_ms
        return Limit(move_ms=least_ms) if is_short else limit, None
    if limit.move_ms is not None:
        # The search ends by itself, once it has found something; the watch would end it before.
        return Limit(move_ms=min(limit.move_ms, job.budget_ms)), None
    return limit, job.budget_ms


def _load(wanted: frozenset[str]) -> None:
    """Load before the bot's time begins: what comes from the cache takes up to a second."""
    for stage in sorted(wanted - _loaded):
        compile_stage(stage)
        _loaded.add(stage)


def position(job: Job | ReviewJob) -> Position:
    """The position to search."""
    return play_all(rules(job.game).initial, job.cells)
