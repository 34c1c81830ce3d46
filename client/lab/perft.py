"""`noughts perft`: how many move sequences a game has."""

from __future__ import annotations

import json

import click

from engine.rules.perft import perft as count_sequences
from engine.rules.position import Rules
from server.console.arguments import GameType


@click.command()
@click.argument("game", type=GameType())
@click.argument("depth", type=click.IntRange(min=1))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def perft(game: Rules, depth: int, as_json: bool) -> None:
    """Print the number of move sequences of GAME of length 1, 2, ... DEPTH, one count a line.

    A finished game is not extended. The counts check the rules against other programs.
    """
    if as_json:
        click.echo(json.dumps({"game": game.id, "counts": [*count_sequences(game, depth)]}))
        return
    for count in count_sequences(game, depth):
        click.echo(count)  # echo flushes, so that each count shows as soon as it is known
