"""Standings as a report shows them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.db.ladder import ADD_SAMPLE
from server.report.page.frames import read
from server.report.page.ladder_parts import how_it_ran, ladders
from server.report.page.words import ReportData
from tests.support.database.database_files import new_database
from tests.support.ladder.records import BOTS, add_list


@pytest.mark.parametrize("gone", [0, 1])
def test_bots_that_left_a_list_are_marked(tmp_path: Path, gone: int) -> None:
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    with closing(sqlite3.connect(path)) as connection, connection:
        (told,) = connection.execute("SELECT settings FROM ladder_lists").fetchone()
        settings = json.loads(told)
        settings["bots"] = settings["bots"][gone:]
        connection.execute("UPDATE ladder_lists SET settings = ?", (json.dumps(settings),))
    [part] = ladders(ReportData(read(path))).parts
    standings = part.tables[0]
    marked = [row[1].text for row in standings.rows if "left" in row]  # type: ignore[union-attr]
    assert marked == list(BOTS[:gone])


def test_each_ladder_has_pictures_of_its_own(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for ladder in ("Over-night", "over.night", "other"):
            for at in (1, 2, 3, 4):
                row = (ladder, at * 3_600_000, 0, 10 * at, 1, 1, 1, 1, 1, 1, 0)
                connection.execute(ADD_SAMPLE, row)
    names = [picture.name for picture in how_it_ran(ReportData(read(path))).pictures]
    assert names == [
        "memory-over-night",
        "rate-over-night",
        "memory-other",
        "rate-other",
        "memory-over-night-2",
        "rate-over-night-2",
    ]


def test_a_run_of_a_minute_has_no_chart_of_its_memory(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for at in (1, 2):
            connection.execute(ADD_SAMPLE, ("night", at * 60_000, 0, 10 * at, 1, 1, 1, 1, 1, 1, 0))
    assert [picture.name for picture in how_it_ran(ReportData(read(path))).pictures] == ["rate-night"]
