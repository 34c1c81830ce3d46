"""`noughts solve`: what it prints, and one sentence for what it cannot do."""

from __future__ import annotations

import json

import pytest

from client.cli import main as cli


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli._status(["solve", *arguments]) == 0
    shown = capfd.readouterr()
    assert shown.err == ""
    return shown.out


def test_super(capfd: pytest.CaptureFixture[str]) -> None:
    lines = run(capfd, "super").splitlines()
    assert lines[0] == "super: X wins in at most 43 plies, whatever O plays."
    assert lines[1].startswith("Checked 46,153 positions with X to move and every reply to each, in ")
    assert lines[2].startswith("The longest resistance: 5/5 5/")
    assert len(lines[2].split()) == 3 + 43


def test_a_position_of_super(capfd: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capfd, "super", "--json", "--moves", "5/5 5/1 1/5"))
    assert found.pop("cpu_s") > 0
    line = found.pop("line")
    assert (len(line), found.pop("positions") > 30_000) == (40, True)
    assert found == {"game": "super", "value": "x", "most_plies": 40}


def test_a_small_board_that_is_won(capfd: pytest.CaptureFixture[str]) -> None:
    lines = run(capfd, "mnk:6,5,4").splitlines()
    assert lines[0] == "mnk:6,5,4: X wins in 11 plies."
    assert lines[1] == "Moves that win as fast, 2 of 30: c3 d3"
    assert lines[2].startswith("One such game: c3 ")
    assert len(lines[2].split()) == 3 + 11
    assert "positions in" in lines[3]


def test_small_boards_that_are_drawn_and_lost(capfd: pytest.CaptureFixture[str]) -> None:
    drawn = run(capfd, "mnk:5,5,4", "--moves", "a1 c3").splitlines()
    assert drawn[:2] == ["mnk:5,5,4: a draw with best play.", "Moves that draw, 4 of 23: b2 d2 b4 d4"]
    lost = run(capfd, "tictactoe", "--moves", "a1 b1 b2").splitlines()
    assert lost[:2] == ["tictactoe: X wins in 4 plies.", "Moves that hold out as long, 1 of 6: c3"]
    last = run(capfd, "tictactoe", "--moves", "a1 a2 b1 b2").splitlines()
    assert last[:3] == ["tictactoe: X wins in 1 ply.", "Moves that win as fast, 1 of 5: c1", "One such game: c1"]


def test_json_and_ideas_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capfd, "cube:3", "--json"))
    without = json.loads(run(capfd, "cube:3", "--json", "--without", "symmetry", "--without", "weights"))
    assert found.pop("cpu_s") > 0
    assert without["nodes"] > found.pop("nodes") > 0
    assert len(found.pop("line")) == 7
    assert found == {"game": "cube:3", "ply": 0, "value": "x", "plies": 7, "best": ["b2.2"]}
    assert [without[name] for name in found] == list(found.values())
    small = json.loads(run(capfd, "cube:3", "--json", "--memory", "1"))
    assert [small[name] for name in found] == list(found.values())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["super", "--moves", "5/1"], "X's forced win does not lead through this position"),
        (["super", "--moves", "5/10"], "5/10"),
        (["super", "--moves", "5/5 5/5"], "5/5 is taken by X."),
        (["super", "--fresh"], "--fresh is for games that are searched; super is checked on the spot."),
        (["super", "--memory", "3"], "--memory is for games that are searched"),
        (["super", "--checkpoint", "proof"], "--checkpoint is for games that are searched"),
        (["super", "--without", "table"], "--without is for games that are searched"),
        (["qubic", "--moves", "a1.1", "--memory", "900"], "--memory is for qubic from the empty board"),
        (["qubic", "--moves", "a1.1", "--fresh"], "--fresh is for qubic from the empty board: leave --moves out."),
        (["mnk:4,4,4", "--out", "proof", "--checkpoint", "proof"], "proof would be both --out and --checkpoint"),
        (["qubic", "--out", "proof", "--checkpoint", "proof"], "proof would be both --out and --checkpoint"),
        (["super", "--out", "proof"], "--out is for games whose proofs are files"),
        (["tictactoe", "--moves", "a1 a2 b1 b2 c1"], "There is nothing to solve: the game is over"),
        (["tictactoe", "--without", "luck"], "'luck' is not one of"),
        (
            ["ultimate"],
            "ultimate has not been solved, here or elsewhere: the strongest bot that plays it is `strong",
        ),
        (
            ["gomoku"],
            "gomoku is too large to solve here: it has about 10^106 positions from there; the largest board solved so "
            "far has 10^16. Boards solved so far took about the square root of their positions, which would be 10^",
        ),
        (
            ["mnk:5,5,4,exact"],
            "Only boards where longer lines win too are solved, not mnk:5,5,4,exact: the strongest bot",
        ),
        (["cube:5"], "years on this machine; the strongest bot that plays it is `strongest`."),
        (["chess"], "There is no game 'chess'"),
    ],
)
def test_what_cannot_be_solved(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", *arguments]) == 2
    shown = capfd.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
