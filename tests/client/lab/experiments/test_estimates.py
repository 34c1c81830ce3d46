"""Estimates of games, their intervals, and how an author's figure is compared with ours."""

from __future__ import annotations

import math
from random import Random

import pytest

from client.lab.experiments.estimates import average, compared, meets, ratio, share
from client.lab.experiments.findings import Estimate, Figure

OURS = Estimate(42.0, 40.0, 44.0)


def test_the_interval_of_a_ratio_begins_at_0() -> None:
    """Of two games, 1 of 2 and 3 of 2: squares of 1 and 1 over one degree of freedom, t of 12.706, means of 2."""
    found = ratio([(1, 2), (3, 2)])
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((1.0, 0.0, 1 + 12.706 / 2), abs=1e-3)


@pytest.mark.parametrize(("low", "high", "agrees"), [(44, 50, True), (30, 40, True), (41, 43, True), (45, 50, False)])
def test_a_range_meets_an_interval_that_it_touches(low: float, high: float, agrees: bool) -> None:
    assert meets(OURS, low, high) is agrees
    assert compared("share", "his", OURS, low, high, "%", otherwise="He played less.") == Figure(
        "share", "his", OURS, "%", agrees=agrees, note="" if agrees else "He played less."
    )


def test_what_cannot_be_compared_says_why() -> None:
    found = compared("share", "his", None, 1, 2, otherwise="No games.")
    assert (found.agrees, found.note) == (None, "No games.")


def test_a_note_that_always_holds_is_always_there() -> None:
    assert compared("share", "his", OURS, 42, 42, note="Of all games.", otherwise="Not so.").note == "Of all games."


def test_shares_and_averages() -> None:
    found = share(50, 100)
    assert found is not None
    assert (round(found.low or 0, 1), found.value, round(found.high or 0, 1)) == (40.4, 50.0, 59.6)
    assert share(0, 0) is None
    assert average([]) is None
    assert average([4.0]) == Estimate(4.0)
    found = average([1.0, 2.0, 3.0])
    assert found is not None
    assert found.high == pytest.approx(2 + 4.302653 / math.sqrt(3))


def test_a_ratios_interval_covers_it() -> None:
    """Pairs of games of unequal length: 95 % of the intervals hold the true ratio, 3 a move."""
    random, covered = Random(1), 0
    for _ in range(1_000):
        moves = [random.randint(5, 15) for _ in range(40)]
        found = ratio((sum(random.expovariate(1 / 3) for _ in range(number)), number) for number in moves)
        covered += bool(meets(found, 3, 3))
    assert 925 <= covered <= 970


def test_a_ratio_of_nothing_and_of_one() -> None:
    assert ratio([]) is None
    assert ratio([(1, 0)]) is None
    assert ratio([(6, 2)]) == Estimate(3.0)
    found = ratio([(6, 2), (9, 3)])
    assert found is not None
    assert (found.value, found.low, found.high) == (3, 3, 3)


def test_meeting() -> None:
    assert meets(Estimate(5, 4, 6), 6, 7)
    assert not meets(Estimate(5, 4, 6), 6.1, 7)
    assert meets(Estimate(5), 5, 5)
    assert not meets(Estimate(5), 5.1, 6)
    assert meets(None, 0, 1) is None
