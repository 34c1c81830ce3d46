from __future__ import annotations

from itertools import product

import numpy as np

from engine.kernels.nine_board_proof import INFINITY, seals


def test_different_numbers_are_sealed_differently() -> None:
    some = [0, 1, 2, 1_000, 1 << 30, INFINITY - 1, INFINITY]
    numbers = np.array(list(product(some, some)), np.uint32)
    assert len(set(seals(numbers).tolist())) == len(numbers)
