"""Learned weights of the games on nine boards: what a file holds, and the tables that the kernel sums up.

The weights of alike things are one: a small board and its images under the 8 symmetries of the square, and a position
seen from either side, with the sign turned. So a file holds one number for each class of them, in units of 1/256 of the
logarithm of the odds to win.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels import nested
from engine.kernels.nested import CODES, STATES
from engine.kernels.weighted import CONTEXTS, FREE_CHOICES, SAFE_SQUARES, Weights
from engine.rules import lines
from engine.rules.nested import ALL_BOARDS
from engine.search import weights_file
from engine.search.skill import LEARNED
from engine.search.weights_file import Shipped

UNIT: Final = 256
"""Unit of a weight: the odds to win are the exponential of the value / UNIT."""
_PLACES: Final = 3


class Indices(NamedTuple):
    """Where the weight of each thing lies among those of its kind, and with which sign it counts for side 0."""

    small: Any
    """int32[3 * CONTEXTS * CODES]."""
    small_signs: Any
    """int8[3 * CONTEXTS * CODES]."""
    big: Any
    """int32[STATES]: the least of the states that are alike."""
    big_signs: Any
    """int8[STATES]."""
    sent: Any
    """int32[2, CONTEXTS * CODES]: the sign is that of the side to move."""


class Learned(NamedTuple):
    """What is learned: int16 each, the numbers of things that are not alike."""

    small: Any
    """[3 * CONTEXTS * classes]: by place, context and class of code."""
    big: Any
    """[STATES]."""
    sent: Any
    """[CONTEXTS * classes]."""
    free: Any
    """[FREE_CHOICES]."""
    safe: Any
    """[SAFE_SQUARES]."""


@lru_cache(maxsize=1)
def code_classes() -> tuple[Any, Any, int]:
    """The class of each code under the symmetries of the square, its code with the sides swapped (int32[CODES] each),
    and the number of classes."""
    digits = np.arange(CODES)[:, None] // 3 ** np.arange(9) % 3
    images = [digits[:, list(turn)] @ 3 ** np.arange(9) for turn in lines.flat_symmetries(3, 3)]
    least, found = np.unique(np.min(images, axis=0), return_inverse=True)
    swapped = ((3 - digits) % 3) @ 3 ** np.arange(9)
    return found.astype(np.int32), swapped.astype(np.int32), len(least)


@lru_cache(maxsize=1)
def indices() -> Indices:
    """The same for every game."""
    classes, swapped, number = code_classes()
    # All in the narrow types that are kept: in wide ones this took 40 MB, most of which a process never gives back.
    contexts = np.arange(CONTEXTS, dtype=np.int32)
    turned = contexts % 4 * 4 + contexts // 4
    places = np.arange(_PLACES, dtype=np.int32)[:, None, None]
    small = (places * CONTEXTS + contexts[:, None]) * number + classes
    other = (places * CONTEXTS + turned[:, None]) * number + classes[swapped]
    states = np.arange(STATES, dtype=np.int32)
    own, others = states & ALL_BOARDS, states >> 9
    sets = np.arange(512, dtype=np.int32)
    turns: list[Any] = [
        sum((sets >> old & 1) << new for old, new in enumerate(turn)) for turn in lines.flat_symmetries(3, 3)
    ]
    big, swapped_big = own | others << 9, others | own << 9
    for turn in turns:
        np.minimum(big, turn[own] | turn[others] << 9, out=big)
        np.minimum(swapped_big, turn[others] | turn[own] << 9, out=swapped_big)
    return Indices(
        np.minimum(small, other).ravel(),
        _signs(small, other).ravel(),
        np.minimum(big, swapped_big),
        _signs(big, swapped_big),
        np.stack((contexts[:, None] * number + classes, turned[:, None] * number + classes[swapped])).reshape(2, -1),
    )


def _signs(first: Any, second: Any) -> Any:
    """int8: 1 where the first is the lesser, -1 where the second is."""
    return (first < second).astype(np.int8) - (second < first)


def expanded(learned: Learned) -> Weights:
    """The tables of the kernel."""
    where = indices()
    decided = np.tile(nested.tables().events[:CODES] != 0, _PLACES * CONTEXTS)
    small = np.where(decided, 0, learned.small[where.small] * where.small_signs)
    return Weights(
        small.astype(np.int16),
        (learned.big[where.big] * where.big_signs).astype(np.int16),
        np.stack((learned.sent[where.sent[0]], -learned.sent[where.sent[1]])),
        np.stack((learned.free, -learned.free)),
        np.stack((learned.safe, -learned.safe)),
    )


def sizes() -> Learned:
    """How many numbers each kind has."""
    number = code_classes()[2]
    return Learned(_PLACES * CONTEXTS * number, STATES, CONTEXTS * number, FREE_CHOICES, SAFE_SQUARES)


def to_bytes(learned: Learned, made: dict[str, Any]) -> bytes:
    """A file of weights; `made` says of which game they are (`game`) and how they came about."""
    return weights_file.to_bytes(np.concatenate(learned), made)


def from_bytes(data: bytes) -> tuple[Learned, dict[str, Any]]:
    """The weights of a file and how they were made. Raises ValueError, with a sentence, for anything else."""
    ends = np.cumsum(sizes())
    numbers, made = weights_file.from_bytes(data, int(ends[-1]))
    return Learned(*np.split(numbers, ends[:-1])), made


_shipped = Shipped[Weights](lambda data: expanded(from_bytes(data)[0]))
instead = _shipped.instead


def of(game: str) -> Weights:
    """The weights by which a search judges a game of LEARNED; a candidate judges all of them."""
    return _shipped.current(LEARNED[game])
