"""How a ladder's processes ran."""

from __future__ import annotations

import pytest

from server.report.page import ladder_figures
from server.report.page.words import ReportData


def test_runs(data: ReportData) -> None:
    short, long = ladder_figures.runs(data.frames.samples)
    assert (short.games, short.memory_slope) == (3, None)
    assert short.hours == pytest.approx([10 / 3600])
    assert long.memory_slope == pytest.approx(12, abs=0.01)
    assert long.workers_slope == pytest.approx(0, abs=1e-9)
    assert long.hours[-1] == pytest.approx(2)
    assert long.games == 7200
    assert long.rate == pytest.approx([3600] * len(long.rate), rel=0.02)
    assert 50 <= len(long.rate) <= 60
    assert long.schedule_share == pytest.approx(0.1 / 11, rel=0.001)
    assert long.write_share == pytest.approx(0.02 / 11, rel=0.001)


def test_rates_are_of_each_stretch() -> None:
    assert ladder_figures._rates([1.0, 2.0], [100, 300]) == ([0.5, 1.5], [100.0, 200.0])


def test_a_slope_needs_three_points_apart() -> None:
    assert ladder_figures.slope([], []) is None
    assert ladder_figures.slope([1, 2], [3, 4]) is None
    assert ladder_figures.slope([1, 1, 1], [3, 4, 5]) is None
    assert ladder_figures.slope([0, 1, 2, 3], [90, 1, 3, 5]) == pytest.approx(2), "the first tenth is left out"
