"""What open lines are worth on Qubic: seven learned numbers and their file."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from engine.search import weights_file
from engine.search.weights_file import Shipped

UNIT: Final = 1000
"""Unit of a weight: the odds to win are the exponential of the value / UNIT."""
Weights: TypeAlias = tuple[int, ...]
"""Seven numbers, see `engine.kernels.qubic_search.QubicBoard`."""
_NUMBERS: Final = 7


def to_bytes(weights: Weights, made: dict[str, Any]) -> bytes:
    """A file of weights; `made` says how they came about."""
    return weights_file.to_bytes(np.array(weights, np.int16), made)


def from_bytes(data: bytes) -> tuple[Weights, dict[str, Any]]:
    """The weights of a file and how they were made. Raises ValueError, with a sentence, for anything else."""
    numbers, made = weights_file.from_bytes(data, _NUMBERS)
    return tuple(numbers.tolist()), made


_shipped = Shipped[Weights](lambda data: from_bytes(data)[0])
instead = _shipped.instead


def current() -> Weights:
    """The weights by which a search judges."""
    return _shipped.current("qubic")
