"""What the table of a search keeps and gives back, and the order of moves."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import pv_stack
from engine.kernels.jit import jit
from engine.kernels.pv_stack import (
    ALPHA,
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    FIRST_ALPHA,
    GUESSES,
    HALF_WIN,
    LISTED,
    REMAINING,
    WIN,
    Stack,
)


@jit
def probe(stack: Stack, ply: int, position: Any) -> tuple[bool, int, int]:
    return pv_stack.probe(stack, ply, position)


@jit
def store(stack: Stack, ply: int) -> None:
    pv_stack.store(stack, ply)


@jit
def order(stack: Stack, ply: int) -> None:
    pv_stack.order(stack, ply)


POSITION = np.uint64(0x123456789ABCDEF1)
MARK = 0x7654321
DEPTHS = (*range(-1, 5), 254, 255, 256)
VALUES = (*range(-3, 4), *range(WIN - 24, WIN - 18), *range(19 - WIN, 25 - WIN))


def open_node(stack: Stack, ply: int, alpha: int, beta: int, remaining: int) -> None:
    frame = stack.frames[ply]
    frame[ALPHA], frame[FIRST_ALPHA], frame[BETA], frame[REMAINING] = alpha, alpha, beta, remaining


def fresh(mark: int = MARK) -> Stack:
    return pv_stack.stack(12, 9, 9, np.zeros((1, 2), np.uint64), mark)


def test_what_is_kept_settles_a_node_where_it_must() -> None:
    """A node that was searched at one ply is met at another, with another window and another depth to go."""
    random = Random(1)
    for _ in range(2_000):
        kept_and_met(random)


def kept_and_met(random: Random) -> None:
    kept_at, asked_at = random.randrange(1, 7), random.randrange(1, 7)
    kept, asked = random.choice(DEPTHS), random.choice(DEPTHS)
    value, *window = random.choices(VALUES, k=3)
    later = random.choices(VALUES, k=2)
    stack = fresh()
    alpha, beta = min(window), max(window) + 1
    open_node(stack, kept_at, alpha, beta, kept)
    assert probe(stack, kept_at, POSITION) == (False, 0, -1)
    stack.frames[kept_at, BEST], stack.frames[kept_at, BEST_MOVE] = value, 7
    store(stack, kept_at)
    least, most = value > alpha, value < beta  # what the true value is known to be, or else a bound of

    low, high = min(later), max(later) + 1
    open_node(stack, asked_at, low, high, asked)
    # A win is as many plies below the node wherever that is met.
    here = value + (kept_at - asked_at) * (1 if value > HALF_WIN else -1 if value < -HALF_WIN else 0)
    deep_enough = min(max(kept, 0), 255) >= min(max(asked, 0), 255)
    settled = (
        (least and most and deep_enough)
        or (least and here >= high and (deep_enough or here > HALF_WIN))
        or (most and here <= low and (deep_enough or here < -HALF_WIN))
    )
    assert probe(stack, asked_at, POSITION) == (settled, here if settled else 0, 7)
    assert not probe(stack, asked_at, POSITION ^ np.uint64(1 << 40))[0]
    assert probe(fresh(MARK + 1)._replace(table=stack.table), asked_at, POSITION) == (False, 0, -1)


def test_a_shallower_result_takes_the_place_of_a_deeper_one_only_as_a_proof() -> None:
    for value, kept in ((4, 3), (WIN - 20, WIN - 20)):
        stack = fresh()
        for depth, best in ((5, 3), (2, value)):
            open_node(stack, 1, -WIN, WIN, depth)
            probe(stack, 1, POSITION)
            stack.frames[1, BEST] = best
            store(stack, 1)
        open_node(stack, 1, -WIN, WIN, 2)
        assert probe(stack, 1, POSITION)[:2] == (True, kept)
        open_node(stack, 1, -WIN, WIN, 1)
        probe(stack, 1, POSITION + np.uint64(1))
        store(stack, 1)
        assert probe(stack, 1, POSITION + np.uint64(1))[0], "another position takes the place at any depth"


def test_what_was_guessed_counts_as_a_guess_where_it_is_met_again() -> None:
    for guesses in (0, 3):
        stack = fresh()
        open_node(stack, 1, -5, 5, 1)
        probe(stack, 1, POSITION)
        stack.counters[GUESSES] = guesses
        store(stack, 1)
        stack.counters[GUESSES] = 0
        assert probe(stack, 1, POSITION)[0]
        assert stack.counters[GUESSES] == (guesses > 0)


@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(2, 9))
def test_the_most_promising_of_the_moves_after_the_first_are_put_in_order(seed: int, listed: int, tried: int) -> None:
    stack, random = fresh(), Random(seed)
    moves, promises = random.sample(range(9), listed), random.sample(range(-100, 100), listed)
    stack.moves[2, :listed], stack.promises[2, :listed] = moves, promises
    stack.frames[2, LISTED], stack.frames[2, COUNT] = listed, min(tried, listed)
    order(stack, 2)
    rest = sorted(zip(promises[1:], moves[1:], strict=True), reverse=True)
    assert stack.moves[2, : min(tried, listed)].tolist() == [moves[0], *(move for _, move in rest)][:tried]
    assert stack.frames[2, LISTED] == 0
