"""Words, numbers and memory: single machine instructions that numba lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.core import cgutils

from engine.kernels.jit import DISABLED, intrinsic

_tools: Any = cgutils  # has no types


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


def _prefetch(array: Any, row: int) -> None:
    return None


def _prefetch_instruction(context: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(array)(context, builder, arguments[0])
        first = [arguments[1], *[context.get_constant(types.intp, 0)] * (array.ndim - 1)]
        place = _tools.get_item_pointer(context, builder, array, made, first)
        number = _tools.ir.IntType(32)
        shape = _tools.ir.FunctionType(_tools.ir.VoidType(), [place.type, number, number, number])
        instruction = _tools.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        builder.call(instruction, [place, number(0), number(3), number(1)])  # to be read, into all caches, data
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


integer = cast("Callable[[Any], int]", np.int64)
"""An element of an array as an int64, the only kind of number that kernels calculate with."""
popcount: Any = _popcount if DISABLED else intrinsic(_popcount_instruction)
"""The number of set bits of an unsigned 64-bit word."""
lowest: Any = _lowest if DISABLED else intrinsic(_lowest_instruction)
"""The index of the lowest set bit of an unsigned 64-bit word that is not 0."""
prefetch: Any = _prefetch if DISABLED else intrinsic(_prefetch_instruction)
"""Has the row of this number of an array, which is not negative, on its way from memory, and does not wait for it."""
