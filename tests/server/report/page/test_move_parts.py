"""The parts on moves."""

from __future__ import annotations

from pathlib import Path

from server.report.page.frames import read
from server.report.page.move_parts import time_use
from server.report.page.words import ReportData
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import add_list


def test_moves_that_lost_on_time_are_said_to_be_missing(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    add_list(path, pairs=1, limit={"move_ms": 100_000})
    for games in (1, 2):
        execute(path, f"UPDATE games SET termination = iif(id <= {games}, 'flag', 'line'), winner = 'x'")
        over, flags, *_ = time_use(ReportData(read(path))).sentences
        assert over.startswith("0 of ")
        assert flags.startswith(
            ("1 game was lost on time, by a move", "2 games were lost on time, by moves")[games - 1]
        )
