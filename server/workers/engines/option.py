"""`--engines FILE`: an option of commands that name bots, which other people's engines are then among."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from server.console.arguments import ROSTER
from server.console.files import named_file


def _read(context: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    if path is None:
        return
    from server.workers.engines.files import read_roster

    with named_file(path):  # click keeps what is wrong from a shell that completes
        context.meta[ROSTER] = read_roster(path)


engines_option: Final = click.option(
    "--engines",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_read,
    help="TOML file of other people's engines, which may then be named as bots.",
)
