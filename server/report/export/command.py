"""`noughts export`: recorded games as text, one after another, or as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

import click
from click.core import ParameterSource

from engine.record.model import MalformedRecord
from server.console.examples import examples
from server.console.interrupts import interrupted_by_signals
from server.db.connect import DatabaseError, connect
from server.db.migrate import require_schema
from server.db.options import database_option, failing_in_one_sentence
from server.report.export.tables import write_csv
from server.report.options import game_option, since_option
from server.report.output import output
from server.report.records import game_text, recorded_games

Form: TypeAlias = Literal["jsonl", "txt"]


@click.command(
    epilog=examples(
        "noughts export --game qubic --out qubic.jsonl",
        "noughts export --format txt | less",
        "noughts export --csv tables",
    )
)
@database_option
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "txt"]), default="jsonl", show_default=True,
    help="JSON lines, or text with tags and moves.",
)  # fmt: skip
@game_option
@since_option
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; stdout by default.")
@click.option(
    "--parquet",
    "parquet_folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write games, moves and standings as .parquet files into this folder instead.",
)
@click.option(
    "--csv",
    "csv_folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The same as .csv files; may be given together with --parquet.",
)
@click.pass_context
@interrupted_by_signals()
@failing_in_one_sentence()
def export(
    context: click.Context,
    path: Path,
    form: Form,
    game: str | None,
    since_ms: int | None,
    out: Path | None,
    parquet_folder: Path | None,
    csv_folder: Path | None,
) -> None:
    """Write recorded games as JSON lines, as text with tags and numbered moves, or as tables in Parquet or CSV."""
    if parquet_folder is not None or csv_folder is not None:
        for name in ("out", "form"):
            if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
                raise click.UsageError("--parquet and --csv take neither --out nor --format: they name folders.")
        if parquet_folder is not None:
            _export_parquet(path, parquet_folder, game, since_ms)
        if csv_folder is not None:
            _say(csv_folder, *write_csv(path, csv_folder, game, since_ms))
        return
    written = left_out = 0
    with connect(path, "rw") as connection, output(out, path) as file:
        require_schema(connection, path)
        for row, moves in recorded_games(connection, game=game, since_ms=since_ms):
            try:
                file.write(game_text(row, moves, form))
            except MalformedRecord as error:
                click.echo(f"Game {row.id} is excluded: {error}", err=True)
                left_out += 1
            else:
                file.write("\n" if form == "txt" else "")
                written += 1
    if not written and not left_out:
        which = " that these options let through" if game is not None or since_ms is not None else ""
        click.echo(f"{path} has no game{which}.", err=True)
    if left_out:
        raise DatabaseError(f"{left_out} games in {path} could not be written: their records break the rules.")


def _export_parquet(path: Path, folder: Path, game: str | None, since_ms: int | None) -> None:
    # Not above: what makes pictures and tables is an extra, and slow to load.
    from server.report import require

    require(("polars",), "Tables in Parquet")
    from server.report.export import parquet

    _say(folder, *parquet.write(path, folder, game, since_ms))


def _say(folder: Path, games: int, moves: int) -> None:
    click.echo(f"Wrote {games:,} games and {moves:,} moves to {folder}.", err=True)
