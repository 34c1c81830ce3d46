"""The statistics, counted over a real database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.db import migrate
from server.db import stats as rows
from server.http.answers.stats import StatsAnswer
from server.http.stats import KEEP_MS, StatsAnswers
from tests.support.database.database_files import execute
from tests.support.ladder.records import BOTS, add_list
from tests.support.page.ladder import PERSON, add_person

NOW_MS = 1_900_000_000_000
PAIRS = 4
GAMES = 2 * 6 * PAIRS + 3
"""Of four bots, and those of the person that are not private."""


class Desk:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.now_ms = NOW_MS
        self.queries = 0
        self.answers = StatsAnswers(self, lambda: self.now_ms)

    async def read(self, row: Callable[..., Any], sql: str, parameters: Any = ()) -> list[Any]:
        self.queries += 1
        with closing(sqlite3.connect(self.path)) as connection:
            return [row(*values) for values in connection.execute(sql, parameters)]

    def change(self, sql: str) -> None:
        execute(self.path, sql)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    path = tmp_path / "noughts.db"
    migrate.prepare(path)
    add_list(path, pairs=PAIRS)
    with closing(sqlite3.connect(path)) as connection, connection:
        add_person(connection, NOW_MS)
    return Desk(path)


def number(answer: StatsAnswer, game: str) -> int:
    return sum(one.games for kind in answer.kinds if kind.game == game for one in kind.results)


async def test_public_games_that_count(desk: Desk) -> None:
    answer = await desk.answers.answer()
    assert (answer.as_of_ms, answer.games, answer.people, answer.bots) == (NOW_MS, GAMES, 1, len(BOTS))
    assert [kind.game for kind in answer.kinds] == ["tictactoe", "qubic"]
    assert (number(answer, "tictactoe"), number(answer, "qubic")) == (GAMES - 3, 3)
    assert sum(day.games for day in answer.days) == GAMES
    assert [day.day_ms for day in answer.days] == sorted(day.day_ms for day in answer.days)
    assert all(day.day_ms % 86_400_000 == 0 for day in answer.days)
    for kind in answer.kinds:
        assert sum(one.games for one in kind.lengths) == number(answer, kind.game)
    assert [one.plies for one in answer.kinds[1].lengths] == [1]
    desk.change("UPDATE games SET private = 1 WHERE game = 'tictactoe'")
    desk.now_ms += KEEP_MS
    assert (await desk.answers.answer()).games == 3


async def test_think_times(desk: Desk) -> None:
    answer = await desk.answers.answer()
    [time] = answer.kinds[1].times
    assert (time.kind, time.ply, time.moves, time.median_ms, time.low_ms, time.high_ms) == (
        "person", 1, 3, 1500, 1500, 1500,
    )  # fmt: skip
    assert {pace.kind: pace.median_ms for pace in answer.paces}["person"] == 1500
    times = answer.kinds[0].times
    # Moves that were made beforehand are counted and took no time.
    assert {time.kind for time in times} == {"bot"}
    assert min(time.ply for time in times) == 3
    assert all(time.low_ms <= time.median_ms <= time.high_ms for time in times)
    assert {mover.name for mover in answer.movers} == set(BOTS)
    medians = [mover.median_ms for mover in answer.movers]
    assert medians == sorted(medians, reverse=True)
    assert all(mover.median_ms <= mover.p90_ms <= mover.longest_ms for mover in answer.movers)
    slow = [move.think_ms for move in answer.slowest]
    assert slow == sorted(slow, reverse=True)
    assert len(slow) == rows.LISTED
    assert slow[0] == max(mover.longest_ms for mover in answer.movers)


async def test_nodes_a_second_are_of_moves_that_searched(desk: Desk) -> None:
    async def rates(change: str) -> set[int | None]:
        desk.change(f"UPDATE moves SET {change}")
        desk.now_ms += KEEP_MS
        return {mover.nodes_s for mover in (await desk.answers.answer()).movers}

    searched = "nodes = iif(ply % 2, NULL, 1000)"
    assert await rates(f"think_ms = 500, think_us = NULL, {searched}") == {2000}
    # Milliseconds are rounded down: what took a millisecond and most of another took twice as long as they say.
    assert await rates(f"think_ms = 1, think_us = 1990, {searched}") == {502_513}
    assert await rates(f"think_ms = 0, think_us = 10, {searched}") == {100_000_000}
    assert await rates(f"think_ms = 0, think_us = 9, {searched}") == {None}
    assert await rates(f"think_ms = 9, think_us = NULL, {searched}") == {None}
    assert await rates("nodes = NULL") == {None}


async def test_no_rate_is_made_of_the_few_moves_that_were_long_enough_to_time(desk: Desk) -> None:
    desk.change("UPDATE moves SET think_ms = 0, think_us = 5, nodes = 1000")
    desk.change("UPDATE moves SET think_ms = 20, think_us = 20000 WHERE ply = 0")
    assert {mover.nodes_s for mover in (await desk.answers.answer()).movers} == {None}


async def test_faults_lead_to_their_games_and_name_no_person(desk: Desk) -> None:
    answer = await desk.answers.answer()
    assert answer.faults
    with closing(sqlite3.connect(desk.path)) as connection:
        for fault in answer.faults:
            found = connection.execute("SELECT game, termination FROM games WHERE id = ?", (fault.game_id,)).fetchone()
            assert found == (fault.game, fault.termination)
    assert {one.name for one in answer.forfeits} <= set(BOTS)
    assert sum(one.games for one in answer.forfeits) >= len(answer.faults)
    desk.change(f"UPDATE games SET winner = 'o', termination = 'flag' WHERE x_player = {PERSON}")
    desk.now_ms += KEEP_MS
    again = await desk.answers.answer()
    assert {one.name for one in again.forfeits} <= set(BOTS)
    assert PERSON not in {int(move.player) for move in again.slowest}


async def test_the_newest_are_those_that_began_last_whatever_their_ids(desk: Desk) -> None:
    desk.change("UPDATE games SET started_ms = 2000000000000 - id")
    desk.change("INSERT OR IGNORE INTO faults SELECT id, x_player, 'It hung.' FROM games WHERE run_id IS NOT NULL")
    faults = (await desk.answers.answer()).faults
    assert len(faults) == rows.LISTED
    assert [fault.game_id for fault in faults] == sorted(fault.game_id for fault in faults)
    of_two_games = rows.SLOWEST.replace(f"LIMIT {rows.TIMED})", "LIMIT 2)")
    slowest = await desk.read(rows.SlowRow, of_two_games)
    assert set() != {move.game_id for move in slowest} <= {1, 2, 3}


async def test_nothing_is_counted_twice_in_a_minute(desk: Desk) -> None:
    first = await desk.answers.answer()
    asked = desk.queries
    assert await desk.answers.answer() is first
    assert desk.queries == asked <= 9 + rows.KINDS
    desk.now_ms += KEEP_MS
    assert await desk.answers.answer() is not first


async def test_without_games(tmp_path: Path) -> None:
    path = tmp_path / "noughts.db"
    migrate.prepare(path)
    answer = await Desk(path).answers.answer()
    assert (answer.as_of_ms, answer.games, answer.people, answer.bots) == (None, 0, 0, 0)
