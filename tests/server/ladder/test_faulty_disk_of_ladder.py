"""The power is cut while a ladder records pairs. The disk is simulated (docs/server-simulation-disk.md)."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from unittest import mock

import pytest

from engine.bots import match
from engine.bots.match import Task
from engine.bots.player import Limit
from engine.bots.roster import bot
from engine.rules.position import Side
from server.db import migrate
from server.ladder import store
from server.ladder.config import BotList
from server.ladder.schedule import PairScore
from server.ladder.store import LadderStore, Pair, pair_score
from server.workers.arena import Timed
from tests.simulation.apsw_connection import ApswExecutor
from tests.simulation.disk import Disk
from tests.simulation.medium import Operation
from tests.support.database.database_files import new_database

LIST = BotList(
    ladder="night", name="small", seed=3, game="tictactoe", limit=Limit(depth=1),
    bots=(bot("alphabeta:1"), bot("random")), pairs=9, opening_plies=2, repeat_openings=False,
    overrun_ms=200, stall_ms=60_000,
)  # fmt: skip
PAIRS = 6
MOVES = (8, 7)


def game(number: int, side: Side) -> match.Played:
    """A game that its X lost with its process after two moves."""
    x, o = LIST.bots if side == "x" else LIST.bots[::-1]
    task = Task(2 * number + (side == "o"), number, side, LIST.game, x, o, LIST.limit, LIST.limit, (0, 1), number)
    return match.forfeited(task, MOVES, "x", "crash", "died with exit status -9")


def pair(number: int) -> Pair:
    first, second = (Timed(game(number, side), 1000 * number, 1000 * number + 50) for side in ("x", "o"))
    return Pair(number, (first, second))


class Ladder:
    """A ladder's store on a disk, whose writer writes when it is told to."""

    def __init__(self, disk: Disk, patch: pytest.MonkeyPatch) -> None:
        self._disk = disk
        patch.setattr(store, "connect", self._connect)
        patch.setattr(migrate, "prepare", lambda path: [])
        patch.setattr(store, "BATCH_S", 0.0)
        with mock.patch.object(threading, "Thread"):
            self._store = LadderStore(Path("/anywhere/night.db"), patience_s=0.0)

    @contextmanager
    def _connect(self, path: Path, mode: str, busy_timeout_s: float) -> Iterator[ApswExecutor]:
        with closing(self._disk.connect()) as executor:
            yield executor

    def play(self) -> Iterator[int]:
        """The numbers of the pairs, each when it is recorded. Goes on after those that were."""
        opened = self._store.open_list(LIST)
        with self._connect(Path(), "rw", 0.0) as executor:
            for number in range(PAIRS):
                if number not in opened.scores:
                    self._store.add(opened.list, pair(number))
                    self._store._write_next(executor)  # type: ignore[arg-type]
                yield number

    def scores(self) -> dict[int, PairScore]:
        return self._store.open_list(LIST).scores


@pytest.mark.parametrize("operation", ["write", "sync", "truncate", "delete"])
def test_a_power_cut_leaves_whole_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: Operation) -> None:
    prepared = new_database(tmp_path).read_bytes()
    undisturbed = Disk(Random(0), prepared, checkpoint_pages=8)
    assert [*Ladder(undisturbed, monkeypatch).play()] == [*range(PAIRS)]
    count = undisturbed.calls[operation]
    for nth in range(1, count + 1, 1 + count // 60):
        disk = Disk(Random(nth), prepared, checkpoint_pages=8)
        disk.stop(operation, nth)
        recorded = set()
        with suppress(sqlite3.Error):
            for number in Ladder(disk, monkeypatch).play():
                recorded.add(number)
        disk.power_cut()
        check(disk, at_least=recorded)
        ladder = Ladder(disk, monkeypatch)
        assert [*ladder.play()] == [*range(PAIRS)]
        check(disk, at_least={*range(PAIRS)})
        expected = {number: pair_score(pair(number).games, LIST.bots) for number in range(PAIRS)}
        assert ladder.scores() == expected, "each pair counts once"


def check(disk: Disk, at_least: set[int]) -> None:
    with closing(disk.copy().connect()) as connection:
        assert connection.execute("PRAGMA integrity_check") == [("ok",)]
        there: dict[int, int] = dict(connection.execute("SELECT pair_id, count(*) FROM games GROUP BY pair_id"))
        moves = connection.execute("SELECT count(*) FROM moves GROUP BY game_id")
    assert there.keys() >= at_least
    assert set(there.values()) <= {2}
    assert moves == [(len(MOVES),)] * 2 * len(there)
