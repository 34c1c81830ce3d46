"""Many games judged by workers: each move once, what was judged is kept, and trouble costs no more than itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.analysis.verdict import MoveVerdict
from server.db.connect import connect
from server.db.review import stored_verdicts
from server.report.review import judging
from server.report.review.judging import Tally
from server.workers.child import NotJudged
from tests.support.database.database_files import execute
from tests.support.report.fake_workers import FakeWorkers
from tests.support.report.games import FIRST, MOVES, SECOND, THIRD, add_game, finished_games
from tests.support.report.progress import each_piece

BROKEN = 4


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return finished_games(tmp_path)


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> type[FakeWorkers]:
    monkeypatch.setattr(judging, "Workers", FakeWorkers)
    FakeWorkers.begin()
    return FakeWorkers


def judge(path: Path, moves: dict[int, int] = MOVES, jobs: int = 1) -> Tally:
    with connect(path, "rw") as connection:
        return judging.judged(connection, moves, jobs)


def kept(path: Path, id: int) -> dict[int, MoveVerdict]:
    with connect(path, "rw") as connection:
        return stored_verdicts(connection, id)


def judged(path: Path) -> dict[int, int]:
    """Games with the number of their moves that are judged."""
    counted = {id: len(kept(path, id)) for id in (FIRST, SECOND, THIRD, BROKEN)}
    return {id: moves for id, moves in counted.items() if moves}


def failing_from(first: int, error: type[BaseException]) -> Callable[[int], None]:
    def trouble(asked: int) -> None:
        if asked >= first:
            raise error

    return trouble


@pytest.mark.parametrize("jobs", [1, 2, 30])
def test_each_move_is_judged_where_it_was_made_from_the_last_to_the_first(
    path: Path, workers: type[FakeWorkers], jobs: int
) -> None:
    assert judge(path, jobs=jobs) == Tally(judged=17)
    assert judged(path) == MOVES
    played = (4, 0, 2, 6, 8, 3)
    asked = [(job.cells, job.move) for job in workers.asked[:6]]
    assert asked == [(played[:ply], played[ply]) for ply in reversed(range(6))]
    assert workers.asked[-1].cells == ()
    assert workers.asked[12].cells == (0, 4), "after the start"


def test_what_is_judged_already_is_not_judged_again(path: Path, workers: type[FakeWorkers]) -> None:
    judge(path)
    execute(path, "DELETE FROM review_moves WHERE game_id = ? AND ply IN (2, 5)", (FIRST,))
    workers.begin()
    assert judge(path, {FIRST: 2}).judged == len(workers.asked) == 2
    assert judge(path, {}) == Tally()
    assert judged(path) == MOVES


def test_moves_that_come_again_are_judged_once(path: Path, workers: type[FakeWorkers]) -> None:
    add_game(path, BROKEN, "tictactoe", "b2 a1 c1 a3 c3 a2", "o", "line")
    assert judge(path, {FIRST: 6, BROKEN: 6}).judged == 12
    assert len(workers.asked) == 6
    assert kept(path, BROKEN) == kept(path, FIRST)


def test_another_move_there_has_a_verdict_of_its_own(path: Path) -> None:
    add_game(path, BROKEN, "tictactoe", "b2 a1 c1 a3 a2 b1", "x", "resignation")
    judge(path, {FIRST: 6, BROKEN: 6})
    first, other = kept(path, FIRST), kept(path, BROKEN)
    assert (first[3], first[4].verdict, other[4].verdict) == (other[3], "lost", "drawn"), "c3 lets a2 win"


@pytest.mark.parametrize("after", [0, 1, 5, 16])
def test_what_was_judged_before_an_interrupt_stays(path: Path, workers: type[FakeWorkers], after: int) -> None:
    workers.begin(failing_from(after + 1, KeyboardInterrupt))
    assert judge(path) == Tally(judged=after, interrupted=True)
    assert sum(judged(path).values()) == after


def test_verdicts_are_kept_from_time_to_time(
    path: Path, workers: type[FakeWorkers], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "STORE_S", 0.0)
    seen: list[int] = []
    workers.begin(lambda asked: seen.append(sum(judged(path).values())))
    judge(path)
    assert seen == list(range(17))


@pytest.mark.parametrize("gone", [FIRST, SECOND, THIRD])
def test_a_game_that_is_archived_meanwhile_is_passed_over(path: Path, workers: type[FakeWorkers], gone: int) -> None:
    def archive(asked: int) -> None:
        execute(path, "DELETE FROM moves WHERE game_id = ?", (gone,))
        execute(path, "DELETE FROM games WHERE id = ?", (gone,))

    workers.begin(archive)
    judge(path)
    assert judged(path) == {id: moves for id, moves in MOVES.items() if id != gone}


def test_workers_that_always_die_end_it(
    path: Path, workers: type[FakeWorkers], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(asked: int) -> None:
        raise NotJudged("crash")

    monkeypatch.setattr(judging, "FAILURES", 3)
    workers.begin(die)
    assert judge(path) == Tally(failed=3)
    assert len(workers.asked) == 3


def test_a_record_that_breaks_the_rules_is_excluded(path: Path) -> None:
    add_game(path, BROKEN, "tictactoe", "b2 b2", "x", "resignation")
    tally = judge(path, MOVES | {BROKEN: 2})
    assert tally == Tally(judged=17, excluded=[f"Game {BROKEN} is excluded: Move 2 is illegal: b2 is taken by X."])
    assert judged(path) == MOVES


def test_progress_counts_moves_also_those_that_are_passed_over(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(judging, "progress", each_piece)
    add_game(path, BROKEN, "tictactoe", "b2 b2", "x", "resignation")
    judge(path, {BROKEN: 2, 99: 3, **MOVES})
    told = capsys.readouterr().err.splitlines()
    assert (told[0], told[-1]) == ("Judging moves: 22", "Judging moves: 21 of 22")
