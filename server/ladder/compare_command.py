"""`noughts ladder runs`, `compare` and `history`: what is recorded, how two nights differ, how ratings came about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.moments import moment_text
from server.db.options import database_option, failing_in_one_sentence
from server.db.same_lists import ListName, matched

if TYPE_CHECKING:
    from server.ladder.runs import Run


@click.command(epilog=examples("noughts ladder runs --db night.db"))
@database_option
@json_option("server.ladder.as_json:RecordedLadders")
def runs(path: Path, as_json: bool) -> None:
    """List the ladders of a database, their lists and their nights: what `compare` takes."""
    from server.ladder.as_json import recorded_ladders
    from server.ladder.runs import recorded

    with failing_in_one_sentence():
        found = list(recorded(path))
    if as_json:
        print_json(recorded_ladders(str(path), found))
        return
    for one in found:
        for row in one.lists:
            click.echo(f"{row.run_id}  {row.games:,} games, begun {_moment(row.created_ms)}")
        for number, night in enumerate(one.nights, start=1):
            until = f"{_moment(night.begun_ms)} to {_moment(night.ended_ms)}"
            click.echo(f"  {one.ladder}@{number}  {night.games:,} games, {until}")
    if not found:
        click.echo(f"{path} has no ladder yet: `noughts ladder run` plays one.")


@click.command(epilog=examples("noughts ladder history overnight/qubic --db night.db --points 12"))
@click.argument("run")
@database_option
@click.option(
    "--points",
    type=click.IntRange(1, 1000),
    default=8,
    show_default=True,
    help="Ratings are shown after each of this many equal parts of its games.",
)
@json_option("server.ladder.history:Histories")
def history(run: str, path: Path, points: int, as_json: bool) -> None:
    """Show the ratings of RUN after its first games, after more of them, and so on to all; RUN is as for `compare`."""
    from server.ladder.history import Histories, as_text, history
    from server.ladder.history import as_json as as_object
    from server.ladder.runs import runs as runs_of

    with failing_in_one_sentence():
        found = [history(one, points) for one in runs_of(path, run)]
    if as_json:
        print_json(Histories([as_object(one) for one in found]))
    else:
        click.echo("\n".join(line for one in found for line in as_text(one)))


@click.command(
    epilog=examples(
        "noughts ladder compare overnight@-2 overnight --db night.db",
        "noughts ladder compare overnight/qubic overnight/qubic --db old.db --other-db new.db",
    )
)
@click.argument("before")
@click.argument("after")
@database_option
@click.option("--other-db", type=click.Path(path_type=Path), help="The database of AFTER, if it is another.")
@json_option("server.ladder.comparison:ComparedRuns")
def compare(before: str, after: str, path: Path, other_db: Path | None, as_json: bool) -> None:
    """Compare two runs: how the ratings changed, with intervals of 95 %, and who moved places.

    BEFORE and AFTER are LADDER, LADDER/LIST or LADDER/LIST/DIGEST, with @2 as it stood after the second night, with
    @-1 after the last; without a night as it is now. `noughts ladder runs` lists them.
    """
    from server.ladder.comparison import ComparedRuns, as_text, compared
    from server.ladder.comparison import as_json as as_object
    from server.ladder.runs import runs as runs_of

    with failing_in_one_sentence():
        pairs = _matched(runs_of(path, before), runs_of(other_db or path, after))
    found = [compared(one, other) for one, other in pairs]
    if as_json:
        print_json(ComparedRuns([as_object(one) for one in found]))
    else:
        click.echo("\n".join(line for one in found for line in as_text(one)))


def _matched(before: list[Run], after: list[Run]) -> list[tuple[Run, Run]]:
    """Lists of one name; two single lists of a game whatever their names. Raises RunUnknown."""
    from server.ladder.runs import RunUnknown

    if len(before) == len(after) == 1:
        pairs = [(before[0], after[0])]
    else:
        pairs = [*matched(before, after, lambda run: ListName(run.list.run_id, run.list.list))]
    if not pairs:
        names = " and ".join(", ".join(run.list.list for run in side) for side in (before, after))
        raise RunUnknown(f"The runs have no list in common: {names}.")
    for one, other in pairs:
        if one.list.game != other.list.game:
            raise RunUnknown(
                f"{one.name} is of {one.list.game} and {other.name} of {other.list.game}: compare two of one game."
            )
    return pairs


def _moment(unix_ms: int) -> str:
    return moment_text(unix_ms, "%Y-%m-%d %H:%M", local=True)
