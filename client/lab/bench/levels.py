"""`noughts bench levels`: by how much each level beats the one below."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec

from client.lab.bench import level_table
from client.lab.bench.level_table import GAMES, Game, Match, Measured
from client.lab.bench.machine import machine
from client.lab.match import report as match_report
from engine.bots import skills
from engine.bots.match import Pairing, tasks
from engine.bots.roster import BotEntry, Choice, bots
from engine.bots.roster import bot as named
from engine.rules.position import Rules
from engine.rules.registry import rules
from server.console.arguments import GameType
from server.console.examples import examples
from server.workers import arena

OURS: Final = ("level", "strongest")
_BOT_GAMES: Final = 40


@click.command(epilog=examples("noughts bench levels --game qubic --games 40"))
@click.option("--game", "chosen", type=GameType(), multiple=True, help="Measure this game's levels; may be repeated.")
@click.option("--games", type=click.IntRange(2, 100_000), default=200, show_default=True, help="Games for each step.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of openings and chance.")
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games at a time.")
@click.option(
    "--part",
    type=click.Choice(["steps", "bots", "all"]),
    default="all",
    show_default=True,
    help="Measure each level against the one below, or other bots against levels (roughly, 40 games each), or both.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the figures to FILE.json and the page to FILE.md; games that are there and not measured are kept.",
)
def levels(chosen: tuple[Rules, ...], games: int, seed: int, jobs: int, part: str, out: Path | None) -> None:
    """Let each level of each game play the one below it, and other bots some levels, and print the scores.

    The scores depend on the seed alone. Steps that do not show a difference are said, and are no error.
    """
    if out is not None and out.suffix != ".json":
        raise click.UsageError("--out needs a file name ending in .json.")
    before = _read(out) if out is not None and out.exists() else None
    measured = Measured(machine(Path(tempfile.gettempdir())).computer, before.games if before else ())
    for game in chosen or tuple(map(rules, GAMES)):
        new = measured.game(game.id) or Game(game.id, skills.levels(game), ())
        if part != "bots":
            steps = tuple(_steps(game, games, seed, jobs))
            new = msgspec.structs.replace(new, skills=skills.levels(game), steps=steps)
            for step in level_table.unproven(steps):
                click.echo(f"{game.id}: {step.bot} was not shown to be stronger than {step.against}.", err=True)
        if part != "steps":
            new = msgspec.structs.replace(new, bots=tuple(_others(game, seed, jobs)))
        measured = measured.with_game(new)
        if out is not None:
            out.write_bytes(level_table.written(measured))
            out.with_suffix(".md").write_text(level_table.page(measured), encoding="utf-8")


def _read(path: Path) -> Measured:
    try:
        return level_table.read(path.read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        raise click.ClickException(f"{path} holds no levels: {error}") from None


def _steps(game: Rules, games: int, seed: int, jobs: int) -> Iterator[Match]:
    for number in range(2, skills.top(game) + 1):
        yield _shown(game, play(game.id, f"level:{number}", f"level:{number - 1}", games, seed, jobs))


def _others(game: Rules, seed: int, jobs: int) -> Iterator[Match]:
    """Each bot that is not a level, against the levels that may bracket it."""
    for entry in bots():
        if entry.family not in OURS and entry.plays(game):
            for name in _names(entry):
                yield from _between(name, game, seed, jobs)


def _names(entry: BotEntry) -> Iterator[str]:
    """The names to measure: every word of the first choice, else the defaults; for our own a few numbers more."""
    if entry.family == "alphabeta":
        yield from (f"alphabeta:{ply}" for ply in (1, 2, 3, 4))
        return
    choice = next((parameter for parameter in entry.parameters if isinstance(parameter, Choice)), None)
    for word in choice.words if choice else ("",):
        yield entry.name_of(tuple(word if one is choice else one.default for one in entry.parameters))


def _between(name: str, game: Rules, seed: int, jobs: int) -> Iterator[Match]:
    """Binary search: up while the bot scores more than half of the points, else down."""
    low, high = 1, skills.top(game)
    while low <= high:
        middle = (low + high) // 2
        match = _shown(game, play(game.id, name, f"level:{middle}", _BOT_GAMES, seed, jobs))
        yield match
        if match.score.share > 0.5:
            low = middle + 1
        else:
            high = middle - 1


def play(game: str, bot: str, against: str, games: int, seed: int, jobs: int) -> Match:
    """Paired games from openings of two plies."""
    pairing = Pairing(game, named(bot), named(against), (games + 1) // 2, seed=seed)
    with closing(arena.played(tasks(pairing), jobs)) as played:
        report = match_report.report(pairing, played)
    total = report.score
    move_ms = report.a_times.mean_ms if report.a_times else 0.0
    return Match(
        pairing.a.name, pairing.b.name, seed, total.pairs, total.won, total.drawn, total.lost, round(move_ms, 2)
    )


def _shown(game: Rules, match: Match) -> Match:
    low, high = match.score.interval
    click.echo(
        f"{game.id}: {match.bot} against {match.against}: {match.won} won, {match.drawn} drawn, {match.lost} lost, "
        f"{100 * match.score.share:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {match.move_ms:.1f} ms a move"
    )
    return match
