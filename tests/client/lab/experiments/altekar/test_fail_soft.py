"""Alpha-beta with true values passed up, in plain Python and in the kernels."""

from __future__ import annotations

import pytest

from client.lab.experiments.altekar import fail_soft
from client.lab.experiments.altekar.lines import drawn_line
from engine.bots.literature import altekar as his
from engine.rules.position import play_all
from engine.rules.registry import rules
from engine.search.fixed import Cut

START = rules("qubic").initial
LINE = drawn_line(1)


@pytest.mark.parametrize("plies", [0, 1, 30, 61])
def test_true_values_passed_up_choose_the_same_move(plies: int) -> None:
    position = play_all(START, LINE[:plies])
    depth = min(2, 64 - plies)
    counts, found = fail_soft.count(position, depth), his.searched(position, depth, "sum", Cut.STRICT)
    assert counts.move == found.moves[found.values.index(max(found.values))]
    # At 2 plies nodes are either parents of leaves or leaves, and it does not matter what is passed up.
    assert (counts.nodes, counts.pruned, counts.interior) == (found.nodes, found.pruned, found.interior)


def test_true_values_passed_up_are_the_kernels() -> None:
    for position, depth in ((START, 3), (play_all(START, LINE[:40]), 4)):
        counts, found = fail_soft.count(position, depth), his.searched(position, depth, "sum", Cut.STRICT_SOFT)
        assert (counts.nodes, counts.pruned, counts.interior) == (found.nodes, found.pruned, found.interior)
