"""The kernel of the nine boards with weights against the rules, and against the weights summed up anew."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import weighted
from engine.kernels.weighted import WeightedBoard, Weights
from engine.rules.nested import ALL_BOARDS, LINE_MASKS, NestedPosition
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import weights
from engine.search.boards import weighted_board
from engine.search.skill import LEARNED
from engine.search.weights import Learned
from tests.support.engine import board_operations as operations
from tests.support.engine.games import played, replay
from tests.support.examples import examples

PLIES = 81
WON = 100_000
games = st.sampled_from(list(LEARNED))


@lru_cache(maxsize=1)
def drawn_weights() -> Weights:
    random = np.random.default_rng(1)
    return weights.expanded(Learned(*(random.integers(-99, 99, size).astype(np.int16) for size in weights.sizes())))


def board_of(position: Position) -> WeightedBoard:
    assert isinstance(position, NestedPosition)
    return weighted_board(position, drawn_weights(), PLIES, 1)


def code_of(position: NestedPosition, board: int, own: int, others: int) -> int:
    return sum(
        3**square * ((own >> 9 * board + square & 1) + 2 * (others >> 9 * board + square & 1)) for square in range(9)
    )


def naive(position: NestedPosition) -> int:
    """What the side to move is worth, board by board."""
    table = drawn_weights()
    own, others = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
    ours, theirs = (position.won_o, position.won_x) if position.ply & 1 else (position.won_x, position.won_o)
    dead = position.closed & ~ours & ~theirs
    codes = [code_of(position, board, own, others) for board in range(9)]
    contexts = [4 * level(board, ours, theirs | dead) + level(board, theirs, ours | dead) for board in range(9)]
    open_boards = [board for board in range(9) if not position.closed >> board & 1]
    place = [0, 1, 0, 1, 2, 1, 0, 1, 0]
    total = sum(int(table.small[(16 * place[board] + contexts[board]) * 3**9 + codes[board]]) for board in open_boards)
    threats = [sum(can_complete(marks, others_marks, board) << board for board in open_boards)
               for marks, others_marks in ((own, others), (others, own))]  # fmt: skip
    is_nine_board = position.rules.id == "nine-board"
    states = threats[0] | threats[1] << 9 if is_nine_board else (ours | dead) | (theirs | dead) << 9
    total += int(table.big[states])
    target = position.forced
    if target is None:
        return (
            total + int(table.free[0, position.closed.bit_count()]) + (int(table.safe[0, 10]) if is_nine_board else 0)
        )
    total += int(table.sent[0, (0 if is_nine_board else contexts[target]) * 3**9 + codes[target]])
    if is_nine_board:
        empty = ALL_BOARDS & ~((own | others) >> 9 * target)
        total += int(table.safe[0, (empty & ~threats[1]).bit_count()])
    return total


def level(board: int, ours: int, blocked: int) -> int:
    if (ours | blocked) >> board & 1:
        return 0
    rest = [mask & ~(1 << board) for mask in LINE_MASKS if mask >> board & 1]
    return max((1 + (mask & ours).bit_count() for mask in rest if not mask & blocked), default=0)


def can_complete(own: int, others: int, board: int) -> int:
    marks, taken = own >> 9 * board & ALL_BOARDS, (own | others) >> 9 * board & ALL_BOARDS
    return int(any((mask & ~taken).bit_count() == 1 and (mask & marks).bit_count() == 2 for mask in LINE_MASKS))


def wins_at_once(position: Position) -> bool:
    ends = [position.play(move).outcome for move in position.legal_moves()]
    return any(end is not None and end.winner == position.to_move for end in ends)


def status(position: Position, child: Position) -> int:
    if child.outcome is None:
        return 0
    return 2 if child.outcome.winner is None else 1 if child.outcome.winner == position.to_move else 3


@given(played(games), st.randoms(use_true_random=False))
@examples(60)
def test_what_is_kept_up_to_date_is_what_would_be_summed_up_anew(game: tuple[str, list[int]], random: Random) -> None:
    position = replay(*game)
    assert isinstance(position, NestedPosition)
    if position.outcome is not None:
        return
    board = board_of(position)
    for ply in range(6):
        side = 1 if ply & 1 == 0 else -1
        moves = list(position.legal_moves())
        row: Any = np.zeros(81, np.uint16)
        assert row[: operations.legal(board, ply, row)].tolist() == moves
        values, ends = [], 0
        for move in moves:
            child = position.play(move)
            said, after = operations.look(board, ply, move)
            assert said == status(position, child)
            if said:
                values.append({1: WON, 2: 0, 3: -WON}[said])
                ends += 1
            elif side * after < -10_000:
                assert wins_at_once(child)
                values.append(1 - WON)
                ends += 1
            else:
                assert side * after == -naive(child)
                assert position.rules.id != "nine-board" or not wins_at_once(child)
                values.append(side * after)
        best = max(values)
        found = operations.frontier(board, ply, -1 << 60, 1 << 60, WON, 0, 0)
        assert found == (best, moves[values.index(best)], len(moves), ends)
        going_on = [move for move in moves if position.play(move).outcome is None]
        if not going_on:
            return
        move = random.choice(going_on)
        operations.make(board, ply, move)
        position = position.play(move)
        anew = board_of(position)
        assert board.static[ply + 1] == (anew.static[0] if ply & 1 else -anew.static[0])


@pytest.mark.parametrize("game", LEARNED)
def test_the_first_position_is_worth_the_first_move(game: str) -> None:
    position = rules(game).initial
    assert board_of(position).static[0] == 0


def test_contexts_tell_what_a_board_is_good_for() -> None:
    ours, theirs = 0b011, 0
    contexts = int(weighted.contexts()[ours | theirs << 9])
    assert contexts >> 4 * 2 & 15 == 4 * 3 + 1
    assert contexts >> 4 * 0 & 15 == 0
