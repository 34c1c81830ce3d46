"""The slope that the lives of a server share, and how sure it is."""

from __future__ import annotations

from random import Random

import pytest

from client.lab.bench.soak.slopes import slope


def test_lives_on_different_levels_share_one_slope() -> None:
    found = slope([[(0, 10), (1, 12), (2, 14)], [(5, 100), (6, 102)]])
    assert found is not None
    assert tuple(found) == pytest.approx((2, 2, 2))


def test_a_step_between_two_lives_is_no_growth() -> None:
    found = slope([[(0, 10), (1, 10)], [(2, 50), (3, 50)]])
    assert found == (0, 0, 0)


def test_noise_is_not_taken_for_growth() -> None:
    random = Random(1)
    found = slope([[(x / 10, 50 + random.gauss(0, 3)) for x in range(200)]])
    assert found is not None
    assert found.low < 0 < found.high


def test_growth_is_found_in_noise() -> None:
    random = Random(1)
    found = slope([[(x / 10, 2 * x / 10 + random.gauss(0, 3)) for x in range(200)] for _ in range(2)])
    assert found is not None
    assert 1.5 < found.low < 2 < found.high < 2.5


def test_samples_that_are_like_the_one_before_tell_less() -> None:
    random = Random(1)
    steps = [random.gauss(0, 1) for _ in range(100)]
    alike = slope([[(x, steps[x // 10]) for x in range(1000)]])
    apart = slope([[(x, steps[x * 7 % 100]) for x in range(1000)]])
    assert alike is not None
    assert apart is not None
    assert alike.high - alike.low > 2 * (apart.high - apart.low)


@pytest.mark.parametrize("lives", [[], [[]], [[(1, 5)]], [[(1, 5)], [(2, 6)]], [[(1, 5), (1, 6), (1, 7)]]])
def test_too_few_samples_tell_nothing(lives: list[list[tuple[float, float]]]) -> None:
    assert slope(lives) is None
