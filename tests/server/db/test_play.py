"""Pages of games, and what the queries of records look at."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.db.play import RATING_HISTORY, games_page
from tests.support.database.random_records import KINDS, RUNS, Game, RandomRecords


@pytest.fixture(scope="module")
def records() -> Iterator[RandomRecords]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield RandomRecords(connection, 1)


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize(
    ("filters", "index"),
    [
        ({}, "games_by_start"),
        ({"game": True}, "games_by_game"),
        ({"run": True}, "games_by_run_start"),
        ({"run": True, "game": True}, "games_by_run_start"),
        ({"run": True, "opening": True}, "games_by_run_start"),
        ({"players": 1}, "games_by_x_player"),
        ({"players": 1, "game": True}, "games_by_x_player"),
        ({"players": 1, "run": True}, "games_by_x_player"),
        ({"players": 2}, "games_by_players"),
        ({"players": 2, "game": True}, "games_by_players"),
        ({"players": 2, "run": True}, "games_by_players"),
        ({"players": 2, "run": True, "opening": True}, "games_by_players"),
    ],
)
def test_the_newest_games_come_along_an_index(
    records: RandomRecords, filters: dict[str, Any], index: str, before: bool
) -> None:
    """Only the page itself is sorted: at most two times as many games as are asked for."""
    sql = games_page(**filters, before=before)
    values = {"game": "tictactoe", "first": 1, "second": 2, "before": 1, "run": "r", "opening": "o", "viewer": 1}
    plan = [row[3] for row in records.connection.execute(f"EXPLAIN QUERY PLAN {sql}", values | {"limit": 9})]
    assert any(step.startswith(("SEARCH games", "SCAN games")) and index in step for step in plan), plan
    assert not [step for step in plan if step.startswith("SCAN games") and "INDEX" not in step], plan
    assert plan[-1] == "USE TEMP B-TREE FOR ORDER BY", plan
    assert "USE TEMP B-TREE FOR ORDER BY" not in plan[:-1], plan


def test_of_a_history_of_ratings_no_other_game_is_looked_at(records: RandomRecords) -> None:
    plan = [row[3] for row in records.rows(f"EXPLAIN QUERY PLAN {RATING_HISTORY}", 1, "tictactoe")]
    assert "SEARCH g USING INTEGER PRIMARY KEY (rowid=?)" in plan, plan


PLAYERS = st.lists(st.integers(1, 7), max_size=2)
FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(KINDS),
        "run": st.sampled_from(RUNS),
        "opening": st.just("a1 b2"),
        "before": st.integers(0, 119),
    },
)


@given(filters=FILTERS, players=PLAYERS, limit=st.integers(0, 50))
def test_a_page_is_the_newest_games_that_fit(
    records: RandomRecords, filters: dict[str, Any], players: list[int], limit: int
) -> None:
    before = records.games[filters.pop("before")] if "before" in filters else None

    def fits(one: Game, viewer: int | None) -> bool:
        x, o = one.players["x"], one.players["o"]
        return (
            (not one.private or viewer in (x, o))
            and all(getattr(one, name) == value for name, value in filters.items())
            and (before is None or (one.started_ms, one.id) < (before.started_ms, before.id))
            and (len(players) != 1 or players[0] in (x, o))
            and (len(players) != 2 or players in ([x, o], [o, x]))
        )

    sql = games_page(players=len(players), before=before is not None, **dict.fromkeys(filters, True))
    seats = dict(zip(("first", "second"), players, strict=False))
    values = {"limit": limit, "before": before.id if before is not None else None} | filters | seats
    newest = sorted(records.games, key=lambda one: (one.started_ms, one.id), reverse=True)
    for viewer in (None, *range(1, 8)):
        found = records.connection.execute(sql, values | {"viewer": viewer})
        assert [row[0] for row in found] == [one.id for one in newest if fits(one, viewer)][:limit], viewer
