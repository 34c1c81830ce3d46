"""Plots of a report as files."""

from __future__ import annotations

from pathlib import Path

from client.lab.experiments import plots
from tests.support.lab.reports import PLOTS, drawable


def test_the_same_data_draws_the_same_files(tmp_path: Path) -> None:
    found = drawable()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        assert len(list(plots.draw(found, tmp_path / name))) == 2 * len(PLOTS)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
