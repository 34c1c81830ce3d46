"""The clock of a search for an arena."""

from __future__ import annotations

import pytest

from client.lab.brain.watch import SearchWatch


def test_reports_carry_the_time_since_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    now_ns = [5_000_000]
    monkeypatch.setattr("client.lab.brain.watch.time.monotonic_ns", lambda: now_ns[0])
    told: list[object] = []
    watch = SearchWatch(lambda: True, lambda *figures: told.append(figures))
    now_ns[0] = 17_900_000
    watch.report(10, 2, 1.5, (3,))
    assert told == [(10, 2, 1.5, (3,), 12)]
    assert watch.stopped()
