"""What the commands of the report share: which games they are of."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from server.db.options import date_ms
from server.db.options import game_option as game_option


def chosen(game: str | None, since_ms: int | None) -> str:
    """Which games, in words."""
    kind = f"games of {game}" if game else "all games"
    if since_ms is None:
        return kind
    since = datetime.fromtimestamp(since_ms / 1000, UTC).replace(tzinfo=None)
    return f"{kind} since {since.isoformat(' ', 'minutes')} (UTC)"


since_option = click.option(
    "--since", "since_ms", callback=date_ms, help="Only games started then or later; UTC unless it names a time zone."
)
