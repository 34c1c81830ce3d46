"""The statistics of matches: known values, and what must hold for any numbers."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.davidson import Fit
from engine.stats.score import elo, expected, expected_with_draws, mean, quantile, score, student_t, superiority, wilson

points = st.sampled_from([0.0, 0.5, 1.0])
pairs = st.lists(st.lists(points, min_size=2, max_size=2), max_size=60)


@pytest.mark.parametrize(
    ("successes", "number", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(successes: int, number: int, low: float, high: float) -> None:
    assert wilson(successes, number) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(10, 10) == pytest.approx((1 / (1 + 1.959964**2 / 10), 1))


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_mirrors(seen: tuple[int, int]) -> None:
    successes, number = seen
    low, high = wilson(successes, number)
    assert 0 <= low <= successes / number <= high <= 1
    mirrored = wilson(number - successes, number)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high))


@pytest.mark.parametrize(("share", "difference"), [(0.5, 0), (0.75, 190.85), (0.64, 99.95), (10 / 11, 400)])
def test_elo(share: float, difference: float) -> None:
    assert elo(share) == pytest.approx(difference, abs=0.01)
    assert elo(1 - share) == pytest.approx(-difference, abs=0.01)
    assert expected(elo(share)) == pytest.approx(share)


@given(st.floats(-3000, 3000), st.floats(0, 50))
def test_the_expected_share_with_draws_is_that_of_the_ratings(difference: float, drawing: float) -> None:
    win, draw, _ = Fit((difference, 0.0), 0.0, drawing, ()).expected(0, 1)
    assert expected_with_draws(difference, drawing) == pytest.approx(win + draw / 2)
    assert expected_with_draws(difference, 0) == pytest.approx(expected(difference))


def test_the_expected_share_far_apart() -> None:
    assert expected_with_draws(0, 7) == 0.5
    assert (expected_with_draws(1e7, 1), expected_with_draws(-1e7, 1)) == (1, 0)


def test_elo_of_all_and_nothing() -> None:
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.7062), (2, 4.3027), (5, 2.5706), (6, 2.4469), (10, 2.2281), (30, 2.0423), (120, 1.9799), (10**6, 1.96)],
)
def test_student(freedom: int, t: float) -> None:
    assert student_t(freedom) == pytest.approx(t, abs=1e-4)


def test_the_mean_of_some_values() -> None:
    # Five values with standard deviation sqrt(2.5): 2.776445 * sqrt(2.5 / 5) either side.
    assert mean([1, 2, 3, 4, 5]) == pytest.approx((3, 3 - 1.963243, 3 + 1.963243), abs=1e-6)
    assert mean([7]) == (7, -math.inf, math.inf)
    with pytest.raises(ValueError, match="at least one"):
        mean([])


def test_superiority() -> None:
    assert superiority(0, 0) == superiority(5, 5) == 0.5
    assert superiority(60, 40) == pytest.approx(0.97725, abs=1e-5)  # two standard deviations
    assert superiority(40, 60) == pytest.approx(1 - superiority(60, 40))


def test_quantile() -> None:
    values = list(range(1, 101))
    assert (quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1), quantile(values, 0)) == (50, 99, 100, 1)
    assert quantile([3.0], 0.99) == 3.0
    with pytest.raises(ValueError, match="at least one"):
        quantile([], 0.5)


def test_a_score_counts_games_and_pairs() -> None:
    told = score([(1, 1), (1, 0), (0.5, 0.5), (0, 0.5), (1,)])
    assert (told.won, told.drawn, told.lost, told.games) == (4, 3, 2, 9)
    assert told.pairs == (0, 1, 2, 0, 1)
    assert told.share == pytest.approx(5.5 / 9)


def test_the_interval_is_that_of_the_pairs() -> None:
    """Where each opening is won by whoever moves first the score is sure, however the single games went."""
    unpaired = score([(1,), (0,)] * 50)
    paired = score([(1, 0)] * 49 + [(1, 1)])
    assert unpaired.interval == pytest.approx(wilson(50, 100, student_t(99)), abs=2e-3)
    assert paired.interval.high - paired.interval.low < 0.25 * (unpaired.interval.high - unpaired.interval.low)


def test_few_pairs_are_less_sure() -> None:
    """Shares 1 and 1/2: variance 1/8, as of 2 * 3/16 / (1/8) = 3 games, and Student's t with one degree of freedom."""
    assert score([(1, 1), (1, 0)]).interval == pytest.approx(wilson(2.25, 3, student_t(1)))


@pytest.mark.parametrize(("pair", "low", "high"), [((1, 1), 0.7225, 1), ((0, 0), 0, 0.2775), ((1, 0), 0.2366, 0.7634)])
def test_pairs_that_are_all_alike_count_as_games(pair: tuple[int, int], low: float, high: float) -> None:
    told = score([pair] * 10)
    assert told.interval == pytest.approx((low, high), abs=5e-5)


def test_elo_at_all_and_nothing_has_one_bound() -> None:
    told = score([(1, 1)] * 10)
    assert told.elo == told.elo_interval.high == math.inf
    assert told.elo_interval.low == pytest.approx(elo(0.7225), abs=0.1)


def test_nothing_played_says_nothing() -> None:
    told = score([])
    assert (told.games, told.share, told.interval, told.superiority) == (0, 0.5, (0, 1), 0.5)
    assert told.elo == 0


@given(pairs)
def test_a_score_of_any_pairs(played: list[list[float]]) -> None:
    told = score(played)
    assert told.games == 2 * len(played)
    assert sum(told.pairs) == len(played)
    assert 0 <= told.interval.low <= told.share <= told.interval.high <= 1
    assert told.elo_interval.low <= told.elo <= told.elo_interval.high
    turned = score([[1 - point for point in pair] for pair in played])
    assert (turned.won, turned.lost) == (told.lost, told.won)
    assert (1 - turned.interval.high, 1 - turned.interval.low) == pytest.approx(tuple(told.interval))
    assert turned.superiority == pytest.approx(1 - told.superiority)


@pytest.mark.parametrize("number", [6, 30, 200])
def test_the_interval_covers_the_truth(number: int) -> None:
    """Openings that favour a side make the games of a pair depend on each other; 95 % hold all the same."""
    random = Random(number)

    def pair() -> tuple[float, float]:
        edge = random.choice([-0.3, 0, 0.3])
        first = 1.0 if random.random() < 0.6 + edge else 0.0
        second = 1.0 if random.random() < 0.6 - edge else random.choice([0.0, 0.5])
        return first, second

    truth = (0.6 + 0.6 + 0.4 * 0.25) / 2
    covered = sum(low <= truth <= high for low, high in (score([pair() for _ in range(number)]).interval
                                                         for _ in range(1000)))  # fmt: skip
    assert 925 <= covered <= 985
