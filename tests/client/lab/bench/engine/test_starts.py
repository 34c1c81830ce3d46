"""What a process that searches takes before its first move."""

from __future__ import annotations

from client.lab.bench.engine import starts


def test_a_process_without_a_compiler_searches_too() -> None:
    assert starts.interpreted_rate() > 0


def test_searches_end_by_their_time() -> None:
    found = starts.overshoots([1])
    assert found
    assert all(one.over_ms >= one.own_ms >= 0 for one in found)
