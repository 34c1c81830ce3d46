"""`noughts solve`: what it prints, and one sentence for what it cannot do."""

from __future__ import annotations

import json

import pytest

from client import cli


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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["super", "--moves", "5/1"], "X's forced win does not lead through this position"),
        (["super", "--moves", "5/10"], "5/10"),
        (["super", "--moves", "5/5 5/5"], "5/5 is taken by X."),
        (["super", "--out", "proof"], "--out is for qubic"),
        (["tictactoe", "--moves", "a1 a2 b1 b2 c1"], "There is nothing to solve: the game is over"),
        (["nine-board"], "nine-board cannot be solved here: the strongest bot for it is strongest."),
        (["chess"], "There is no game 'chess'"),
    ],
)
def test_what_cannot_be_solved(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", *arguments]) == 2
    shown = capfd.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
