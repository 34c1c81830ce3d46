"""A mutant put into modules that are loaded already: its functions get the mutant's code."""

from __future__ import annotations

import ast
import gc
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeAlias

from tests.mutation.mutants import mutated

_Place: TypeAlias = tuple[str, int, str]
Functions: TypeAlias = dict[_Place, list[FunctionType]]


def loaded_functions() -> Functions:
    found: Functions = defaultdict(list)
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            found[_place(thing.__code__)].append(thing)
    return found


def swap_in(path: Path, index: int, functions: Functions) -> bool:
    """Whether the mutant is there now: one outside of functions, or that closes over other names, cannot be."""
    original = dict(_codes(compile(ast.parse(path.read_text()), str(path), "exec")))
    swapped = False
    for place, code in _codes(compile(mutated(path, index), str(path), "exec")):
        if code != original.get(place):
            for function in functions.get(place, ()):
                if function.__code__.co_freevars != code.co_freevars:
                    return False
                function.__code__ = code
                swapped = True
    return swapped


def _codes(module: CodeType) -> Iterator[tuple[_Place, CodeType]]:
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            yield _place(constant), constant
            yield from _codes(constant)


def _place(code: CodeType) -> _Place:
    return code.co_filename, code.co_firstlineno, code.co_qualname
