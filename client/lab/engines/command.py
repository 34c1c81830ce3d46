"""`noughts engines`: what a file of other people's engines says, and whether it is correct."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click

from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.position import Rules, play_all
from engine.rules.registry import rules
from server.console.examples import examples
from server.console.files import named_file
from server.console.group import Group
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import PROTOCOLS, Engine
from server.workers.engines.files import read
from server.workers.engines.isolation import level
from server.workers.engines.session import Session

_GAMES: Final = ("tictactoe", "gomoku", "nine-board")
"""What is tried with an engine that names no games: the first that its protocol knows."""

file_option = click.option(
    "--engines", "path", type=click.Path(path_type=Path), required=True, help="TOML file of engines."
)


@click.group(cls=Group)
def engines() -> None:
    """Play against other people's engines: check or list a file of them."""


@engines.command("list", epilog=examples("noughts engines list --engines engines.toml"))
@file_option
def list_engines(path: Path) -> None:
    """List the engines of a file: name, version, protocol, games and how they play."""
    for engine in _read(path):
        entry = engine.entry
        click.echo(f"{engine.name}  ({', '.join(entry.games)}; {engine.protocol}, version {engine.version})")
        click.echo(f"    {entry.character}")


@engines.command(epilog=examples("noughts engines check --engines engines.toml"))
@file_option
def check(path: Path) -> int:
    """Check that a file of engines is correct, and that each engine starts and makes a move in time.

    It also says how far engines are kept apart from this machine.
    """
    asked = _read(path)
    click.echo(level())
    faults = [fault for engine in asked if (fault := _trial(engine)) is not None]
    for fault in faults:
        click.echo(fault, err=True)
    return 1 if faults else 0


def _read(path: Path) -> tuple[Engine, ...]:
    with named_file(path):
        return read(path)


def _first_question(engine: Engine, game: Rules) -> Question:
    """The first that its protocol knows: an agent of UNSW never begins."""
    protocol = PROTOCOLS[engine.protocol]
    moves = game.initial.legal_moves()[: protocol.opening_plies or 0]
    position = play_all(game.initial, moves)
    return Question(position, moves, NO_LIMIT, max(engine.move_ms, protocol.first_ms))


def _trial(engine: Engine) -> str | None:
    """What keeps an engine from playing, in one sentence."""
    game = next(game for game in map(rules, engine.games or _GAMES) if engine.plays(game))
    session = Session(engine)
    try:
        begun_s = time.monotonic()
        session.prepare(game, NO_WATCH)
        ready_s = time.monotonic()
        decision = session.decide(_first_question(engine, game), NO_WATCH)
    except BotFault as fault:
        return f"{engine.name} {fault}".rstrip(".") + "."
    finally:
        session.end()
    ready_ms, took_ms = (round(1000 * s) for s in (ready_s - begun_s, time.monotonic() - ready_s))
    move = game.format_move(decision.move)
    click.echo(f"{engine.name}: ready after {ready_ms} ms, plays {move} on {game.id} in {took_ms} ms.")
    return None
