"""The bench of reports makes a ladder's records that are sound, and measures; what it finds is left to real runs."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from client.lab.bench import reports
from client.lab.bench.command import bench
from server.db.migrate import check, prepare
from server.report.export.command import export
from tests.support.engine.record_reader import from_json_line


def test_the_records_are_sound(tmp_path: Path) -> None:
    db = tmp_path / "past.db"
    prepare(db)
    written = reports.fill(db, 3_000)
    assert check(db)
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (written,)
        assert connection.execute(
            "SELECT max(n) FROM (SELECT count(*) AS n FROM games GROUP BY run_id, pair_id)"
        ).fetchone() == (2,)
    assert 3_000 <= written < 4_000
    lines = CliRunner().invoke(export, ["--db", str(db)]).stdout.splitlines()
    records = [from_json_line(line) for line in lines]
    assert {record.game for record in records} == set(reports.GAMES)
    assert all(record.termination for record in records)


@pytest.mark.slow
def test_it_measures_the_report_beside_the_control() -> None:
    done = CliRunner().invoke(bench, ["report", "--moves", "600", "--repeat", "1", "--json"])
    assert done.exit_code == 0, done.output
    found = {one["name"]: one["value"]["median"] for one in json.loads(done.stdout)["figures"]}
    assert found["noughts report"] > found["control: every move read"] > 0
    assert {"noughts report, peak memory", "statistics of the page"} <= set(found)
    assert "statistics of the page, peak memory" in found


def test_a_process_that_fails_ends_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "_CONTROL", "raise SystemExit('no such disk')")
    done = CliRunner().invoke(bench, ["report", "--moves", "100"])
    assert done.exit_code == 1
    assert "A measured process failed: no such disk" in done.output


def test_an_interrupted_one_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        started.append(begin(command, **options))
        return started[0]

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    begin = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(os, "wait4", interrupt)
    with pytest.raises(KeyboardInterrupt):
        reports._run(["sleep", "60"])
    assert started[0].returncode == -signal.SIGKILL
