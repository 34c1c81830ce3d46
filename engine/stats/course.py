"""How ratings came about: the standings after the first games of a list, after more of them, and after all. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.stats.davidson import PairResult, fit
from engine.stats.score import Z

POINTS: Final = 24


class Rating(NamedTuple):
    """A rating in Elo, with its 95 % interval by the curvature of the likelihood."""

    rating: float
    low: float
    high: float


class Point(NamedTuple):
    """The ratings after this many pairs, in the order of the bots; None for a bot without pairs until then."""

    pairs: int
    ratings: tuple[Rating | None, ...]


def course(number: int, pairs: Sequence[PairResult], points: int = POINTS) -> list[Point]:
    """The ratings of bots 0 to `number - 1` after about equal steps of `pairs`, which are in the order they ended.

    The last point has the ratings of `engine.stats.davidson.fit`. At the others, those bots have the same mean as at
    the last that had pairs at the first: so who enters later does not move the others. Raises ValueError as `fit` does,
    and for less than one point.
    """
    if points < 1:
        raise ValueError(f"A course needs at least one point, not {points}.")
    ends = sorted({round(len(pairs) * step / points) for step in range(1, points + 1)} - {0})
    counts: Counter[PairResult] = Counter()
    found: list[Point] = []
    begun = 0
    for end in ends:
        counts.update(pairs[begun:end])
        begun = end
        fitted = fit(number, counts)
        played = {bot for pair in counts for bot in (pair.a, pair.b)}
        ratings = [fitted.ratings[bot] if bot in played else None for bot in range(number)]
        reach = [Z * fitted.error(bot) for bot in range(number)]
        found.append(Point(end, tuple(_rating(*each) for each in zip(ratings, reach, strict=True))))
    return [_shifted(point, found[0], found[-1]) for point in found]


def _rating(rating: float | None, reach: float) -> Rating | None:
    return None if rating is None else Rating(rating, rating - reach, rating + reach)


def _shifted(point: Point, first: Point, last: Point) -> Point:
    founders = [bot for bot, one in enumerate(first.ratings) if one is not None]
    now, then = (sum(one.rating for bot in founders if (one := at.ratings[bot])) for at in (point, last))
    shift = (then - now) / len(founders)
    return point._replace(ratings=tuple(one and Rating(*(each + shift for each in one)) for one in point.ratings))
