"""What `noughts solve` was asked for, besides the position."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The command refuses those that the game's solve does not know."""

    moves: tuple[str, ...]
    """The moves before the position."""
    without: tuple[str, ...]
    """Ideas that a search of a flat board leaves out."""
    out: Path | None
    """File for the proof."""
    checkpoint: Path | None
    is_fresh: bool
    """Start over even if there is a checkpoint."""
    megabytes: int | None
    """Memory for positions; on qubic, in all."""
    as_json: bool
    cluster: str | None
    """Address of the workers that are to search, `local:N` for threads here; None: this thread does."""
    known: Path | None
    """File of decided positions of nine-board, which gets those of this solve."""
