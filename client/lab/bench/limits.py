"""`noughts bench limits`: by how much a bot's moves exceed their time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final

import click
import msgspec

from client.lab.bench.figures import Figure, Part, figure, lines, quantile
from client.lab.bench.machine import machine
from client.lab.bench.stopwatch import Stopwatch
from engine.bench import MANY_FOURS
from engine.bots.match import warm_up
from engine.bots.player import Limit, check, decide
from engine.bots.roster import Bot
from engine.rules.position import Move, Position, Rules
from engine.rules.registry import rules
from server.console.arguments import BotType, GameType
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.progress import progress

MOST_MS: Final = 5.0
"""999 of 1000 moves should take no longer beyond their time, on a machine that does nothing else."""
_GAMES: Final = ("gomoku", "nine-board", "ultimate", "qubic")
_OPENING_PLIES: Final = (2, 8)


class Report(msgspec.Struct, frozen=True):
    """How a bot keeps to its time."""

    machine: str
    bot: str
    parts: list[Part]


class _Over(msgspec.Struct, frozen=True):
    """What a move took beyond its time, in milliseconds; 0 where it came sooner."""

    by_clock: float
    own: float


def in_games(bot: Bot, game: Rules, move_ms: int, seed: int) -> Iterator[_Over]:
    """How far each move exceeds its time, in endless seeded games of the bot against itself, random openings
    excluded."""
    for number in count():
        random = Random(f"{game.id}/{seed}/{number}")
        opening = random.randint(*_OPENING_PLIES)
        position: Position = game.initial
        while position.outcome is None:
            if position.ply < opening:
                position = position.play(random.choice(position.legal_moves()))
            else:
                over, move = _decided(bot, position, move_ms, seed)
                yield over
                position = position.play(move)


def in_position(bot: Bot, position: Position, move_ms: int) -> Iterator[_Over]:
    """How far a move in this position exceeds its time, measured again and again."""
    for seed in count():
        yield _decided(bot, position, move_ms, seed)[0]


def _decided(bot: Bot, position: Position, move_ms: int, seed: int) -> tuple[_Over, Move]:
    watch = Stopwatch(move_ms)
    move = decide(bot, position, Limit(move_ms=move_ms), seed=seed, watch=watch).move
    return _Over(*(max(over, 0.0) for over in watch.over_ms())), move


def parts(bot: Bot, game: Rules, move_ms: int, moves: int, seed: int) -> Iterator[Part]:
    """Each game's moves, and a tenth as many more in the position in which time is hardest to keep."""
    yield _part(game.id, move_ms, list(islice(in_games(bot, game, move_ms, seed), moves)))
    if game.id == "gomoku":
        found = list(islice(in_position(bot, MANY_FOURS.position(), move_ms), moves // 10 + 1))
        yield _part("gomoku, many fours", move_ms, found)


def _part(name: str, move_ms: int, found: list[_Over]) -> Part:
    used = sum(over.by_clock > 0 for over in found)
    return Part(
        name,
        f"{len(found):,} moves of {move_ms} ms, of which {used:,} used their time up: milliseconds beyond it",
        [
            *_figures("by the clock", [over.by_clock for over in found]),
            *_figures("without other programs", [over.own for over in found], MOST_MS),
        ],
    )


def _figures(name: str, over_ms: list[float], most_ms: float | None = None) -> list[Figure]:
    ordered = sorted(over_ms)
    return [
        figure(f"{name}: half", "ms", [quantile(ordered, 0.5)]),
        figure(f"{name}: 99 of 100", "ms", [quantile(ordered, 0.99)]),
        figure(f"{name}: 999 of 1000", "ms", [quantile(ordered, 0.999)], most_ms),
        figure(f"{name}: all", "ms", [ordered[-1]]),
    ]


@click.command(epilog=examples("noughts bench limits --game gomoku --move-ms 20 --moves 2000"))
@click.option("--bot", type=BotType(), default="strongest", show_default=True, help="Whose moves.")
@click.option("--game", "chosen", type=GameType(), multiple=True, help=f"By default {', '.join(_GAMES)}.")
@click.option(
    "--move-ms", "times_ms", type=click.IntRange(1), multiple=True, default=(20, 100), show_default=True,
    help="Milliseconds a move; may be repeated.",
)  # fmt: skip
@click.option(
    "--moves", type=click.IntRange(1), default=1000, show_default=True, help="Moves timed for each game and limit."
)
@click.option("--seed", type=click.IntRange(0, 1 << 62), default=0, show_default=True, help="Seed of the openings.")
@json_option("client.lab.bench.limits:Report")
def limits(
    bot: Bot, chosen: tuple[Rules, ...], times_ms: tuple[int, ...], moves: int, seed: int, as_json: bool
) -> None:
    """Let a bot play itself with a time for each move, and print by how much its moves exceed that time.

    A missed target is reported, and is not an error.
    """
    games = chosen or tuple(map(rules, _GAMES))
    here = machine(Path(tempfile.gettempdir())).computer
    for game in games:
        try:
            check(bot, game, Limit(move_ms=times_ms[0]))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    done: list[Part] = []
    with progress() as shows, shows.step("games and times", len(games) * len(times_ms)) as step:
        for game in games:
            warm_up(bot, game)
            for move_ms in times_ms:
                for part in parts(bot, game, move_ms, moves, seed):
                    done.append(part)
                    if not as_json:
                        click.echo("\n".join(lines(part)))
                step.advance()
    if as_json:
        print_json(Report(here, bot.name, done))
