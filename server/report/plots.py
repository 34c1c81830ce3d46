"""What to draw and say, as plain data: `drawing` turns it into charts, `page` into a page. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a panel, with a band between `low` and `high` where they are given."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    joined: bool = field(default=True, kw_only=True)
    """Otherwise only its points are drawn."""
    style: int | None = field(default=None, kw_only=True)
    """Index of its colour and marker; by default its place in the panel."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes."""

    lines: tuple[Line, ...]
    y_label: str
    log: bool = False
    limits: tuple[float, float] | None = None
    """Where the y axis begins and ends, with a line at 0; from 0 to the highest value if not given."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Panels below each other with one x axis."""

    panels: tuple[Panel, ...]
    x_label: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Standing bars, from `low` on for each value of x."""

    x: Sequence[float]
    y: Sequence[float]
    x_label: str
    y_label: str
    width: float = 1.0
    mark: tuple[float, str] | None = None
    """A line across, with what it is: the median."""


@dataclass(frozen=True, slots=True)
class Stacked:
    """Lying bars of shares that make 100 %, one for each label, the first on top."""

    labels: tuple[str, ...]
    parts: tuple[tuple[str, Sequence[float]], ...]
    """A name and a value for each label: counts."""
    colours: Literal["results", "points", "many"]
    x_label: str = "share of games, %"


@dataclass(frozen=True, slots=True)
class Points:
    """Points with whiskers, one for each label, the first on top, with a dashed line at `middle`."""

    labels: tuple[str, ...]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    x_label: str
    middle: float | None = None
    """Where a dashed line stands."""
    ends: Sequence[float] = ()
    """A further mark for each label: the longest."""


@dataclass(frozen=True, slots=True)
class Board:
    """A value for each cell, None where there is none."""

    title: str
    values: Sequence[float | None]
    kind: Literal["share", "points"]
    """A share of the games, or X's share of the points."""


@dataclass(frozen=True, slots=True)
class Heat:
    """Boards below each other, all of one game."""

    dimensions: tuple[int, ...]
    nested: bool
    boards: tuple[Board, ...]
    levels: tuple[str, ...] = ()
    """Names of the levels of a board with several."""


Plot: TypeAlias = Lines | Bars | Stacked | Points | Heat


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    """Name of its file, without the suffix."""
    title: str
    alt: str
    """Alternative text for those who cannot see it."""
    reading: str
    """How to read it: a sentence or two."""
    plot: Plot
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Text that leads to another place of the report, to a game, or to a position of the explorer."""

    text: str
    place: str | None = None
    """The id of a section or of a row."""
    game_id: int | None = None
    ply: int | None = None
    """Ply of the move that is meant, counted after the opening."""
    explored: tuple[str, tuple[str, ...]] | None = None
    """A kind of game and moves: for a report that belongs to a site, which has an explorer."""


Cell: TypeAlias = str | int | float | Link | None


def written(cell: Cell) -> str:
    """Numbers get commas."""
    return f"{cell:,}" if isinstance(cell, int | float) else text_of(cell)


def text_of(cell: Cell) -> str:
    return cell.text if isinstance(cell, Link) else "" if cell is None else str(cell)


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    note: str = ""
    game: str | None = None
    shaded: bool = False
    """Whether cells that are shares get a shade: a crosstable."""
    ids: tuple[str, ...] = ()
    """Ids of the rows, for links to them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the report."""

    name: str
    title: str
    sentences: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    parts: tuple[Part, ...] = field(default=())
    """Sections in it: one for each game or list."""
    more: Link | None = field(default=None, kw_only=True)
    """Where the details are."""


def walk(parts: Iterable[Part]) -> Iterator[Part]:
    """Every part, each before those in it."""
    for part in parts:
        yield part
        yield from walk(part.parts)
