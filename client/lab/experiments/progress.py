"""Progress of an experiment on stderr: a bar on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

import click

LINE_EVERY_S: Final = 10
"""Between two lines of one step when stderr is not a terminal."""


class Step(Protocol):
    """Something that takes a while, in pieces."""

    def advance(self) -> None:
        """One more piece is done."""


class Progress(Protocol):
    """Shows the steps of an experiment."""

    def step(self, what: str, total: int) -> AbstractContextManager[Step]: ...


@contextmanager
def progress() -> Iterator[Progress]:
    """The kind that suits stderr."""
    if sys.stderr.isatty():
        with _bars() as bars:
            yield bars
    else:
        yield Lines()


class Lines:
    """A line when a step begins, and one from time to time."""

    def __init__(self, every_s: float = LINE_EVERY_S) -> None:
        self._every_s = every_s

    @contextmanager
    def step(self, what: str, total: int) -> Iterator[Step]:
        click.echo(f"{what}: {total}", err=True)
        yield _LineStep(what, total, self._every_s)


class _LineStep:
    def __init__(self, what: str, total: int, every_s: float) -> None:
        self._what, self._total, self._every_s = what, total, every_s
        self._done = 0
        self._shown_s = time.monotonic()

    def advance(self) -> None:
        self._done += 1
        now_s = time.monotonic()
        if now_s - self._shown_s >= self._every_s and self._done < self._total:
            self._shown_s = now_s
            click.echo(f"{self._what}: {self._done} of {self._total}", err=True)


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}", markup=False), TimeRemainingColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as rich:

        class Bars:
            @contextmanager
            def step(self, what: str, total: int) -> Iterator[Step]:
                task = rich.add_task(what, total=total)
                rich.refresh()

                class Bar:
                    def advance(self) -> None:
                        rich.advance(task)

                yield Bar()
                rich.remove_task(task)

        yield Bars()
