"""Engines where games are played: which of them stay warm, and how long one may think."""

from __future__ import annotations

import sys
from random import Random

import pytest

from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.limit import Limit
from engine.rules.registry import rules
from server.workers.engines import playing
from server.workers.engines.engine import Engine
from tests.support.foreign_engines.ended import assert_gone
from tests.support.foreign_engines.scripts import engine

TELLS_TIME = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    print(json.dumps({"move": told["legal"][0], "nodes": told["move_ms"]}), flush=True)
"""


def test_few_engines_are_warm_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MAX_WARM", 2)
    first, other, new = engine(), engine(file_mb=2), engine(file_mb=3)
    playing.prepare(first, rules("tictactoe"))
    playing.prepare(other, rules("tictactoe"))
    pid = playing._sessions[other].pid
    assert pid is not None
    playing.prepare(first, rules("tictactoe"))
    playing.prepare(new, rules("tictactoe"))
    assert_gone(pid)
    assert list(playing._sessions) == [first, new], "the other was asked longest ago"


def test_it_has_the_time_of_the_limit_and_else_its_own() -> None:
    one = Engine("mine", sys.executable, "/", "json", ("-c", TELLS_TIME), limits=("nodes",), move_ms=60_000)
    position = rules("tictactoe").initial
    told = [
        playing.decide((one, ()), position, limit, Random(1), NO_WATCH).nodes
        for limit in (NO_LIMIT, Limit(move_ms=50_000), Limit(nodes=5))
    ]
    assert told == [60_000, 50_000, 60_000]
