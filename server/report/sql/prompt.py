"""The prompt of `noughts sql`: queries over several lines, with history and completion where readline is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import click

from server.db.connect import DatabaseError
from server.db.read_only import Queries, WrongQuery

HELP: Final = """\
A query ends with a semicolon and may take several lines. Ctrl-C stops it, Ctrl-D leaves.
.tables        the tables and views; v_games, v_moves and v_standings are the easiest
.schema NAME   the columns of a table or view
.help          this"""
_TABLES: Final = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type DESC, name"
_COLUMNS: Final = 'SELECT name AS "column", type FROM pragma_table_info({}) ORDER BY cid'
_WORDS: Final = """
SELECT name FROM sqlite_master WHERE type IN ('table', 'view')
UNION SELECT c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type IN ('table', 'view')
"""


def converse(queries: Queries, show: Callable[[str], None]) -> None:
    """Reads queries until the input ends; `show` runs one and writes what it finds."""
    _complete(queries)
    click.echo("Queries end with a semicolon; .help tells more, Ctrl-D leaves.")
    pending = ""
    while True:
        try:
            line = input("   ...> " if pending else "noughts> ")
            if not pending and line.strip() in (".quit", ".exit"):
                return
            if not pending and line.lstrip().startswith("."):
                _obey(line.split(), show)
                continue
            pending = f"{pending}{line}\n".lstrip()
            if sqlite3.complete_statement(pending):
                sql, pending = pending, ""
                show(sql)
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            pending = ""
            click.echo()
        except (WrongQuery, DatabaseError) as error:
            click.echo(str(error), err=True)


def _obey(words: list[str], show: Callable[[str], None]) -> None:
    match words:
        case [".tables"]:
            show(_TABLES)
        case [".schema", name]:
            show(_COLUMNS.format(_quoted(name.rstrip(";"))))
        case [".help"]:
            click.echo(HELP)
        case [word, *_]:
            click.echo(f"{word} is not understood: .help lists the commands.", err=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _complete(queries: Queries) -> None:
    """Tab completes names of tables and columns."""
    with suppress(ImportError):  # Windows has no readline; lines are read without it
        import readline

        found = queries.run(_WORDS)
        words = sorted(name for (name,) in found.rows) if found else []

        def complete(text: str, number: int) -> str | None:
            fits = [word for word in words if word.startswith(text)]
            return fits[number] if number < len(fits) else None

        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
