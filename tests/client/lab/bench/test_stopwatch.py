"""The watch of a search whose keeping to its time is measured."""

from __future__ import annotations

from client.lab.bench.stopwatch import Stopwatch


def test_what_other_programs_took_is_no_more_than_all() -> None:
    watch = Stopwatch(0)
    watch.elapsed_ms()
    by_clock, own = watch.over_ms()
    assert 0 <= own <= by_clock
    assert Stopwatch(60_000).over_ms()[0] < 0
