"""What an experiment finds: plain data, from which the page, the JSON and the plots are made."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct


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
