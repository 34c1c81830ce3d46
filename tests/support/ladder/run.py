"""A ladder run whose games are played at once, in this process, by a clock that tests move."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.bots import match
from engine.bots.match import Task
from server.ladder.config import Ladder
from server.ladder.run import Bounds, LadderRun
from server.ladder.store import LadderStore
from server.workers.arena import Timed
from tests.support.database.database_files import execute
from tests.support.ladder.faulty import parse
from tests.support.workers.fake_arenas import AtOnce

LADDER = """
name = "night"
[[lists]]
game = "tictactoe"
opening_plies = 1
bots = ["random", "alphabeta:1", "faulty:nothing"]
"""


LADDER_GAMES = 18
"""Three openings for each of three pairs of bots."""


def timed(task: Task) -> Timed:
    return Timed(match.play(task, None), 5, 9)


class Clock:
    """The module `time` with a clock and a date that tests move."""

    def __init__(self) -> None:
        self.ahead_s = 0.0
        self.date_ahead_s = 0.0
        self.asleep_s = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead_s

    def time(self) -> float:
        return time.time() + self.ahead_s + self.asleep_s + self.date_ahead_s

    def clock_gettime(self, clock: int) -> float:
        asleep_s = self.asleep_s if clock == time.CLOCK_BOOTTIME else 0.0
        return time.clock_gettime(clock) + self.ahead_s + asleep_s

    def time_ns(self) -> int:
        return int(self.time() * 1e9)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


class ObservedRun(LadderRun):
    """A run with what it has said."""

    said: list[str]
    arena: AtOnce


@contextmanager
def ladder_run(
    path: Path, text: str = LADDER, bounds: Bounds | None = None, jobs: int = 2, ladder: Ladder | None = None
) -> Iterator[ObservedRun]:
    records = LadderStore(path)
    said: list[str] = []
    try:
        asked = ladder or parse(text)
        playing = ObservedRun(asked, records, jobs, bounds or Bounds(), said.append)
        playing.said = said
        playing.arena = playing._arena  # type: ignore[assignment]
        yield playing
        playing.close()
        assert playing.arena.closed
    finally:
        records.close()


def shown_nothing(_: LadderRun) -> None:
    return None


def finished(path: Path, text: str = LADDER, **settings: Any) -> ObservedRun:
    with ladder_run(path, text, **settings) as playing:
        assert playing.run(shown_nothing) == "every list is complete"
    return playing


def games(path: Path) -> list[Any]:
    """Of all lists, with their moves; ids and times apart."""
    return execute(
        path,
        "SELECT list, pair_id, x, o, opening_id, winner, termination, "
        "(SELECT group_concat(cell) FROM (SELECT cell FROM moves m WHERE m.game_id = g.game_id ORDER BY ply)) "
        "FROM v_games g ORDER BY list, pair_id, x_id > o_id",
    )
