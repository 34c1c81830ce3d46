"""The sequential test: published values of other programs, closed forms, what must hold, and its errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.score import expected
from engine.stats.sprt import Sprt

counts = st.tuples(*[st.integers(0, 3000)] * 5)
many = st.tuples(*[st.integers(1, 3000)] * 5)
tests = st.tuples(st.integers(-300, 300), st.integers(1, 200)).map(lambda two: Sprt(two[0], two[0] + two[1]))

Pairs = tuple[int, int, int, int, int]


@pytest.mark.parametrize(
    ("elo0", "elo1", "pairs", "llr"),
    [
        # fastchess, app/tests/sprt_test.cpp, "logistic pentanomial" 1 and 2; pairs of a win and a loss and pairs of two
        # draws, told apart there, are one number here.
        (0.5, 2.5, (223, 9863, 20279 + 1000, 10037, 246), -3.07),
        (0.0, 2.0, (871, 26175, 55003 + 980, 26678, 821), -4.98),
        # What fishtest printed of tests of Stockfish from 2020 to 2021, quoted in the pull requests of these numbers.
        # Its Elo in {} is the one here; since then it prints normalised Elo in <>.
        (-1.0, 3.0, (424, 2948, 5832, 3045, 460), 2.94),  # 2493
        (0.0, 2.0, (1284, 17437, 55536, 18085, 1292), 2.94),  # 2493
        (-1.5, 0.5, (243, 1665, 3339, 1762, 281), 2.95),  # 2598
        (-1.5, 0.5, (444, 5546, 17841, 5604, 428), 2.63),  # 2598
        (-0.5, 1.5, (665, 4806, 9333, 4893, 747), 2.95),  # 2920
        (0.25, 1.75, (328, 4564, 15580, 4789, 371), 2.98),  # 2920
        (-0.5, 1.5, (17, 253, 1042, 337, 39), 2.96),  # 2971
        (0.25, 1.75, (11, 407, 3238, 513, 11), 2.93),  # 2971
        (-0.25, 1.25, (253, 4282, 17604, 4431, 286), 2.94),  # 3209
        (0.25, 1.25, (58, 3302, 33130, 3518, 84), 2.97),  # 3209
        (0.25, 1.25, (14, 1030, 14318, 1163, 19), 2.93),  # 3331
    ],
)
def test_published_values(elo0: float, elo1: float, pairs: Pairs, llr: float) -> None:
    assert Sprt(elo0, elo1).llr(pairs) == pytest.approx(llr, abs=0.0051)


def test_bounds() -> None:
    sprt = Sprt(0, 5)
    assert (sprt.lower, sprt.upper) == pytest.approx((-math.log(19), math.log(19)))
    assert round(sprt.upper, 2) == 2.94
    uneven = Sprt(0, 5, alpha=0.01, beta=0.1)
    assert (uneven.lower, uneven.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_verdicts() -> None:
    sprt = Sprt(0, 5)
    told = [sprt.verdict(llr) for llr in (-9, sprt.lower, -2.94, 0, 2.94, sprt.upper, 9)]
    assert told == ["H0", "H0", None, None, None, "H1", "H1"]


def test_no_pairs() -> None:
    assert Sprt(-3, 10).llr((0, 0, 0, 0, 0)) == 0


@pytest.mark.parametrize(("won", "lost"), [(40, 60), (100, 0), (0, 7), (3, 3)])
def test_pairs_that_are_won_or_lost_whole(won: int, lost: int) -> None:
    """Then only two results are possible, but for the thousandths of the others: the chance of one is the mean."""
    s0, s1 = expected(-20), expected(50)
    llr = won * math.log(s1 / s0) + lost * math.log((1 - s1) / (1 - s0))
    assert Sprt(-20, 50).llr((lost, 0, 0, 0, won)) == pytest.approx(llr, abs=0.02)


@given(many)
def test_near_the_mean_it_is_that_of_a_normal_distribution(pairs: Pairs) -> None:
    """n (s1 - s0) (2 m - s0 - s1) / 2 v: Van den Bergh, cantate.be/Fishtest/GSPRT_approximation.pdf."""
    number = sum(pairs)
    mean = sum(count * points / 4 for points, count in enumerate(pairs)) / number
    variance = sum(count * (points / 4 - mean) ** 2 for points, count in enumerate(pairs)) / number
    middle = 400 * math.log10(mean / (1 - mean))
    sprt = Sprt(middle - 0.1, middle + 0.2)
    s0, s1 = expected(sprt.elo0), expected(sprt.elo1)
    normal = number * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert sprt.llr(pairs) == pytest.approx(normal, rel=0.05, abs=1e-3)


@given(counts, tests)
def test_the_chances_are_the_likeliest_with_their_mean(pairs: Pairs, sprt: Sprt) -> None:
    """The multiplier by halving, as plainly as can be."""

    def log_likelihood(mean: float) -> float:
        seen = [(max(count, 1e-3), points / 4 - mean) for points, count in enumerate(pairs)]
        low, high = -1 / (1 - mean), 1 / mean
        for _ in range(200):
            x = (low + high) / 2
            try:
                slope = sum(count * by / (1 + x * by) for count, by in seen)
            except ZeroDivisionError:
                break
            low, high = (x, high) if slope > 0 else (low, x)
        number = sum(count for count, _ in seen)
        chances = [count / number / (1 + low * by) for count, by in seen]
        assert sum(chances) == pytest.approx(1, abs=1e-6)
        return sum(count * math.log(chance) for (count, _), chance in zip(seen, chances, strict=True))

    plain = log_likelihood(expected(sprt.elo1)) - log_likelihood(expected(sprt.elo0))
    assert sprt.llr(pairs) == pytest.approx(plain if any(pairs) else 0, rel=1e-6, abs=1e-6)


@given(counts, tests)
def test_the_other_bot_first(pairs: Pairs, sprt: Sprt) -> None:
    turned = Sprt(-sprt.elo1, -sprt.elo0, sprt.beta, sprt.alpha)
    assert turned.llr(pairs[::-1]) == pytest.approx(-sprt.llr(pairs), rel=1e-9, abs=1e-9)
    assert (turned.lower, turned.upper) == pytest.approx((-sprt.upper, -sprt.lower))


@given(counts, tests, st.integers(1, 100))
def test_steps_between_hypotheses_add_up(pairs: Pairs, sprt: Sprt, further: int) -> None:
    there = Sprt(sprt.elo1, sprt.elo1 + further).llr(pairs)
    assert Sprt(sprt.elo0, sprt.elo1 + further).llr(pairs) == pytest.approx(sprt.llr(pairs) + there, abs=1e-6)


@given(many, tests)
def test_twice_as_many_say_twice_as_much(pairs: Pairs, sprt: Sprt) -> None:
    assert sprt.llr([2 * count for count in pairs]) == pytest.approx(2 * sprt.llr(pairs), abs=1e-6)


@pytest.mark.parametrize("pairs", [(0, 0, 10**6, 0, 0), (10**6, 0, 0, 0, 0), (0, 0, 0, 0, 10**6), (1, 0, 0, 0, 0)])
def test_the_ends_of_what_is_possible(pairs: Pairs) -> None:
    assert math.isfinite(Sprt(-2000, 2000).llr(pairs))
    assert math.isfinite(Sprt(1999.9, 2000).llr(pairs))


def test_only_shared_pairs_speak_for_equality() -> None:
    assert Sprt(0, 100).llr((0, 0, 20, 0, 0)) < -2
    assert Sprt(-100, 100).llr((0, 0, 20, 0, 0)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("elo0", "elo1"),
    [(5, 0), (5, 5), (math.nan, 5), (0, math.nan), (-math.inf, 0), (0, math.inf), (0, 2000.5), (-1e300, 0)],
)
def test_what_is_no_test(elo0: float, elo1: float) -> None:
    with pytest.raises(ValueError, match="needs two Elo differences from -2000 to 2000, the smaller one first, not"):
        Sprt(elo0, elo1)


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.05, -1), (0.5, 0.5), (1, 0.05), (math.nan, 0.05)])
def test_what_are_no_errors(alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match="above 0 and below 1 together"):
        Sprt(0, 5, alpha, beta)


def decided(sprt: Sprt, chances: Sequence[float], random: Random) -> str:
    """Pairs with these chances until the test ends."""
    pairs = [0] * 5
    while True:
        (points,) = random.choices(range(5), chances)
        pairs[points] += 1
        if verdict := sprt.verdict(sprt.llr(pairs)):
            return verdict


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), pytest.param(80.0, "H0", marks=pytest.mark.slow)])
def test_it_errs_in_one_of_twenty(elo: float, wrong: str) -> None:
    """At the hypotheses themselves. 400 tests: 5 % are 20, with a deviation of 4.4."""
    base = (0.1, 0.2, 0.4, 0.2, 0.1)
    mean = expected(elo)
    low, high = 0.0, 20.0
    for _ in range(60):  # the same, bent to this mean
        bend = (low + high) / 2
        bent = [chance * math.exp(bend * points / 4) for points, chance in enumerate(base)]
        low, high = (bend, high) if sum(p * c / 4 for p, c in enumerate(bent)) < mean * sum(bent) else (low, bend)
    random = Random(11)
    errors = [decided(Sprt(0, 80), bent, random) for _ in range(400)].count(wrong)
    assert 5 <= errors <= 33
