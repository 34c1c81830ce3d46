"""Which search `strongest` is, where it is more than one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.rules.limit import Limit
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import mcts, strongest
from engine.search.strongest import _EXACT_CELLS, _playable
from engine.search.watch import NO_WATCH
from tests.support.engine.watches import Clock


def game(seed: int, name: str = "ultimate") -> list[Position]:
    random, position = Random(seed), rules(name).initial
    positions = [position]
    while True:
        position = position.play(random.choice(position.legal_moves()))
        if position.outcome is not None:
            return positions
        positions.append(position)


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> list[Limit]:
    """The limits of the searches by a tree."""
    limits: list[Limit] = []
    choose = mcts.choose

    def counted(position: Position, limit: Limit, *others: Any) -> object:
        limits.append(limit)
        return choose(position, limit, *others)

    monkeypatch.setattr(mcts, "choose", counted)
    return limits


@pytest.mark.parametrize("name", ["ultimate", "ultimate:count"])
def test_ultimate_is_played_by_a_tree_until_near_its_end(name: str, trees: list[Limit]) -> None:
    positions = [position for seed in range(3) for position in game(seed, name)]
    late = 0
    for position in positions[::5]:
        trees.clear()
        decision = strongest.decide((), position, Limit(nodes=500), Random(0), NO_WATCH)
        assert position.is_legal(decision.move)
        assert decision.nodes <= 500
        assert bool(trees) == (_playable(position) > _EXACT_CELLS)
        late += not trees
    assert 3 < late < len(positions[::5]) - 3


def test_the_tree_gets_the_limit_or_a_second(trees: list[Limit], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.search.skill._SECOND", 3_000)
    position = rules("ultimate").initial.play(40)
    for limit in (Limit(), Limit(nodes=200), Limit(move_ms=1)):
        strongest.decide((), position, limit, Random(0), Clock(10**6))
    assert trees == [Limit(nodes=3_000), Limit(nodes=200), Limit(move_ms=1)]


def test_a_limit_of_depth_and_other_games_are_not_for_trees(trees: list[Limit]) -> None:
    assert strongest.decide((), rules("ultimate").initial.play(40), Limit(depth=2), Random(0), NO_WATCH).depth == 2
    strongest.decide((), rules("nine-board").initial.play(40), Limit(nodes=500), Random(0), NO_WATCH)
    assert not trees


def test_cells_of_closed_boards_are_not_counted() -> None:
    for position in game(1):
        legal = len(position.legal_moves())
        assert legal <= _playable(position) <= 81 - position.ply
