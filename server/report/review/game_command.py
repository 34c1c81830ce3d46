"""`noughts report game ID`: one recorded game, each of its moves judged."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
from pathlib import Path

import click

from engine.analysis.verdict import MoveVerdict
from engine.record.model import GameRecord, MalformedRecord
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.progress import progress
from server.db import play as rows
from server.db.connect import connect
from server.db.migrate import require_schema
from server.db.options import database_option, failing_in_one_sentence
from server.db.play import GameRow, MoveRow
from server.db.review import store_verdicts, stored_verdicts
from server.report import require, require_folder
from server.report.records import game_record
from server.report.review import game_review
from server.report.review.game_review import Reviewed


@click.command(
    epilog=examples("noughts report game 7", "noughts report game 7 --db night.db --out reviews"),
)
@click.argument("id", type=click.IntRange(min=0))
@database_option
@json_option("server.report.outputs:ReviewedGame")
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), help="Also write game-ID.html and its chart into this folder."
)
@failing_in_one_sentence()
def game(id: int, path: Path, as_json: bool, folder: Path | None) -> None:
    """Review the finished game with this database ID: each move judged, and the best line.

    Verdicts are exact where the position is solved, otherwise estimates. They are stored in the database.
    """
    if folder is not None:
        require(("jinja2",), "Pages")
        require_folder(folder)
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        record = _record(connection, id, path)
        reviewed = Reviewed(record, _judged(connection, record, path))
    if as_json:
        print_json(game_review.as_object(reviewed))
    else:
        _print(reviewed)
    if folder is not None:
        _write(reviewed, folder)


def _record(connection: sqlite3.Connection, id: int, path: Path) -> GameRecord:
    row = connection.execute(rows.GAME, (id,)).fetchone() if id < 1 << 63 else None
    if row is None:
        raise click.ClickException(f"There is no game {id} in {path}: `noughts export` and the page show game ids.")
    found = GameRow(*row)
    if found.termination is None:
        raise click.ClickException(f"Game {id} has not ended: it can be reviewed once it is over.")
    moves = [MoveRow(*values) for values in connection.execute(rows.MOVES, (id,))]
    if not moves:
        raise click.ClickException(f"Game {id} ended before its first move; there is nothing to review.")
    try:
        return game_record(found, moves)
    except MalformedRecord as error:
        raise click.ClickException(
            f"Game {id} cannot be reviewed because its record breaks the rules: {error}"
        ) from error


def _judged(connection: sqlite3.Connection, record: GameRecord, path: Path) -> list[MoveVerdict]:
    """Stored verdicts, and missing ones judged now, from the last move to the first."""
    from engine.analysis.review import judge  # loads the kernels, which `--help` does without

    assert record.id is not None
    found = stored_verdicts(connection, record.id)
    before = game_review.positions(record)[len(record.start) :]
    missing = [ply for ply in reversed(range(len(record.moves))) if ply not in found]
    keeps = True
    began_s = time.process_time()
    with progress() as shows, shows.step("Judging moves", len(missing)) as step:
        for ply in missing:
            found[ply] = judge(before[ply], record.moves[ply].cell)
            keeps = keeps and _keep(connection, record.id, ply, found[ply])
            step.advance()
    if missing:
        click.echo(f"Judged {len(missing)} moves in {time.process_time() - began_s:.1f} s of CPU.", err=True)
    if not keeps:
        click.echo(f"The review was not saved: {path} cannot be written now.", err=True)
    return [found[ply] for ply in range(len(record.moves))]


def _keep(connection: sqlite3.Connection, id: int, ply: int, judged: MoveVerdict) -> bool:
    """False if the database cannot be written; the review still works."""
    try:
        store_verdicts(connection, [(id, ply, judged)])
    except sqlite3.OperationalError:
        return False
    return True


def _print(reviewed: Reviewed) -> None:
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo(f"{game_review.heading(reviewed.record)}: {game_review.result(reviewed.record)}")
    click.echo()
    for line in game_review.aligned(game_review.table(reviewed), columns):
        click.echo(line)
    click.echo()
    for sentence in (*game_review.summary(reviewed), game_review.legend(reviewed)):
        click.echo(sentence)


def _write(reviewed: Reviewed, folder: Path) -> None:
    from server.console.files import write_file
    from server.report.drawing.picture import svg
    from server.report.page.document import page

    part = game_review.part(reviewed)
    [picture] = part.pictures
    drawn = svg(picture)
    html = page(picture.title, [game_review.result(reviewed.record)], [part], {picture.name: drawn})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / f"{picture.name}.svg", drawn.encode())
        write_file(folder / f"{picture.name}.html", html.encode())
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {folder / picture.name}.html and its chart.", err=True)
