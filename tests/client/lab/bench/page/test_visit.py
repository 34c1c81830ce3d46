"""`noughts bench page` in a process of its own: Playwright bears no second one beside that of the browser tests."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from client.lab.bench.page import visit
from engine.rules.position import play_all
from engine.rules.registry import rules


@pytest.mark.parametrize("game", visit.PLAYED)
def test_the_moves_that_are_measured_are_legal(game: str) -> None:
    position = play_all(rules(game).initial, map(rules(game).parse_move, visit._moves(game, seed=0)))
    assert position.ply == visit.MOVES or position.outcome is not None


@pytest.mark.slow
@pytest.mark.browser
def test_the_page_is_light_and_nothing_jumps() -> None:
    """Times belong to a machine and are not held."""
    command = [sys.executable, "-m", "client.cli", "bench", "page", "--repeat", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    part = json.loads(done.stdout)
    figures = {one["name"]: one for one in part["figures"]}
    assert figures["first load"]["target"] == 200
    assert figures["first load"]["met"]
    assert figures["requests of a first visit"]["met"]
    assert figures["requests of a second visit"]["value"]["high"] <= 3  # the page and two lists of games
    assert [figures[f"layout shift, {game} against a bot"]["value"]["high"] for game in visit.WATCHED] == [0, 0], part
    assert {figures[name]["target"] for name in ("first paint", "answer, qubic")} == {500, 50}
    assert all(figures[f"answer, {game}"]["value"]["low"] > 0 for game in visit.PLAYED)
    assert {figures[f"cube, {size}: by drag"]["target"] for size in ("desktop", "phone")} == {50}
    (pages,) = part["tables"]
    assert {"/", "/ladder", "/game/1"} <= {row[0] for row in pages["rows"]}
