"""`noughts bench solve` runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.figures import Part
from client.lab.bench.solve import command as solving
from client.lab.bench.solve import mistakes, solves
from engine.bots.player import Limit
from tests.support.lab.bench import named


def test_every_case_can_be_left_out() -> None:
    assert {case.kind for case in solves.CASES} == set(solving._SOLVES)
    assert all(case.kind == "boards" for case in solves.CASES if case.long)


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
