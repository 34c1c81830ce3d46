from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from server.db.statements import SQL
from server.play.writes import Statement
from server.wire import Termination

MIGRATIONS = sorted(file.name for file in files("migrations").iterdir() if file.name.endswith(".sql"))
SCHEMA = "".join(files("migrations").joinpath(name).read_text() for name in MIGRATIONS)
SOURCE = (Path(__file__).parents[3] / "server" / "play" / "writes.py").read_text()


@pytest.fixture
def schema() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        yield connection


def documented_parameters(statement: Statement) -> list[str]:
    """The names in the comment above a statement."""
    comment = re.search(rf"((?:    #[^\n]*\n)+)    {statement.name} = ", SOURCE)
    assert comment, f"{statement.name} has no comment"
    names = re.search(r"\(([^)]*)\)", comment[1].replace("    # ", " "))
    assert names, f"the comment of {statement.name} names no parameters"
    return [name.strip() for name in names[1].split(",")]


@pytest.mark.parametrize("statement", Statement)
def test_takes_as_many_parameters_as_it_says(schema: sqlite3.Connection, statement: Statement) -> None:
    names = documented_parameters(statement)
    with pytest.raises(sqlite3.ProgrammingError, match=f"uses {len(names)},"):
        schema.execute(SQL[statement], (None,) * (len(names) + 1))


@pytest.mark.parametrize(
    "statement", [s for s in Statement if SQL[s].startswith("INSERT") and "SELECT ?" not in SQL[s]]
)
def test_inserts_fill_the_columns_that_they_say(statement: Statement) -> None:
    columns = re.search(r"INTO \w+ \(([^)]*)\)", SQL[statement])
    assert columns
    names = [name.strip() for name in columns[1].split(",")]
    assert [name for name in names if name != "private"] == documented_parameters(statement)


def test_order_keeps_references_whole() -> None:
    S = Statement
    assert list(S) == sorted(S)
    assert S.ADD_PLAYER < S.ADD_BOT_VERSION < S.ADD_ROOM < S.START_GAME < S.ADD_MOVE < S.END_GAME < S.ADD_EVENT
    assert S.START_GAME < S.ADD_MOVE < S.ADD_PERSONS_MOVE < S.KEEP_TAKEN_BACK < S.DELETE_TAKEN_BACK
    assert S.START_GAME < S.ADD_RATING_CHANGE
    assert S.ADD_PLAYER < S.SET_RATING
    assert S.ADD_ROOM < S.WAKE_ROOM < S.LET_ROOM_SLEEP
    assert S.WAKE_ROOM < S.CLOSE_ROOM
    assert S.DROP_SLEEPERS < S.ADD_SLEEPER


def test_the_schema_knows_every_termination_of_the_protocol() -> None:
    listed = re.search(r"termination IN \(([^)]*)\)", SCHEMA)
    assert listed
    assert re.findall(r"'(\w+)'", listed[1]) == list(get_args(Termination))


def test_moves_taken_back_keep_every_column(schema: sqlite3.Connection) -> None:
    def columns(table: str) -> list[tuple[str, str]]:
        return [(name, kind) for _, name, kind, *_ in schema.execute(f"PRAGMA table_info({table})")]

    assert [c for c in columns("moves_taken_back") if c[0] != "taken_seq"] == columns("moves")


def test_every_table_is_strict(schema: sqlite3.Connection) -> None:
    tables = schema.execute("PRAGMA table_list").fetchall()
    ours = {
        name: strict for _, name, kind, _, _, strict in tables if kind == "table" and not name.startswith("sqlite_")
    }
    assert ours
    assert all(ours.values()), ours
