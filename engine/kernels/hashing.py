"""Pseudo-random words for position keys, the same on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np

_STEP = 0x9E3779B97F4A7C15


def random_words(count: int, seed: int = 0) -> Any:
    """uint64[count]: the splitmix64 sequence (Steele, Lea & Flood 2014) from its word number `seed` on, so that seeds
    which lie closer together than `count` share words."""
    state = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed)) * np.uint64(_STEP)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
