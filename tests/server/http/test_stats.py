"""The statistics, counted over a real database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.db import stats as rows
from server.http.answers.stats import StatsAnswer
from server.http.stats import KEEP_MS, StatsAnswers
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import BOTS, add_list
from tests.support.page.ladder import add_person

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
    path = new_database(tmp_path)
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


async def test_every_part_is_there(desk: Desk) -> None:
    answer = await desk.answers.answer()
    [time] = answer.kinds[1].times
    assert (time.kind, time.ply, time.moves, time.median_ms) == ("person", 1, 3, 1500)
    assert {pace.kind for pace in answer.paces} == {"bot", "person"}
    assert {mover.name for mover in answer.movers} == set(BOTS)
    assert answer.slowest[0].think_ms == max(mover.longest_ms for mover in answer.movers)
    assert {fault.name for fault in answer.faults} == {one.name for one in answer.forfeits} <= set(BOTS)


async def test_nothing_is_counted_twice_in_a_minute(desk: Desk) -> None:
    first = await desk.answers.answer()
    asked = desk.queries
    assert await desk.answers.answer() is first
    assert desk.queries == asked <= 9 + rows.KINDS
    desk.now_ms += KEEP_MS
    assert await desk.answers.answer() is not first


async def test_without_games(tmp_path: Path) -> None:
    answer = await Desk(new_database(tmp_path)).answers.answer()
    assert (answer.as_of_ms, answer.games, answer.people, answer.bots) == (None, 0, 0, 0)
