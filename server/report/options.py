"""What the commands of the report share: which games they are of."""

from __future__ import annotations

import click

from server.db.options import date_ms
from server.db.options import game_option as game_option

since_option = click.option(
    "--since", "since_ms", callback=date_ms, help="Only games started then or later; UTC unless it names a time zone."
)
