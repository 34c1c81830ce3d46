"""What the server's bench measures: here that it measures, in small; the figures are left to real runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import uvloop
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.server import cold, idle, lag, moves, page_size, scaling
from tests.support.lab.bench import figures


@pytest.mark.slow
def test_moves_are_measured_beside_the_control(tmp_path: Path) -> None:
    part = uvloop.run(moves.measure(tmp_path, moves.Load(tables=2, rate=0, pairs=2)))
    found = figures(part)
    assert found["control"] > 0
    assert found["ratio of each pair"] > 0
    assert found["noughts, ack p99"] >= found["noughts, ack p50"] > 0


@pytest.mark.slow
def test_lag_is_measured_with_and_without_searches(tmp_path: Path) -> None:
    part = uvloop.run(lag.measure(tmp_path, lag.Load(tables=4, rate=200, plies=8, pairs=1, workers=1)))
    assert {"lag p99 without searches", "lag p99 while all workers search"} <= set(figures(part))


@pytest.mark.slow
def test_idle_connections_are_held_and_weighed(tmp_path: Path) -> None:
    part = uvloop.run(idle.measure(tmp_path, idle.Load(counts=(30,), repeats=1)))
    assert {"30 held: control, PSS", "30 held: noughts, PSS", "30 held: beyond the control, PSS"} <= set(figures(part))


@pytest.mark.slow
def test_a_cold_start_is_measured_beside_a_warm_one(tmp_path: Path) -> None:
    part = uvloop.run(cold.measure(tmp_path, cold.Load(games=(("tictactoe", "level:2"),), repeats=1)))
    found = figures(part)
    assert {"tictactoe level:2: from nothing", "tictactoe level:2: control, compiled"} < set(found)
    assert found["all bots ready after"] > found["the same: control, compiled"] > 0
    assert (tmp_path / "0" / "cache").is_dir(), "what was compiled stays in a folder of its own"


@pytest.mark.slow
def test_scaling_has_a_row_for_each_size(tmp_path: Path) -> None:
    load = scaling.Load(rooms=(2, 4), games=("tictactoe", "mnk:5,5,4"), rows=(0, 200), tables=2, moves=12, rate=2_000)
    part = uvloop.run(scaling.measure(tmp_path, load))
    rooms, length, records = part.tables
    assert [row[0] for row in rooms.rows] == ["2", "4", "2 of 4"]
    assert [row[:2] for row in length.rows] == [("tictactoe", "9"), ("mnk:5,5,4", "25")]
    assert [row[0] for row in records.rows] == ["0", "200"]


@pytest.mark.slow
def test_page_and_all_it_refers_to_are_counted(tmp_path: Path) -> None:
    part = uvloop.run(page_size.measure(tmp_path))
    paths = {row[0] for row in part.tables[0].rows}
    assert {"/", "/api/rules", "/api/bots"} <= paths
    files = {re.sub(r"-[0-9A-Z]{8}\.", ".", path) for path in paths}
    assert {"/static/main.js", "/static/page.css", "/static/chunk.js", "/static/texts-en.json"} <= files
    assert not {"/static/texts-de.json", "/static/room-view.js"} & files
    assert figures(part)["requests"] == len(paths)


def test_the_command_prints_json() -> None:
    done = CliRunner().invoke(bench, ["server", "--part", "page", "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["machine"]["cores"] >= 1
    (part,) = report["parts"]
    assert part["name"] == "page"
    assert {"name", "unit", "value", "target", "met"} == set(part["figures"][0])
