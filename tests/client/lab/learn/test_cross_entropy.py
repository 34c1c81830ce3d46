"""How badly scores foretell results."""

from __future__ import annotations

import math

import numpy as np
import pytest

from client.lab.learn.cross_entropy import cross_entropy


def test_it_is_the_mean_of_the_logarithms_of_what_was_held_likely() -> None:
    scores, results = np.array([2.0, -1.0, 0.5]), np.array([1.0, 0.0, 0.5])
    likely = 1 / (1 + np.exp(-scores))
    expected = -np.mean(results * np.log(likely) + (1 - results) * np.log(1 - likely))
    assert cross_entropy(scores, results) == pytest.approx(expected)


def test_one_score_stands_for_all_and_extremes_do_not_overflow() -> None:
    assert cross_entropy(0.0, np.array([0.0, 1.0, 0.3])) == pytest.approx(math.log(2))
    assert cross_entropy(np.array([1e6, -1e6]), np.array([1.0, 0.0])) == 0
    assert cross_entropy(0.0, np.array([])) == 0
