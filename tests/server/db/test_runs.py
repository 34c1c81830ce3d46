"""Which runs of ladders have games."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from server.db.runs import check_run
from tests.support.database.random_records import RUNS, RandomRecords


@pytest.mark.parametrize("run", [None, "night", "night/small", *RUNS])
def test_a_ladder_and_a_list_stand_for_all_of_their_runs(run: str | None) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        check_run(RandomRecords(connection, 0).connection, run, Path("night.db"))


@pytest.mark.parametrize(
    "run", ["", "nigh", "night/", "night/small/", "night/small/12", "NIGHT", "n_ght", "%", "small"]
)
def test_of_any_other_the_newest_runs_are_told(run: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        records = RandomRecords(connection, 0)
        records.rows("UPDATE games SET started_ms = -id")
        newest = {known: max(-game.id for game in records.games if game.run == known) for known in RUNS}
        told = ", ".join(sorted(RUNS, key=lambda known: -newest[known]))
        with pytest.raises(click.BadParameter) as refused:
            check_run(connection, run, Path("night.db"))
    assert refused.value.message == f"night.db has no game of a run {run!r}; its newest runs: {told}."


def test_where_no_ladder_ever_played_there_is_none() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        records = RandomRecords(connection, 0, games=0)
        with pytest.raises(click.BadParameter, match="its newest runs: none"):
            check_run(records.connection, "night", Path("night.db"))
