"""`noughts serve`: the server, and the page of this package that it hands out."""

from __future__ import annotations

from importlib.resources import files

import click

from server.config import Settings, with_settings
from server.console.examples import examples


@click.command(
    epilog=examples(
        "noughts serve",
        "noughts serve --port 8080 --db games.db",
        "noughts serve --ladder overnight",
    )
)
@with_settings
def serve(settings: Settings) -> None:
    """Run the server: page, games and records on one port."""
    from server import app  # a third of a second, which `--help` does without
    from server.workers.lifeline import die_with_server

    die_with_server()  # of a bench, say: a person's has no such parent
    app.serve(settings, page=files("client").joinpath("web", "dist"))
