"""Which figures the cases of the engine's bench answer."""

from __future__ import annotations

from client.lab.bench.engine.searches import CaseFigures, rates
from engine import bench


def test_every_case_may_be_measured_whether_or_not_it_has_a_control() -> None:
    found = [(case, CaseFigures(case.name, 1_000, [2.0, 4.0])) for case in bench.CASES]
    names = [figure.name for figure in rates(found, []).figures]
    assert sorted(name for name in names if "patterns" in name) == [
        "gomoku: patterns to none", "mnk:8,8,5: patterns to none",
    ]  # fmt: skip
