"""`noughts db prune`, `archive` and `restore`: finished games removed, or moved to a file and brought back."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from server.console.as_json import json_option, print_json
from server.console.counted import counted
from server.console.examples import examples
from server.console.progress import progress
from server.db import retention
from server.db.connect import connect
from server.db.migrate import require_schema
from server.db.options import database_option, date_ms, failing_in_one_sentence, game_option
from server.db.retention import Advance, Begin, Choice, Selection
from server.db.runs import check_run

SOURCES: Final = ("room", "match", "experiment", "ladder")
_DAYS: Final = re.compile(r"(\d{1,5})d")
_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Retention:
    """What was removed, moved or brought back; with `dry_run`, what would be."""

    games: int
    runs: list[str]
    """Runs of ladders, as a whole."""
    rooms: int
    kept: dict[str, int]
    """Games chosen that stay, by why."""
    dry_run: bool


def _before_ms(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    days = _DAYS.fullmatch(text or "")
    if days is not None:
        return time.time_ns() // 1_000_000 - int(days[1]) * _DAY_MS
    try:
        return date_ms(context, parameter, text)
    except click.BadParameter:
        raise click.BadParameter(
            f"{text!r} is neither a date, as 2026-11-21 or 2026-11-21T18:30, nor a number of days, as 90d."
        ) from None


_OPTIONS: Final = (
    database_option,
    click.option(
        "--before",
        "before_ms",
        callback=_before_ms,
        help="Only games that ended before this date, or 90d for days ago.",
    ),
    click.option("--source", type=click.Choice(SOURCES), help="Only games played there."),
    click.option("--run", help="Only games of this run: its id, or a ladder or LADDER/LIST for all of its runs."),
    game_option,
    click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing."),
    click.option(
        "--vacuum", is_flag=True, help="Then shrink the file; needs as much free space, and stops other writers."
    ),
    json_option("server.db.retention_command:Retention"),
)


def _chosen(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(
    epilog=examples(
        "noughts db prune --before 90d --source room --dry-run", "noughts db prune --run overnight --vacuum"
    )
)
@_chosen
@failing_in_one_sentence()
def prune(path: Path, dry_run: bool, vacuum: bool, as_json: bool, **choice: Any) -> None:
    """Remove finished games for good: moves, reviews, links, rooms with their chat, and ladders with their samples.

    Rooms that closed before a game began go too, by when they closed.

    These are kept: running games; rated games, since ratings are made of them; a ladder's run unless all of its games
    are chosen, since its standings count them; a room unless it is closed or asleep and all of its games are chosen;
    and in any case players, bots, ratings and the explorer's counts.

    Other programs may keep using the database. Stop the server first if rooms are to be removed, and any ladder whose
    runs are.
    Interrupted, it has removed some of the games; the same command continues.
    """
    chosen = _choice(path, choice, vacuum)
    with _bar("Removing games", 1) as begin:
        done = retention.select(path, chosen) if dry_run else retention.prune(path, chosen, begin, vacuum=vacuum)
    _tell("Would remove" if dry_run else "Removed", done, "", dry_run, as_json)


@click.command(
    epilog=examples(
        "noughts db archive old.db --before 2026-01-01", "noughts db archive nights.db --run overnight --dry-run"
    )
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@_chosen
@failing_in_one_sentence()
def archive(file: Path, path: Path, dry_run: bool, vacuum: bool, as_json: bool, **choice: Any) -> None:
    """Move finished games to FILE, a database like this one, from which `noughts db restore` brings them back.

    FILE is made, or added to. It gets the games with all that `noughts db prune` would remove, the lists and standings
    and samples of ladders, and the players' names without their secrets; `noughts report`, `export` and `sql` read it
    with --db. The same games are kept as by `noughts db prune`.

    A game is removed here only after it was committed to FILE, so nothing is lost if the command is killed; the same
    command then continues.
    """
    chosen = _choice(path, choice, vacuum)
    with _bar("Archiving games", 2) as begin:
        if dry_run:
            done = retention.select(path, chosen)
        else:
            done = retention.archive(path, file, chosen, begin, vacuum=vacuum)
    _tell("Would move" if dry_run else "Moved", done, f" to {file}", dry_run, as_json)


@click.command(epilog=examples("noughts db restore old.db"))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
@json_option("server.db.retention_command:Retention")
@failing_in_one_sentence()
def restore(file: Path, path: Path, as_json: bool) -> None:
    """Bring back every game of FILE, which `noughts db archive` has made: the views show what they showed before.

    FILE stays as it is. Games that are here already are left alone, so the same command resumes an interrupted restore.
    The names and words of people whose data has been deleted since are deleted from what comes back.
    """
    with _bar("Restoring games", 1) as begin:
        done = retention.restore(path, file, begin)
    _tell("Brought back", done, f" from {file}", False, as_json)


def _choice(path: Path, options: dict[str, Any], vacuum: bool) -> Choice:
    if options["before_ms"] is None and options["source"] is None and options["run"] is None:
        raise click.UsageError("Say which games: --before, --source or --run.")
    # Interrupted when the games are gone, the same command still has the file to shrink.
    if options["run"] is not None and not vacuum:
        with connect(path, "ro") as connection:
            require_schema(connection, path)
            check_run(connection, options["run"], path)
    return Choice(**options)


@contextmanager
def _bar(label: str, times: int) -> Iterator[Begin]:
    """Progress, once it is known how many games there are; each is reported `times` times."""
    with progress() as shows, ExitStack() as steps:

        def begin(selection: Selection) -> Advance:
            return steps.enter_context(shows.step(label, times * selection.games)).advance

        yield begin


def _tell(done_what: str, done: Selection, where: str, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json(Retention(done.games, done.runs, done.rooms, done.kept, dry_run))
        return
    what = [counted(done.games, "game")]
    what += [counted(count, name) for count, name in ((len(done.runs), "ladder run"), (done.rooms, "room")) if count]
    click.echo(f"{done_what} {', '.join(what)}{where}.")
    for why, games in done.kept.items():
        click.echo(f"Kept {games:,} {why}.")
