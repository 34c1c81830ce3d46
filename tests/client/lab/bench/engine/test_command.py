"""`noughts bench engine`: its output and the signature."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.engine import control, searches
from client.lab.bench.engine.control import Duel
from client.lab.bench.figures import Part
from engine.bench import CASES

PINNED: dict[str, int] = json.loads((Path(__file__).parents[4] / "data" / "bench.json").read_text())["cases"]


def test_the_engine_is_measured_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [case for case in CASES if case.name in ("tictactoe after 0: full 9", "qubic after 0: altekar >= 3")]
    monkeypatch.setattr("engine.bench.CASES", tuple(kept))
    monkeypatch.setattr(searches, "DUELS", (Duel("qubic", 3),))
    monkeypatch.setattr(control, "compiler", lambda: None)
    monkeypatch.setattr(searches, "processes", lambda repeat, folder: Part("processes", "not here", []))
    done = CliRunner().invoke(bench, ["engine", "--repeat", "2"])
    assert done.exit_code == 0, done.output
    signature = sum(PINNED[case.name] for case in kept)
    assert f"\nBench: {signature}\n" in done.stdout
    assert "There is no gcc here" in done.stdout
    assert "qubic after 0: altekar >= 3" in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:])) <= 100
    report = json.loads(CliRunner().invoke(bench, ["engine", "--repeat", "2", "--json"]).stdout)
    assert report["signature"] == signature
    assert [len(one["taken_ms"]) for one in report["cases"]] == [2, 2]
    assert [part["name"] for part in report["parts"]] == ["C", "speed", "processes"]


def test_the_signature_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "tictactoe after 0: full 9"
    monkeypatch.setattr("engine.bench.CASES", tuple(case for case in CASES if case.name == name))
    assert CliRunner().invoke(bench, ["engine", "--signature"]).stdout == f"Bench: {PINNED[name]}\n"
    counted = json.loads(CliRunner().invoke(bench, ["engine", "--signature", "--json"]).stdout)
    assert counted == {"bench": PINNED[name], "cases": {name: PINNED[name]}}
