"""The report as one HTML file: pictures and styles are in it, nothing is fetched, no script is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from server.report.plots import Cell, Part, Table

_LONG: Final = 40
"""Letters of a cell, above which it may be broken into lines."""
_NUMBER: Final = re.compile(r"<?[-+]?[\d.,]+( %| to | s$| ms$| µs$|$)")
"""What begins a cell that is to stand on the right."""


def page(title: str, facts: Sequence[str], parts: Sequence[Part], svgs: Mapping[str, str]) -> str:
    """`svgs` has the picture of each name."""
    return _template().render(title=title, facts=facts, parts=parts, svgs=svgs)


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters.update(heads=_heads, labelled=_labelled, shade=_shade, written=_written)
    environment.tests.update(empty=_is_empty, long=lambda cell: len(str(cell)) > _LONG, number_like=_is_number)
    return environment.from_string(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))


def _labelled(svg: str, alt: str) -> Markup:
    return Markup(svg.replace("<svg ", Markup('<svg role="img" aria-label="{}" ').format(alt), 1))


def _heads(table: Table) -> list[tuple[str, bool]]:
    """The names above the columns, and whether a name stands above numbers: on the right, as they do."""
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    return [(name, _has_numbers(column)) for name, column in zip(table.head, columns, strict=True)]


def _has_numbers(column: Sequence[Cell]) -> bool:
    numbers = [_is_number(cell) for cell in column if cell not in ("", None)]
    return bool(numbers) and all(numbers)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) or bool(_NUMBER.match(str(cell or "")))


def _is_empty(cell: Cell) -> bool:
    """In a crosstable: two that have not met."""
    return "/" not in str(cell)


def _shade(cell: Cell) -> str:
    """`12.5/20`: blue for much, orange for little."""
    points, _, games = str(cell).partition("/")
    share = float(points) / float(games)
    colour = "var(--much)" if share >= 0.5 else "var(--little)"
    return f"--c:{colour};--s:{abs(share - 0.5) * 120:.0f}%"


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:,}" if isinstance(cell, int | float) else cell
