"""`noughts solve qubic`: X's win, proven from the empty board."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from engine.search.perfect.qubic_solver import Progress

_EVERY_S: Final = 2.0
"""Between two lines of progress."""


def solve(out: Path | None, say: Callable[[str], None]) -> int:
    """Prove it, telling how far it is, and write the proof to `out`. Raises click.UsageError where it cannot."""
    from engine.search.perfect import qubic_book, qubic_solver

    if out is not None:
        _must_be_writable(out)
    began_s = told_s = time.process_time()
    try:
        for found in qubic_solver.solve():
            now_s = time.process_time()
            if not isinstance(found, qubic_solver.Progress):
                book = found
            elif now_s - told_s >= _EVERY_S:
                told_s = now_s
                say(progress_line(found, now_s - began_s))
    except MemoryError:
        raise click.UsageError(
            f"There is not enough memory: solving Qubic takes {qubic_solver.MEMORY_MB} MB."
        ) from None
    say(f"qubic: X wins in at most {book[0, 0].plies} plies, whatever O plays.")
    say(
        f"The proof has {len(book):,} positions with X to move that threats alone do not win; "
        f"it took {time.process_time() - began_s:.1f} s of CPU."
    )
    if out is not None:
        _write(out, qubic_book.to_bytes(book))
        say(f"Written to {out}. `noughts verify {out}` checks it, with code that had no part in this.")
    return 0


def progress_line(progress: Progress, passed_s: float) -> str:
    from engine.search.perfect.qubic_solver import EXPANSIONS

    # The search is the same each time, so what it takes in all is known; the making of the book comes after it.
    left_s = passed_s * (EXPANSIONS / progress.expanded - 1)
    return (
        f"{passed_s:5.0f} s: {progress.expanded:,} of {EXPANSIONS:,} positions expanded, "
        f"{progress.threat_nodes / 1e6:.0f} million threats tried; about {left_s:.0f} s left, and then the book."
    )


def _must_be_writable(out: Path) -> None:
    """Rather now than after the work is done."""
    if out.is_dir() or not os.access(out if out.exists() else out.absolute().parent, os.W_OK):
        raise click.UsageError(f"{out} cannot be written: name a file in a folder that can be.")


def _write(out: Path, data: bytes) -> None:
    """All of the file or nothing, also if this is interrupted."""
    unfinished = out.with_name(out.name + ".part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(out)
    except OSError as error:
        raise click.UsageError(f"{out} cannot be written: {error.strerror}.") from None
