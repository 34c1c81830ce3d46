"""`noughts bench tactics`: how many positions with one good move a bot solves.

The positions are in `tactics.json`, made by `client.lab.bench.strength.make_tactics`, which says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

import click
import msgspec

from client.lab.brain.watch import SearchWatch
from engine.bots.match import warm_up
from engine.bots.player import Limit, check, decide
from engine.bots.roster import Bot
from engine.rules.position import Position, Rules, play_all
from engine.rules.registry import rules
from server.console.arguments import BotType, GameType
from server.console.as_json import json_option, print_json
from server.console.examples import examples

FILE: Final = Path(__file__).with_name("tactics.json")
Kind = Literal["win", "save", "fours"]


class Puzzle(msgspec.Struct, frozen=True):
    """A position and what is to be found in it."""

    game: str
    kind: Kind
    """`win`: a forced win; `save`: all other moves lose; `fours`: a long forced win by continuous fours."""
    moves: str
    """What has been played, in the game's notation."""
    best: str
    """The moves that solve it."""
    plies: int
    """Plies to the end, at most: of the win, or of the win that is to be stopped; 0 where it was not counted."""

    def position(self) -> Position:
        return play_all(rules(self.game).initial, map(rules(self.game).parse_move, self.moves.split()))


class Score(msgspec.Struct, frozen=True):
    """The score on one kind of positions of a game."""

    game: str
    kind: Kind
    solved: int
    of: int
    missed: list[str]
    """What had been played where the bot's move does not solve it, and its move."""


class Report(msgspec.Struct, frozen=True):
    """What a bot solved."""

    bot: str
    scores: list[Score]


def puzzles() -> list[Puzzle]:
    """The shipped positions."""
    return msgspec.json.decode(FILE.read_bytes(), type=list[Puzzle])


def solves(bot: Bot, puzzle: Puzzle, limit: Limit) -> tuple[bool, str]:
    """Whether the bot's move solves it, and the move. Another move that the bot proves to win solves it as well."""
    position = puzzle.position()
    decision = decide(bot, position, limit, watch=SearchWatch())
    text = position.rules.format_move(decision.move)
    wins = puzzle.kind != "save" and decision.proven and (decision.win_in or 0) > 0
    return wins or text in puzzle.best.split(), text


def scores(bot: Bot, limit: Limit, chosen: Sequence[Puzzle]) -> Iterator[Score]:
    """A score for each game and kind, in the order of the file."""
    for game, kind in dict.fromkeys((puzzle.game, puzzle.kind) for puzzle in chosen):
        warm_up(bot, rules(game))
        some = [puzzle for puzzle in chosen if (puzzle.game, puzzle.kind) == (game, kind)]
        answers = [(puzzle, *solves(bot, puzzle, limit)) for puzzle in some]
        missed = [f"{puzzle.moves} | {text}" for puzzle, solved, text in answers if not solved]
        yield Score(game, kind, len(some) - len(missed), len(some), missed)


@click.command(epilog=examples("noughts bench tactics --bot level:6 --game qubic"))
@click.option("--bot", type=BotType(), default="strongest", show_default=True, help="Who solves them.")
@click.option("--game", "games", type=GameType(), multiple=True, help="This game's positions only; may be repeated.")
@click.option(
    "--move-ms", type=click.IntRange(1), help="Milliseconds for each; by default 1000, if no nodes are given."
)
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each.")
@json_option("client.lab.bench.strength.tactics:Report")
def tactics(bot: Bot, games: tuple[Rules, ...], move_ms: int | None, nodes: int | None, as_json: bool) -> None:
    """Let a bot solve positions with a forced win, or with one move that holds, and print how many it solves."""
    limit = Limit(move_ms=move_ms if move_ms or nodes else 1000, nodes=nodes)
    ids = [game.id for game in games]
    shipped = puzzles()
    known = dict.fromkeys(puzzle.game for puzzle in shipped)
    for id in ids:
        if id not in known:
            raise click.UsageError(f"There are no positions of {id}: choose {', '.join(known)}.")
    chosen = [puzzle for puzzle in shipped if not ids or puzzle.game in ids]
    for game in dict.fromkeys(puzzle.game for puzzle in chosen):
        try:
            check(bot, rules(game), limit)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    found = []
    for score in scores(bot, limit, chosen):
        found.append(score)
        if not as_json:
            click.echo(f"{score.game:10} {score.kind:5} {score.solved:3} of {score.of}")
            for line in score.missed:
                click.echo(f"    missed: {line}")
    if as_json:
        print_json(Report(bot.name, found))
    else:
        click.echo(
            f"{sum(score.solved for score in found)} of {sum(score.of for score in found)} solved by {bot.name}."
        )
