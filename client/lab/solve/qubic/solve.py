"""`noughts solve qubic`: X's win, proven from the empty board."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from client.lab.outputs import Solved
from client.lab.solve.memory import available_bytes
from client.lab.solve.options import SolveOptions
from client.lab.solve.saving import Saving, must_be_apart, saved_if_it_fails, uninterrupted
from server.console.as_json import print_json
from server.console.counted import counted
from server.console.exits import INTERRUPTED
from server.console.files import must_be_writable, write_file

if TYPE_CHECKING:
    from engine.search.perfect.qubic_book import Book
    from engine.search.perfect.qubic_solver import Progress, Solver

NEEDED_MB: Final = 700
"""Address space, including the libraries; half of it is used."""
SAVE_EVERY_S: Final = 3.0
"""Seconds between two checkpoints."""
_SAVING_PART: Final = 10
"""The next checkpoint waits at least this many times as long as the last one took to write."""
_EVERY_S: Final = 2.0
"""Seconds between two lines of progress."""


def solve(options: SolveOptions) -> int:
    """Prove it, report progress, and write the proof. Raises click.UsageError if that is impossible.

    After an interruption the same command resumes from the checkpoint.
    """
    out, kept = options.out, _kept(options)
    _must_fit(options.megabytes)
    must_be_apart({"--out": out, "--checkpoint": kept}, saved=(kept,))
    if out is not None:
        must_be_writable(out)
    try:
        from engine.search.perfect import qubic_book, qubic_solver

        solver = qubic_solver.Solver(plan=qubic_solver.SHORT)
        session = _Session(solver, kept, options)
        book = session.run()
    except MemoryError:
        raise click.ClickException(f"There is not enough memory: {_needed()}.") from None
    if book is None:
        return INTERRUPTED
    if out is not None:
        with saved_if_it_fails(lambda: session.is_kept):
            write_file(out, qubic_book.to_bytes(book))
    session.finish()
    plies, cpu_s = book[0, 0].plies, session.cpu_s()
    if options.as_json:
        print_json(Solved("qubic", "x", round(cpu_s, 3), most_plies=plies, positions=len(book)))
        return 0
    click.echo(f"qubic: X wins in at most {plies} plies, whatever O plays.")
    click.echo(f"The proof has {counted(len(book), 'position')} with X to move that threats alone do not win.")
    click.echo(f"It took {cpu_s:.1f} s of CPU.")
    if out is not None:
        click.echo(f"Written to {out}. `noughts verify {out}` checks it, with code that had no part in this.")
    return 0


def _kept(options: SolveOptions) -> Path | None:
    """Where the search is saved: next to the proof by default; without either nowhere."""
    return options.checkpoint or (None if options.out is None else options.out.with_name(options.out.name + ".partial"))


class _Session:
    """One run of a search that may need several; reports progress and saves the search from time to time."""

    def __init__(self, solver: Solver, path: Path | None, options: SolveOptions) -> None:
        self._solver = solver
        self._say = partial(click.echo, err=options.as_json)
        self._saving = None if path is None else Saving(path, self._say)
        self._is_fresh = options.is_fresh
        self._began_cpu_s = self._reported_cpu_s = time.process_time()
        self._saved_s = time.monotonic()
        self._save_every_s = SAVE_EVERY_S
        self._before = 0
        self._loaded: tuple[float, int] | None = None
        """CPU seconds and positions expanded by the end of the first slice, which loads or compiles the kernels."""
        self._is_searching = False
        self.is_kept = False
        """Whether the same command resumes from a checkpoint."""

    def cpu_s(self) -> float:
        """Processor time of this run."""
        return time.process_time() - self._began_cpu_s

    def run(self) -> Book | None:
        """None if it was interrupted."""
        from engine.search.perfect import qubic_solver

        try:
            self._resume()
            self._is_searching = True
            for found in qubic_solver.solve(self._solver):
                if not isinstance(found, qubic_solver.Progress):
                    return found
                self._report(found)
                self._save_now_and_then(found)
                # Making the book changes what the search remembers about threats, so it is no longer saved.
                self._is_searching = found.proof_number > 0
        except KeyboardInterrupt:
            with uninterrupted():
                self._say(self._interrupted())
        return None

    def finish(self) -> None:
        if self._saving is None:
            return
        from client.lab.solve.qubic import checkpoint as qubic_checkpoint

        self._saving.over(partial(qubic_checkpoint.remove, self._saving.path))

    def _resume(self) -> None:
        if self._saving is None:
            return
        from client.lab.solve import checkpoint
        from client.lab.solve.qubic import checkpoint as qubic_checkpoint

        try:
            kept = qubic_checkpoint.load(self._saving.path, self._is_fresh)
            if kept is not None:
                with checkpoint.odd_is_unusable():
                    self._solver.go_on(kept)
        except checkpoint.Unusable as error:
            self._saving.ignored(error, error.is_another)
            return
        if kept is not None:
            self.is_kept = True
            self._before = self._solver.progress().expanded
            self._saving.resumed(f"{self._before:,} positions were expanded before")

    def _report(self, progress: Progress) -> None:
        now_s = time.process_time()
        if self._loaded is None:
            self._loaded, self._reported_cpu_s = (now_s, progress.expanded), now_s
        elif now_s - self._reported_cpu_s >= _EVERY_S:
            self._reported_cpu_s = now_s
            since_s, before = self._loaded
            self._say(progress_line(progress, self.cpu_s(), now_s - since_s, before))

    def _save_now_and_then(self, progress: Progress) -> None:
        """Saves at the end of the search too, since the book is made from it."""
        now_s = time.monotonic()
        if now_s - self._saved_s >= self._save_every_s or progress.proof_number == 0:
            self._save()
            self._saved_s = time.monotonic()
            self._save_every_s = max(SAVE_EVERY_S, (self._saved_s - now_s) * _SAVING_PART)

    def _save(self) -> bool:
        """False if that failed, or there is no place for it."""
        if self._saving is None:
            return False
        from client.lab.solve.qubic import checkpoint as qubic_checkpoint

        is_kept = self._saving.done(partial(qubic_checkpoint.save, self._saving.path, self._solver.kept()))
        self.is_kept = self.is_kept or is_kept
        return is_kept

    def _interrupted(self) -> str:
        if self._saving is None:
            return "Interrupted; nothing was saved. With --out FILE the same command could resume from here."
        if self._is_searching:
            self._save()
        if not self.is_kept:
            return "Interrupted; nothing was saved."
        return f"Interrupted. The same command resumes; the search is saved in {self._saving.path}."


def progress_line(progress: Progress, cpu_s: float, passed_s: float, before: int = 0) -> str:
    """`cpu_s`: of this run; `passed_s`: of it since `before` positions had been expanded."""
    from engine.search.perfect.qubic_solver import EXPANSIONS

    done = f"{cpu_s:5.0f} s: {progress.expanded:,} positions expanded, {progress.threat_nodes / 1e6:.0f} million"
    taken = f"{EXPANSIONS:,} that the search took when this version was made"
    if not before < progress.expanded <= EXPANSIONS:
        return f"{done} threats tried; these are not the {taken}, so the time left is unknown."
    left_s = passed_s * (EXPANSIONS - progress.expanded) / (progress.expanded - before)
    return f"{done} threats tried; of the {taken}: about {left_s:.0f} s left, then the book."


def _must_fit(megabytes: int | None) -> None:
    """Fails early: libraries that run out of memory while loading fail with obscure errors."""
    if megabytes is not None and megabytes < NEEDED_MB:
        raise click.UsageError(f"{_needed()}: --memory {megabytes} is too little.")
    free = available_bytes()
    if free is not None and megabytes is not None and megabytes * 1_000_000 > free:
        raise click.ClickException(
            f"There are not {megabytes:,} MB; only {free // 1_000_000:,} MB are free here: leave --memory out."
        )
    if free is not None and free < NEEDED_MB * 1_000_000:
        raise click.ClickException(f"{_needed()}, and only {free // 1_000_000:,} MB are free here: free some memory.")


def _needed() -> str:
    return f"Solving Qubic takes {NEEDED_MB} MB with the libraries that it loads"
