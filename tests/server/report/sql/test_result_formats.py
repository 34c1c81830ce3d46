from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from server.db.read_only import Result
from server.report.sql import result_formats
from server.report.sql.result_formats import distinct, write_csv, write_json, write_table

ROWS: list[tuple[Any, ...]] = [(1, None, 'a "b", c'), (2, 0.1, "two\nlines"), (3, 1e300, b"\0\xff")]


def result(rows: list[tuple[Any, ...]] = ROWS) -> Result:
    return Result(["n", "share", "n"], iter(rows))


def test_csv() -> None:
    file = io.StringIO()
    write_csv(result(), file)
    assert [*csv.reader(io.StringIO(file.getvalue()))] == [
        ["n", "share", "n"], ["1", "", 'a "b", c'], ["2", "0.1", "two\nlines"], ["3", "1e+300", "00ff"],
    ]  # fmt: skip
    assert "\r" not in file.getvalue()


def test_json() -> None:
    file = io.StringIO()
    write_json(result(), file)
    assert json.loads(file.getvalue()) == [
        {"n": 1, "share": None, "n_2": 'a "b", c'},
        {"n": 2, "share": 0.1, "n_2": "two\nlines"},
        {"n": 3, "share": 1e300, "n_2": "00ff"},
    ]
    assert file.getvalue().count("\n") == 5, "one object on a line"


def test_no_rows() -> None:
    written = io.StringIO()
    write_json(result([]), written)
    assert json.loads(written.getvalue()) == []
    written = io.StringIO()
    write_csv(result([]), written)
    assert written.getvalue() == "n,share,n\n"
    written = io.StringIO()
    assert write_table(result([]), written, None, None) == 0
    assert written.getvalue() == "n  share  n\n-  -----  -\n"


@pytest.mark.parametrize("write", [write_csv, write_json])
def test_rows_are_written_as_they_are_read(write: Any) -> None:
    file = io.StringIO()

    def rows() -> Iterator[tuple[Any, ...]]:
        yield (1, 2, 3)
        assert "1" in file.getvalue()
        yield (4, 5, 6)

    write(Result(["a", "b", "c"], rows()), file)


def test_a_table_counts_what_it_leaves_out() -> None:
    file = io.StringIO()
    assert write_table(Result(["n"], iter([(n,) for n in range(7)])), file, None, 3) == 4
    assert file.getvalue().split() == ["n", "-", "0", "1", "2"]


def test_a_long_table_is_written_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_formats, "PAGE_ROWS", 2)
    file = io.StringIO()
    assert write_table(Result(["n"], iter([(8,), (9,), (10,)])), file, None, None) == 0
    assert file.getvalue() == "n\n-\n8\n9\n10\n"


def test_distinct() -> None:
    assert distinct(["id", "id", "id_2", "id"]) == ["id", "id_2", "id_2_2", "id_3"]
