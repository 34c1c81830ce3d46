"""Places and numbers of an axis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.report.drawing.scales import LogScale, Scale, labels, powers, spanned, ticks


def test_a_scale_is_a_straight_line_from_its_start_to_its_end() -> None:
    scale = Scale(0, 10, 200, 100)
    assert [scale.at(value) for value in (0, 5, 10)] == [200, 150, 100]


def test_decades_are_equally_wide() -> None:
    scale = LogScale(1, 1000, 0, 300)
    assert [scale.at(value) for value in (1, 10, 100, 1000)] == pytest.approx([0, 100, 200, 300])
    assert scale.at(0.001) == 0, "what is below the axis stands at its edge"


def test_a_logarithmic_axis_can_begin_at_0() -> None:
    scale = LogScale(0, 100, 0, 230)
    assert [scale.at(value) for value in (0, 0.5, 1, 10, 100)] == pytest.approx([0, 15, 30, 130, 230])


def test_a_span_leaves_a_margin() -> None:
    assert spanned([0, 100], 0, 1, 0.02) == Scale(-2, 102, 0, 1)
    for values in ([5.0], [5.0, 5.0], [0.0], []):
        scale = spanned(values, 0, 100, 0.02)
        assert scale.low < scale.high, "one value alone, or none, has an axis too"


@pytest.mark.parametrize(
    ("low", "high", "most", "whole", "expected"),
    [
        (0, 10, 6, False, [0, 2, 4, 6, 8, 10]),
        (0, 1, 6, False, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 1.08, 6, True, [0, 1]),
        (-320, 270, 6, False, [-300, -200, -100, 0, 100, 200]),
        (39.6, 72, 4, False, [40, 50, 60, 70]),
        (-1.1, 1.1, 6, True, [-1, 0, 1]),
    ],
)  # fmt: skip
def test_ticks_are_round_numbers(low: float, high: float, most: int, whole: bool, expected: list[float]) -> None:
    assert ticks(low, high, most, whole=whole) == pytest.approx(expected)


@given(
    st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.integers(2, 8), st.booleans()
)  # fmt: skip
def test_ticks_lie_on_the_axis_and_have_different_labels(low: float, span: float, most: int, whole: bool) -> None:
    high = low + span
    found = ticks(low, high, most, whole=whole)
    assert len(found) <= most
    slack = 1e-6 * span + 1e-7 * abs(low)
    assert all(low - slack <= value <= high + slack for value in found)
    assert len(set(labels(found))) == len(found)


def test_powers_of_ten() -> None:
    assert powers(3, 500) == [1, 10, 100, 1000]
    assert powers(0, 500) == [0, 1, 10, 100, 1000]
    assert powers(0, 50_000) == [0, 100, 1000, 10_000, 100_000], "1 stands too near to 0"
    assert powers(0.02, 0.5) == pytest.approx([0.01, 0.1, 1])
    assert len(powers(1e-6, 1e12)) <= 8


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 2500, 5000], ["0", "2,500", "5,000"]),
        ([0, 10_000, 20_000], ["0", "10k", "20k"]),
        ([12_000, 12_500, 13_000], ["12k", "12.5k", "13k"]),
        ([0, 1e6, 2e6], ["0", "1M", "2M"]),
        ([1_000_010, 1_000_020], ["1,000,010", "1,000,020"]),
        ([0, 0.0002, 0.0004], ["0", "0.0002", "0.0004"]),
        ([-200, 0, 200], ["\N{MINUS SIGN}200", "0", "200"]),
        ([1, 10, 100, 1000, 10_000, 1e5, 1e9], ["1", "10", "100", "1,000", "10k", "100k", "1G"]),
        ([0.01, 0.1, 1.0], ["0.01", "0.1", "1"]),
        ([7], ["7"]),
        ([0.25], ["0.25"]),
        ([], []),
    ],
)
def test_labels_are_short_and_tell_neighbours_apart(values: list[float], expected: list[str]) -> None:
    assert labels(values) == expected
