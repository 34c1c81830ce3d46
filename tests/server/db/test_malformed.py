"""A damaged row is named where a query fails by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.db.connect import DatabaseError, connect
from server.db.statements import SQL
from server.play.writes import Statement
from tests.support.database.database_files import new_database, start_game


@pytest.mark.parametrize("text", ["{nope", "[" * 50])
def test_a_row_whose_json_is_damaged_is_named(tmp_path: Path, text: str) -> None:
    path = new_database(tmp_path)
    with connect(path, "rw") as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for id, limit in ((1, "{}"), (2, text)):
            connection.execute(SQL[Statement.START_GAME], start_game(id, x_limit=limit, source="experiment")[1])
    shown = text if len(text) < 40 else f"{text[:40]}'..."
    told = re.escape(f"{path} is damaged: game 2 has x_limit '{shown}")
    with pytest.raises(DatabaseError, match=told), connect(path, "rw") as connection:
        connection.execute("SELECT json_extract(x_limit, '$.nodes') FROM games").fetchall()


def test_json_of_a_query_itself_is_no_damage(tmp_path: Path) -> None:
    with (
        pytest.raises(DatabaseError, match=r"cannot be used: malformed JSON\.$"),
        connect(new_database(tmp_path), "rw") as connection,
    ):
        connection.execute("SELECT json_extract('nope', '$')").fetchall()
