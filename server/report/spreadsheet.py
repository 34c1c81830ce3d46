"""Cells of CSV files, which spreadsheets compute where they look like formulas. Pure.

Anybody may be called `=HYPERLINK(...)`, so such a text gets an apostrophe in front, as spreadsheets mark what is
text (OWASP, CSV injection). JSON lines and Parquet hold what was typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a formula begins."""


def cells(row: Iterable[Any]) -> tuple[Any, ...]:
    """Numbers stay what they are."""
    return tuple(f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row)
