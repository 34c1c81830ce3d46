"""What the explorer's queries look at."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from server.db.explorer import UNEXPLORED
from tests.support.database.database_files import new_database


def test_of_games_that_are_explored_no_row_is_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(new_database(tmp_path))) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {UNEXPLORED}")]
    assert plan[0].startswith("SCAN i USING COVERING INDEX"), plan
    assert plan[-1] == "SEARCH g USING INTEGER PRIMARY KEY (rowid=?)", plan
