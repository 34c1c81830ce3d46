"""Rows as a text table that fits a terminal: numbers aligned, NULL shown, long texts cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len, set_cell_size

GAP: Final = "  "
NARROWEST: Final = 8
"""Columns of the terminal that a cut text keeps."""
MOST_DECIMALS: Final = 4
MOST_DIGITS: Final = 7
"""Digits of a column's largest number: more decimals would say nothing."""
NULL: Final = "NULL"

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def lines(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int | None, *, goes_on: bool = False
) -> list[str]:
    """A header and a rule, unless the table goes on, and a line for each row. Nothing is cut where `width` is None.

    Where not even cut columns fit, each row takes a line for each of its columns.
    """
    names = [_shown(name) for name in columns]
    texts = [_texts([row[place] for row in rows]) for place in range(len(columns))]
    widths = [max(map(cell_len, [name, *column])) for name, column in zip(names, texts, strict=True)]
    numbers = [_is_number(rows, place) for place in range(len(columns))]
    if width is not None:
        narrowest = [cell if number else min(cell, NARROWEST) for cell, number in zip(widths, numbers, strict=True)]
        room = width - len(GAP) * (len(columns) - 1)
        if sum(narrowest) > room:
            return _blocks(names, texts, goes_on)
        widths = _fitted(widths, narrowest, room)
    head = [] if goes_on else [names, ["-" * cell for cell in widths]]
    return [_line(cells, widths, numbers) for cells in [*head, *zip(*texts, strict=True)]]


def _blocks(names: Sequence[str], texts: Sequence[Sequence[str]], goes_on: bool) -> list[str]:
    widest = max(map(cell_len, names))
    found: list[str] = []
    for row in zip(*texts, strict=True):
        found += [""] if found or goes_on else []
        found += [f"{set_cell_size(name, widest)}{GAP}{cell}" for name, cell in zip(names, row, strict=True)]
    return found


def _fitted(widths: list[int], narrowest: list[int], room: int) -> list[int]:
    """Takes from the widest column that may be cut, until all fit."""
    widths = [*widths]
    while sum(widths) > room:
        widest = max((place for place, cell in enumerate(widths) if cell > narrowest[place]), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> str:
    return GAP.join(_placed(*cell) for cell in zip(cells, widths, numbers, strict=True)).rstrip()


def _placed(text: str, width: int, number: bool) -> str:
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    padding = " " * (width - length)
    return padding + text if number else text + padding


def _is_number(rows: Sequence[Sequence[Any]], place: int) -> bool:
    kinds = {type(row[place]) for row in rows} - {type(None)}
    return bool(kinds) and kinds <= {int, float}


def _texts(values: Sequence[Any]) -> list[str]:
    floats = [value for value in values if isinstance(value, float)]
    decimals = max(map(_decimals, floats), default=0)
    room = MOST_DIGITS - max((len(f"{abs(value):.0f}") for value in floats), default=0)
    return [_text(value, min(decimals, max(room, 1))) for value in values]


def _decimals(value: float) -> int:
    """As many decimals as show it whole, at least one, which tells it from an integer."""
    return next((number for number in range(1, MOST_DECIMALS) if round(value, number) == value), MOST_DECIMALS)


def _text(value: Any, decimals: int) -> str:
    if value is None:
        return NULL
    if isinstance(value, float):
        plain = value == 0 or 10.0**-MOST_DECIMALS <= abs(value) < 1e15
        return f"{value:.{decimals}f}" if plain else f"{value:.4g}"
    return value.hex() if isinstance(value, bytes) else _shown(str(value))


def _shown(text: str) -> str:
    """A name may hold what would move the cursor: line ends and the like are written as Python writes them."""
    return _CONTROL.sub(lambda control: control[0].encode("unicode_escape").decode(), text)
