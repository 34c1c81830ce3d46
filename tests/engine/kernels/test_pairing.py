"""Pairings of random collections of sets: what is found is one, and what obviously has one is found."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.pairing import paired

SETS = st.lists(st.integers(0, (1 << 64) - 1) | st.integers(0, (1 << 12) - 1), max_size=30)


def pairing(sets: list[int]) -> list[int] | None:
    pairs = np.zeros(len(sets), np.uint64)
    number = paired(np.array(sets, np.uint64), len(sets), pairs)
    return None if number < 0 else pairs[:number].tolist()


@given(SETS)
def test_each_set_has_a_pair_and_no_cell_is_in_two(sets: list[int]) -> None:
    pairs = pairing(sets)
    if pairs is None:
        return
    assert all(pair.bit_count() == 2 for pair in pairs)
    assert not any(one & other for one, other in combinations(pairs, 2))
    assert all(any(pair & cells == pair for pair in pairs) for cells in sets)
    assert all(any(pair & cells == pair for cells in sets) for pair in pairs), "none for nothing"


@given(st.permutations(range(64)), st.lists(st.integers(2, 6), max_size=10))
def test_sets_without_common_cells_are_paired(cells: list[int], sizes: list[int]) -> None:
    left = iter(cells)
    sets = [sum(1 << next(left) for _ in range(size)) for size in sizes]
    pairs = pairing(sets)
    assert pairs is not None
    assert len(pairs) == len(sets)


@given(SETS, st.integers(0, 63))
def test_a_set_of_one_cell_has_no_pair(sets: list[int], cell: int) -> None:
    assert pairing([*sets, 1 << cell]) is None


def test_sets_share_a_pair() -> None:
    assert pairing([0b111, 0b1110, 0b110]) == [0b110]
    assert pairing([0b11, 0b1100, 0b1111]) is not None
