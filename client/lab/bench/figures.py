"""What a measurement answers, as text for people and as structs for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from server.console.columns import in_columns


class Spread(Struct, frozen=True):
    """Several measurements of one thing."""

    median: float
    low: float
    high: float


class Figure(Struct, frozen=True, omit_defaults=True):
    """One measured quantity; `target` is the most it should be, or the least if `at_least`, and `met` whether it is."""

    name: str
    unit: str
    value: Spread
    target: float | None = None
    met: bool | None = None
    at_least: bool = False


class Table(Struct, frozen=True):
    """A quantity against something that grows: rows of cells, as they are shown."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Part(Struct, frozen=True):
    """The answer of one part of the bench."""

    name: str
    about: str
    figures: list[Figure]
    tables: list[Table] = []
    notes: list[str] = []


def spread(values: Sequence[float]) -> Spread:
    return Spread(median(values), min(values), max(values))


def figure(name: str, unit: str, values: Sequence[float], target: float | None = None) -> Figure:
    """A target is met by the median."""
    found = spread(values)
    return Figure(name, unit, found, target, None if target is None else found.median <= target)


def figure_at_least(name: str, unit: str, values: Sequence[float], target: float) -> Figure:
    """More is better."""
    found = spread(values)
    return Figure(name, unit, found, target, found.median >= target, at_least=True)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of the sorted values lie."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def shown(value: float) -> str:
    """Three significant digits, as people write them."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def lines(part: Part) -> list[str]:
    """A part as text."""
    width = max((len(one.name) for one in part.figures), default=0)
    text = [f"{part.name}: {part.about}"]
    text += [_line(one, width) for one in part.figures]
    for table in part.tables:
        text += ["", f"  {table.title}", *_rows(table)]
    text += [f"  ({note})" for note in part.notes]
    return text


def _line(one: Figure, width: int) -> str:
    value = one.value
    text = f"  {one.name:{width}}  {shown(value.median):>8} {one.unit:6}"
    if value.low != value.high:
        text += f" ({shown(value.low)} to {shown(value.high)})"
    if one.target is not None:
        bound = "least" if one.at_least else "most"
        text += f"  target: at {bound} {shown(one.target)}, {'met' if one.met else 'missed'}"
    return text.rstrip()


def _rows(table: Table) -> list[str]:
    return [f"  {line}" for line in in_columns([table.head, *table.rows], left=())]
