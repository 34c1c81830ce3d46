"""Estimates of games, and how an author's figure is compared with ours."""

from __future__ import annotations

import pytest

from client.lab.experiments.estimates import compared, meets, ratio
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
