"""A pairing: pairs of cells, no cell in two of them, so that each of some sets of cells holds one.

When the attacker takes a cell of a pair, the defender takes the other, and so has a cell of every set.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.kernels.bits import popcount
from engine.kernels.jit import jit

_SERVED: Final = 16
"""What a set that shares a pair counts against one that loses a single cell to it."""


@jit
def paired(sets: Any, count: int, pairs: Any) -> int:
    """Pair up the first `count` of `sets`, which it overwrites; how many pairs it wrote to `pairs`, -1 where it fails.

    sets, pairs: uint64[count or more]. Greedy, so a failure is not certain: the set with the fewest free cells takes
    the two that lie in most others.
    """
    one = np.uint64(1)
    none = np.uint64(0)
    free = none
    for i in range(count):
        free |= sets[i]
    number = 0
    while count > 0:
        least = 65
        chosen = 0
        for i in range(count):
            size = popcount(sets[i] & free)
            if size < least:
                least = size
                chosen = i
        if least < 2:
            return -1
        cells = sets[chosen] & free
        best = none
        most = -count
        while cells:
            low = cells & (~cells + one)
            cells ^= low
            rest = cells
            while rest:
                pair = low | (rest & (~rest + one))
                rest &= rest - one
                worth = 0
                for i in range(count):
                    common = sets[i] & pair
                    if common == pair:
                        worth += _SERVED
                    elif common:
                        worth -= 1
                if worth > most:
                    most = worth
                    best = pair
        free &= ~best
        pairs[number] = best
        number += 1
        kept = 0
        for i in range(count):
            if sets[i] & best != best:
                sets[kept] = sets[i]
                kept += 1
        count = kept
    return number
