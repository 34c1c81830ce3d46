from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest

from server.db.read_only import Result
from server.report.sql import result_parquet
from tests.support.full_disk import full_disk


def written(tmp_path: Path, *columns: list[Any]) -> pl.DataFrame:
    names = [chr(ord("a") + place) for place in range(len(columns))]
    result = Result(names, iter([*zip(*columns, strict=True)]))
    assert result_parquet.write(result, tmp_path / "x.parquet") == len(columns[0])
    assert [file.name for file in tmp_path.iterdir()] == ["x.parquet"]
    return pl.read_parquet(tmp_path / "x.parquet")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_column_has_the_type_of_its_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(result_parquet, "PAGE_ROWS", size)
    frame = written(tmp_path, [None, 1, 2], [1, 2.5, None], ["x", 3, 4.5], [None, None, None], [b"\0", None, b"1"])
    assert frame.dtypes == [pl.Int64, pl.Float64, pl.String, pl.String, pl.Binary]
    assert frame.rows() == [(None, 1.0, "x", None, b"\0"), (1, 2.5, "3", None, None), (2, None, "4.5", None, b"1")]


def test_no_rows(tmp_path: Path) -> None:
    assert written(tmp_path, []).schema == {"a": pl.String}


def test_bytes_beside_other_values(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match=r"^Column a has bytes beside other values: ask for hex\(a\)\.$"):
        written(tmp_path, [b"\0", 1])
    assert not [*tmp_path.iterdir()]


def test_a_full_disk(tmp_path: Path) -> None:
    with full_disk(1000), pytest.raises(OSError, match="File too large"):
        written(tmp_path, [*range(1000)])


def test_columns_of_one_name(tmp_path: Path) -> None:
    result_parquet.write(Result(["id", "id"], iter([(1, 2)])), tmp_path / "x.parquet")
    assert pl.read_parquet(tmp_path / "x.parquet").to_dicts() == [{"id": 1, "id_2": 2}]
