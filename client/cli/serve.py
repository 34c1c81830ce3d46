"""`noughts serve`: the server, and the page of this package that it hands out."""

from __future__ import annotations

from importlib.resources import files

import click

from server import app
from server.config import Settings, with_settings


@click.command()
@with_settings
def serve(settings: Settings) -> None:
    """Run the server: page, games and records on one port."""
    app.serve(settings, page=files("client").joinpath("web", "dist"))
