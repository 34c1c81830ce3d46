"""Single machine instructions against plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import bits
from engine.kernels.jit import jit


@jit
def counted(word: Any) -> int:
    return int(bits.popcount(word))


@jit
def lowest(word: Any) -> int:
    return int(bits.lowest(word))


@jit
def last_of_all(rows: Any) -> int:
    """After each row has been sent for."""
    for row in range(rows.shape[0]):
        bits.prefetch(rows, row)
    return int(rows[rows.shape[0] - 1, 0])


@given(st.integers(1, 2**64 - 1))
def test_bits_are_counted_and_found(word: int) -> None:
    assert counted(np.uint64(word)) == word.bit_count()
    assert 1 << lowest(np.uint64(word)) == word & -word


def test_memory_that_is_sent_for_stays_as_it_is() -> None:
    rows = np.arange(2_000).reshape(1_000, 2)
    assert last_of_all(rows) == 1_998
    assert rows.tolist() == np.arange(2_000).reshape(1_000, 2).tolist()
