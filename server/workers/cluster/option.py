"""`--cluster ADDRESS`: an option of commands that play many games."""

from __future__ import annotations

from typing import Final

import click

cluster_option: Final = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster instead: tcp://HOST:PORT of its scheduler, or local:N for N processes here.",
)
