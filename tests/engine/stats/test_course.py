"""Ratings over the games of a list."""

from __future__ import annotations

import pytest

from engine.stats.course import course
from engine.stats.davidson import PairResult, fit
from engine.stats.score import Z

PLAYED = [
    PairResult(a, b, as_x, as_o)
    for as_x, as_o in [(1.0, 0.0), (0.0, 0.5), (1.0, 1.0)] * 7
    for a, b in [(0, 1), (1, 2), (0, 2)]
][:60]


def test_the_last_point_is_the_standing() -> None:
    found = course(3, PLAYED, points=6)
    assert [point.pairs for point in found] == [10, 20, 30, 40, 50, 60]
    whole = fit(3, PLAYED)
    for bot, one in enumerate(found[-1].ratings):
        assert one is not None
        assert one.rating == pytest.approx(whole.ratings[bot])
        assert (one.low + one.high) / 2 == pytest.approx(one.rating)
        assert one.high - one.low == pytest.approx(2 * Z * whole.error(bot))
        first = found[0].ratings[bot]
        assert first is not None
        assert first.high - first.low > one.high - one.low > 0, "more games tell more"


def test_who_enters_moves_nobody() -> None:
    """A bot far above the others has no rating before its first pair, and theirs go on from where they were."""
    later = [PairResult(3, bot, 1.0, 1.0) for bot in range(3)] * 20
    found = course(4, [*PLAYED, *later], points=4)
    assert [point.ratings[3] is None for point in found] == [True, True, False, False]
    means = [sum(one.rating for one in point.ratings[:3] if one is not None) / 3 for point in found]
    assert means == pytest.approx([means[-1]] * 4)
    last = [one.rating for one in found[-1].ratings if one is not None]
    assert last == pytest.approx(fit(4, [*PLAYED, *later]).ratings), "the last point is the standing still"
    before, after = found[1].ratings, found[2].ratings
    assert max(abs(one.rating - other.rating) for one, other in zip(before, after, strict=True) if one and other) < 60


def test_few_pairs_have_few_points() -> None:
    assert [point.pairs for point in course(3, PLAYED[:2])] == [1, 2]
    assert course(3, []) == []
    with pytest.raises(ValueError, match="A course needs at least one point, not 0"):
        course(3, PLAYED, points=0)
