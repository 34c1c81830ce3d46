"""What a search over patterns lists, against sorting all cells, and what it sees of moves, against making them."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import pattern_search, patterns, pv_stack
from engine.kernels.jit import jit
from engine.kernels.patterns import PatternBoard
from engine.kernels.pv_stack import Stack
from engine.rules.flat import FlatPosition
from engine.rules.registry import rules
from engine.search.patterned import pattern_board
from tests.support.engine.games import played, replay

PLY = 2


@jit
def foreseen(board: PatternBoard, stack: Stack, move: int) -> int:
    return pattern_search.foreseen(board, stack, PLY, move)


@given(played(st.sampled_from(["mnk:5,5,4", "mnk:8,8,5", "gomoku"])), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_the_most_promising_cells_are_listed_in_order(game: tuple[str, list[int]], width: int) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board, side = pattern_board(position), position.ply & 1
    stack = pv_stack.stack(2, board.cells, len(board.cell), np.zeros((1, 2), np.uint64), 0)
    if patterns.of_kind(board, 1 - side, patterns.COMPLETING):
        return
    left_out = pattern_search.list_root(board, stack, side, width)
    best = np.maximum(board.kinds & 15, board.kinds >> 4)
    if patterns.of_kind(board, 1 - side, patterns.WINNING):
        found, width = np.flatnonzero(best >= patterns.FOURS), board.cells
    else:
        useful, near = (np.flatnonzero(best >= kind) for kind in (patterns.APART, patterns.QUIET))
        found = near if len(near) else useful
        assert left_out == (len(near) and len(useful) > min(len(near), width))
    in_order = found[np.argsort(-patterns.promises(board, found, side), kind="stable")]
    assert stack.moves[0, : stack.frames[0, pv_stack.COUNT]].tolist() == in_order[:width].tolist()


def test_moves_that_leave_a_winning_move_are_seen_before_they_are_made() -> None:
    random = Random(6)
    losing = holding = 0
    while not (losing > 100 and holding > 100):
        position = rules(random.choice(["mnk:6,6,4", "mnk:7,7,5"])).initial
        for _ in range(random.randrange(5, 16)):
            if position.outcome is None:
                position = position.play(random.choice(position.legal_moves()))
        assert isinstance(position, FlatPosition)
        board, side = pattern_board(position), position.ply & 1
        completing = [patterns.of_kind(board, one, patterns.COMPLETING) for one in range(2)]
        if position.outcome is not None or any(completing) or not patterns.of_kind(board, 1 - side, patterns.WINNING):
            continue
        stack = pv_stack.stack(PLY + 2, board.cells, len(board.cell), np.zeros((1, 2), np.uint64), 0)
        pattern_search.list_root(board, stack, side, board.cells)
        count = stack.frames[0, pv_stack.COUNT]
        stack.frames[PLY], stack.moves[PLY] = stack.frames[0], stack.moves[0]
        for move in stack.moves[0, :count]:
            after = position.play(int(board.cell[move]))
            assert isinstance(after, FlatPosition)
            there = pattern_board(after)
            loses = not patterns.of_kind(there, side, patterns.COMPLETING) and bool(
                patterns.of_kind(there, 1 - side, patterns.WINNING)
            )
            assert foreseen(board, stack, move) == (PLY + 4 - pv_stack.WIN if loses else 0)
            losing += loses
            holding += not loses
