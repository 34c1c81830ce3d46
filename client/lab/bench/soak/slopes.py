"""By how much a quantity grows an hour, with an interval. Pure.

A server that is started again begins on another level, so each of its lives has a level of its own and all share one
slope, fitted by least squares. Samples that follow each other are alike and tell less than as many independent ones:
the interval is widened by what neighbours have in common (a first-order autoregression of the residuals).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

_SIDES = 1.96
"""Standard errors to each side of an interval of 95 %."""
_LIKENESS_MOST = 0.99

Points = Sequence[tuple[float, float]]
"""Measurements of one life: x in ascending order, and y."""


class Slope(NamedTuple):
    """The slope of y by x, with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


def slope(lives: Sequence[Points]) -> Slope | None:
    """The slope that all lives share; None where there are too few samples to tell."""
    centred = [_centred(life) for life in lives if len(life) > 1]
    spread = sum(x * x for life in centred for x, _ in life)
    left_over = sum(len(life) - 1 for life in centred) - 1
    if spread <= 0 or left_over < 1:
        return None
    value = sum(x * y for life in centred for x, y in life) / spread
    residuals = [[y - value * x for x, y in life] for life in centred]
    squares = sum(one * one for life in residuals for one in life)
    error = math.sqrt(squares / left_over / spread * _inflation(residuals, squares))
    return Slope(value, value - _SIDES * error, value + _SIDES * error)


def _centred(life: Points) -> list[tuple[float, float]]:
    x_mean, y_mean = (sum(column) / len(life) for column in zip(*life, strict=True))
    return [(x - x_mean, y - y_mean) for x, y in life]


def _inflation(residuals: Sequence[Sequence[float]], squares: float) -> float:
    """Factor on the variance for samples that are like the one before."""
    if not squares:
        return 1.0
    alike = sum(before * after for life in residuals for before, after in pairwise(life)) / squares
    likeness = min(max(alike, 0.0), _LIKENESS_MOST)
    return (1 + likeness) / (1 - likeness)
