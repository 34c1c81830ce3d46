"""What an experiment found: plain data for the page, the JSON and the plots."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct


class Estimate(Struct, frozen=True, omit_defaults=True):
    """A number with its 95 % interval. Without bounds it is exact, or one observation that has no interval."""

    value: float
    low: float | None = None
    high: float | None = None


class Figure(Struct, frozen=True, omit_defaults=True):
    """One figure of an author, and ours."""

    what: str
    author: str
    """As the author states it; empty where the figure is ours alone."""
    ours: Estimate | None
    """None if it is not available; the note explains why."""
    unit: str = ""
    exact: bool = False
    """Counted or computed, not sampled."""
    agrees: bool | None = None
    """Whether the author's figure, with its own margin of error, meets our interval; None if that cannot be decided."""
    note: str = ""
    """Why it differs, or what it means; one sentence or more."""


Cell: TypeAlias = str | int | float | Estimate | None


class Table(Struct, frozen=True):
    """Rows of cells below heads. An estimate is shown with its interval, a number with its column's unit."""

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
    """Name of its files, after the experiment's."""
    title: str
    kind: Literal["lines", "points", "stacked", "bars"]
    x_label: str
    y_label: str
    series: list[Series]
    labels: list[str] = []
    log_y: bool = False


class Section(Struct, frozen=True, omit_defaults=True):
    """A part of a report. Numbers that depend on the machine's speed are only in `timed` sections."""

    title: str
    text: list[str] = []
    """Paragraphs."""
    figures: list[Figure] = []
    tables: list[Table] = []
    plots: list[Plot] = []
    timed: bool = False


class Report(Struct, frozen=True):
    """All results of an experiment."""

    name: str
    title: str
    source: str
    games: int
    """Games of each pairing, unless a section says otherwise."""
    seed: int
    version: str
    """Version of the software."""
    machine: str
    seconds: float
    pictures: bool
    """Whether the plots were drawn."""
    sections: list[Section]
