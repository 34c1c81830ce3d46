"""`noughts bench workers` runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench


@pytest.mark.slow
def test_workers_are_killed_hung_and_stopped() -> None:
    done = CliRunner().invoke(bench, ["workers", "--searches", "3", "--repeat", "1", "--json"])
    assert done.exit_code == 0, done.output
    [part] = json.loads(done.stdout)["parts"]
    assert [figure["name"].split(" until ")[0] for figure in part["figures"][1:]] == [
        "an empty search, half of them",
        "an empty search, 99 of 100",
        "killed",
        "beyond its time",
        "stopped",
    ]
    assert all(figure["value"]["median"] > 0 for figure in part["figures"])
