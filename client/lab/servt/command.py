"""`noughts servt`: a nine-board server as UNSW's, for agents that connect to its port."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from random import Random, randrange
from typing import Final

import click

from client.lab.brain.command import bot_choice, load
from client.lab.brain.servt import Servt
from client.lab.servt.agents import OurAgent, RemoteAgent
from client.lab.servt.referee import NINE_BOARD, Agent, Game, play
from engine.bots.roster import Bot
from engine.rules.position import O, Side, X, other
from server.console.arguments import BotType
from server.console.examples import examples
from server.workers.engines.option import engines_option

MAX_GAMES: Final = 100_000
_Named = tuple[str, Agent]


@click.command(
    epilog=examples("noughts servt --port 31415 --games 10", "noughts servt --port 31415 --bot level:5 --seed 1")
)
@engines_option
@click.option("--port", type=click.IntRange(0, 65535), required=True, help="Where to listen; 0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--bot", "player", type=BotType(), help="A bot as one of the two agents.")
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=1, show_default=True, help="Number of games.")
@click.option("--move-ms", type=click.IntRange(1), default=1000, show_default=True, help="Milliseconds for each move.")
@click.option("--seed", type=int, help="Seed of the first moves and the bot; a new one, which is printed, by default.")
def servt(port: int, host: str, player: Bot | None, games: int, move_ms: int, seed: int | None) -> None:
    """Host agents of UNSW's nine-board game: two that connect, or one against a bot.

    The first to connect is X in the first game; then they take turns. The first move of each game is random.
    """
    seed = randrange(1 << 32) if seed is None else seed
    if player is not None:
        load(player, NINE_BOARD)
    with ExitStack() as stack:
        try:
            listening = stack.enter_context(socket.create_server((host, port)))
        except OSError as error:
            reason = (error.strerror or str(error)).partition(" (while")[0]
            raise click.ClickException(f"Cannot listen at {host}:{port}: {reason}.") from None
        click.echo(f"Agents connect to {host}:{listening.getsockname()[1]}; seed {seed}.")
        agents: list[_Named] = []
        while len(agents) < (2 if player is None else 1):
            connected = stack.enter_context(listening.accept()[0])
            agents.append((f"agent {len(agents) + 1}", RemoteAgent(connected, move_ms)))
        if player is not None:
            agents.append((player.name, OurAgent(Servt(bot_choice(player, seed), move_ms))))
        _play_series(agents, games, Random(seed))


def _play_series(agents: list[_Named], games: int, random: Random) -> None:
    for _, agent in agents:
        agent.tell("init.")
    won = [0, 0]
    for number in range(games):
        x = number % 2
        sides = {X: agents[x], O: agents[1 - x]}
        game = play(
            {side: agent for side, (_, agent) in sides.items()}, random.choice(NINE_BOARD.initial.legal_moves())
        )
        names = {side: name for side, (name, _) in sides.items()}
        click.echo(f"Game {number + 1}: {' '.join(map(NINE_BOARD.format_move, game.moves))}\n  {_ending(game, names)}")
        if game.winner is not None:
            won[x if game.winner == X else 1 - x] += 1
    for _, agent in agents:
        agent.tell("end.")
    (first, _), (second, _) = agents
    click.echo(f"{first} won {won[0]}, {second} won {won[1]}, {games - sum(won)} drawn.")


def _ending(game: Game, names: dict[Side, str]) -> str:
    """How a game ended, in one sentence, or two where somebody did something wrong."""
    if game.winner is None:
        return f"A draw between {names[X]} (X) and {names[O]} (O): {game.cause}."
    loser = other(game.winner)
    sentence = f"{names[game.winner]} ({game.winner.upper()}) beats {names[loser]} ({loser.upper()}): {game.cause}."
    return sentence if game.fault is None else f"{sentence} {names[loser]} {game.fault.rstrip('.')}."
