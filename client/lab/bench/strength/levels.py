"""`noughts bench levels`: by how much each level beats the one below."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import click
import msgspec

from client.lab.bench.machine import machine
from client.lab.bench.strength import level_table
from client.lab.bench.strength.level_table import GAMES, Game, Match, Measured
from client.lab.match import report as match_report
from engine.bots import skills
from engine.bots.match import Pairing, tasks
from engine.bots.roster import Bot, BotEntry, Choice, bots
from engine.bots.roster import bot as named
from engine.rules.position import Rules
from engine.rules.registry import rules
from server.console.arguments import BotType, GameType
from server.console.examples import examples
from server.console.files import must_be_writable, write_file
from server.workers.cluster.games import played_anywhere
from server.workers.cluster.option import cluster_option
from server.workers.engines.option import engines_option

OURS: Final = ("level", "strongest")
_BOT_GAMES: Final = 40


@click.command(
    epilog=examples(
        "noughts bench levels --game qubic --games 40",
        "noughts bench levels --bot alphabeta:3 --game qubic",
        "noughts bench levels --game ultimate --part steps --level 7 --level 8 --out docs/levels.json",
    )
)
@click.option("--game", "chosen", type=GameType(), multiple=True, help="Measure this game's levels; may be repeated.")
@click.option("--games", type=click.IntRange(2, 100_000), default=200, show_default=True, help="Games for each step.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of openings and random choices."
)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games at a time.")
@cluster_option
@click.option(
    "--part",
    type=click.Choice(["steps", "bots", "all"]),
    default="all",
    show_default=True,
    help="Measure each level against the one below, or other bots against levels (roughly, 40 games each), or both.",
)
@click.option(
    "--level",
    "numbers",
    type=click.IntRange(2, skills.LEVELS),
    multiple=True,
    help="Measure the step up to this level alone; may be repeated.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the figures to FILE.json and the page to FILE.md; what is there and not measured is kept.",
)
@click.option(
    "--bot", "alone", type=BotType(), multiple=True, help="Measure this bot alone against levels; may be repeated."
)
@engines_option
def levels(
    chosen: tuple[Rules, ...],
    games: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    part: str,
    numbers: tuple[int, ...],
    out: Path | None,
    alone: tuple[Bot, ...],
) -> None:
    """Let each level of each game play the one below it, and other bots some levels, and print the scores.

    The scores depend on the seed alone. Figures of the --out file that are not measured again are kept, unless one of
    their levels has changed. Steps that show no clear difference are reported; that is not an error.
    """
    if out is not None and out.suffix != ".json":
        raise click.UsageError("--out needs a file name ending in .json.")
    if out is not None:
        must_be_writable(out)
    asked = chosen or tuple(map(rules, GAMES))
    for game in chosen:
        if numbers and max(numbers) > skills.top(game):
            raise click.UsageError(f"{game.id} has levels up to {skills.top(game)}.")
    if alone and not any(bot.plays(game) for game in asked for bot in alone):
        names = " and ".join(bot.name for bot in alone)
        raise click.UsageError(f"None of these games is for {names}: name another with --game.")
    before = _read(out) if out is not None and out.exists() else None
    measured = Measured(machine(Path(tempfile.gettempdir())).computer, before.games if before else ())
    for game in asked:
        new = measured.game(game.id) or Game(game.id, skills.levels(game), ())
        if part != "bots" and not alone:
            wanted = numbers or range(2, skills.LEVELS + 1)
            steps = tuple(_steps(game, wanted, games, seed, jobs, cluster))
            new = new.with_steps(skills.levels(game), steps)
            for step in level_table.unproven(steps):
                click.echo(f"{game.id}: {step.bot} was not shown to be stronger than {step.against}.", err=True)
        if alone:
            for bot in alone:
                new = new.with_bot(_nearest(game, bot, seed, jobs, cluster)) if bot.plays(game) else new
        elif part != "steps":
            new = msgspec.structs.replace(new, bots=tuple(_others(game, seed, jobs, cluster)))
        measured = measured.with_game(new)
        if out is not None:
            write_file(out, level_table.written(measured))
            write_file(out.with_suffix(".md"), level_table.page(measured).encode())


def _nearest(game: Rules, bot: Bot, seed: int, jobs: int, cluster: str | None) -> list[Match]:
    """The matches that bracket a bot, after printing which level it is nearest to."""
    matches = list(_between(bot, game, seed, jobs, cluster))
    click.echo(f"{game.id}: {bot.name} is {level_table.nearest(matches)}.")
    return matches


def _read(path: Path) -> Measured:
    try:
        return level_table.read(path.read_bytes())
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except msgspec.MsgspecError:
        raise click.UsageError(f"{path} holds no levels as an earlier --out wrote them: name another file.") from None


def _steps(
    game: Rules, numbers: Iterable[int], games: int, seed: int, jobs: int, cluster: str | None
) -> Iterator[Match]:
    for number in sorted({number for number in numbers if number <= skills.top(game)}):
        level, below = named(f"level:{number}"), named(f"level:{number - 1}")
        yield _shown(game, play(game.id, level, below, games, seed, jobs, cluster))


def _others(game: Rules, seed: int, jobs: int, cluster: str | None) -> Iterator[Match]:
    """Each bot that is not a level, against the levels that may bracket it."""
    for entry in bots():
        if entry.family not in OURS and entry.plays(game):
            for name in _names(entry):
                yield from _between(named(name), game, seed, jobs, cluster)


def _names(entry: BotEntry) -> Iterator[str]:
    """The names to measure: every word of the first choice, else the defaults; for our own a few numbers more."""
    if entry.family == "alphabeta":
        yield from (f"alphabeta:{ply}" for ply in (1, 2, 3, 4))
        return
    choice = next((parameter for parameter in entry.parameters if isinstance(parameter, Choice)), None)
    for word in choice.words if choice else ("",):
        yield entry.name_of(tuple(word if one is choice else one.default for one in entry.parameters))


def _between(bot: Bot, game: Rules, seed: int, jobs: int, cluster: str | None) -> Iterator[Match]:
    """Binary search: up if the bot scores more than half of the points, otherwise down."""
    low, high = 1, skills.top(game)
    while low <= high:
        middle = (low + high) // 2
        match = _shown(game, play(game.id, bot, named(f"level:{middle}"), _BOT_GAMES, seed, jobs, cluster))
        yield match
        if match.score.share > 0.5:
            low = middle + 1
        else:
            high = middle - 1


def play(game: str, bot: Bot, against: Bot, games: int, seed: int, jobs: int, cluster: str | None = None) -> Match:
    """Paired games from openings of two plies."""
    pairing = Pairing(game, bot, against, (games + 1) // 2, seed=seed)
    with closing(played_anywhere(tasks(pairing), jobs, cluster, partial(click.echo, err=True))) as done:
        report = match_report.report(pairing, done)
    move_ms = round(report.a.times.mean_ms, 2) if report.a.times else 0.0
    return Match(report.a.name, report.b.name, seed, report.pairs, report.won, report.drawn, report.lost, move_ms)


def _shown(game: Rules, match: Match) -> Match:
    low, high = match.score.interval
    click.echo(
        f"{game.id}: {match.bot} against {match.against}: {match.won} won, {match.drawn} drawn, {match.lost} lost, "
        f"{100 * match.score.share:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {match.move_ms:.1f} ms a move"
    )
    return match
