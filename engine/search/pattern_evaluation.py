"""What patterns on flat boards are worth, and how early their moves are tried: learned numbers and their file.

A pattern is worth the same whatever the directions of its classes, so each of four tables has a number for every set of
four classes: the worth of the patterns of the side to move, what those of the other side take from it, and the promise
of a move by its pattern for the side that makes it and by its pattern for the other. One number more is the worth of
the move.
"""

from __future__ import annotations

from typing import Any, Final

from engine.kernels import patterns
from engine.kernels.patterns import SETS, Judgement
from engine.search import weights_file
from engine.search.weights_file import Shipped

UNIT: Final = 1000
"""Unit of a worth: the odds to win are the exponential of the value / UNIT, times some constant."""
PROMISE_UNIT: Final = 128
"""Unit of a promise: the odds that a search chooses the move are the exponential of the promise / PROMISE_UNIT, times
some constant."""
_NUMBERS: Final = 4 * SETS + 1


def to_bytes(numbers: Any, made: dict[str, Any]) -> bytes:
    """A file of the numbers (int16[4 * SETS + 1], in the order above); `made` says how they came about."""
    return weights_file.to_bytes(numbers, made)


def from_bytes(data: bytes) -> tuple[Judgement, dict[str, Any]]:
    """What a file says, and how it was made. Raises ValueError, with a sentence, for anything else."""
    numbers, made = weights_file.from_bytes(data, _NUMBERS)
    return judgement(numbers), made


def judgement(numbers: Any) -> Judgement:
    """What numbers (int16[4 * SETS + 1]) say of patterns."""
    own, others, mover, opponent = map(patterns.by_sets, numbers[: 4 * SETS].reshape(4, SETS))
    return Judgement(own + (others << 32), mover + (opponent << 32), int(numbers[-1]))


_shipped = Shipped[Judgement](lambda data: from_bytes(data)[0])
instead = _shipped.instead


def current() -> Judgement:
    """The numbers by which a search judges."""
    return _shipped.current("patterns")
