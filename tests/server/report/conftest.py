"""Records of many games, and what the report reads of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.report.page.frames import read
from server.report.page.words import ReportData
from tests.support.report.records import Row, add_samples, counted_games, counted_moves, many_records


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = many_records(tmp_path_factory.mktemp("figures"))
    add_samples(path)
    return path


@pytest.fixture(scope="session")
def games(path: Path) -> list[Row]:
    return counted_games(path)


@pytest.fixture(scope="session")
def moves(path: Path) -> list[Row]:
    return counted_moves(path)


@pytest.fixture(scope="session")
def data(path: Path) -> ReportData:
    return ReportData(read(path))
