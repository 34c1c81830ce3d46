"""What the commands of the report share: which games they are of."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from engine.rules.position import UnknownGame
from engine.rules.registry import rules


def _since_ms(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date: write it as 2026-11-21 or 2026-11-21T18:30.") from None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return int(date.timestamp() * 1000)


def _game_id(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return rules(text).id
    except UnknownGame as error:
        raise click.BadParameter(str(error)) from None


game_option = click.option("--game", callback=_game_id, help="Only games of this kind.")
since_option = click.option(
    "--since", "since_ms", callback=_since_ms, help="Only games started then or later; UTC unless it names a time zone."
)
