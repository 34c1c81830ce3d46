"""The file of learned weights: how they were made, and the numbers, which say what they are worth by their order.

Little-endian: 8, 4, 4 bytes: "noughtsw", the format, the length of what follows, which is JSON; then 16-bit numbers as
zlib packs them, and the SHA-256 of all before.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Final, Generic, TypeVar

import numpy as np

Weights = TypeVar("Weights")

_FORMAT: Final = 1
_HEAD: Final = struct.Struct("<8sII")
_MAGIC: Final = b"noughtsw"
_HASH_BYTES: Final = 32
_MOST_BYTES: Final = 1 << 26
"""However little space they take packed, no more is unpacked."""


def to_bytes(numbers: Any, made: dict[str, Any]) -> bytes:
    """The file of int16 numbers; `made` says of which game they are (`game`) and how they came about."""
    head = json.dumps(made, sort_keys=True).encode()
    data = _HEAD.pack(_MAGIC, _FORMAT, len(head)) + head + zlib.compress(numbers.astype("<i2").tobytes(), 9)
    return data + hashlib.sha256(data).digest()


def from_bytes(data: bytes, count: int) -> tuple[Any, dict[str, Any]]:
    """`count` numbers (int16) and how they were made. Raises ValueError, with a sentence, for anything else."""
    if len(data) < _HEAD.size + _HASH_BYTES or data[:8] != _MAGIC:
        raise ValueError("This is no file of weights: noughts learn makes one.")
    _, version, length = _HEAD.unpack_from(data)
    if version != _FORMAT:
        raise ValueError(f"These weights have format {version}, and this version reads {_FORMAT}: learn them again.")
    damaged = ValueError("These weights are damaged or cut short: copy the file again, or learn them again.")
    if hashlib.sha256(data[:-_HASH_BYTES]).digest() != data[-_HASH_BYTES:]:
        raise damaged
    try:
        made = json.loads(data[_HEAD.size : _HEAD.size + length])
        packed = data[_HEAD.size + length : -_HASH_BYTES]
        unpacking = zlib.decompressobj()
        numbers = np.frombuffer(unpacking.decompress(packed, _MOST_BYTES), "<i2").astype(np.int16)
    except (ValueError, RecursionError, zlib.error):
        raise damaged from None
    if not unpacking.eof or not isinstance(made, dict):
        raise damaged
    if len(numbers) != count:
        raise ValueError(f"These weights are {len(numbers)} numbers, and this version needs {count}: learn them again.")
    return numbers, made


def shipped_bytes(name: str) -> bytes:
    """The file of the package with this name."""
    return files("engine.search").joinpath(name + ".weights").read_bytes()


class Shipped(Generic[Weights]):
    """Weights that come with the package, and candidates, so that these can be compared with them."""

    def __init__(self, read: Callable[[bytes], Weights]) -> None:
        self._shipped = cache(lambda name: read(shipped_bytes(name)))
        self._instead: list[Weights] = []

    @contextmanager
    def instead(self, candidate: Weights) -> Iterator[None]:
        """Have searches of this process judge by these weights."""
        self._instead.append(candidate)
        try:
            yield
        finally:
            self._instead.pop()

    def current(self, name: str) -> Weights:
        """The weights by which a search judges: those of the file with this name, but for a candidate."""
        return self._instead[-1] if self._instead else self._shipped(name)
