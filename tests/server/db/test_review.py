"""Reviews in the records: what was judged comes back as it was, written by the server or by a command."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import get_args

import pytest

from engine.analysis.verdict import VERSION, MoveVerdict, Verdict
from server.db import review as review_rows
from server.db.connect import connect
from server.db.review import review_writes, store_verdicts, stored_verdicts
from server.play.writes import Conflict, Statement
from tests.support.database.database_files import new_database, opened, people_and_rooms, start_game

GAME = 7
LOST = MoveVerdict("lost", True, -1.0, -6, True, (4, 0, 8), "won", 7, 1_234)
EVEN = MoveVerdict("even", False, 0.125, None, False, (), "better", None, 9)


async def database_with_a_game(folder: Path) -> Path:
    path = new_database(folder)
    async with opened(path) as records:
        await records.write([*people_and_rooms(), start_game(GAME), start_game(GAME + 1)])
    return path


async def test_what_was_judged_comes_back_as_it_was(tmp_path: Path) -> None:
    path = await database_with_a_game(tmp_path)
    async with opened(path) as records:
        assert await records.verdicts(GAME) == {}
        await records.write(review_writes(GAME, [(3, LOST), (2, EVEN)], 5))
        await records.write(review_writes(GAME, [(1, EVEN)], 6))
        assert await records.verdicts(GAME) == {3: LOST, 2: EVEN, 1: EVEN}
        assert list(await records.verdicts(GAME)) == [3, 2, 1]
        assert await records.verdicts(GAME + 1) == {}
    with connect(path, "rw") as connection:
        assert stored_verdicts(connection, GAME) == {3: LOST, 2: EVEN, 1: EVEN}
        assert connection.execute("SELECT * FROM reviews").fetchall() == [(GAME, VERSION, 5)]


async def test_the_command_line_writes_what_the_server_reads(tmp_path: Path) -> None:
    path = await database_with_a_game(tmp_path)
    with connect(path, "rw") as connection:
        store_verdicts(connection, [(GAME, 0, LOST)])
        store_verdicts(connection, [(GAME, 0, EVEN)])  # again: the newer is kept
        assert not connection.in_transaction
    async with opened(path) as records:
        assert await records.verdicts(GAME) == {0: EVEN}


async def test_two_programs_that_judge_a_game_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = await database_with_a_game(tmp_path)
    async with opened(path) as records:
        await records.write(review_writes(GAME, [(3, LOST)], 5))
        with connect(path, "rw") as connection:
            store_verdicts(connection, [(GAME, 3, LOST)])
            store_verdicts(connection, [(GAME, 2, LOST)])
        await records.write(review_writes(GAME, [(2, LOST)], 6))
        assert await records.verdicts(GAME) == {3: LOST, 2: LOST}


async def test_what_another_version_judged_is_not_shown_and_then_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await database_with_a_game(tmp_path)
    with monkeypatch.context() as older:
        older.setattr(review_rows, "VERSION", VERSION - 1)
        async with opened(path) as records:
            await records.write(review_writes(GAME, [(3, LOST), (2, LOST)], 5))
            await records.write(review_writes(GAME + 1, [(1, EVEN)], 5))
    async with opened(path) as records:
        assert await records.verdicts(GAME) == {}
        await records.write(review_writes(GAME, [(3, EVEN)], 8))
        assert await records.verdicts(GAME) == {3: EVEN}
    with connect(path, "rw") as connection:
        assert connection.execute("SELECT game_id, ply FROM review_moves").fetchall() == [(GAME, 3), (GAME + 1, 1)]
        assert connection.execute("SELECT * FROM reviews").fetchall() == [
            (GAME, VERSION, 8),
            (GAME + 1, VERSION - 1, 5),
        ]


async def test_a_review_of_no_game_leaves_nothing(tmp_path: Path) -> None:
    path = await database_with_a_game(tmp_path)
    with connect(path, "rw") as connection:
        store_verdicts(connection, [(99, 0, LOST), (GAME, 0, LOST)])  # the game was archived meanwhile
        assert not connection.in_transaction
        assert connection.execute("SELECT game_id FROM reviews").fetchall() == [(GAME,)]
    async with opened(path) as records:
        with pytest.raises(Conflict):
            await records.write(review_writes(99, [(0, LOST)], 5))


@pytest.mark.parametrize("verdict", get_args(Verdict))
async def test_the_schema_knows_every_verdict(tmp_path: Path, verdict: Verdict) -> None:
    path = await database_with_a_game(tmp_path)
    judged = MoveVerdict(verdict, False, 0.5, None, False, (1,), verdict, None, 1)
    with connect(path, "rw") as connection:
        store_verdicts(connection, [(GAME, 0, judged)])
        assert stored_verdicts(connection, GAME) == {0: judged}


@pytest.mark.parametrize(
    "judged",
    [
        MoveVerdict("nonsense", False, 0.5, None, False, (1,), "even", None, 1),  # type: ignore[arg-type]
        MoveVerdict("even", False, 1.5, None, False, (1,), "even", None, 1),
        MoveVerdict("even", False, float("nan"), None, False, (1,), "even", None, 1),
    ],
)
async def test_the_schema_refuses_what_is_no_judgement(tmp_path: Path, judged: MoveVerdict) -> None:
    path = await database_with_a_game(tmp_path)
    with connect(path, "rw") as connection, pytest.raises(sqlite3.IntegrityError):
        store_verdicts(connection, [(GAME, 0, judged)])


def test_rows_of_reviews_are_written_after_their_games() -> None:
    S = Statement
    assert S.START_GAME < S.DROP_OLD_REVIEW < S.BEGIN_REVIEW < S.ADD_JUDGED
