"""Games in which a worker process dies, hangs, fails or takes its time: workers import them from here by name."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.bots import match
from engine.bots.match import Played, Task, Watches


def dying_in_the_third_game(task: Task, watches: Watches) -> Played:
    def dying(moves: Sequence[int]) -> Any:
        watch = watches(moves)
        if task.number == 2 and len(moves) == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return watch

    return match.play(task, dying)


def hanging_in_the_first_game(task: Task, watches: Watches) -> Played:
    def hanging(moves: Sequence[int]) -> Any:
        watch = watches(moves)
        while task.number == 0 and len(moves) == 3:
            signal.pause()
        return watch

    return match.play(task, hanging)


def dying_before_any_move(task: Task, watches: Watches) -> Played:
    if task.number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return match.play(task, watches)


def dying_once(remembered: Path, thinking: bool, task: Task, watches: Watches) -> Played:
    """Dies the first time, while a bot thinks or before; says so in a file."""
    if task.number == 1 and not remembered.exists():
        remembered.touch()
        if thinking:
            watches(task.start)
        os.kill(os.getpid(), signal.SIGKILL)
    return match.play(task, watches)


def failing(task: Task, watches: Watches) -> Played:
    watches(task.start)
    raise LookupError("no such\nthing")


def finishing_once_told(told: Path, task: Task, watches: Watches) -> Played:
    """Its first decision ends when there is a file."""

    def slow(moves: Sequence[int]) -> Any:
        watch = watches(moves)
        while not told.exists():
            pass
        return watch

    return match.play(task, slow)


def waiting_while_held(task: Task, watches: Watches) -> Played:
    """Asks its clock until half a second has gone by on it."""

    def slow(moves: Sequence[int]) -> Any:
        watch = watches(moves)
        while len(moves) == 2 and watch.elapsed_ms() < 200:
            pass
        return watch

    return match.play(task, slow)
