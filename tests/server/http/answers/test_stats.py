"""The JSON answer about all games, made of rows."""

from __future__ import annotations

from typing import Any

import pytest

from server.db.stats import KINDS, DayRow, MoverRow, PlyRow, ResultRow, SeatedRow
from server.http.answers.stats import StatsAnswer, kinds_of, stats_answer

ROWS: dict[str, Any] = dict.fromkeys(
    ("results", "lengths", "days", "seated", "paces", "movers", "slowest", "forfeits", "faults"), ()
)


def answer(**rows: Any) -> StatsAnswer:
    return stats_answer(5, **{"plies": {}, **ROWS, **rows})


def test_kinds_with_most_games_come_first_and_equal_ones_by_name() -> None:
    results = [ResultRow("b", "x", "line", 2), ResultRow("c", "x", "line", 3), ResultRow("a", "x", "line", 3)]
    assert kinds_of([*results, ResultRow("b", None, "board_full", 2)]) == ["b", "a", "c"]
    assert kinds_of([ResultRow(f"{number:02}", "x", "line", number) for number in range(KINDS + 5)]) == [
        f"{number:02}" for number in reversed(range(5, KINDS + 5))
    ]


def test_each_kind_has_its_own_results_and_all_games_are_counted() -> None:
    results = [ResultRow("b", "x", "line", 2), ResultRow("a", "o", "flag", 3), ResultRow("rare", "x", "line", 1)]
    times = [PlyRow("bot", 1, 9, 5, 4, 6)]
    told = answer(results=results, plies={"a": times, "b": []}, seated=[SeatedRow("bot", 4)])
    assert (told.as_of_ms, told.games, told.people, told.bots) == (5, 6, 0, 4)
    assert [(kind.game, [one.games for one in kind.results], len(kind.times)) for kind in told.kinds] == [
        ("a", [3], 1),
        ("b", [2], 0),
    ]


def test_days_come_oldest_first() -> None:
    assert [day.day_ms for day in answer(days=[DayRow(7, 1), DayRow(3, 1)]).days] == [3, 7]


def test_without_games_nothing_was_counted_at_any_time() -> None:
    assert answer().as_of_ms is None


@pytest.mark.parametrize(
    ("nodes", "timed_nodes", "timed_us", "rate"),
    [
        (1000, 1000, 500_000, 2000),
        (1000, 1000, 3, 333_333_333),
        (1000, 500, 1_000_000, 500),
        (1000, 499, 1_000_000, None),
        (0, 0, 0, None),
        (1000, 0, 0, None),
        (0, 0, 1_000_000, None),
    ],
)
def test_a_rate_is_told_where_half_of_the_nodes_were_timed(
    nodes: int, timed_nodes: int, timed_us: int, rate: int | None
) -> None:
    [mover] = answer(movers=[MoverRow(3, "random", 1, 9, 5, 8, 9, nodes, timed_nodes, timed_us)]).movers
    assert mover.nodes_s == rate
