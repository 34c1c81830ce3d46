"""The watch of a search whose keeping to its time is measured."""

from __future__ import annotations

import pytest

from client.lab.bench import stopwatch
from client.lab.bench.stopwatch import Stopwatch


class Machine:
    """Its clocks, in seconds. Eighths of them are exact."""

    def __init__(self) -> None:
        self.now_s = self.used_s = 10.0

    def perf_counter(self) -> float:
        return self.now_s

    def process_time(self) -> float:
        return self.used_s

    def run(self, ms: int, others_ms: int = 0) -> None:
        """We use the core, or other programs do."""
        self.now_s += (ms + others_ms) / 1000
        self.used_s += ms / 1000


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine()
    monkeypatch.setattr(stopwatch, "time", found)
    return found


def test_what_other_programs_took_is_not_our_own(machine: Machine) -> None:
    watch = Stopwatch(1_000)
    machine.run(875)
    assert (watch.elapsed_ms(), watch.over_ms()) == (875, (-125, -125))
    machine.run(250, others_ms=750)
    assert watch.elapsed_ms() == 1_875
    machine.run(125)
    assert watch.elapsed_ms() == 2_000
    assert watch.over_ms() == (1_000, 375)  # some of it may have been in time


def test_our_own_is_no_more_than_all(machine: Machine) -> None:
    watch = Stopwatch(1_000)
    machine.run(1_500)
    assert watch.over_ms() == (500, 500)
