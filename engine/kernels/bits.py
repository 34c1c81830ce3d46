"""Words and numbers: counting and finding the bits of a word are single machine instructions that numba lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types

from engine.kernels.jit import DISABLED, intrinsic


def _popcount(word: Any) -> int:
    return int(word).bit_count()


def _lowest(word: Any) -> int:
    number = int(word)
    return (number & -number).bit_length() - 1


def _popcount_instruction(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _lowest_instruction(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


integer = cast("Callable[[Any], int]", np.int64)
"""An element of an array as an int64, the only kind of number that kernels calculate with."""
popcount: Any = _popcount if DISABLED else intrinsic(_popcount_instruction)
"""The number of set bits of an unsigned 64-bit word."""
lowest: Any = _lowest if DISABLED else intrinsic(_lowest_instruction)
"""The index of the lowest set bit of an unsigned 64-bit word that is not 0."""
