from __future__ import annotations

import pytest

from engine.kernels.jit import jit
from engine.kernels.random_numbers import next_random

WORD = (1 << 64) - 1


@jit
def following(state: int) -> int:
    return next_random(state)


def xorshift(state: int) -> int:
    """The same in numbers of any size."""
    state ^= state << 13 & WORD
    state ^= state >> 7
    state ^= state << 17 & WORD
    return state & (1 << 63) - 1 | 1


@pytest.mark.parametrize("seed", [1, 2, 12_345, (1 << 63) - 1])
def test_numbers_are_those_of_xorshift_and_do_not_come_round_soon(seed: int) -> None:
    met = set()
    state = seed
    for _ in range(5_000):
        before, state = state, following(state)
        assert state == xorshift(before)
        met.add(state)
    assert len(met) == 5_000
