"""Checkpoints of `noughts solve qubic`: the search as it stands, in a file.

The first line says of what kind and length the arrays are. All of the search is kept, what it remembers of failed
threats as well, so the proof that is found in the end is the same byte for byte, however often it was cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from client.lab.solve import checkpoint
from client.lab.solve.checkpoint import Unusable

__all__ = ["Unusable", "load", "remove", "save"]

VERSION: Final = "3"
"""Version of the search: it changes with the code whose checkpoints it marks, which a test pins."""
_KINDS: Final = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
"""Kinds of arrays. numpy takes other text for a program of its own, and fails in many ways."""
_KIND: Final = "solve qubic"
_QUESTION: Final = "qubic"


def save(path: Path, arrays: Sequence[Any]) -> None:
    """Saves all of it or nothing, even if interrupted. Raises OSError, also where another file lies."""
    head = {"version": VERSION, "arrays": [[array.dtype.name, len(array)] for array in arrays]}
    checkpoint.write(path, _KIND, _QUESTION, head, arrays)


def load(path: Path, fresh: bool = False) -> list[Any] | None:
    """The arrays that were saved; None if there is no file, or if they are not wanted (`fresh`). Raises Unusable."""
    found = checkpoint.read(path, _KIND, _QUESTION, fresh)
    if found is None:
        return None
    head, body = found
    with checkpoint.odd_is_unusable():
        if head["version"] != VERSION:
            raise Unusable("another version of the solver wrote it")
        arrays, start = [], 0
        for kind, length in head["arrays"]:
            if kind not in _KINDS:
                raise Unusable("its contents are invalid")
            arrays.append(np.frombuffer(body, kind, length, start))
            start += arrays[-1].nbytes
        return arrays


def remove(path: Path) -> None:
    """Removes a checkpoint, and what a write that was cut off has left; no other files. Raises OSError."""
    checkpoint.remove(path, _KIND, _QUESTION)
