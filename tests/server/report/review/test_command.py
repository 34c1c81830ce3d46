"""`noughts review`: many games of the records, their moves judged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.analysis.verdict import VERSION
from server.db.connect import connect
from server.db.migrate import prepare
from server.db.review import stored_verdicts
from server.report.review import judging
from server.report.review.command import review
from server.workers.child import NotJudged
from tests.support.database.database_files import execute
from tests.support.database.earlier_files import database
from tests.support.report.fake_workers import FakeWorkers
from tests.support.report.games import ANN, BOB, FIRST, MOVES, SECOND, THIRD, add_game, finished_games
from tests.support.schemas import checked

RUNNING, BROKEN, ABORTED = 4, 5, 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = finished_games(tmp_path)
    add_game(path, RUNNING, "tictactoe", "b2 a1", None, None)
    add_game(path, ABORTED, "tictactoe", "b2 a1", None, "aborted")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET run_id = 'night/small/abc' WHERE id = ?", (FIRST,))
        connection.execute("UPDATE games SET run_id = 'nightly/small/abc' WHERE id = ?", (SECOND,))
    return path


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> type[FakeWorkers]:
    FakeWorkers.begin()
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


def test_an_interrupt_is_told_and_the_next_review_resumes(path: Path, workers: type[FakeWorkers]) -> None:
    def trouble(asked: int) -> None:
        if asked > 5:
            raise KeyboardInterrupt

    workers.begin(trouble)
    result = run(path, "--jobs", "1", "--json")
    first = told(result)
    assert (result.return_value, first["interrupted"], first["judged"]) == (130, True, 5)
    workers.begin()
    assert told(run(path, "--json"))["judged"] == 17 - 5
    assert judged(path) == MOVES


def test_a_move_that_cannot_be_judged_is_left(path: Path, workers: type[FakeWorkers]) -> None:
    def trouble(asked: int) -> None:
        if asked == 3:
            raise NotJudged("crash")

    workers.begin(trouble)
    result = run(path, "--jobs", "1", "--json")
    assert (result.return_value, told(result)["failed"], told(result)["judged"]) == (1, 1, 16)
    assert "1 move could not be judged because" in result.stderr


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
