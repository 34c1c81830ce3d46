"""`noughts bench ladder` runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.lab.bench import ladder
from client.lab.bench.command import bench
from client.lab.bench.wire import BenchError
from engine.rules.registry import rules
from server.ladder.config import parse

NAMES = {
    "games a second", "control: one process, nothing recorded", "CPU per game in all", "of it workers",
    "of it writing", "of it scheduling", "memory, workers included", "scheduling, bots that search",
}  # fmt: skip


@pytest.mark.slow
def test_a_ladder_is_measured_beside_the_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "_SEARCHING", ladder._INSTANT)
    monkeypatch.setattr(ladder, "_CONTROL_GAMES", 20)
    done = CliRunner().invoke(bench, ["ladder", "--games", "100", "--jobs", "1", "--repeat", "1", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    figures = {one["name"]: one["value"]["median"] for one in told["part"]["figures"]}
    assert figures.keys() == NAMES
    assert all(value > 0 for name, value in figures.items() if "scheduling" not in name and "writing" not in name)
    assert figures["of it workers"] < figures["CPU per game in all"]
    assert 0 <= figures["scheduling, bots that search"] < 100
    targets = {one["name"]: one.get("target") for one in told["part"]["figures"]}
    assert targets["games a second"] == ladder.TARGET_GAMES == 2_000
    assert targets["scheduling, bots that search"] == ladder.TARGET_SCHEDULE == 2.0


def test_its_ladders_last_for_as_many_games_as_are_asked_for() -> None:
    [instant] = parse(ladder._INSTANT).lists
    assert instant.different_openings is None
    [searching] = parse(ladder._SEARCHING).lists
    assert searching.different_openings is not None
    assert searching.different_openings * len(searching.bots) * (len(searching.bots) - 1) >= 400
    assert all(one.plays(rules(searching.game)) for one in searching.bots)


def test_a_ladder_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BenchError, match=r"^The ladder failed: noughts: .* There is no game 'chess'"):
        ladder._ladder(tmp_path / "x.db", ladder._INSTANT.replace("tictactoe", "chess"), 100, 1)
    monkeypatch.setattr(ladder, "_INSTANT", "")
    monkeypatch.setattr(ladder, "_CONTROL_GAMES", 2)
    done = CliRunner().invoke(bench, ["ladder", "--games", "100", "--jobs", "1", "--repeat", "1"])
    assert done.exit_code == 1
    assert "name is missing" in done.output
