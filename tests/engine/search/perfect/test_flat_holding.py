"""Moves that hold as Breaker, against the solver of the game itself."""

from __future__ import annotations

from random import Random

import pytest

from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import other
from engine.rules.registry import rules
from engine.search.perfect.flat_holding import held
from engine.search.solve.solver import Solver
from engine.search.watch import NO_WATCH
from tests.support.engine.games import replay_texts
from tests.support.engine.plain_minimax import position_after
from tests.support.engine.watches import Stop, Ticking


@pytest.mark.parametrize(("game", "least_drawn"), [("mnk:5,4,4", 10), ("mnk:5,5,4", 1)])
def test_what_holds_is_never_lost(game: str, least_drawn: int) -> None:
    random = Random(game)
    drawn = holding = 0
    for seed in range(30):
        position = position_after(game, random.randrange(2, 12), seed)
        assert isinstance(position, FlatPosition)
        found = held(position, None, None, NO_WATCH)
        solver = Solver(position.rules, entries=10_007)
        if found.is_drawn:
            drawn += 1
            assert solver.solve(position).value == "draw"
        for move in found.moves:
            holding += 1
            after = position.play(move)
            assert isinstance(after, FlatPosition)
            if after.outcome is None:
                assert solver.solve(after).value != other(position.to_move)
        assert list(found.moves) == sorted(set(found.moves))
    assert drawn >= least_drawn
    assert holding > 30


def test_on_an_empty_board_one_question_is_enough() -> None:
    """The second side never wins there, and no first move changes that."""
    board = rules("mnk:7,7,5")
    assert isinstance(board, FlatRules)
    found = held(board.initial, 20_000, None, NO_WATCH)
    assert found.is_drawn
    assert found.moves == board.initial.legal_moves()
    board = rules("mnk:5,5,4")
    assert isinstance(board, FlatRules)
    assert not held(board.initial, None, None, NO_WATCH).is_drawn, "a draw, but O must threaten lines of its own"


def test_who_must_block_blocks() -> None:
    position = replay_texts("mnk:7,7,5", "d4 a1 d5 g1 d3 a7 d6")
    assert isinstance(position, FlatPosition)
    assert held(position, None, None, NO_WATCH).moves == ()
    position = replay_texts("mnk:7,7,5", "b1 a1 c1 c3 d1 e3 e1")
    assert isinstance(position, FlatPosition)
    assert held(position, None, None, NO_WATCH).moves == (position.rules.parse_move("f1"),)


@pytest.mark.parametrize("nodes", [0, 1, 100, 1_000])
def test_nodes_are_limited(nodes: int) -> None:
    position = replay_texts("mnk:7,7,5", "d4")
    assert isinstance(position, FlatPosition)
    found = held(position, nodes, None, NO_WATCH)
    assert found.nodes <= nodes
    assert found == held(position, nodes, None, NO_WATCH)


def test_the_clock_and_the_stop_flag_are_read() -> None:
    position = replay_texts("mnk:7,7,5", "d4")
    assert isinstance(position, FlatPosition)
    assert held(position, None, None, Stop()).nodes == 0
    watch = Ticking(1)
    assert 0 < held(position, None, 10, watch).nodes < 1_000
    assert watch.now_ms == 10
