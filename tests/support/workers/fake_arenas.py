"""Arenas without processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from engine.bots.match import Played, Task
from server.workers.arena import Chunk, Ended, Live, Timed


def _played(chunk: Chunk) -> tuple[Timed, ...]:
    """Its games, of which nobody takes the times."""
    play = cast("Callable[[Task, None], Played]", chunk.play)
    return tuple(Timed(play(task, None), 5, 9) for task in chunk.tasks)


class AtOnce:
    """An arena that plays a chunk when it is asked what has ended: the oldest, or another."""

    def __init__(self, jobs: int, *_: object) -> None:
        self.jobs = jobs
        self.running: list[Chunk] = []
        self.begun: list[Chunk] = []
        self.held = False
        self.closed = False
        self.pids: list[int] = []
        self.choose: Callable[[list[Chunk]], int] = lambda _: 0
        self.lose: Callable[[Chunk], Ended | None] = lambda _: None
        self.waited: Callable[[float | None], None] = lambda _: None

    @property
    def free(self) -> int:
        return self.jobs - len(self.running)

    @property
    def busy(self) -> bool:
        return bool(self.running)

    def begin(self, chunk: Chunk) -> None:
        assert self.free > 0
        assert not self.held
        self.running.append(chunk)
        self.begun.append(chunk)

    def next(self, timeout_s: float | None = None) -> Ended | None:
        self.waited(timeout_s)
        if self.held or not self.running:
            return None
        chunk = self.running.pop(self.choose(self.running))
        lost = self.lose(chunk)
        return lost or Ended(chunk, _played(chunk), cpu_us=1000 * len(chunk.tasks))

    def live(self) -> list[Live]:
        return [Live(chunk.tasks[0], chunk.tasks[0].start) for chunk in self.running]

    def hold(self, held: bool) -> None:
        self.held = held

    def close(self) -> None:
        self.closed = True


class Notebook:
    """An arena that writes down what it is to play; each game takes it so much processor time."""

    def __init__(self, jobs: int, game_us: int) -> None:
        self.jobs = jobs
        self.pids: list[int] = []
        self.sizes: list[int] = []
        self._game_us = game_us
        self._running: list[Chunk] = []

    @property
    def free(self) -> int:
        return 2 * self.jobs - len(self._running)

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def begin(self, chunk: Chunk) -> None:
        self.sizes.append(len(chunk.tasks))
        self._running.append(chunk)

    def next(self, timeout_s: float | None = None) -> Ended | None:
        chunk = self._running.pop(0)
        return Ended(chunk, _played(chunk), cpu_us=self._game_us * len(chunk.tasks))

    def live(self) -> list[Live]:
        return []

    def hold(self, held: bool) -> None: ...
    def close(self) -> None: ...
