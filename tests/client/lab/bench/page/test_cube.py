"""`noughts bench cube` in a process of its own: Playwright bears no second one beside that of the browser tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.lab.bench.page import cube
from client.lab.bench.wire import BenchError
from engine.rules.position import play_all
from engine.rules.registry import rules


@pytest.mark.parametrize("game", ["cube:3", "qubic", "cube:5"])
def test_the_game_that_is_turned_goes_on(game: str) -> None:
    position = play_all(rules(game).initial, map(rules(game).parse_move, cube._moves(game)))
    assert (position.ply, position.outcome) == ({"cube:3": 10, "qubic": 24, "cube:5": 46}[game], None)


def test_without_a_browser_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BenchError, match="Chromium is not installed"):
        cube.measure(tmp_path, "qubic", 1, 1)


def test_a_process_that_has_ended_is_left_out() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert list(cube._used_s([gone.pid, os.getpid()])) == [os.getpid()]


@pytest.mark.slow
@pytest.mark.browser
def test_frames_are_counted() -> None:
    command = [sys.executable, "-m", "client.cli", "bench", "cube", "--seconds", "0.3", "--repeat", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = {one["name"]: one for one in json.loads(done.stdout)["figures"]}
    assert figures["cube, desktop: by keys"]["target"] == 50
    assert "target" not in figures["cube, phone, slowed 4 times: by drag"]
    late = [one["value"] for name, one in figures.items() if "longer than 20 ms" in name]
    assert len(late) == 9
    assert all(0 <= share["low"] <= share["high"] <= 100 for share in late)
    assert set(figures["cube, phone: by drag"]) == {"name", "unit", "value", "target", "met", "at_least"}
    assert all(one["value"]["low"] > 0 for one in figures.values() if one["unit"] == "frames/s")
