"""`noughts solve qubic --moves MOVES`: decided positions, and those that are not."""

from __future__ import annotations

import pytest

from client.cli import main as cli
from client.lab.solve.qubic import position as solve_qubic_position
from engine.search.assess import qubic
from engine.search.finding import Finding
from tests.support.schemas import checked


def told(capfd: pytest.CaptureFixture[str], moves: str, *options: str) -> list[str]:
    assert cli._status(["solve", "qubic", "--moves", moves, *options]) == 0
    return capfd.readouterr().out.splitlines()


def test_the_book_decides_what_follows_its_moves(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, "a1.1")[0] == "qubic: X wins in at most 30 plies."


def test_threats_decide_for_either_side(capfd: pytest.CaptureFixture[str]) -> None:
    lines = told(capfd, "a1.1 b2.2 a2.1 c3.3 a3.1 b3.3")
    assert lines[:2] == ["qubic: X wins in 1 ply.", "A best move: a4.1"]
    found = checked("solve", "".join(told(capfd, "b1.1 a1.1 c1.1 a2.1 d3.3 a3.1 b4.2", "--json")))
    assert (found["value"], found["plies"], found["best"]) == ("o", 1, ["a4.1"])


def test_a_proof_decides_beside_the_book(capfd: pytest.CaptureFixture[str]) -> None:
    found = checked("solve", "".join(told(capfd, "a1.1 d4.4 b2.2 c3.3 a2.1", "--json")))
    assert (found["game"], found["ply"], found["value"]) == ("qubic", 5, "x")


def test_what_is_not_decided_is_said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(solve_qubic_position, "_LEAVES", 500)
    assert cli._status(["solve", "qubic", "--moves", "b1.1 b2.2"]) == 1
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("noughts: This position is undecided: neither side is known to win by threats")
    assert shown.err.endswith("the strongest bot that plays it is `perfect`.\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--moves", "a1.1", "--out", "proof"], "from the empty board: leave --moves out"),
        (["--moves", "a1.1 a1.1"], "taken"),
        (["--without", "table"], "leave --without out"),
    ],
)
def test_options_that_do_not_go_together(capfd: pytest.CaptureFixture[str], options: list[str], words: str) -> None:
    assert cli._status(["solve", "qubic", *options]) == 2
    assert words in capfd.readouterr().err


def test_a_bound_on_the_plies_is_told_as_one(capfd: pytest.CaptureFixture[str]) -> None:
    found = checked("solve", "".join(told(capfd, "a1.1", "--json")))
    assert (found["plies"], found["at_most"]) == (30, True)


@pytest.mark.parametrize("moves", ["a1.1 d4.4", "a1.1 d4.4 b2.2"])
def test_what_is_proven_is_a_win_of_x_whoever_moves(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], moves: str
) -> None:
    monkeypatch.setattr(qubic, "assess", lambda position, watch: Finding(False, 0.0))
    monkeypatch.setattr(solve_qubic_position, "_winning", lambda position: None)
    assert checked("solve", "".join(told(capfd, moves, "--json")))["value"] == "x"
