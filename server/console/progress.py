"""Progress of whatever takes a while, on stderr: bars on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

import click

LINE_EVERY_S: Final = 10.0
"""Time between two lines of one step when stderr is not a terminal."""


class Step(Protocol):
    """Something that is done in pieces."""

    def advance(self, pieces: int = 1, note: str = "") -> None:
        """More pieces are done; the note is what is known so far, such as a score."""


class Progress(Protocol):
    """Shows steps, one after the other or one within another."""

    def step(self, what: str, total: int | None = None) -> AbstractContextManager[Step]:
        """`what` is done in `total` pieces, None where nobody knows."""

    def say(self, sentence: str) -> None:
        """A line of its own, which stays."""


@contextmanager
def progress(announce: bool = False) -> Iterator[Progress]:
    """The kind that suits stderr. `announce`: elsewhere than on a terminal a line says that a step begins."""
    if sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"):
        with _bars() as bars:
            yield bars
    else:
        yield Lines(announce)


class Lines:
    """Progress for files, pipes and terminals that only take lines."""

    def __init__(self, announce: bool = False, every_s: float = LINE_EVERY_S) -> None:
        self._announce, self._every_s = announce, every_s

    @contextmanager
    def step(self, what: str, total: int | None = None) -> Iterator[Step]:
        if self._announce:
            self.say(what if total is None else f"{what}: {total}")
        yield _LineStep(what, total, self._every_s)

    def say(self, sentence: str) -> None:
        click.echo(sentence, err=True)


class _LineStep:
    def __init__(self, what: str, total: int | None, every_s: float) -> None:
        self._what, self._total, self._every_s = what, total, every_s
        self._done = 0
        self._shown_s = time.monotonic()

    def advance(self, pieces: int = 1, note: str = "") -> None:
        self._done += pieces
        now_s = time.monotonic()
        if now_s - self._shown_s >= self._every_s and self._done != self._total:
            self._shown_s = now_s
            done = f"{self._done}" if self._total is None else f"{self._done} of {self._total}"
            click.echo("; ".join(filter(None, (f"{self._what}: {done}", note))), err=True)


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console  # takes a tenth of a second, which pipes need not pay
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}", markup=False), TimeRemainingColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as rich:

        class Bars:
            @contextmanager
            def step(self, what: str, total: int | None = None) -> Iterator[Step]:
                task = rich.add_task(what, total=total)
                rich.refresh()

                class Bar:
                    def advance(self, pieces: int = 1, note: str = "") -> None:
                        rich.update(task, advance=pieces, description=f"{what}: {note}" if note else what)

                yield Bar()
                rich.refresh()  # or what is quickly done is never seen done
                rich.remove_task(task)

            def say(self, sentence: str) -> None:
                rich.console.print(sentence, markup=False, highlight=False)

        yield Bars()
