"""`noughts simulate`: many games of one pairing, and what Bragstad's program would print of them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from client.lab.match.command import MAX_GAMES, limit_option, play_all, recording, warn_of_slow
from client.lab.simulate import statistics
from client.sdk.marks import MARKS, BadMarks, parse_marks
from engine.bots.match import Pairing, Played, one_sided_tasks, tasks
from engine.bots.player import Limit, check
from engine.bots.roster import Bot, UnknownBot, bot
from engine.rules.position import Rules
from server.console.arguments import BotType, GameType
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.interrupts import interrupted_by_signals
from server.workers.cluster.option import cluster_option
from server.workers.engines.option import engines_option

GAMES: Final = 100
"""As in most of Bragstad's tables."""
_LARGEST: Final = (1 << 63) - 1
_PLY: Final = "ply"
"""The parameter that `--depth` sets."""


class IconsType(click.ParamType[tuple[str, str]]):
    """`X,O`: what stands for either side."""

    name = "icons"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        try:
            return parse_marks(str(value))
        except BadMarks as error:
            raise click.UsageError(str(error)) from None


@click.command(
    epilog=examples(
        "noughts simulate random bragstad-minimax:9 --games 100",
        "noughts simulate bragstad-alphabeta:2 random --game mnk:4,4,4 --pairs --depth 3 --json",
    )
)
@click.argument("x", type=BotType())
@click.argument("o", type=BotType())
@engines_option
@click.option("--game", type=GameType(), default="tictactoe", show_default=True, help="The board, such as mnk:4,4,4.")
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=GAMES, show_default=True, help="Number of games.")
@click.option("--pairs", is_flag=True, help="Swap sides after each game; the number of games must then be even.")
@click.option(
    "--depth",
    type=int,
    metavar="PLIES",
    help="How far ahead to look, for the bots that look ahead by a number of plies, instead of the number in the name.",
)
@limit_option
@click.option(
    "--icons", type=IconsType(), default=MARKS, metavar="X,O", help="What stands for X and for O in the text."
)
@click.option(
    "--seed", type=click.IntRange(-_LARGEST, _LARGEST), default=0, show_default=True, help="Seed of all random choices."
)
@click.option(
    "--jobs", type=click.IntRange(1, 1024), help="Games at a time; by default one fewer than there are cores."
)
@cluster_option
@click.option("--record", "path", type=click.Path(path_type=Path), help="Write the games to FILE.jsonl or FILE.txt.")
@json_option("client.lab.outputs:Simulation")
@interrupted_by_signals()
def simulate(
    x: Bot,
    o: Bot,
    game: Rules,
    games: int,
    pairs: bool,
    depth: int | None,
    limit: Limit,
    icons: tuple[str, str],
    seed: int,
    jobs: int | None,
    cluster: str | None,
    path: Path | None,
    as_json: bool,
) -> int:
    """Play games of bot X, who begins, against bot O, and print the statistics of Bragstad's program.

    Every game starts on the empty board. With a limit of nodes or depth, or none, the games depend on the seed alone
    (except that Altekar's bots keep their author's 5 seconds a move).
    """
    if pairs and games % 2:
        raise click.UsageError(f"--pairs needs an even number of games, not {games}: each bot begins half of them.")
    if depth is not None:
        x, o = _looking_ahead(depth, x, o)
    pairing = Pairing(game.id, x, o, games // 2, limit, limit, seed, plies=0)
    try:
        check(x, game, limit)
        check(o, game, limit)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    warn_of_slow(game, (x, limit), (o, limit))
    listed = tasks(pairing) if pairs else one_sided_tasks(pairing, games)
    done: list[Played] = []
    with ExitStack() as stack:
        recorder = stack.enter_context(recording(path)) if path else None
        status = play_all(listed, jobs, done, None, recorder, cluster)
        found = statistics.statistics(pairing, pairs, done, icons, interrupted=status != 0)
        if as_json:
            print_json(found)
        else:
            click.echo("\n".join(statistics.lines(found)))
    return status


def _looking_ahead(depth: int, *players: Bot) -> list[Bot]:
    """The bots; those with plies in their names look `depth` plies ahead. At least one must have them."""
    if not any(name == _PLY for player in players for name, _ in player.parameters):
        names = dict.fromkeys(player.name for player in players)
        look = "looks" if len(names) == 1 else "look"
        raise click.UsageError(f"--depth has no bot to set: {' and '.join(names)} {look} no number of plies ahead.")
    try:
        return [
            bot(player.entry.name_of(tuple(depth if name == _PLY else value for name, value in player.parameters)))
            for player in players
        ]
    except UnknownBot as error:
        raise click.UsageError(str(error)) from None
