"""Results of queries as CSV, JSON and text, written as they are read: a result may be larger than memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import IO, Any, Final

import msgspec

from server.db.read_only import Result
from server.report.spreadsheet import cells
from server.report.sql.result_table import lines

ROWS: Final = 50
"""Rows of a table that are shown unless all are asked for."""
PAGE_ROWS: Final = 1_000
"""Rows of each page of a longer table: its columns are as wide as each page needs."""


def write_csv(result: Result, file: IO[str]) -> None:
    """NULL is an empty field, bytes are hexadecimal."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(cells(result.columns))
    writer.writerows(cells(_plain(row)) for row in result.rows)


def write_json(result: Result, file: IO[str]) -> None:
    """An array with one object on each line. Bytes are hexadecimal."""
    names = distinct(result.columns)
    encode = msgspec.json.encode
    separator = "[\n"
    for row in result.rows:
        file.write(separator + encode(dict(zip(names, _plain(row), strict=True))).decode())
        separator = ",\n"
    file.write("[]\n" if separator == "[\n" else "\n]\n")


def write_table(result: Result, file: IO[str], width: int | None, rows: int | None) -> int:
    """Writes at most `rows` rows, all if None, and returns how many are left out, which are read to be counted."""
    pages = _pages(result if rows is None else result._replace(rows=islice(result.rows, rows)))
    for number, page in enumerate(pages):
        for line in lines(result.columns, page, width, goes_on=number > 0):
            file.write(line + "\n")
        file.flush()
    return sum(1 for _ in result.rows)


def _pages(result: Result) -> Iterator[list[tuple[Any, ...]]]:
    """The pages, at least one, which may be empty."""
    yield [*islice(result.rows, PAGE_ROWS)]
    while page := [*islice(result.rows, PAGE_ROWS)]:
        yield page


def distinct(names: Sequence[str]) -> list[str]:
    """Names of columns that differ: the second `id` is `id_2`."""
    found: list[str] = []
    for name in names:
        new, number = name, 2
        while new in found:
            new, number = f"{name}_{number}", number + 1
        found.append(new)
    return found


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    if bytes in map(type, row):
        return tuple(value.hex() if isinstance(value, bytes) else value for value in row)
    return row
