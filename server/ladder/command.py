"""`noughts ladder run` and `check`: bots play each other for as long as you like, and ratings show who is best."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from engine.rules.notation import shown
from server.console.arguments import items
from server.console.as_json import json_option, print_json
from server.console.counted import counted
from server.console.examples import examples
from server.console.finite import FiniteRange
from server.db.options import database_option
from server.ladder.moment import moment
from server.workers.cluster.option import cluster_option

if TYPE_CHECKING:
    from server.ladder.config import BotList

MAX_JOBS: Final = 1024
_FIRST: Final = {"round-robin": "round robin", "gauntlet": "gauntlet", "sprt": "SPRT that begins with a round"}


def _openings(one: BotList) -> str:
    number = len(one.openings) if one.openings else one.different_openings
    told = f"{'many' if number is None else number} opening{'' if number == 1 else 's'}"
    plies = counted(one.opening_plies, "ply", "plies")
    return f"{told} of {'a file' if one.openings else plies}"


class Until(click.ParamType[float]):
    """A time of the day, which is the next one, or a date with a time; as Unix seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        return until(str(value), datetime.now().astimezone())


def until(text: str, now: datetime) -> float:
    """The Unix time that `07:00` or `2026-11-22T07:00` means at `now`. Raises UsageError."""
    try:
        at = moment(text)
    except ValueError:
        raise click.UsageError(
            f"{shown(text)} is not a time: write --until 07:00 or --until 2026-11-22T07:00."
        ) from None
    if isinstance(at, time):
        # Local time taken apart and put together again, so that a night with a clock change ends at 07:00 all the same.
        wall = datetime.combine(now.date(), at)
        # In such a night an hour comes twice, or not at all: the next moment at which the clock shows that much.
        if now.time() >= at and wall.replace(fold=1).timestamp() <= now.timestamp():
            wall += timedelta(days=1)
        ends = [wall.replace(fold=fold).timestamp() for fold in (0, 1)]
        return min(end for end in ends if end > now.timestamp() and datetime.fromtimestamp(end) >= wall)
    seconds = at.timestamp()
    if seconds <= now.timestamp():
        raise click.UsageError(
            f"{shown(text)} is in the past: give a future time, or only a time of day for its next occurrence."
        )
    return seconds


def _examples_and_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    from server.ladder.config_file import EXAMPLES

    named = items(incomplete, ((example, None) for example in sorted(file.stem for file in EXAMPLES.glob("*.toml"))))
    return [*named, CompletionItem(incomplete, type="file")]


@click.command(epilog=examples("noughts ladder check overnight", "noughts ladder check mine.toml --json"))
@click.argument("config", type=click.Path(path_type=Path), shell_complete=_examples_and_files)
@json_option("server.ladder.as_json:AskedLadder")
def check(config: Path, as_json: bool) -> None:
    """Show what CONFIG asks for, without playing: a TOML file, or one of the examples overnight and puzzles."""
    from server.ladder.config_file import found, read

    asked = read(config)
    if asked.until is not None:
        try:
            until(asked.until, datetime.now().astimezone())
        except click.UsageError as error:  # no failure: a server checks its ladder, and starts after its last night too
            click.echo(error.message, err=True)
    if as_json:
        from server.ladder.as_json import asked_for

        print_json(asked_for(asked, str(found(config))))
        return
    for one in asked.lists:
        click.echo(
            f"{one.name}: {one.game}, {len(one.bots)} bots, {one.limit_text}, "
            f"{_openings(one)}, "
            f"{_FIRST[one.mode]} of {2 * one.line_up().robin:,} games"
        )


@click.command(
    epilog=examples(
        "noughts ladder run overnight --db night.db --until 07:00",
        "noughts ladder run mine.toml --db night.db --games 1000 --jobs 4 --json",
    )
)
@click.argument("config", type=click.Path(path_type=Path), shell_complete=_examples_and_files)
@database_option
@click.option("--until", "until_s", type=Until(), help="Stop at this time: 07:00, or 2026-11-22T07:00.")
@click.option("--hours", type=FiniteRange(min=0, min_open=True, max=10_000), help="Stop after this many hours.")
@click.option(
    "--games",
    type=click.IntRange(1),
    help="Play this many more games, even in lists whose order is certain; games come in pairs.",
)
@click.option(
    "--jobs", type=click.IntRange(1, MAX_JOBS), help="Games at a time; by default one fewer than there are cores."
)
@cluster_option
@click.option(
    "--nice",
    type=click.IntRange(0, 19),
    default=0,
    show_default=True,
    help="Niceness of the ladder and its workers.",
)
@json_option("server.ladder.as_json:PlayedLadder")
@click.option("--held-from-stdin", is_flag=True, hidden=True, help="Read `hold` and `go`, and end with stdin.")
def run(
    config: Path,
    path: Path,
    until_s: float | None,
    hours: float | None,
    games: int | None,
    jobs: int | None,
    cluster: str | None,
    nice: int,
    as_json: bool,
    held_from_stdin: bool,
) -> int:
    """Play the lists of CONFIG: a TOML file, or one of the examples overnight and puzzles.

    It stops when they are complete, when a given limit is reached, or at Ctrl-C.

    The same command resumes a ladder that was stopped or killed: recorded pairs of games count, the others are
    played again. A list with other settings is a different list.
    """
    from server.ladder.config_file import read
    from server.ladder.process import play
    from server.ladder.run import Bounds

    asked = read(config)
    if until_s is None and asked.until is not None:
        try:
            until_s = until(asked.until, datetime.now().astimezone())
        except click.UsageError as error:
            if not held_from_stdin:
                raise
            click.echo(error.message, err=True)  # a server that starts after the last night need not try again
            return 0
    if games is not None:
        games += games % 2
    return play(
        asked, path, Bounds(games, hours, until_s), jobs=jobs, cluster=cluster, nice=nice, as_json=as_json,
        held_from_stdin=held_from_stdin,
    )  # fmt: skip
