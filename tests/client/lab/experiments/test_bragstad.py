"""The experiment on Bragstad's figures in small: the whole trees of 3 x 3, his tables and averages."""

from __future__ import annotations

import pytest

from client.lab.experiments import bragstad
from client.lab.experiments.findings import Section
from tests.support.experiment_lab import check, figures, ran

EXACT = {
    "random - random": (58.5, 28.8, 12.7),
    "random - random (again)": (58.5, 28.8, 12.7),
    "variable - random": (96.3, 1.9, 1.8),
    "random - minimax:5": (13.1, 76.0, 10.9),
    "random - alphabeta:5": (13.1, 76.0, 10.9),
    "random - alphabeta:10": (0.0, 80.6, 19.4),
    "minimax:9 - random": (99.5, 0.0, 0.5),
    "alphabeta:9 - random": (99.5, 0.0, 0.5),
    "minimax:9 - alphabeta:9": (0.0, 0.0, 100.0),
    "minimax:3 - alphabeta:3": (100.0, 0.0, 0.0),
}


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return ran(bragstad.EXPERIMENT, games=3)


def test_it_answers_well(sections: list[Section]) -> None:
    check(sections)


def test_the_exact_rows(sections: list[Section]) -> None:
    found = figures(sections)
    for name, row in EXACT.items():
        for said, percent in zip(("X wins", "O wins", "ties"), row, strict=True):
            figure = found[f"3x3, {name}: {said}"]
            assert figure.exact
            assert figure.ours is not None
            assert round(figure.ours.value, 1) == percent


def test_all_thirteen_tables_stand_beside_ours(sections: list[Section]) -> None:
    assert len(bragstad.ROWS) == 13
    assert all(sum(row.percent) == 100 for row in bragstad.ROWS)
    found = figures(sections)
    assert sum(": X wins" in name for name in found) == 13
    assert found["3x3, random - random (again): ties"].author == "19 % of 100 (12.5 to 27.8)"
    assert not found["5x5, alphabeta:3 - random: ties"].exact


def test_moves_to_a_win_are_the_winners_own(sections: list[Section]) -> None:
    assert bragstad.own_moves(7, "x") == 4
    assert bragstad.own_moves(8, "o") == 4
    (table,) = next(section for section in sections if section.title == "His averages of moves").tables
    rows = {row[1]: row for row in table.rows}
    # X wins 3 against 3 in 7 plies, of which 4 are its own; O never wins.
    assert rows["minimax:3 - alphabeta:3"][2] == 4
    assert rows["minimax:3 - alphabeta:3"][4] is None
    assert rows["minimax:3 - alphabeta:3"][6] == 7
    assert rows["minimax:9 - alphabeta:9"][6] == 9


def test_games_that_leave_nothing_to_chance_are_played_as_often_as_his(sections: list[Section]) -> None:
    table = sections[0].tables[0]
    games = {row[1]: row[2] for row in table.rows}
    assert games["minimax:9 - alphabeta:9"] == 10
    assert games["random - random"] == 3


def test_alphabeta_saves_at_every_depth(sections: list[Section]) -> None:
    (table,) = next(section for section in sections if section.title == "What alpha-beta saves").tables
    assert [row[:2] for row in table.rows] == [[ply, side] for ply in range(5, 10) for side in "XO"]
    assert all(row[4].value > 2 for row in table.rows)  # type: ignore[union-attr]
