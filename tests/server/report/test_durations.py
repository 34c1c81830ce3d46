"""Times as text."""

from __future__ import annotations

import pytest

from server.report.durations import milliseconds, span


@pytest.mark.parametrize(
    ("us", "text"),
    [
        (0, "<1 ms"), (85, "85 µs"), (999, "999 µs"), (1_000, "1 ms"), (2_345, "2.35 ms"), (12_345, "12.3 ms"),
        (840_400, "840 ms"), (999_600, "1.00 s"), (1_500_000, "1.50 s"), (12_400_000, "12.4 s"),
        (59_960_000, "1 min 0 s"), (200_000_000, "3 min 20 s"),
        (7_500_000_000, "2 h 5 min"),
    ],
)  # fmt: skip
def test_a_time_has_the_unit_that_suits_it(us: int, text: str) -> None:
    assert span(us) == text


@pytest.mark.parametrize(("us", "ms"), [(0, 0), (3_000, 3), (37, 0.037), (1_234, 1.23), (12_345, 12.3), (123_456, 123)])
def test_milliseconds_have_the_digits_that_were_measured(us: int, ms: float) -> None:
    assert milliseconds(us) == ms
