"""The signature: every machine makes the same nodes, and no change of play goes unnoticed.

After a change of play that is meant, write the new numbers by
`noughts bench engine --signature --json > tests/data/bench.json` and end the commit's message with `Bench: N`.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine import bench
from engine.bench import CASES, Case
from engine.rules.registry import rules

PINNED: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data" / "bench.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nodes_are_pinned(case: Case) -> None:
    assert case.nodes() == PINNED["cases"][case.name], "See the head of this file if this was meant."


def test_the_signature_is_the_total() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert set(PINNED["cases"]) == set(names)
    assert PINNED["bench"] == sum(PINNED["cases"].values())


def test_every_kind_of_board_is_searched() -> None:
    assert {case.game for case in CASES} >= {
        "tictactoe", "mnk:4,4,4", "mnk:5,5,4", "mnk:8,8,5", "gomoku", "cube:3", "qubic", "cube:5", "nine-board",
        "ultimate", "ultimate:count", "super",
    }  # fmt: skip


def test_known_counts() -> None:
    """Counted by others: Bragstad's whole tree, the root left out, and Altekar's three plies by both kinds of cut."""
    nodes = {(case.game, case.search): case.nodes() for case in CASES if case.search in ("bragstad", "altekar >=")}
    assert nodes == {("tictactoe", "bragstad"): 549_945, ("qubic", "altekar >="): 4_310}


def test_the_clock_is_asked_around_each_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "CASES", (Case("tictactoe", "by index", 3),))
    ticks = count(step=7)
    (result,) = bench.run(3, lambda: next(ticks))
    assert result.taken_ns == (7, 7, 7)
    assert result.nodes == result.case.nodes()


def test_by_index_tells_the_value_too() -> None:
    assert bench.by_index(rules("tictactoe").initial, 9)[1] == 0
