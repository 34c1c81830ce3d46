"""The commands of `noughts brain` that speak line by line: they read, and search before they read on."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from io import TextIOWrapper
from random import randrange
from typing import IO, Any, Final, Protocol

import click

from client.lab.brain.choice import Choose, ProtocolError
from client.lab.brain.codingame import CodinGame
from client.lab.brain.gomocup import Gomocup
from client.lab.brain.loading import load_aloud
from client.lab.brain.servt import Servt
from client.lab.brain.watch import SearchWatch
from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, Decision, Limit, check, decide
from engine.bots.roster import Bot
from engine.rules.position import Move, Position, Rules
from engine.rules.registry import rules
from server.console.arguments import BotType, GameType
from server.console.examples import examples
from server.workers.engines.option import engines_option

MARGIN_MS: Final = 20
"""Part of each turn kept for pipes, Python and a machine that has other things to do."""
_CODINGAME: Final = ("ultimate:count", "ultimate", "tictactoe")
"""The games of its leagues: cells of nine boards, or of one."""
_CONNECT_S: Final = 10


class _Brain(Protocol):
    @property
    def ended(self) -> bool: ...
    def hear(self, line: str) -> list[str]: ...


_Command = Callable[..., Any]


def _bot_and_seed(command: _Command) -> _Command:
    seed = click.option("--seed", type=int, help="Seed for the bot's random choices; by default a new one each time.")
    bot = click.option("--bot", "player", type=BotType(), default="strongest", show_default=True, help="Who plays.")
    return engines_option(bot(seed(command)))


@click.command(epilog=examples("printf 'START 15\\nBEGIN\\nEND\\n' | noughts brain gomocup"))
@_bot_and_seed
def gomocup(player: Bot, seed: int | None) -> None:
    """Speak the protocol of Gomocup and Piskvork on stdin and stdout.

    Boards of up to 20 x 20, where five or more in a row win (freestyle) or exactly five (standard).
    """
    about = f'name="noughts {player.name}", version="{version("noughts")}", author="the noughts authors"'
    _talk(Gomocup(chooser(player, seed), about, lambda game: load(player, game)), sys.stdin, sys.stdout)


@click.command(epilog=examples("noughts brain codingame --game tictactoe --bot alphabeta:9"))
@_bot_and_seed
@click.option("--game", type=GameType(), default="ultimate:count", show_default=True, help="The league's game.")
def codingame(player: Bot, seed: int | None, game: Rules) -> None:
    """Speak CodinGame's protocol for Ultimate Tic-Tac-Toe on stdin and stdout, within its 100 ms a turn."""
    if game.id not in _CODINGAME:
        raise click.UsageError(f"CodinGame has no {game.id}: choose {', '.join(_CODINGAME)}.")
    load(player, game)
    _talk(CodinGame(game, chooser(player, seed)), sys.stdin, sys.stdout)


@click.command(epilog=examples("noughts brain servt --port 31415 --move-ms 500"))
@_bot_and_seed
@click.option("--host", default="127.0.0.1", show_default=True, help="Where the server listens.")
@click.option("--port", type=click.IntRange(1, 65535), required=True, help="Its port.")
@click.option("--move-ms", type=click.IntRange(1), default=1000, show_default=True, help="Milliseconds for each move.")
def servt(player: Bot, seed: int | None, host: str, port: int, move_ms: int) -> None:
    """Join a nine-board server of UNSW as an agent, until its series ends."""
    load(player, rules("nine-board"))
    try:
        with (
            socket.create_connection((host, port), timeout=_CONNECT_S) as connection,
            connection.makefile("r", encoding="utf-8", errors="replace") as lines,
            connection.makefile("w", encoding="utf-8") as out,
        ):
            connection.settimeout(None)
            _talk(Servt(chooser(player, seed), move_ms), lines, out)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(f"Cannot play with a server at {host}:{port}: {reason}.") from None


def chooser(player: Bot, seed: int | None) -> Choose:
    """As `bot_choice`, but if another's engine fails, the command ends with a sentence on what it did.

    Otherwise the arena would wait for its move.
    """
    choice = bot_choice(player, seed)

    def choose(position: Position, move_ms: int, moves: Sequence[Move], game: int) -> Decision:
        try:
            return choice(position, move_ms, moves, game)
        except BotFault as fault:
            raise click.ClickException(f"{player.name} {str(fault).rstrip('.')}.") from None

    return choose


def bot_choice(player: Bot, seed: int | None) -> Choose:
    """A bot's moves, each within its time less `MARGIN_MS`; a seed makes them repeatable.

    They raise BotFault where another's engine fails.
    """
    chosen = randrange(1 << 48) if seed is None else seed

    def choose(position: Position, move_ms: int, moves: Sequence[Move], game: int) -> Decision:
        limit = Limit(move_ms=max(1, move_ms - MARGIN_MS))
        allowed = limit if player.takes(limit) is None else NO_LIMIT
        return decide(player, position, allowed, chosen + game, SearchWatch(), moves)

    return choose


def load(player: Bot, game: Rules) -> None:
    """Loads a bot, so its first move takes no longer than others. Raises UsageError for a game it does not play."""
    try:
        check(player, game, NO_LIMIT)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    load_aloud(player, game)


def _talk(brain: _Brain, lines: Iterable[str], out: IO[str]) -> None:
    """Talks until the arena ends it, or its lines end. Raises ClickException for an arena that speaks wrongly."""
    for stream in (lines, out):
        if isinstance(stream, TextIOWrapper) and stream in (sys.stdin, sys.stdout):
            # An arena's bytes may be no text, and the terms of an error are quoted back to it.
            stream.reconfigure(encoding="utf-8", errors="replace" if stream is sys.stdin else "backslashreplace")
    try:
        for line in lines:
            for answer in brain.hear(line):
                out.write(f"{answer}\n")
            out.flush()
            if brain.ended:
                return
    except ProtocolError as error:
        raise click.ClickException(str(error)) from None
