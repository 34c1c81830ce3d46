"""`noughts simulate`: fixed sides or pairs, the depth, the icons, its errors and its interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from client.cli import main as cli
from tests.support.engine.record_reader import from_json_line
from tests.support.lab.interrupts import assert_tells_what_was_played


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, nobody is told that the first game takes long."""
    monkeypatch.setattr("client.lab.match.command.PATIENCE_S", 600)


def run(capfd: pytest.CaptureFixture[str], line: str) -> tuple[int, str, str]:
    status = cli._status(["simulate", *line.split()])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def untimed(told: dict[str, Any]) -> dict[str, Any]:
    for side in (told["x"], told["o"]):
        assert side.pop("total_ms") > 0
        assert side.pop("move_ms") > 0
    assert told.pop("total_ms") > 0
    assert told.pop("game_ms")["mean"] > 0
    return told


def test_sides_are_fixed_and_no_job_matters(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.jsonl"
        line = f"bragstad-alphabeta:2 random --games 7 --seed 3 --json --jobs {jobs} --record {path}"
        status, out, err = run(capfd, line)
        assert (status, err) == (0, "")
        found.append(untimed(json.loads(out)))
        records = [from_json_line(text) for text in path.read_text().splitlines()]
        assert {(record.x.name, record.o.name, record.start) for record in records} == {
            ("bragstad-alphabeta:2", "random", ())
        }
        assert len({record.seed for record in records}) == len(records) == 7
        told = found[-1]
        assert told["x"]["wins"] == sum(record.winner == "x" for record in records)
        assert told["ties"] == sum(record.winner is None for record in records)
        assert told["moves_to_end"]["mean"] == sum(len(record.moves) for record in records) / 7
    assert found[0] == found[1]
    assert (told["game"], told["games"], told["sides_swapped"], told["interrupted"]) == ("tictactoe", 7, False, False)
    assert told["icons"] == ["X", "O"]


def test_pairs_swap_sides(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    status, out, err = run(capfd, f"alphabeta:1 random --games 4 --pairs --jobs 1 --record {path}")
    assert (status, err) == (0, "")
    assert out.startswith("alphabeta:1 against random, sides swapped: tictactoe, 4 games, seed 0\n")
    assert "first bot" in out
    records = [from_json_line(text) for text in path.read_text().splitlines()]
    assert [record.x.name for record in records] == ["alphabeta:1", "random", "alphabeta:1", "random"]
    assert {record.start for record in records} == {()}


def test_his_table_of_3_plies_against_3(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capfd, "bragstad-minimax bragstad-alphabeta --depth 3 --games 10 --jobs 1 --icons ❌,⭕")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "bragstad-minimax:3 (❌) against bragstad-alphabeta:3 (⭕): tictactoe, 10 games, seed 0"
    assert lines[1].startswith("❌ wins           10 (100.0 %")
    assert "❌ moves to win   4.00" in lines
    assert "moves to the end  7.00" in lines


def test_a_depth_is_for_those_that_look_ahead(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capfd, "random bragstad-minimax:9 --depth 5 --games 1 --jobs 1 --game mnk:4,4,4")
    assert status == 0
    assert out.startswith("random (X) against bragstad-minimax:5 (O): mnk:4,4,4, 1 game, seed 0\n")


def test_ages_are_warned_of(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.bots.roster._MANY_NODES", 1000)
    status, _, err = run(capfd, "random bragstad-minimax:4 --games 1 --jobs 1")
    assert (status, err.count("\n")) == (0, 1)
    assert err.startswith(
        "bragstad-minimax:4 looks at some 10^3 positions for its first move on tictactoe: that takes "
    )
    status, _, err = run(capfd, "random bragstad-minimax:4 --games 1 --jobs 1 --limit nodes=50")
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("random random --games 0", "0 is not in the range"),
        ("random random --games some", "is not a whole number"),
        ("random", "Missing argument 'O'"),
        ("random nobody", "There is no bot 'nobody'"),
        ("random random --game chess", "There is no game 'chess'"),
        ("random osipa-tree --game mnk:4,4,4", "osipa-tree does not play mnk:4,4,4: it plays tictactoe."),
        ("depth3 random", "depth3:balanced,3 does not play tictactoe: it plays qubic."),
        ("random random --game mnk:21,21,21", "A board cannot have 21 columns"),
        ("random random --games 5 --pairs", "--pairs needs an even number of games, not 5"),
        ("random random --icons X,X", "of one or two characters, as in X,O: 'X,X' is not that."),
        ("random random --icons ❌,❌", "Write two different marks"),
        ("random random --icons ❌", "Write two different marks"),
        ("random random --icons abc,d", "Write two different marks"),
        ("random random --icons x,X", "Write two different marks"),
        ("random random --icons ✖\ufe0f,O", "Not every terminal draws '✖\ufe0f,O' in the same width"),
        ("random random --icons \x1b,d", "Write two different marks"),
        ("random random --icons O,X", "The mark of X comes first: O,X would show X as O; write X,O."),
        ("random random --icons #,x", "The mark of X comes first: #,x would show O as X; write x,#."),
        ("random random --depth 3", "--depth has no bot to set: random looks no number of plies ahead."),
        ("bragstad-minimax random --depth 0", "The ply of bragstad-minimax:PLY is 1..400, not '0'."),
        ("bragstad-minimax random --depth 401", "The ply of bragstad-minimax:PLY is 1..400, not '401'."),
        ("bragstad-minimax random --depth soon", "is not a whole number"),
        ("osipa-tree random --limit nodes=5", "osipa-tree explores all that it needs"),
        ("random random --record games.pgn", "name ending in .jsonl or .txt, not 'games.pgn'"),
    ],
)  # fmt: skip
def test_what_the_user_got_wrong(capfd: pytest.CaptureFixture[str], line: str, sentence: str) -> None:
    status, out, err = run(capfd, line)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.startswith("noughts: ")
    assert err.count("\n") == 1


def test_ctrl_c_tells_what_was_played(tmp_path: Path) -> None:
    line = "simulate random random --game gomoku --games 100000 --jobs 1 --json"
    assert_tells_what_was_played(line.split(), tmp_path)
