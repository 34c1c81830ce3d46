"""`noughts bench solve` runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

import json
from itertools import count

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.figures import Part
from client.lab.bench.solve import command as solving
from client.lab.bench.solve import mistakes, replies, solves
from client.lab.bench.solve.mistakes import O_WINS, OPEN, REFUTED, X_PROVEN, X_WINS
from client.lab.bench.solve.solves import Case
from engine.bots.player import Limit
from engine.rules.position import Position, play_all
from engine.rules.registry import rules


def figures(part: Part) -> dict[str, float]:
    return {one.name: one.value.median for one in part.figures}


def named(*names: str) -> tuple[Case, ...]:
    return tuple(case for case in solves.CASES if case.name in names)


def position_of(texts: str) -> Position:
    return play_all(rules("qubic").initial, map(rules("qubic").parse_move, texts.split()))


def test_a_solve_stands_beside_the_control() -> None:
    ticks = count()
    (taken,) = solves.run(named("cube:3"), lambda: float(next(ticks)))
    assert (taken.found, taken.positions) == ("X in 7", 252)
    assert (taken.cpu_s, taken.control_s, taken.ratio) == (1, 1, 1)
    assert taken.control_rate * 1e6 == taken.control_nodes > 1_000_000
    part = solves.part([taken])
    assert figures(part)["cube:3, to the control"] == 1
    assert part.tables[0].rows[0][:3] == ("cube:3", "X in 7", "252")


def test_a_small_board_comes_out_as_it_should() -> None:
    (case,) = named("mnk:6,4,4")
    assert case.run()[0] == "draw"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_all_that_is_not_long_comes_out_as_it_should() -> None:
    found = {taken.case.name: taken.found for taken in solves.run([case for case in solves.CASES if not case.long])}
    assert found == {
        "super": "X in at most 43",
        "all M, N up to 5": "X wins 8 of 22",
        "mnk:6,4,4": "draw",
        "mnk:6,5,4": "X in 11",
        "mnk:7,7,5": "draw",
        "cube:3": "X in 7",
        "nine-board after 15 to 18 plies": "X wins 9 of 10, O 1",
        "qubic": "X in at most 31",
        "qubic's proof verified": "holds, 31 plies",
    }


def test_every_case_can_be_left_out() -> None:
    assert {case.kind for case in solves.CASES} == set(solving._SOLVES)
    assert all(case.kind == "boards" for case in solves.CASES if case.long)


@pytest.mark.slow
def test_x_s_decisions_are_timed_in_a_process_of_their_own() -> None:
    part = replies.measure(12)
    assert part.about.startswith("12 decisions")
    found = figures(part)
    assert found["the longest"] >= found["99 of 100 take at most"] >= found["half of them take at most"] > 0
    assert found["CPU: the longest"] > 0


def test_what_is_told_of_times() -> None:
    part = replies.part([(9.0, 1.0), (2.0, 2.0), (300.0, 3.0)])
    assert {one.name: one.met for one in part.figures if one.target} == {
        "the first": True,
        "99 of 100 take at most": False,
        "the longest": False,
    }


@pytest.mark.parametrize(
    ("moves", "judged"),
    [
        ("a1.1 a2.2 b1.1 a3.2 b4.4 a1.2 d4.3", O_WINS),
        ("a1.1", X_WINS),
        ("a1.1 b1.1 d4.4 c1.2 a4.4 b3.2 d1.1", X_PROVEN),
    ],
)
def test_a_position_after_a_mistake_is_judged(moves: str, judged: str) -> None:
    assert mistakes.judge(position_of(moves)) == judged


def test_games_with_a_mistake_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "LEAVES", 20)
    (first, second) = mistakes.games(2, Limit(nodes=500))
    assert first is not None
    assert second is not None
    assert {first.judged, second.judged} <= {O_WINS, X_WINS, X_PROVEN, REFUTED, OPEN}
    monkeypatch.setattr(mistakes, "games", lambda number, limit: iter([first, None, mistakes.Game(X_WINS, "x")]))
    found = figures(mistakes.measure(3, Limit(nodes=1)))
    assert found["games with a mistake"] == 2
    assert found["O wins"] + found["draws"] + found["O loses"] == 2
    assert found["X's other move is known to win too"] + found["all others"] == 2


def test_the_command_leaves_out_what_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solves, "CASES", named("mnk:6,5,4"))
    arguments = ["solve", "--without", "moves", "--without", "verify"]
    done = CliRunner().invoke(bench, arguments)
    assert done.exit_code == 0, done.output
    assert "mnk:6,5,4" in done.stdout
    assert "to the control" in done.stdout
    report = json.loads(CliRunner().invoke(bench, [*arguments, "--json"]).stdout)
    assert [part["name"] for part in report["parts"]] == ["solves"]


def test_only_the_games_with_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, Limit]] = []

    def measure(number: int, limit: Limit) -> Part:
        asked.append((number, limit))
        return Part("mistakes", "of X", [])

    monkeypatch.setattr(mistakes, "measure", measure)
    out = [word for part in (*solving._SOLVES, "moves") for word in ("--without", part)]
    done = CliRunner().invoke(bench, ["solve", *out, "--errors", "3", "--nodes", "7"])
    assert done.exit_code == 0, done.output
    assert asked == [(3, Limit(nodes=7))]
    assert "mistakes: of X" in done.stdout
    assert "solves" not in done.stdout
