"""Checkpoints of `noughts solve` on flat boards: what the solver knows of positions, in a file.

The first line says what is being solved and how long it took so far; then come the positions and their facts as the
kernel keeps them (engine/kernels/solving.py). What is remembered is certain, so a checkpoint changes no result, but
only the time until it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from client.lab.solve import checkpoint
from client.lab.solve.checkpoint import Unusable, default_path

__all__ = ["MOST_POSITIONS", "Saved", "Unusable", "default_path", "load", "remove", "save"]

MOST_POSITIONS: Final = 12_000_000
"""Most positions that one file holds: 240 MB."""
VERSION: Final = "1dd87b7fa8aa6392"
"""Version of the solver: it changes with the code whose checkpoints it marks, which a test pins."""
_KIND: Final = "solve"
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Saved:
    """How far a solve has come."""

    known: Any
    """uint64[positions, 2]."""
    facts: Any
    """uint8[positions, 4]."""
    nodes: int
    """Positions visited, in all sessions."""
    cpu_s: float


def save(path: Path, question: str, saved: Saved) -> None:
    """Saves all of it or nothing, even if interrupted. Raises OSError, also where another file lies."""
    head = {"format": _FORMAT, "version": VERSION, "positions": len(saved.known)}
    head |= {"nodes": saved.nodes, "cpu_s": round(saved.cpu_s, 3)}
    checkpoint.write(path, _KIND, question, head, (saved.known, saved.facts))


def load(path: Path, question: str, fresh: bool = False) -> Saved | None:
    """What was saved for this question; None if nothing was, or if that is not wanted (`fresh`). Raises Unusable."""
    found = checkpoint.read(path, _KIND, question, fresh)
    if found is None:
        return None
    head, body = found
    with checkpoint.odd_is_unusable():
        if head["format"] != _FORMAT or head["version"] != VERSION:
            raise Unusable("another version of the solver wrote it")
        positions = head["positions"]
        if len(body) != 20 * positions:
            raise Unusable("its contents are invalid")
        known = np.frombuffer(body, np.uint64, 2 * positions).reshape(-1, 2).copy()
        facts = np.frombuffer(body, np.uint8, 4 * positions, 16 * positions).reshape(-1, 4).copy()
        return Saved(known, facts, *checkpoint.spent(head))


def remove(path: Path, question: str) -> None:
    """Removes a checkpoint, and what a write that was cut off has left; no other files. Raises OSError."""
    checkpoint.remove(path, _KIND, question)
