"""Engines where games are played: which of them stay warm."""

from __future__ import annotations

import pytest

from engine.rules.registry import rules
from server.workers.engines import playing
from tests.support.foreign_engines.ended import assert_gone
from tests.support.foreign_engines.scripts import engine


def test_few_engines_are_warm_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MAX_WARM", 1)
    a, b = engine(), engine(file_mb=2)
    playing.prepare(a, rules("tictactoe"))
    pid = playing._sessions[a].pid
    assert pid is not None
    playing.prepare(b, rules("tictactoe"))
    assert_gone(pid)
    assert list(playing._sessions) == [b]
