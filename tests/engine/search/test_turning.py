"""Variety by symmetry in the first plies, and none later."""

from __future__ import annotations

from random import Random

from engine.rules.position import play_all
from engine.rules.registry import rules
from engine.search.decision import Decision
from engine.search.turning import turned


def test_the_first_move_is_turned_with_its_line() -> None:
    initial = rules("tictactoe").initial
    found = {turned(Decision(0, pv=(0, 1)), initial, Random(seed)).pv for seed in range(40)}
    corners, edges = {0, 2, 6, 8}, {1, 3, 5, 7}
    assert {line[0] for line in found} == corners
    assert {line[1] for line in found} <= edges


def test_only_symmetries_of_the_position_count() -> None:
    position = rules("tictactoe").initial.play(0)
    assert {turned(Decision(1), position, Random(seed)).move for seed in range(20)} == {1, 3}


def test_later_moves_stay() -> None:
    position = play_all(rules("qubic").initial, range(4))
    assert {turned(Decision(9), position, Random(seed)).move for seed in range(20)} == {9}
