"""Bragstad's printed figures: each table adds up with itself, but for two averages that his other figures correct."""

from __future__ import annotations

import pytest

from client.lab.experiments.bragstad.tables import (
    ROWS,
    Row,
    moves_a_game,
    moves_of,
    moves_to_win,
    plies_from_wins,
    plies_to_end,
    searcher,
    x_moves_recounted,
)
from engine.rules.position import O, X

MISCOUNTED = ("3x3, random - minimax:5", "3x3, random - alphabeta:5")


def test_there_are_thirteen_tables_of_1120_games() -> None:
    assert len(ROWS) == 13
    assert sum(row.games for row in ROWS) == 1120
    assert len({row.name for row in ROWS}) == 13
    assert all(sum(row.percent) == 100 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_average_is_a_whole_number_of_moves_over_its_games(row: Row) -> None:
    for side, average, wins in zip((X, O), row.to_win, row.ended, strict=False):
        assert average == (round(moves_to_win(row, side) / wins, 5) if wins else 0)
    assert row.to_end * row.games == pytest.approx(plies_to_end(row))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_moves_to_win_add_up_to_the_moves_to_the_end(row: Row) -> None:
    missing = plies_to_end(row) - plies_from_wins(row)
    assert missing == (2 * row.ended[0] if row.name in MISCOUNTED else 0)
    assert x_moves_recounted(row) - moves_to_win(row, X) == missing // 2


@pytest.mark.parametrize("row", [row for row in ROWS if searcher(row)], ids=lambda row: row.name)
def test_the_times_count_the_searchers_moves(row: Row) -> None:
    side, counted = searcher(row), moves_a_game(row)
    assert side is not None
    assert counted is not None
    # The printed times have three digits and more.
    assert counted == pytest.approx(moves_of(row, side, x_moves_recounted(row)) / row.games, rel=0.002)
    if row.name in MISCOUNTED:
        assert counted != pytest.approx(moves_of(row, side, moves_to_win(row, X)) / row.games, rel=0.02)


def test_games_of_two_searchers_have_no_single_one() -> None:
    assert [searcher(row) for row in ROWS] == [None, None, X, O, O, O, X, X, X, X, X, None, None]
    assert moves_a_game(ROWS[-1]) is None
