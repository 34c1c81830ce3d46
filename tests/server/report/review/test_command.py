"""`noughts review`: many games of the records, their moves judged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.analysis.review import judge
from engine.analysis.verdict import VERSION, MoveVerdict
from server.db.connect import connect
from server.db.migrate import prepare
from server.db.review import stored_verdicts
from server.report.review import judging
from server.report.review.command import review
from server.workers.child import NotJudged, ReviewJob, position
from tests.support.database.database_files import execute
from tests.support.database.earlier_files import database
from tests.support.report.games import ANN, BOB, add_game, records_of_two
from tests.support.report.progress import each_piece
from tests.support.schemas import checked

FIRST, SECOND, THIRD, RUNNING, BROKEN, ABORTED = 1, 2, 3, 4, 5, 6
MOVES = {FIRST: 6, SECOND: 7, THIRD: 4}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = records_of_two(tmp_path)
    add_game(path, FIRST, "tictactoe", "b2 a1 c1 a3 c3 a2", "o", "line")
    add_game(path, SECOND, "tictactoe", "c1 a3 a2 c2 c3 b1 b3", None, "board_full", start="a1 b2")
    add_game(path, THIRD, "mnk:4,3,3", "b2 a1 c2 a2", "x", "resignation", private=1)
    add_game(path, RUNNING, "tictactoe", "b2 a1", None, None)
    add_game(path, ABORTED, "tictactoe", "b2 a1", None, "aborted")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET run_id = 'night/small/abc' WHERE id = ?", (FIRST,))
        connection.execute("UPDATE games SET run_id = 'nightly/small/abc' WHERE id = ?", (SECOND,))
    return path


class FakeWorkers:
    """Judges in this process; `trouble` may raise instead."""

    asked: list[ReviewJob]
    trouble: Callable[[int], None]

    def __init__(self, *, count: int) -> None:
        self.closed = False

    def start(self) -> None:
        pass

    async def judge(self, job: ReviewJob) -> MoveVerdict:
        self.asked.append(job)
        self.trouble(len(self.asked))
        return judge(position(job), job.move)

    async def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> type[FakeWorkers]:
    FakeWorkers.asked = []
    FakeWorkers.trouble = staticmethod(lambda asked: None)  # type: ignore[assignment]
    monkeypatch.setattr(judging, "Workers", FakeWorkers)
    return FakeWorkers


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(review, ["--db", str(path), *arguments], standalone_mode=False)


def told(result: Result) -> dict[str, Any]:
    assert result.exception is None, result.output
    found: dict[str, Any] = checked("review", result.stdout)
    return found


def judged(path: Path) -> dict[int, int]:
    """Games with the number of their moves that are judged."""
    with connect(path, "rw") as connection:
        counted = {id: len(stored_verdicts(connection, id)) for id in range(1, 7)}
    return {id: moves for id, moves in counted.items() if moves}


def test_every_finished_game_is_judged_once(path: Path, workers: type[FakeWorkers]) -> None:
    result = run(path, "--jobs", "2")
    assert result.exception is None
    assert judged(path) == MOVES
    assert result.stdout.splitlines()[0].startswith("Judged 17 moves in ")
    assert "\x1b" not in result.stdout
    asked = len(workers.asked)
    assert run(path).stdout.splitlines()[0].endswith("; 17 were judged before.")
    assert len(workers.asked) == asked


def test_blunders_are_a_column_of_the_view(path: Path) -> None:
    found = {row["player"]: row for row in told(run(path, "--json"))["players"]}
    counted = execute(
        path,
        "SELECT player, count(*), sum(blunder), sum(grade = 'doubtful'), sum(exact), player_id FROM v_moves "
        "WHERE blunder IS NOT NULL GROUP BY player",
    )
    assert counted
    assert [(row["player"], *row.values()) for row in found.values()] == [
        (player, player, *rest) for player, *rest in sorted(counted, key=lambda one: -one[2] / one[1])
    ]
    assert found["Ann"]["blunders"] > 0


def test_two_of_one_name_are_told_apart(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE players SET name = 'Ann'")
    told_of = [line.split("  ")[0] for line in run(path).stdout.splitlines()[2:]]
    assert sorted(told_of) == [f"Ann #{ANN}", f"Ann #{BOB}"]


@pytest.mark.parametrize(
    ("arguments", "games"),
    [
        (["--run", "night"], {FIRST}),
        (["--run", "night/small"], {FIRST}),
        (["--run", "night/small/abc"], {FIRST}),
        (["--game", "tictactoe"], {FIRST, SECOND}),
        (["--game", "mnk:4,3,3", "--since", "2001-01-01"], {THIRD}),
        (["--since", "2101-01-01"], set()),
    ],
)
def test_what_is_chosen(path: Path, arguments: list[str], games: set[int]) -> None:
    assert run(path, *arguments).exception is None
    assert set(judged(path)) == games


def test_a_run_that_is_not_there(path: Path) -> None:
    result = run(path, "--run", "nigh")
    assert str(result.exception) == (
        f"{path} has no game of a run 'nigh'; its newest runs: night/small/abc, nightly/small/abc."
    )


def test_moves_that_come_again_are_judged_once(path: Path, workers: type[FakeWorkers]) -> None:
    add_game(path, 10, "tictactoe", "b2 a1 c1 a3 c3 a2", "o", "line")
    assert told(run(path, "--game", "tictactoe", "--jobs", "1", "--json"))["judged"] == 6 + 6 + 7
    assert len(workers.asked) == 6 + 7


def test_another_move_there_has_a_verdict_of_its_own(path: Path) -> None:
    add_game(path, 10, "tictactoe", "b2 a1 c1 a3 a2 b1", "x", "resignation")
    run(path, "--game", "tictactoe")
    with connect(path, "rw") as connection:
        first, other = stored_verdicts(connection, FIRST), stored_verdicts(connection, 10)
    assert (first[3], first[4].verdict, other[4].verdict) == (other[3], "lost", "drawn"), "c3 lets a2 win"


@pytest.mark.parametrize("after", [1, 5, 16])
def test_what_was_judged_before_an_interrupt_stays(path: Path, workers: type[FakeWorkers], after: int) -> None:
    def trouble(asked: int) -> None:
        if asked > after:
            raise KeyboardInterrupt

    workers.trouble = staticmethod(trouble)  # type: ignore[assignment]
    result = run(path, "--jobs", "1", "--json")
    assert result.return_value == 130
    first = told(result)
    assert (first["interrupted"], first["judged"]) == (True, after)
    assert sum(judged(path).values()) == after
    workers.trouble = staticmethod(lambda asked: None)  # type: ignore[assignment]
    assert told(run(path, "--json"))["judged"] == 17 - after
    assert judged(path) == MOVES


def test_verdicts_are_kept_from_time_to_time(
    path: Path, workers: type[FakeWorkers], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "STORE_S", 0.0)
    seen: list[int] = []
    workers.trouble = staticmethod(lambda asked: seen.append(sum(judged(path).values())))  # type: ignore[assignment]
    run(path, "--jobs", "1")
    assert seen == list(range(17))


def test_a_move_that_cannot_be_judged_is_left(path: Path, workers: type[FakeWorkers]) -> None:
    def trouble(asked: int) -> None:
        if asked == 3:
            raise NotJudged("crash")

    workers.trouble = staticmethod(trouble)  # type: ignore[assignment]
    result = run(path, "--jobs", "1", "--json")
    assert (result.return_value, told(result)["failed"], told(result)["judged"]) == (1, 1, 16)
    assert "1 move could not be judged because" in result.stderr


@pytest.mark.parametrize("gone", [FIRST, SECOND, THIRD])
def test_a_game_that_is_archived_meanwhile_is_passed_over(path: Path, workers: type[FakeWorkers], gone: int) -> None:
    def archive(_: int) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            for table, column in (("moves", "game_id"), ("games", "id")):
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (gone,))

    workers.trouble = staticmethod(archive)  # type: ignore[assignment]
    result = run(path)
    assert result.exception is None, result.output
    assert judged(path) == {id: moves for id, moves in MOVES.items() if id != gone}


def test_workers_that_always_die_end_it(
    path: Path, workers: type[FakeWorkers], monkeypatch: pytest.MonkeyPatch
) -> None:
    def trouble(asked: int) -> None:
        raise NotJudged("crash")

    monkeypatch.setattr(judging, "FAILURES", 3)
    workers.trouble = staticmethod(trouble)  # type: ignore[assignment]
    assert run(path, "--jobs", "1").return_value == 1
    assert len(workers.asked) == 3


def test_a_record_that_breaks_the_rules_is_excluded(path: Path) -> None:
    add_game(path, BROKEN, "tictactoe", "b2 b2", "x", "resignation")
    result = run(path, "--json")
    assert told(result)["excluded"] == 1
    assert f"Game {BROKEN} is excluded: " in result.stderr
    assert judged(path) == MOVES


def test_verdicts_of_another_version_are_made_again(path: Path) -> None:
    run(path)
    execute(path, "UPDATE reviews SET version = ? WHERE game_id = ?", (VERSION - 1, FIRST))
    assert told(run(path, "--json"))["judged"] == MOVES[FIRST]


def test_a_database_of_an_earlier_release(tmp_path: Path) -> None:
    earlier = database(tmp_path)
    result = run(earlier)
    assert str(result.exception) == (f"{earlier} has schema version 5: `noughts db migrate` brings it up to date.")
    prepare(earlier)
    assert told(run(earlier, "--game", "tictactoe", "--json"))["failed"] == 0


def test_progress_counts_moves(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "progress", each_piece)
    add_game(path, BROKEN, "tictactoe", "b2 b2", "x", "resignation")
    told = run(path, "--jobs", "1").stderr.splitlines()
    assert told[0] == "Judging moves: 19"
    assert told[-2] == "Judging moves: 17 of 19"
    assert "Judging moves" not in run(path, "--game", "mnk:4,3,3").stderr
