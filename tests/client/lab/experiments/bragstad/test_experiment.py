"""The experiment on Bragstad's figures in small: the whole trees of 3 x 3, his tables and averages."""

from __future__ import annotations

import pytest

from client.lab.experiments.bragstad.readings import READINGS
from client.lab.experiments.bragstad.tables import ROWS
from client.lab.experiments.findings import Section
from client.lab.experiments.registry import EXPERIMENTS
from tests.support.lab.experiment import check, figures, ran, value

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
    """All of it, which takes ten seconds: whoever asks for it is slow."""
    return ran(EXPERIMENTS["bragstad"], games=3)


def titled(sections: list[Section], title: str) -> Section:
    return next(section for section in sections if section.title == title)


@pytest.mark.slow
def test_it_answers_well(sections: list[Section]) -> None:
    check(sections)


@pytest.mark.slow
def test_the_exact_rows(sections: list[Section]) -> None:
    found = figures(sections)
    for name, row in EXACT.items():
        for said, percent in zip(("X wins", "O wins", "ties"), row, strict=True):
            figure = found[f"3x3, {name}: {said}"]
            assert figure.exact
            assert figure.ours is not None
            assert round(figure.ours.value, 1) == percent


@pytest.mark.slow
def test_all_thirteen_tables_stand_beside_ours(sections: list[Section]) -> None:
    assert len(ROWS) == 13
    assert all(sum(row.percent) == 100 for row in ROWS)
    found = figures(sections)
    assert sum(": X wins" in name for name in found) == 13
    assert found["3x3, random - random (again): ties"].author == "19 % of 100 (12.5 to 27.8)"
    assert not found["5x5, alphabeta:3 - random: ties"].exact


@pytest.mark.slow
def test_moves_to_a_win_are_the_winners_own(sections: list[Section]) -> None:
    (table,) = titled(sections, "His averages of moves").tables
    rows = {row[1]: row for row in table.rows}
    # X wins 3 against 3 in 7 plies, of which 4 are its own; O never wins.
    assert rows["minimax:3 - alphabeta:3"][2] == 4
    assert rows["minimax:3 - alphabeta:3"][4] is None
    assert rows["minimax:3 - alphabeta:3"][6] == 7
    assert rows["minimax:9 - alphabeta:9"][6] == 9


@pytest.mark.slow
def test_every_average_of_his_stands_beside_ours(sections: list[Section]) -> None:
    found = figures([titled(sections, "His averages of moves")])
    first = found["3x3, random - random: X's moves to win"]
    assert first.author == "4.17857 of 56 (3.99 to 4.36)"
    assert (first.exact, first.agrees) == (True, True)
    for bot, printed, recounted in (("minimax", "3 ", "4 "), ("alphabeta", "3.18182 ", "4.18182 ")):
        wrong = found[f"3x3, random - {bot}:5: X's moves to win"]
        right = found[f"3x3, random - {bot}:5: X's moves to win, recounted"]
        assert wrong.author.startswith(printed)
        assert right.author.startswith(recounted)
        assert (wrong.agrees, right.agrees) == (False, True)
        assert "contradict" in wrong.note
    assert found["3x3, minimax:3 - alphabeta:3: moves to the end"].author == "7 of 10"


@pytest.mark.slow
def test_the_readings_are_listed_with_their_fit(sections: list[Section]) -> None:
    (table,) = titled(sections, "The readings tried").tables
    assert [row[0] for row in table.rows] == ["he", *(reading.what for reading in READINGS)]
    assert table.rows[0][1:6] == [
        *("11/77/12 and 11/78/11", "4.00 and 4.18, recounted", "0/82/18", "100/0/0 and 98/0/2", "95/4/1"),
    ]
    assert table.rows[1][1:3] == ["13.1/76.0/10.9", 3.81]
    assert table.rows[1][-2:] == [0, -6.4]
    assert sum(row[-2] == "impossible" for row in table.rows) == 7


@pytest.mark.slow
def test_his_times_stand_beside_ours(sections: list[Section]) -> None:
    found = figures([titled(sections, "Times")])
    for what in ("a game", "a move of X", "a move of O"):
        beside = {row.name: found[f"{row.name}: ms of {what}"] for row in ROWS}
        assert all(figure.ours is not None and figure.unit == "ms" for figure in beside.values())
    assert [found[f"{row.name}: ms of a game"].author for row in ROWS][:4] == ["0.02", "0.02", "1500.61", "86.15"]
    assert [found[f"{row.name}: ms of a move of X"].author for row in ROWS][:4] == ["0", "0", "464.58", "0"]
    assert [found[f"{row.name}: ms of a move of O"].author for row in ROWS][:4] == ["0", "0", "0", "25.87"]


@pytest.mark.slow
def test_games_that_leave_nothing_to_chance_are_played_as_often_as_his(sections: list[Section]) -> None:
    table = sections[0].tables[0]
    games = {row[1]: row[2] for row in table.rows}
    assert games["minimax:9 - alphabeta:9"] == 10
    assert games["random - random"] == 3


@pytest.mark.slow
def test_alphabeta_saves_at_every_depth(sections: list[Section]) -> None:
    (table,) = titled(sections, "What alpha-beta saves").tables
    assert [row[:2] for row in table.rows] == [[ply, side] for ply in range(5, 10) for side in "XO"]
    assert all(value(row[4]) > 2 for row in table.rows)


@pytest.mark.slow
def test_with_few_plies_the_first_player_wins_or_both_tie(sections: list[Section]) -> None:
    figure = figures(sections)["numbers of plies from 1 to 8 with which X wins, minimax - alphabeta"]
    assert figure.ours is not None
    assert (figure.ours.value, figure.exact, figure.agrees) == (4, True, False)
    assert figure.note.startswith("X wins with 1, 2, 3 and 5 plies; with 4, 6, 7 and 8 they")


@pytest.mark.slow
def test_more_plies_take_more_nodes(sections: list[Section]) -> None:
    found = figures(sections)
    five, nine = (found[f"alpha-beta's nodes a move, {ply} plies, as O against random"].ours for ply in (5, 9))
    assert five is not None
    assert nine is not None
    assert 2 < nine.value / five.value < 6
