"""The process that counts games: started when it is needed, one at a time, and ended with the server."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

import pytest

from server.explorer import process
from server.explorer.process import AGAIN_AFTER_S, ASK_EVERY_S, REST_S, Counting, command
from server.play.writes import Statement
from server.workers.program import Finished, Program
from tests.support.database.database_files import add_move, new_database, opened, people_and_rooms, start_game

QUICK = [sys.executable, "-c", "print('Counted.')"]
# A process to be ended: no test waits for its sleep.
WAITING = [sys.executable, "-c", "import sys, time; print('begun', flush=True); time.sleep(60)"]
FROZEN = [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"]
FAILING = [sys.executable, "-c", "import sys; sys.exit('Error: the disk is full.')"]


class Waiting:
    """So many games wait, at such a time; remembers how often it was asked."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.asked = 0
        self.now_s = 0.0

    async def unexplored(self) -> int:
        self.asked += 1
        return self.games

    def counting(self, command: list[str]) -> Counting:
        return Counting(command, self.unexplored, lambda: self.now_s)


def running(counting: Counting) -> asyncio.Task[None]:
    task = counting._task
    assert task is not None
    return task


async def test_nothing_is_started_where_nothing_waits() -> None:
    counting = Waiting(0).counting(FAILING)
    assert await counting.pending() == 0
    assert counting._task is None
    await counting.close()


async def test_one_process_at_a_time_and_the_number_is_asked_for_now_and_then() -> None:
    waiting = Waiting(7)
    counting = waiting.counting(QUICK)
    assert await counting.pending() == 7
    first = running(counting)
    waiting.games = 5
    assert await counting.pending() == 7, "asked a moment ago"
    waiting.now_s += ASK_EVERY_S
    assert await counting.pending() == 5
    assert running(counting) is first
    assert waiting.asked == 2
    await first
    waiting.games = 0
    assert await counting.pending() == 0, "asked at once after a count"
    assert counting._task is None
    await counting.close()


async def test_a_count_is_followed_by_a_rest() -> None:
    waiting = Waiting(7)
    counting = waiting.counting(QUICK)
    await counting.pending()
    await running(counting)
    assert await counting.pending() == 7
    assert counting._task is None, "others play on: those wait a little"
    waiting.now_s += REST_S
    await counting.pending()
    await running(counting)


async def test_a_count_that_fails_is_told_and_not_begun_again_at_once(caplog: pytest.LogCaptureFixture) -> None:
    waiting = Waiting(7)
    counting = waiting.counting(FAILING)
    await counting.pending()
    with caplog.at_level(logging.WARNING):
        await running(counting)
    [record] = caplog.records
    assert record.__dict__["reason"] == "Error: the disk is full."
    assert await counting.pending() == 7
    assert counting._task is None
    waiting.now_s += AGAIN_AFTER_S
    await counting.pending()
    await running(counting)


async def test_a_program_that_is_not_there_is_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    counting = Waiting(1).counting(["/nothing/here"])
    await counting.pending()
    await running(counting)
    assert "No such file" in caplog.records[-1].__dict__["reason"]


async def test_a_count_that_hangs_is_killed_and_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(process, "HANG_S", 0.05)
    waiting = Waiting(7)
    counting = waiting.counting(FROZEN)
    await counting.pending()
    await asyncio.wait_for(running(counting), 60)
    [record] = caplog.records
    assert record.__dict__["reason"] == "the process used no processor time for 0.05 s and was killed"
    await counting.pending()
    assert counting._task is None
    waiting.now_s += AGAIN_AFTER_S
    await counting.pending()
    assert counting._task is not None
    await counting.close()


async def test_a_close_asks_nothing_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    graces: list[float] = []

    class Hanging:
        async def finish_unless_hung(self, idle_s: float) -> Finished:
            never: asyncio.Future[Finished] = asyncio.get_running_loop().create_future()
            return await never

        async def end(self, grace_s: float = 0.0) -> int:
            graces.append(grace_s)
            return -9

    async def start(*command: object, **settings: object) -> Hanging:
        return Hanging()

    monkeypatch.setattr(Program, "start", start)
    counting = Waiting(1).counting(FROZEN)
    await counting.pending()
    await asyncio.sleep(0)
    await counting.close()
    assert graces == [0.0]


async def test_a_close_ends_the_process() -> None:
    counting = Waiting(1).counting(WAITING)
    await counting.pending()
    task = running(counting)
    await counting.close()
    assert task.done()
    assert counting._task is None


async def test_games_of_a_store_are_counted_beside_it(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    async with opened(path) as store:
        await store.write([*people_and_rooms(), start_game(1), start_game(2)])
        await store.write([add_move(1, ply, cell) for ply, cell in enumerate([0, 3, 1, 4, 2])])
        await store.write([(Statement.END_GAME, (9, "x", "line", 5, 1))])
        counting = Counting(command(str(path)), store.unexplored, lambda: 0.0)
        assert await store.unexplored() == await counting.pending() == 1
        await running(counting)
        assert await counting.pending() == await store.unexplored() == 0
        [first] = await store.explored("tictactoe", 0)
        assert (first.games, first.x_won, first.last_game) == (1, 1, 1)
        assert await store.explored("qubic", 0) == []
        await counting.close()
