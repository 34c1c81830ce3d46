"""Estimates of games: shares, means and ratios with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from client.lab.experiments.findings import Estimate, Figure, Series
from engine.stats.score import Mean, mean, student_t, wilson


def share(successes: int, number: int) -> Estimate | None:
    """A share in percent with Wilson's interval; None of none."""
    if not number:
        return None
    low, high = wilson(successes, number)
    return Estimate(100 * successes / number, 100 * low, 100 * high)


def average(values: Sequence[float]) -> Estimate | None:
    """The mean of independent values, none negative, with Student's t interval from 0 on; None of none."""
    return _estimate(mean(values)) if values else None


def ratio(pairs: Iterable[tuple[float, float]]) -> Estimate | None:
    """The sum of the first numbers over that of the second, for independent pairs (games); None over nothing.

    What happens within a game is not independent, so games are what is counted. The interval is Student's t with the
    linearised variance of a ratio (Cochran, Sampling Techniques, 1977, 6.4), from 0 on: no number may be negative.
    """
    both = list(pairs)
    over, under = sum(a for a, _ in both), sum(b for _, b in both)
    if not under:
        return None
    value = over / under
    number = len(both)
    if number < 2:
        return Estimate(value)
    spread = sum((a - value * b) ** 2 for a, b in both) / (number - 1)
    half = student_t(number - 1) * math.sqrt(spread / number) / (under / number)
    return Estimate(value, max(0.0, value - half), value + half)


def series(name: str, y: Sequence[Estimate | None], x: Sequence[float] | None = None) -> Series:
    """Estimates to plot with their intervals, by default at 0, 1, 2, ...; None is skipped."""
    at = range(len(y)) if x is None else x
    there = [(float(where), one) for where, one in zip(at, y, strict=True) if one is not None]
    return Series(
        name,
        [where for where, _ in there],
        [one.value for _, one in there],
        [one.value if one.low is None else one.low for _, one in there],
        [one.value if one.high is None else one.high for _, one in there],
    )


def meets(estimate: Estimate | None, low: float, high: float) -> bool | None:
    """Whether an interval (or, without bounds, the value) meets the range from `low` to `high`; None without one."""
    if estimate is None:
        return None
    least = estimate.value if estimate.low is None else estimate.low
    most = estimate.value if estimate.high is None else estimate.high
    return least <= high and low <= most


def compared(
    what: str,
    author: str,
    ours: Estimate | None,
    low: float,
    high: float,
    unit: str = "",
    *,
    exact: bool = False,
    note: str = "",
    otherwise: str = "",
) -> Figure:
    """An author's figure, which is from `low` to `high`, and ours; `otherwise` is the note where they do not meet."""
    agrees = meets(ours, low, high)
    return Figure(what, author, ours, unit, exact, agrees, note or ("" if agrees else otherwise))


def _estimate(found: Mean) -> Estimate:
    if math.isinf(found.low):
        return Estimate(found.mean)
    return Estimate(found.mean, max(0.0, found.low), found.high)
