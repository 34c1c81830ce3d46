"""The positions that a walk has seen; whether it sees the right ones is for the checker of proofs to say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.kernels.nine_board_walk import has_places, larger, walk


def positions(seen: Any) -> list[tuple[int, ...]]:
    return sorted(tuple(words) for words in seen.tolist() if words[0])


@pytest.mark.parametrize("word", [0, 1, 2])
def test_positions_that_differ_in_one_word_stay_apart(word: int) -> None:
    """So many in so few places that most have neighbours."""
    small = walk(256)
    small.seen[:190] = 1 << 48, 2, 3
    small.seen[:190, word] += np.random.default_rng(word).permutation(1 << 20)[:190] << 20
    large = larger(small)
    assert len(large.seen) == 512
    assert positions(large.seen) == positions(small.seen)


def test_a_quarter_of_the_places_stays_free() -> None:
    small = walk(256)
    small.counts[0] = 192 - 81
    assert has_places(small)
    small.counts[0] += 1
    assert not has_places(small)
