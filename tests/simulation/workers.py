"""Child processes that are none: they answer like workers, or as badly as the seed says, in the loop's time.

They stand in for `server.workers.children.ForkServer` and `Child`, so that the pool itself is in the simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.analysis.verdict import MoveVerdict
from engine.rules.position import Position
from engine.search.decision import Decision
from server.workers import child
from server.workers.child import Answered, Asked, Done, Failed, Job, Ready, ReviewJob
from server.workers.children import Ending
from tests.simulation.loop import SimulatedLoop

WORST = ("die", "hang", "late", "twice", "nonsense", "illegal", "raise")


@dataclass
class Temper:
    """How often searches go wrong, and which run at present."""

    random: Random
    worst: float = 0.0
    running: dict[tuple[int, int], list[SimulatedChild]] = field(default_factory=dict)
    """who searches a position, by the game's seed and the ply"""
    most_at_once: int = 0
    """how often one was searched at once, by those that were not told to stop"""

    def begin(self, key: tuple[int, int], searching: SimulatedChild) -> None:
        here = self.running.setdefault(key, [])
        here.append(searching)
        self.most_at_once = max(self.most_at_once, sum(not one.slot.stop for one in here))

    def draw(self) -> str:
        return self.random.choice(WORST) if self.random.random() < self.worst else "answer"


class SimulatedForkServer:
    """See `server.workers.children.ForkServer`."""

    def __init__(self, temper: Temper, loop: SimulatedLoop) -> None:
        self.loop = loop
        self.temper = temper
        self.is_loaded = True
        self._numbers = 0
        self._children: list[SimulatedChild] = []

    def fork(
        self,
        entry: Callable[..., None],
        arguments: tuple[object, ...],
        slot: type[Any] | None,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ending], None],
    ) -> SimulatedChild:
        if self.temper.random.random() < self.temper.worst / 10:
            raise OSError(11, "Resource temporarily unavailable")
        self._numbers += 1
        forked = SimulatedChild(self, 1000 + self._numbers, slot() if slot is not None else None, on_message, on_end)
        self._children.append(forked)
        if entry is child.work:
            forked.later(0.02, 0.4, forked.say, Ready())
        return forked

    def load(self, entry: Callable[[], None], on_loaded: Callable[[bool], None]) -> None:
        self.loop.call_later(self.temper.random.uniform(0.5, 3), on_loaded, True)

    def restart(self) -> None:
        for forked in self._children:
            if forked.is_alive:
                forked.end(Ending())

    def close(self) -> None:
        for forked in self._children:
            forked.kill()
        self._children.clear()


class SimulatedChild:
    """See `server.workers.children.Child`."""

    def __init__(
        self,
        server: SimulatedForkServer,
        pid: int,
        slot: Any,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ending], None],
    ) -> None:
        self.pid = None  # no process: nobody can look at what it uses
        self.number = pid
        self.slot = slot
        self.is_alive = True
        self._server = server
        self._temper = server.temper
        self._random = server.temper.random
        self._on_message = on_message
        self._on_end = on_end
        self._limit: Any = None
        self._job: Job | None = None
        self._number = 0
        """what it was asked last"""

    # What the pool calls

    @property
    def is_open(self) -> bool:
        return self.is_alive

    def send(self, message: object) -> None:
        if not self.is_alive:
            return
        if isinstance(message, str):  # a stage to be compiled
            self.later(0.05, 0.5, self.say, message)
        elif isinstance(message, Asked):
            self._number = message.number
            if isinstance(message.job, Job):
                self._search(message.job)
            else:
                self.later(0.01, 0.3, self.say, Answered(self._number, Done(judged(message.job), 10_000)))

    def limit(self, seconds: float | None, *, patient: bool = False) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        if seconds is not None and self.is_alive:
            self._limit = self._server.loop.call_later(seconds, self._too_late)
        if self._job is not None and self.slot.stop and self._random.random() > self._temper.worst:
            self.later(0.001, 0.05, self._answer, self._number, Failed("stopped"))

    def kill(self) -> None:
        self.is_alive = False
        self._over()
        if self._limit is not None:
            self._limit.cancel()

    # What becomes of it

    def later(self, least_s: float, most_s: float, callback: Callable[..., object], *arguments: Any) -> None:
        self._server.loop.call_later(self._random.uniform(least_s, most_s), callback, *arguments)

    def say(self, message: object) -> None:
        if self.is_alive:
            self._on_message(message)

    def end(self, ending: Ending) -> None:
        if self.is_alive:
            self.kill()
            self._on_end(ending)

    def _too_late(self) -> None:
        self.end(Ending(hung=True))

    def _search(self, job: Job) -> None:
        self._job = job
        key = job.seed, len(job.cells)
        self._temper.begin(key, self)
        mood, number = self._temper.draw(), self._number
        budget_s = job.budget_ms / 1000
        took_s = self._random.uniform(0.002, min(budget_s, 2.0))
        done = Done(decided(job, self._random), round(took_s * 1_000_000))
        if mood == "die":
            self.later(0, took_s, self.end, Ending(status=-9))
        elif mood == "late":
            self.later(budget_s, budget_s + 2.5, self._answer, number, done)
        elif mood == "nonsense":
            self.later(0, took_s, self.say, "I am a teapot")
            self._over()
        elif mood == "raise":
            self.later(0, took_s, self._answer, number, Failed("MemoryError()"))
        elif mood == "illegal":
            wrong = done._replace(answer=Decision(move=job.cells[0] if job.cells else -1))
            self.later(0, took_s, self._answer, number, wrong)
        elif mood != "hang":
            self._server.loop.call_later(took_s, self._answer, number, done)
            if mood == "twice":
                self._server.loop.call_later(took_s + self._random.uniform(0, 0.3), self.say, Answered(number, done))

    def _answer(self, number: int, outcome: Done | Failed) -> None:
        if number == self._number and self._job is not None:
            self._over()
            self.say(Answered(number, outcome))

    def _over(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            self._temper.running[job.seed, len(job.cells)].remove(self)


def decided(job: Job, random: Random) -> Decision:
    """A legal move, with figures as a search might give them."""
    moves = list(position(job).legal_moves())
    move = random.choice(moves)
    return Decision(move=move, nodes=random.randint(1, 10_000), depth=random.randint(1, 6), value=0.0, pv=(move,))


def judged(job: ReviewJob) -> MoveVerdict:
    return MoveVerdict("even", False, 0.0, None, False, (job.move,), "even", None, 10)


def position(job: Job) -> Position:
    return child.position(job)
