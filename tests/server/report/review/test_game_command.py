"""`noughts report game`: one game of the records, its moves judged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.analysis.verdict import MoveVerdict
from server.db.connect import connect
from server.db.review import store_verdicts, stored_verdicts
from server.report.command import report
from server.report.review import game_command
from tests.support.database.database_files import execute
from tests.support.report.games import add_game, records_of_two
from tests.support.report.progress import each_piece
from tests.support.schemas import checked

BLUNDERS, DRAWN, RUNNING, EMPTY, PRIVATE, BROKEN = 1, 2, 3, 4, 5, 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = records_of_two(tmp_path)
    add_game(path, BLUNDERS, "tictactoe", "b2 a1 c1 a3 c3 a2", "o", "line")
    add_game(path, DRAWN, "tictactoe", "c1 a3 a2 c2 c3 b1 b3", None, "board_full", start="b2 a1")
    add_game(path, RUNNING, "tictactoe", "b2 a1", None, None)
    add_game(path, EMPTY, "tictactoe", "", None, "aborted")
    add_game(path, PRIVATE, "mnk:4,3,3", "b2 a1 c2 a2", "x", "resignation", private=1)
    add_game(path, BROKEN, "tictactoe", "b2 b2", "x", "resignation")
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(report, ["game", *arguments, "--db", str(path)])


def kept(path: Path, id: int) -> dict[int, MoveVerdict]:
    with connect(path, "rw") as connection:
        return stored_verdicts(connection, id)


def test_a_game_is_told_move_by_move(path: Path) -> None:
    result = run(path, str(BLUNDERS))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "Game 1, Tic-tac-toe: Ann (X) against Bob?[2J (O): O won (line) in 6 moves."
    assert lines[2].split() == ["move", "side", "played", "time", "for", "X", "verdict", "best", "line"]
    rows = [line.split(maxsplit=6) for line in lines[3:9]]
    assert [row[:3] for row in rows] == [
        ["1", "X", "b2"], ["2", "O", "a1"], ["3", "X", "c1"], ["4", "O", "a3"], ["5", "X", "c3??"], ["6", "O", "a2"],
    ]  # fmt: skip
    assert [row[3] for row in rows] == ["<1", "1.50", "3.00", "4.50", "6.00", "7.50"]
    assert [row[5] for row in rows] == ["0", "0", "0", "0", "-1", "-1"]
    assert "exact: threw away the draw: lost in 2 plies" in lines[7]
    assert "exact: wins at once" in lines[8]
    assert lines[10] == "X: 3 moves, 3 proven; 1 blunder."
    assert lines[11] == "O: 3 moves, 3 proven; no blunder found."
    assert lines[12].startswith("?? blunder: proven to have cost the result. Plies are")


def test_what_is_judged_is_kept_and_not_judged_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(path, str(BLUNDERS))
    assert sorted(kept(path, BLUNDERS)) == list(range(6))
    monkeypatch.setattr("engine.analysis.review.judge", None)
    assert run(path, str(BLUNDERS)).stdout == first.stdout


def test_only_what_is_missing_is_judged(path: Path) -> None:
    known = MoveVerdict("better", False, 0.5, None, False, (4,), "better", None, 1)
    with connect(path, "rw") as connection:
        store_verdicts(connection, [(BLUNDERS, 0, known)])
    result = run(path, str(BLUNDERS), "--json")
    moves = checked("report game", result.stdout)["moves"]
    assert [move["exact"] for move in moves] == [False, True, True, True, True, True]
    assert moves[0]["words"] == "estimated: better (+0.50)"
    assert kept(path, BLUNDERS)[0] == known


def test_a_game_with_a_start_as_json(path: Path) -> None:
    told = checked("report game", run(path, str(DRAWN), "--json").stdout)
    assert {key: told[key] for key in ("game", "kind", "start", "winner", "termination", "done", "of")} == {
        "game": DRAWN, "kind": "tictactoe", "start": ["b2", "a1"], "winner": None, "termination": "board_full",
        "done": 7, "of": 7,
    }  # fmt: skip
    assert [move["side"] for move in told["moves"]] == ["x", "o", "x", "o", "x", "o", "x"]
    assert [move["move"] for move in told["moves"]] == ["c1", "a3", "a2", "c2", "c3", "b1", "b3"]
    assert {move["verdict"] for move in told["moves"]} == {"drawn"}
    assert all(move["best"][0] == move["move"] and move["grade"] == "good" for move in told["moves"])
    assert "after the start b2 a1" in run(path, str(DRAWN)).stdout


def test_private_games_are_reviewed_too(path: Path) -> None:
    result = run(path, str(PRIVATE))
    assert result.exit_code == 0
    assert "X won (resignation) in 4 moves." in result.stdout


def test_a_page_and_a_picture_on_request(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    result = run(path, str(BLUNDERS), "--out", str(folder))
    assert result.exit_code == 0, result.output
    assert sorted(file.name for file in folder.iterdir()) == ["game-1.html", "game-1.svg"]
    page = (folder / "game-1.html").read_text()
    assert "<svg" in page
    assert "exact: threw away the draw" in page
    assert "blunder or doubtful" in page
    assert "src=" not in page
    assert (folder / "game-1.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["99"], "There is no game 99 in"),
        ([str(1 << 70)], "There is no game"),
        ([str(RUNNING)], "Game 3 has not ended"),
        ([str(EMPTY)], "Game 4 ended before its first move"),
        ([str(BROKEN)], "Game 6 cannot be reviewed"),
        (["one"], "'one' is not a valid integer"),
        (["-1"], "No such option"),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_reviewed_is_said_in_a_sentence(path: Path, arguments: list[str], sentence: str) -> None:
    result = run(path, *arguments)
    assert result.exit_code == (1 if sentence.startswith(("Game", "There is no game")) else 2)
    assert sentence in result.stderr
    assert result.stdout == ""


def test_no_database(tmp_path: Path) -> None:
    result = run(tmp_path / "none.db", "1")
    assert result.exit_code == 1
    assert "There is no database" in result.stderr


def test_a_file_in_the_place_of_the_folder(path: Path, tmp_path: Path) -> None:
    result = run(path, str(BLUNDERS), "--out", str(path))
    assert result.exit_code == 1
    assert "is a file" in result.stderr
    assert kept(path, BLUNDERS) == {}


def test_options_of_the_whole_report_do_not_stand_before_a_game(path: Path) -> None:
    result = CliRunner().invoke(report, ["--db", str(path), "game", str(BLUNDERS)])
    assert result.exit_code == 2
    assert "--db before `game` belongs to a report on all games" in result.stderr


def test_an_unknown_subcommand_is_refused() -> None:
    result = CliRunner().invoke(report, ["games"])
    assert result.exit_code == 2
    assert "games" in result.stderr


def test_records_that_cannot_be_written_are_reviewed_all_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*arguments: object) -> None:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    whole = run(path, str(PRIVATE)).stdout
    execute(path, "DELETE FROM review_moves")
    monkeypatch.setattr(game_command, "store_verdicts", locked)
    result = run(path, str(PRIVATE))
    assert result.exit_code == 0
    assert result.stdout == whole
    assert result.stderr.count("cannot be written now") == 1


def test_progress_counts_moves(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_command, "progress", each_piece)
    told = run(path, str(BLUNDERS)).stderr.splitlines()
    assert told[:-1] == ["Judging moves: 6", *(f"Judging moves: {done} of 6" for done in range(1, 6))]
