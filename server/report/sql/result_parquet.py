"""Results of queries as Parquet. SQLite has no types of columns, so a column gets the type of the values in it."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
import polars as pl

from server.db.read_only import Result
from server.report.sql.result_formats import distinct

PAGE_ROWS: Final = 50_000
"""Rows in memory at a time: pages are files of their own, which polars streams into one."""

_TYPES: Final[dict[type, type[pl.DataType]]] = {int: pl.Int64, float: pl.Float64, str: pl.String, bytes: pl.Binary}


def write(result: Result, path: Path) -> int:
    """How many rows it has. Raises ClickException for bytes beside other values, and OSError."""
    try:
        return _write(result, path)
    except pl.exceptions.PolarsError as error:  # as on a full disk
        raise OSError(str(error)) from error


def _write(result: Result, path: Path) -> int:
    names = distinct(result.columns)
    kinds: list[set[type]] = [set() for _ in names]
    rows = 0
    with tempfile.TemporaryDirectory(prefix=".parquet-", dir=path.parent) as made:
        pages: list[Path] = []
        while not pages or rows == PAGE_ROWS * len(pages):
            page = [*islice(result.rows, PAGE_ROWS)]
            columns = [[row[place] for row in page] for place in range(len(names))]
            for known, column in zip(kinds, columns, strict=True):
                known |= set(map(type, column)) - {type(None)}
            pages.append(Path(made) / f"{len(pages)}.page")
            _frame(names, columns).write_parquet(pages[-1])
            rows += len(page)
        schema = pl.Schema({name: _type(name, known) for name, known in zip(names, kinds, strict=True)})
        frames = [pl.scan_parquet(page).cast(schema) for page in pages]
        pl.concat(frames).sink_parquet(path)
    return rows


def _frame(names: list[str], columns: list[list[Any]]) -> pl.DataFrame:
    return pl.DataFrame(
        [pl.Series(name, *_typed(name, column), strict=False) for name, column in zip(names, columns, strict=True)]
    )


def _typed(name: str, column: list[Any]) -> tuple[list[Any], type[pl.DataType]]:
    kind = _type(name, set(map(type, column)) - {type(None)})
    return [str(value) if value is not None else None for value in column] if kind is pl.String else column, kind


def _type(name: str, kinds: set[type]) -> type[pl.DataType]:
    """The type of a column: text for numbers and text together, and for nothing but NULL."""
    if len(kinds) == 1:
        return _TYPES[next(iter(kinds))]
    if bytes in kinds:
        raise click.ClickException(f"Column {name} has bytes beside other values: ask for hex({name}).")
    return pl.Float64 if kinds == {int, float} else pl.String
