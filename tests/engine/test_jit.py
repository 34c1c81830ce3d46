"""Kernels without the compiler, without a cache, and under another cache folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.player import Limit, decide
from engine.roster import bot
from engine.rules.registry import rules

GAMES = ("tictactoe", "mnk:9,9,5", "qubic", "nine-board", "super")

SCRIPT = """
import sys
from engine.player import Limit, decide
from engine.roster import bot
from engine.rules.registry import rules
for game in sys.argv[1:]:
    print(decide(bot("alphabeta:3"), rules(game).initial, Limit(nodes=2000), seed=4))
"""


def decisions(*games: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "always", "-c", SCRIPT, *games]
    env = {**os.environ, **variables}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=110)


def test_plain_python_decides_the_same() -> None:
    done = decisions(*GAMES, NUMBA_DISABLE_JIT="1")
    assert done.stderr == ""
    here = [decide(bot("alphabeta:3"), rules(game).initial, Limit(nodes=2000), seed=4) for game in GAMES]
    assert done.stdout.splitlines() == [repr(decision) for decision in here]


@pytest.mark.parametrize("place", ["file", "below a file"])
def test_a_cache_that_cannot_be_written_is_said_once_and_done_without(tmp_path: Path, place: str) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    folder = taken if place == "file" else taken / "cache"
    done = decisions("tictactoe", NUMBA_CACHE_DIR=str(folder), NUMBA_DISABLE_JIT="1")
    assert done.stderr.count("Compiled searches cannot be kept in") == 1
    assert "NUMBA_CACHE_DIR" in done.stderr
    assert done.stdout.startswith("Decision(move=")
    assert taken.read_text() == ""


def test_the_cache_lies_in_a_folder_named_after_the_sources(tmp_path: Path) -> None:
    done = decisions("tictactoe", NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="1")
    assert done.stderr == ""
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("kernels-")
    assert len(folder.name) == len("kernels-") + 16
