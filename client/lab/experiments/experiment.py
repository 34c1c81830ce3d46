"""What an experiment is and what it answers: plain data, from which the page, the JSON and the plots are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from engine.stats.score import Mean, mean, student_t, wilson

if TYPE_CHECKING:
    from client.lab.experiments.lab import Lab


class Estimate(Struct, frozen=True, omit_defaults=True):
    """A number with its 95 % interval. Without bounds it is exact, or one observation that has no interval."""

    value: float
    low: float | None = None
    high: float | None = None


class Figure(Struct, frozen=True, omit_defaults=True):
    """One figure of an author beside ours."""

    what: str
    author: str
    """As the author says it; empty where it is ours alone."""
    ours: Estimate | None
    """None where it cannot be had, which the note explains."""
    unit: str = ""
    exact: bool = False
    """Counted or computed, not sampled."""
    agrees: bool | None = None
    """Whether the author's figure, with what chance may do to it, meets our interval; None where that has no answer."""
    note: str = ""
    """Why it differs, or what it means; one sentence or more."""


Cell: TypeAlias = str | int | float | Estimate | None


class Table(Struct, frozen=True):
    """Rows of cells below heads. Of an estimate the interval is shown too; a number is shown with its column's unit."""

    title: str
    head: list[str]
    rows: list[list[Cell]]
    note: str = ""


class Series(Struct, frozen=True, omit_defaults=True):
    """Numbers of a plot that belong together; `low` and `high` are as long as `y`, or empty."""

    name: str
    x: list[float]
    y: list[float]
    low: list[float] = []
    high: list[float] = []


class Plot(Struct, frozen=True, omit_defaults=True):
    """What is drawn. With `labels` the series' `x` are indices of these."""

    name: str
    """Of its files, after the experiment's."""
    title: str
    kind: Literal["lines", "points", "stacked", "bars"]
    x_label: str
    y_label: str
    series: list[Series]
    labels: list[str] = []
    log_y: bool = False


class Section(Struct, frozen=True, omit_defaults=True):
    """A part of a report. Numbers that a machine's speed decides are only in sections that are `timed`."""

    title: str
    text: list[str] = []
    """Paragraphs."""
    figures: list[Figure] = []
    tables: list[Table] = []
    plots: list[Plot] = []
    timed: bool = False


class Report(Struct, frozen=True):
    """All that an experiment found out."""

    name: str
    title: str
    source: str
    games: int
    """Of each pairing, unless a section says otherwise."""
    seed: int
    version: str
    """Of the software."""
    machine: str
    seconds: float
    pictures: bool
    """Whether the plots were drawn."""
    sections: list[Section]


@dataclass(frozen=True, slots=True)
class Experiment:
    """What can be run."""

    name: str
    title: str
    source: str
    games: int
    """Of each pairing, unless another number is asked for."""
    run: Callable[[Lab], list[Section]]


class ExperimentError(Exception):
    """A bot did what it may not do, so that there is nothing to report. One sentence."""


# Estimates.


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
    """Estimates to be drawn with their intervals, by default at 0, 1, 2, ...; what is None is left out."""
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


def _estimate(found: Mean) -> Estimate:
    if math.isinf(found.low):
        return Estimate(found.mean)
    return Estimate(found.mean, max(0.0, found.low), found.high)
