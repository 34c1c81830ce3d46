"""`noughts report compare`: two reports or databases side by side."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click
import msgspec

from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.progress import Progress, progress
from server.db.options import failing_in_one_sentence
from server.report import require
from server.report.options import chosen, game_option, since_option
from server.report.page.key_figures import Key

_MOST: Final = 64 << 20
"""Bytes of a file of key figures: one with a thousand lists has less."""


@click.command(
    epilog=examples(
        "noughts report compare monday tuesday", "noughts report compare old.db new.db --game qubic --json"
    ),
)
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@since_option
@game_option
@json_option("server.report.outputs:ComparedReports")
@failing_in_one_sentence()
def compare(before: Path, after: Path, since_ms: int | None, game: str | None, as_json: bool) -> None:
    """Say what changed from BEFORE to AFTER.

    Each is a folder with a report, its report.json, or a database. --since and --game choose games of databases.
    """
    require(("polars",), "Comparisons")
    from server.report import comparison

    with progress() as shows:
        first, second = (_key(path, game, since_ms, shows) for path in (before, after))
    if as_json:
        print_json(comparison.as_object(first, second))
        return
    for line in comparison.lines(first, second):
        click.echo(line)


def _key(path: Path, game: str | None, since_ms: int | None, shows: Progress) -> Key:
    from server.report.page.changes import NAME, key
    from server.report.page.frames import Choice, read
    from server.report.page.words import ReportData

    file = path / NAME if path.is_dir() else path
    try:
        with file.open("rb") as opened:
            is_json = opened.read(1) == b"{"
        if not is_json:
            return key(
                ReportData(read(path, Choice(game, since_ms), shows)),
                time.time_ns() // 1_000_000,
                [],
                chosen(game, since_ms),
            )
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(_MOST), type=Key)
    except OSError as error:
        if path.is_dir():
            raise click.UsageError(f"{path} has no {NAME}: name a folder that `noughts report` has written.") from error
        raise click.UsageError(
            f"{path} cannot be read ({error.strerror}): name a folder with a report, or a database."
        ) from error
    except msgspec.MsgspecError as error:
        raise click.UsageError(f"{file} does not hold the key figures of a report.") from error
