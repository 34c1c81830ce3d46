"""What the commands that work on a database share: its option, and how they fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from server.db.connect import DatabaseError


@contextmanager
def failing_in_one_sentence() -> Iterator[None]:
    """Turns DatabaseError into the command's failure."""
    try:
        yield
    except DatabaseError as error:
        raise click.ClickException(str(error)) from error


database_option = click.option(
    "--db",
    "path",
    type=click.Path(path_type=Path),
    default=Path("noughts.db"),
    show_default=True,
    envvar="NOUGHTS_DB",
    help="The database file.",
)
