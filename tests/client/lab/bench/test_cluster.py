"""`noughts bench cluster` runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from client.lab.bench import cluster
from client.lab.bench.cluster import CALLS, Modelled
from client.lab.bench.command import bench
from client.lab.bench.figures import Part, lines
from tests.support import optional

optional.module("distributed")


def test_a_scheduler_feeds_as_many_workers_as_its_processor_time_lets_it() -> None:
    model = [Modelled(workers, calls, 100.0, 1.0, 4000.0 / workers) for workers in (4, 8) for calls in CALLS]
    cost, *fed = cluster._limits(model)
    assert cost.value.median == 500
    assert [one.value.median for one in fed] == [20, 160, 1280]


def test_the_model_is_shown_as_a_table() -> None:
    model = [Modelled(512, 8, 500.0, 0.78125, 432.1)]
    told = lines(Part("cluster", "", [], [cluster._table(model)]))
    assert told[-1].split() == ["512", "8", "500", "4,000", "78%", "432"]


@pytest.mark.slow
def test_a_cluster_is_measured() -> None:
    arguments = ["cluster", "--games", "4", "--processes", "1", "--workers", "4", "--json"]
    done = CliRunner().invoke(bench, arguments)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert all(one["value"]["median"] > 0 for one in report["part"]["figures"] if "so a task costs" not in one["name"])
    assert [one["calls"] for one in report["model"]] == list(CALLS)
    assert all(0 < one["busy"] <= 1.01 for one in report["model"])
