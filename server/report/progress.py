"""One line on a terminal that says what is being made; nothing elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click


class Progress:
    """Rewrites its line each time that it is called with what is being made."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._columns = 0

    def __call__(self, line: str) -> None:
        if self._is_shown:
            line = line[: shutil.get_terminal_size().columns - 1]
            click.echo(f"\r{line.ljust(self._columns)}", err=True, nl=False)
            self._columns = len(line)

    def end(self) -> None:
        if self._is_shown and self._columns:
            click.echo(f"\r{' ' * self._columns}\r", err=True, nl=False)
            self._columns = 0


@contextmanager
def progress() -> Iterator[Progress]:
    """Its line is gone at the end, also of a failure."""
    line = Progress(is_shown=sys.stderr.isatty())
    try:
        yield line
    finally:
        line.end()
