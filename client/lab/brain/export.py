"""`noughts export-bot`: a bot as one file, for arenas that take a program's text."""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files

import click

from server.console.examples import examples


@click.command(epilog=examples("noughts export-bot codingame --game ultimate > bot.py"))
@click.argument("arena", type=click.Choice(["codingame"]), metavar="ARENA")
@click.option(
    "--game",
    type=click.Choice(["ultimate", "ultimate:count"]),
    default="ultimate:count",
    help="One program plays both.",
)
def export_bot(arena: str, game: str) -> None:
    """Print a bot as one file of plain Python, to be pasted into ARENA's editor.

    It is a small separate program, without tables or compiled code, and as strong as such a program can be in 100 ms.
    """
    click.echo(
        f"# noughts {version('noughts')}\n{files('client.lab.brain').joinpath('codingame_bot.py').read_text()}",
        nl=False,
    )
