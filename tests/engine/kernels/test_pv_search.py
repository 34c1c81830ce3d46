"""The search over principal variations on Qubic, against minimax written here: without nodes to look for wins by
threats, and three plies deep at most, it leaves nothing out."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from engine.kernels import pv_search, pv_stack, qubic_search, qubic_threats
from engine.kernels.pv_stack import WIN
from engine.rules.lines import mask_of
from tests.support.engine.games import flat_rules

GAME = flat_rules("qubic")
LINES = tuple(map(mask_of, GAME.lines))
WEIGHTS = (3, 17, 41, 5, 19, 29, 7)
PLIES = 40


def completing(own: int, others: int) -> int:
    """The cells on which a side completes a line."""
    cells = 0
    for line in LINES:
        if not line & others and (line & own).bit_count() == 3:
            cells |= line & ~own
    return cells


def evaluation(own: int, others: int) -> int:
    """For the side to move: what its marks on each open line are worth, less the other side's, and the move."""
    value = WEIGHTS[6]
    for line in LINES:
        if not line & others:
            value += sum(WEIGHTS[: (line & own).bit_count()])
        elif not line & own:
            value -= sum(WEIGHTS[3 : 3 + (line & others).bit_count()])
    return value


def makes_two(own: int, others: int) -> bool:
    """Whether a move leaves two cells that complete a line, which is seen without a node."""
    once = twice = 0
    for line in LINES:
        if not line & others and (line & own).bit_count() == 2:
            twice |= once & line & ~own
            once |= line & ~own
    return twice != 0


def empty(own: int, others: int) -> list[int]:
    return [cell for cell in range(64) if not (own | others) >> cell & 1]


@cache
def minimax(own: int, others: int, depth: int, ply: int) -> int:
    """For the side to move, `ply` plies below the root. A forced block costs no depth."""
    if completing(own, others):
        return WIN - ply - 1
    stops = completing(others, own)
    if stops.bit_count() > 1:
        return ply + 2 - WIN
    if all(line & own and line & others for line in LINES):
        return 0
    if not stops and makes_two(own, others):
        return WIN - ply - 3
    if stops:
        return -minimax(others, own | stops, depth, ply + 1)
    if depth == 0:
        return evaluation(own, others)
    return max(-minimax(others, own | 1 << move, depth - 1, ply + 1) for move in empty(own, others))


def position(random: Random, marks: int) -> tuple[int, int]:
    """In which nobody completes a line next."""
    own = others = 0
    while (own | others).bit_count() < marks:
        quiet = [
            cell
            for cell in empty(own, others)
            if not completing(own | 1 << cell, others) and not completing(others, own | 1 << cell)
        ]
        if quiet:
            own, others = others, own | 1 << random.choice(quiet)
        else:
            own = others = 0
    return own, others


@pytest.mark.parametrize(("marks", "depth"), [(9, 1), (20, 1), (10, 2), (15, 2), (30, 2), (44, 3), (49, 3), (57, 3)])
@pytest.mark.parametrize("entries", [1, 1 << 12])
def test_a_whole_search_finds_the_value_of_minimax(marks: int, depth: int, entries: int) -> None:
    random = Random(marks)
    for _ in range(3 if marks < 20 else 6):
        own, others = position(random, marks)
        minimax.cache_clear()
        board, threats = qubic_search.board(PLIES, WEIGHTS), qubic_threats.threats(GAME.lines, 1)
        stack = pv_stack.stack(PLIES, 64, 64, np.zeros((entries, 2), np.uint64), random.getrandbits(63))
        lost_in = qubic_search.list_root(board, stack, threats, np.uint64(own), np.uint64(others), 0)
        moves = stack.moves[0, : stack.frames[0, pv_stack.COUNT]].copy()
        for move in set(empty(own, others)) - set(moves.tolist()):
            assert -minimax(others, own | 1 << move, 0, 1) == lost_in - WIN
        options = qubic_search.Options(width=64, cap=0, growth=1, most_cap=0, root_cap=0)
        for plies in range(1, depth + 1):
            random.shuffle(moves)
            pv_stack.begin(stack, moves, plies)
            while True:
                until = int(stack.counters[pv_stack.NODES]) + random.randrange(1, 2_000)
                if pv_search.run(board, stack, threats, options, until) == pv_stack.FINISHED:
                    break
            values = [-minimax(others, own | 1 << move, plies - 1, 1) for move in moves.tolist()]
            found = stack.root_values[: len(moves)].tolist()
            best = max(values)
            assert max(found) == best
            assert values[found.index(best)] == best
            # What is not best has a bound: it is worth no more.
            assert all(value <= bound <= best for value, bound in zip(values, found, strict=True))
            line = stack.line[0, : stack.frames[0, pv_stack.LINE_LENGTH]].tolist()
            assert leads_to(own, others, line) == best


def leads_to(own: int, others: int, line: list[int]) -> int:
    """What the end of a line is worth at the root, if each of its moves is as good as the best."""
    sign = 1
    for move in line:
        own, others, sign = others, own | 1 << move, -sign
    return sign * minimax(own, others, 0, len(line))
