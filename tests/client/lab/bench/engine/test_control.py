"""The kernel beside the same search in C."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from client.lab.bench.engine import control
from client.lab.bench.engine.control import Duel
from client.lab.bench.wire import BenchError


# The project requires no C compiler. Where there is none the bench says that it leaves the comparison out, which a test
# in test_command.py holds everywhere, and nothing is left to compare here: the kernel's own nodes and values are pinned
# in tests/data/bench.json and tested on every machine.
@pytest.fixture
def compiler() -> str:
    return control.compiler() or pytest.skip("no C compiler ($CC or gcc) to build the twin")


@pytest.mark.parametrize(("game", "depth"), [("qubic", 4), ("mnk:5,5,4", 4), ("mnk:3,3,3", 9), ("mnk:4,3,3", 5)])
def test_the_kernel_and_its_control_in_c_find_the_same(game: str, depth: int, compiler: str, tmp_path: Path) -> None:
    ticks = count(step=1000)
    paired = control.duel(Duel(game, depth), compiler, tmp_path, 2, lambda: next(ticks))
    assert len(paired.ratios) == 2
    assert paired.kernel_rates == [paired.nodes, paired.nodes]


def test_a_control_that_finds_something_else_ends_the_bench(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr(control, "by_index", lambda position, depth: (1, 0))
    with pytest.raises(BenchError, match=r"C finds \(\d+, -?\d+\) and the kernel \(1, 0\)"):
        control.duel(Duel("qubic", 2), compiler, tmp_path, 1, lambda: next(ticks))


def test_a_control_that_cannot_be_built_is_said(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"false cannot build twin\.c"):
        control.build("qubic", "false", tmp_path)
