"""Orders and numbers of moves at the root, on positions of Qubic."""

from __future__ import annotations

from random import Random

import pytest

from client.lab.experiments.depth3.pruning import KEPT, ways
from engine.bots.literature import depth3
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.fixed import search


def after(plies: int, seed: int) -> Position:
    """Random moves that win nothing."""
    random = Random(seed)
    position: Position = rules("qubic").initial
    while position.ply < plies:
        following = position.play(random.choice(position.legal_moves()))
        position = position if following.outcome else following
    return position


@pytest.mark.parametrize(("plies", "seed"), [(25, 1), (34, 2), (57, 3), (62, 4)])
def test_an_order_changes_no_value_and_fewer_moves_none_for_the_better(plies: int, seed: int) -> None:
    position = after(plies, seed)
    found = ways(position)
    assert list(found) == ["in the order of the cells", "best first", *(f"the best {kept} alone" for kept in KEPT)]
    first, best_first, *narrow = found.values()
    whole = search(position, min(3, 64 - plies), depth3.STYLES["balanced"])
    assert (first.value, best_first.value) == (max(whole.values), max(whole.values))
    assert first.move == whole.moves[whole.values.index(first.value)]  # the first of the best
    of: dict[int, int] = dict(zip(whole.moves, whole.values, strict=True))
    for one in found.values():
        assert of[one.move] == one.value
    values = [first.value, *(one.value for one in narrow)]
    assert values == sorted(values, reverse=True)
    for kept, one in zip(KEPT, narrow, strict=True):
        assert one == best_first or kept < 64 - plies


def test_the_moves_kept_look_best_after_one_ply_and_take_fewer_nodes() -> None:
    position = after(25, 1)
    looks = search(position, 1, depth3.STYLES["balanced"])
    worst_kept = sorted(looks.values, reverse=True)[KEPT[-1] - 1]
    found = ways(position)
    narrowest = found[f"the best {KEPT[-1]} alone"]
    assert looks.values[looks.moves.index(narrowest.move)] >= worst_kept
    whole, best_first, *narrow = found.values()
    assert whole.true_nodes > best_first.true_nodes > max(one.true_nodes for one in narrow)
    assert [one.nodes for one in narrow] == sorted((one.nodes for one in narrow), reverse=True)
    assert all(one.true_nodes < one.nodes for one in found.values())
