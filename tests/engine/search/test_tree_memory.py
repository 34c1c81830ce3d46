"""The tree of a process: lent to one search at a time, and kept for the position two plies later alone."""

from __future__ import annotations

import resource
from pathlib import Path
from random import Random

from engine.kernels import mcts as kernel
from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import play_all
from engine.rules.registry import rules
from engine.search import mcts, tree_memory
from engine.search.mcts import PLANS
from engine.search.tree_memory import TreeMemory
from engine.search.watch import NO_WATCH

ROOM = 1 << 14
KEPT = ("ultimate", "a plan")


def position(*moves: int) -> NestedPosition:
    found = play_all(rules("ultimate").initial, moves)
    assert isinstance(found, NestedPosition)
    return found


def grown() -> TreeMemory:
    """What a search of the position after 5/5 leaves."""
    with tree_memory.lent(ROOM) as memory:
        pass
    mcts.choose(position(40), Limit(nodes=5_000), Random(0), NO_WATCH, PLANS["weights"], ROOM)
    memory._kept = KEPT
    return memory


def is_new(memory: TreeMemory) -> bool:
    return bool(memory.tree.counters[kernel.FREE] == 1 and not memory.tree.counters[kernel.COPIED])


def test_a_tree_comes_back_and_serves_again() -> None:
    with tree_memory.lent(ROOM) as first, tree_memory.lent(ROOM) as second:
        assert first is not second
    with tree_memory.lent(ROOM) as again:
        assert again in (first, second)


def test_bots_of_two_sizes_use_one_tree_in_turn() -> None:
    with tree_memory.lent(2 * ROOM) as larger:
        assert len(larger.tree.visits) == 2 * ROOM
    with tree_memory.lent(ROOM) as smaller:
        assert len(smaller.tree.visits) == ROOM
    with tree_memory.lent(2 * ROOM) as again:
        assert len(again.tree.visits) == 2 * ROOM
    assert larger is smaller is again
    with tree_memory.lent(larger.most + 1) as new:
        assert new is not larger


def test_a_tree_of_another_size_knows_nothing() -> None:
    memory = grown()
    memory.fit(ROOM // 2)
    memory.fit(ROOM)
    memory.prepare(position(40, 36, 0), KEPT, 1)
    assert is_new(memory)


def test_no_search_waits_for_memory() -> None:
    tree = TreeMemory(mcts.ROOM).tree
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for field in tree[:-2]:
        field.fill(1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 10


def test_a_large_tree_takes_its_memory_as_it_grows() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    before = resident()
    memory = TreeMemory(16 * mcts.ROOM)
    assert resident() - before < 2 * mcts.ROOM * kernel.NODE_BYTES
    assert len(memory.tree.visits) == 16 * mcts.ROOM


def test_the_position_two_plies_later_is_found() -> None:
    memory = grown()
    memory.prepare(position(40, 36, 0), KEPT, 1)
    assert not is_new(memory)
    root = int(memory.tree.counters[kernel.ROOT])
    assert memory.tree.move[root] == 0


def test_other_positions_and_other_searches_begin_anew() -> None:
    others = [
        (position(40), KEPT),
        (position(40, 36), KEPT),
        (position(36, 0, 4), KEPT),
        (position(40, 36, 0, 1, 9), KEPT),
        (position(40, 36, 0), ("ultimate:count", "a plan")),
        (position(40, 36, 0), None),
    ]
    for later, kept in others:
        memory = grown()
        memory.prepare(later, kept, 1)
        assert is_new(memory), (later, kept)
