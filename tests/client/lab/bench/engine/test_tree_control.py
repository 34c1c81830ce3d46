"""The same tree in C: node for node, and told where it is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from client.lab.bench.engine import control, tree_control
from client.lab.bench.wire import BenchError


# Tests need nothing but Python and make: the control is C, as the one of test_command.py.
@pytest.fixture
def compiler() -> str:
    return control.compiler() or pytest.skip("no C compiler ($CC or gcc) to build the twin")


@pytest.fixture(autouse=True)
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_control, "NODES", 30_000)


def test_the_control_finds_the_same_tree(compiler: str, tmp_path: Path) -> None:
    found = tree_control.duel(compiler, tmp_path, 2, time.thread_time_ns)
    assert 1_000 < found.nodes < 30_000
    assert len(found.ratios) == 2


def test_another_tree_is_an_error(compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tree_control.tables
    monkeypatch.setattr(tree_control, "tables", lambda board: b"\0" * 8 + tables(board)[8:])
    with pytest.raises(BenchError, match="On Ultimate C finds"):
        tree_control.duel(compiler, tmp_path, 1, time.thread_time_ns)


def test_a_compiler_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"cannot build twin_mcts.c"):
        tree_control.build("false", tmp_path)
