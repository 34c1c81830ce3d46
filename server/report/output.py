"""Where a command writes: stdout, or a file that gets its name once it is complete."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import click

from server.console import files
from server.console.streams import forget

STDOUT: Final = Path("-")


@contextmanager
def output(out: Path | None, database: Path) -> Iterator[IO[str]]:
    """Text, to stdout where `out` is None or `-`. Raises ClickException, for a full disk say, and BrokenPipeError."""
    if out is None or out == STDOUT:
        with _stdout() as stdout:
            yield stdout
    else:
        with new_file(out, database) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file


@contextmanager
def new_file(out: Path, database: Path) -> Iterator[Path]:
    """See `server.console.files.new_file`. Raises ClickException."""
    if out.exists() and database.exists() and out.samefile(database):
        raise click.UsageError(f"{out} is the database itself: name another file.")
    with files.in_one_sentence(out), files.new_file(out) as partial:
        yield partial


@contextmanager
def _stdout() -> Iterator[IO[str]]:
    # What a terminal's encoding lacks is shown as its code.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget(sys.stdout)
        raise click.ClickException(f"stdout cannot be written: {error.strerror or error}.") from error
