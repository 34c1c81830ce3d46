"""Random numbers within a kernel, from a seed."""

from __future__ import annotations

import numpy as np

from engine.kernels.bits import integer
from engine.kernels.jit import inlined


@inlined
def next_random(state: int) -> int:
    """xorshift (Marsaglia 2003) on 63 bits, kept positive."""
    word = np.uint64(state)
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return integer(word & np.uint64(0x7FFFFFFFFFFFFFFF)) | 1
