"""`noughts notebook`: the records as a marimo notebook in the browser."""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Final

import click

from server.console.examples import examples
from server.console.files import write_file
from server.console.interrupts import interrupted_by_signals
from server.db.options import database_option, failing_in_one_sentence
from server.report import require, require_folder

NAME: Final = "analysis_notebook.py"


@click.command(
    epilog=examples("noughts notebook --db night.db", "noughts notebook --out night -- --headless --port 2718")
)
@database_option
@click.option(
    "--out", "folder", type=click.Path(path_type=Path), default=Path("noughts-notebook"), show_default=True,
    help="Folder for the tables and the notebook, created if needed.",
)  # fmt: skip
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
@failing_in_one_sentence()
def notebook(path: Path, folder: Path, options: tuple[str, ...]) -> None:
    """Open a notebook with twenty questions to the records in the browser.

    It writes the records into a folder as tables, and the notebook beside them. Called again, it writes new tables and
    opens the notebook as you left it. What follows `--` is for `marimo edit`: `-- --headless --port 2718`, say.
    """
    require(("marimo", "matplotlib", "polars"), "Notebooks", extra="notebook")
    require_folder(folder)
    from server.report.export import parquet

    own = folder / NAME
    with interrupted_by_signals():
        games, moves = parquet.write(path, folder, None, None)
        if not own.exists():
            write_file(own, files("server.report").joinpath(NAME).read_bytes())
    click.echo(
        f"Opening {own} with {games:,} games and {moves:,} moves; the button at the bottom right runs all cells."
    )
    sys.stdout.flush()
    # marimo takes this process over, with the terminal and its Ctrl-C.
    os.execv(sys.executable, [sys.executable, "-m", "marimo", "edit", *options, str(own)])
