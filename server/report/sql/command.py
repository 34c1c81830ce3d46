"""`noughts sql`: questions to the database that cannot change it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import click

from server.console.examples import examples
from server.console.files import named_file
from server.console.finite import FiniteRange
from server.console.interrupts import interrupted_by_signals
from server.db.options import database_option, failing_in_one_sentence
from server.db.read_only import Queries, WrongQuery, queries, split
from server.report.output import STDOUT, new_file, output
from server.report.sql.prompt import converse
from server.report.sql.result_formats import ROWS, write_csv, write_json, write_table

Form: TypeAlias = Literal["table", "csv", "json", "parquet"]


@click.command(
    epilog=examples(
        'noughts sql "SELECT game, avg(x_points) FROM v_games GROUP BY game"',
        "noughts sql --format csv -f slow.sql --out slow.csv",
    )
)
@click.argument("query", required=False)
@database_option
@click.option("-f", "--file", type=click.Path(path_type=Path, dir_okay=False), help="File with the query.")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json", "parquet"]), default="table", show_default=True,
    help="What to write; parquet needs --out.",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; stdout by default.")
@click.option("--all", "every", is_flag=True, help=f"Show every row of a table, not only the first {ROWS}.")
@click.option(
    "--timeout",
    "timeout_s",
    type=FiniteRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop a query that takes longer; by default none is stopped.",
)
@failing_in_one_sentence()
def sql(
    query: str | None,
    path: Path,
    file: Path | None,
    form: Form,
    out: Path | None,
    every: bool,
    timeout_s: float | None,
) -> None:
    """Answer an SQL query from the database, which is opened read-only. A server or a ladder may use it at the same
    time.

    Without QUERY and --file the query is read from stdin; at a terminal a prompt asks for queries. The views v_games,
    v_moves and v_standings are the easiest to ask.
    """
    if query is not None and file is not None:
        raise click.UsageError("Give the query as an argument or with --file, not both.")
    if form == "parquet":
        _require_polars(out)
    rows = None if every else ROWS
    if query is None and file is None and _at_terminal():
        if form != "table" or out is not None:
            raise click.UsageError("--format and --out need a query: the prompt shows tables.")
        with queries(path, timeout_s) as asked:
            converse(asked, lambda text: _show_all(asked, split(text), None, path, rows))
        return
    statements = split(_text(query, file))
    if not statements:
        raise click.UsageError("There is no query: give one as an argument, with --file or on stdin.")
    if form != "table" and len(statements) > 1:
        raise click.UsageError(f"--format {form} takes one query; these are {len(statements)}.")
    with interrupted_by_signals(), queries(path, timeout_s) as asked, _misuse():
        if form == "table":
            _show_all(asked, statements, out, path, rows)
        else:
            _write(asked, statements[0], form, out, path)


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def _misuse() -> Iterator[None]:
    try:
        yield
    except WrongQuery as error:
        raise click.UsageError(str(error)) from error


def _require_polars(out: Path | None) -> None:
    # Not above: polars is an extra, and slow to load.
    from server.report import require

    if out is None or out == STDOUT:
        raise click.UsageError("--format parquet needs a file: name it with --out.")
    require(("polars",), "Tables in Parquet")


def _text(query: str | None, file: Path | None) -> str:
    if query is not None:
        return query
    with named_file(file or "stdin"):
        data = sys.stdin.buffer.read() if file is None else file.read_bytes()
        return data.decode("utf-8-sig")


def _show_all(asked: Queries, statements: list[str], out: Path | None, database: Path, rows: int | None) -> None:
    with output(out, database) as file:
        width = shutil.get_terminal_size().columns if file.isatty() else None
        gap = ""
        for statement in statements:
            if (result := asked.run(statement)) is not None:
                file.write(gap)
                left = write_table(result, file, width, rows)
                gap = "\n"
                if rows is not None and left:
                    click.echo(f"{rows:,} of {rows + left:,} rows; --all shows the rest.", err=True)


def _write(asked: Queries, statement: str, form: Form, out: Path | None, database: Path) -> None:
    result = asked.run(statement)
    if result is None:
        return
    if form == "parquet" and out is not None:
        from server.report.sql import result_parquet

        with new_file(out, database) as partial:
            result_parquet.write(result, partial)
        return
    write = {"csv": write_csv, "json": write_json}[form]
    with output(out, database) as file:
        write(result, file)
