"""X's win on Qubic as a table: in each position with X to move that threats alone do not win, a move that does.

A position stands for all its images under the 192 symmetries: its *least image* is the one with the smallest
number of X's cells, then of O's. `client/lab/verify/qubic_checker.py` describes the
file's format and checks it independently.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

import numpy as np

from engine.rules.registry import rules

Marks: TypeAlias = tuple[int, int]
"""The cells of X and of O as bit masks."""

_HEAD: Final = struct.Struct("<8sII")
_RECORD: Final = struct.Struct("<QQBB")
_MAGIC: Final = b"qubicwin"
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """X's move in a position, and the most plies in which it wins from there."""

    move: int
    plies: int

    @property
    def moves(self) -> int:
        """X's moves among these plies."""
        return (self.plies + 1) // 2


Book: TypeAlias = Mapping[Marks, Entry]
"""Entries by least image."""


@lru_cache(maxsize=1)
def _tables() -> tuple[Any, Any]:
    """uint64[192, 8, 256]: where a symmetry takes the cells of a byte of a word; int64[192, 64]: and each cell."""
    images = np.array(rules("qubic").symmetries, np.int64)
    bits = np.uint64(1) << images.astype(np.uint64).reshape(-1, 8, 8)
    words = np.zeros((len(images), 8, 256), np.uint64)
    for byte in range(1, 256):
        lowest = (byte & -byte).bit_length() - 1
        words[:, :, byte] = words[:, :, byte & (byte - 1)] | bits[:, :, lowest]
    return words, images


def _images(cells: int) -> Any:
    """uint64[192]."""
    words, _ = _tables()
    return np.bitwise_or.reduce(words[:, np.arange(8), list(cells.to_bytes(8, "little"))], axis=1)


def least_image(x: int, o: int) -> tuple[Marks, tuple[int, ...]]:
    """The position that stands for this one, and a symmetry that takes this one there: image = symmetry[cell]."""
    _, images = _tables()
    of_x = _images(x)
    candidates = np.flatnonzero(of_x == of_x.min())
    of_o = _images(o)[candidates]
    place = int(candidates[of_o.argmin()])
    return (int(of_x[place]), int(of_o.min())), tuple(images[place].tolist())


def to_bytes(book: Book) -> bytes:
    """The file of a book: the same bytes for the same book."""
    body = b"".join(_RECORD.pack(x, o, entry.move, entry.plies) for (x, o), entry in sorted(book.items()))
    data = _HEAD.pack(_MAGIC, _FORMAT, len(book)) + body
    return data + hashlib.sha256(data).digest()


def from_bytes(data: bytes) -> Book:
    """The book of a file. Raises ValueError, with a sentence, for anything else."""
    if len(data) < _HEAD.size + 32 or data[:8] != _MAGIC or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ValueError("This is no book for qubic, or it is damaged: noughts verify tells more.")
    return {(x, o): Entry(move, plies) for x, o, move, plies in _RECORD.iter_unpack(data[_HEAD.size : -32])}


@lru_cache(maxsize=1)
def shipped() -> Book:
    """The book that comes with the package."""
    return from_bytes(files("engine.search.perfect").joinpath("qubic.book").read_bytes())
