"""`noughts bench cli`: every program is run in turn with the controls."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.lab.bench import cli
from client.lab.bench.wire import BenchError


def test_each_program_has_its_figure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cli, "COMMANDS", ("--version",))
    monkeypatch.setattr(cli, "TYPED", ("noughts pl",))
    part = cli._measured(2, tmp_path)
    assert [(one.name, one.target) for one in part.figures] == [
        ("python, control", None),
        ("python that imports click, control", None),
        ("noughts --version", cli.MOST_MS),
        ("Tab after `noughts pl`", cli.MOST_MS),
    ]
    assert all(0 < one.value.low <= one.value.median <= one.value.high for one in part.figures)


def test_a_program_that_fails(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="db info failed: noughts: "):
        cli._run(cli._command("db info"), tmp_path)
