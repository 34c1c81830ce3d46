"""`noughts perft`: how many move sequences a game has."""

from __future__ import annotations

import click

from engine.rules.perft import perft as count_sequences
from engine.rules.position import Rules
from server.console.arguments import GameType
from server.console.as_json import json_option, print_json
from server.console.examples import examples


@click.command(epilog=examples("noughts perft tictactoe 9", "noughts perft qubic 3 --json"))
@click.argument("game", type=GameType())
@click.argument("depth", type=click.IntRange(min=1))
@json_option("client.lab.outputs:Perft")
def perft(game: Rules, depth: int, as_json: bool) -> None:
    """Print the number of move sequences of GAME of length 1, 2, ... DEPTH, one count a line.

    A finished game is not extended. The counts check the rules against other programs.
    """
    if as_json:
        from client.lab.outputs import Perft

        print_json(Perft(game.id, [*count_sequences(game, depth)]))
        return
    for count in count_sequences(game, depth):
        click.echo(count)  # echo flushes, so that each count shows as soon as it is known
