"""What the commands that work on a database share: options, moments, and how they fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click

from server.db.connect import DatabaseError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@contextmanager
def failing_in_one_sentence() -> Iterator[None]:
    """Turns DatabaseError into the command's failure."""
    try:
        yield
    except DatabaseError as error:
        raise click.ClickException(str(error)) from error


def date_ms(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """Unix time of a date as an option's value. Raises BadParameter."""
    if text is None:
        return None
    try:
        date = datetime.fromisoformat(text)
        date = date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, OverflowError):  # before the first year, or after the last, in UTC
        raise click.BadParameter(f"{text!r} is not a date: write it as 2026-11-21 or 2026-11-21T18:30.") from None
    return (date - _EPOCH) // timedelta(milliseconds=1)


def _game_id(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    if text is None:
        return None
    from engine.rules.position import UnknownGame  # help needs no rules
    from engine.rules.registry import rules

    try:
        return rules(text).id
    except UnknownGame as error:
        raise click.BadParameter(str(error)) from None


database_option = click.option(
    "--db",
    "path",
    type=click.Path(path_type=Path),
    default=Path("noughts.db"),
    show_default=True,
    envvar="NOUGHTS_DB",
    help="The database file.",
)
game_option = click.option("--game", callback=_game_id, help="Only games of this kind.")
