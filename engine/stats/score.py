"""What games between two bots say about their strength: points, Elo and their uncertainty. Pure, and without numpy.

All intervals are of 95 %. Shares are numbers from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import Final, NamedTuple

Z: Final = 1.959963984540054
"""97.5 % of a normal distribution lie below."""
_T: Final = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582)
"""The same for Student's t with 1 to 5 degrees of freedom."""


class Interval(NamedTuple):
    """A 95 % interval, from `low` to `high`."""

    low: float
    high: float


class Mean(NamedTuple):
    """A mean with its interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Score:
    """How the first of two bots did against the second."""

    won: int
    drawn: int
    lost: int
    pairs: tuple[int, int, int, int, int]
    """Opening pairs in which it made 0, 1/2, 1, 1 1/2 and 2 points; half-played pairs are in none."""
    share: float
    """Its share of the points."""
    interval: Interval
    """The interval of the share."""
    superiority: float
    """The likelihood that it is the stronger one."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def elo(self) -> float:
        """Rating difference that makes this share the expected one; infinite for 0 % and 100 %."""
        return elo(self.share)

    @property
    def elo_interval(self) -> Interval:
        return Interval(elo(self.interval.low), elo(self.interval.high))


def score(pairs: Sequence[Sequence[float]]) -> Score:
    """The score of pairs of games, each the points (0, 1/2, 1) of the first bot in the games of one opening.

    The games of a pair share their opening, so they are not independent and the pair is what is counted (with two
    games "pentanomial": 0 to 2 points in steps of a half): the variance is that of the pairs' mean points. The
    interval is Wilson's for a share `m` with the number of observations that would have this variance, `n = pairs *
    m(1-m) / variance`, and Student's t for few pairs: so it stays between 0 and 1. Pairs that all scored alike say
    nothing of their variance; then each counts as one game won or lost, the largest variance that there can be. So
    0 % and 100 % have one bound that says something, Wilson's.
    A pair with one game, left by an interruption, is a pair like any other; without games all is open.
    """
    points = [point for pair in pairs for point in pair]
    observed = [fmean(pair) for pair in pairs if pair]
    won, lost = points.count(1), points.count(0)
    return Score(
        won=won,
        drawn=len(points) - won - lost,
        lost=lost,
        pairs=_pentanomial(pairs),
        share=fmean(points) if points else 0.5,
        interval=_share_interval(fmean(points), observed) if points else Interval(0.0, 1.0),
        superiority=superiority(won, lost),
    )


def wilson(successes: float, number: float, quantile: float = Z) -> Interval:
    """Wilson's interval for a share of which `successes` of `number` were seen (Wilson 1927); 0 to 1 for none.

    Both may be fractions, for an effective number of observations.
    """
    if number <= 0:
        return Interval(0.0, 1.0)
    share, z2 = successes / number, quantile * quantile
    centre = (share + z2 / (2 * number)) / (1 + z2 / number)
    half = quantile / (1 + z2 / number) * math.sqrt(share * (1 - share) / number + z2 / (4 * number * number))
    return Interval(0.0 if successes <= 0 else centre - half, 1.0 if successes >= number else centre + half)


def mean(values: Sequence[float]) -> Mean:
    """The mean with Student's t interval. One value alone has an infinite one. Raises ValueError for no values."""
    if not values:
        raise ValueError("A mean needs at least one value.")
    middle = fmean(values)
    if len(values) == 1:
        return Mean(middle, -math.inf, math.inf)
    half = student_t(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return Mean(middle, middle - half, middle + half)


def elo(share: float) -> float:
    """The rating difference at which `share` of the points is expected (Elo 1978); infinite at 0 and 1."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


def expected(difference: float) -> float:
    """The share of points expected at a rating difference: the inverse of `elo`."""
    return 1 / (1 + 10 ** (-difference / 400))


def expected_with_draws(difference: float, drawing: float) -> float:
    """The same after Davidson (1970), as `engine.stats.davidson` rates, moving first counted in the difference.

    `drawing` is the ratio of draws to wins of either side between equals; the more draws, the nearer to a half.
    """
    odds = 10 ** (-abs(difference) / 800)
    behind = (odds * odds + odds * drawing / 2) / (1 + odds * drawing + odds * odds)
    return behind if difference < 0 else 1 - behind


def superiority(won: int, lost: int) -> float:
    """The likelihood that the bot that won `won` games is the stronger; normal approximation, draws do not count."""
    if won == lost:
        return 0.5
    return 0.5 + 0.5 * math.erf((won - lost) / math.sqrt(2 * (won + lost)))


def student_t(freedom: int) -> float:
    """97.5 % of Student's t distribution with this many degrees of freedom lie below.

    From a table for the first five, then the expansion of Abramowitz & Stegun 26.7.5, good to four digits.
    """
    if freedom <= len(_T):
        return _T[freedom - 1]
    g1 = (Z**3 + Z) / 4
    g2 = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    g3 = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    g4 = (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160
    return Z + g1 / freedom + g2 / freedom**2 + g3 / freedom**3 + g4 / freedom**4


def quantile(values: Sequence[float], share: float) -> float:
    """The least of the values that at least `share` of them do not exceed. Raises ValueError for no values."""
    if not values:
        raise ValueError("A quantile needs at least one value.")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _pentanomial(pairs: Sequence[Sequence[float]]) -> tuple[int, int, int, int, int]:
    doubled = [round(2 * sum(pair)) for pair in pairs if len(pair) == 2]
    zero, half, one, more, two = (doubled.count(points) for points in range(5))
    return zero, half, one, more, two


def _share_interval(share: float, observed: Sequence[float]) -> Interval:
    number = len(observed)
    spread = variance(observed) if number > 1 else 0.0
    if spread == 0 or not 0 < share < 1:
        return wilson(share * number, number)
    effective = number * share * (1 - share) / spread
    return wilson(share * effective, effective, student_t(number - 1))
