"""The experiment on Altekar's figures in small: what is exact, and what was left out."""

from __future__ import annotations

import pytest

from client.lab.experiments.findings import Section
from client.lab.experiments.registry import EXPERIMENTS
from tests.support.lab.experiment import check, figures, ran, value

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return ran(EXPERIMENTS["altekar"])


def test_it_answers_well(sections: list[Section]) -> None:
    check(sections)


def test_the_exact_figures(sections: list[Section]) -> None:
    found = figures(sections)
    game = found["nodes of a game, minimax, 2 plies, the second player along a drawn line"]
    states = found["states of the 2-ply tree of the empty board"]
    assert game.ours is not None
    assert states.ours is not None
    assert (game.ours.value, game.exact, game.agrees) == (43_680, True, True)
    assert (states.ours.value, states.exact, states.agrees) == (4_033, True, True)
    (table,) = sections[0].tables
    assert [row[:2] for row in table.rows] == [
        ["no cut", 254_081],
        ["alpha >= beta", 4_311],
        ["alpha > beta", 207_447],
        ["alpha > beta, true values passed up", 19_959],
    ]


def test_what_cannot_be_repeated_is_said(sections: list[Section]) -> None:
    told = " ".join(paragraph for section in sections for paragraph in section.text)
    assert "against its author" in told
    assert "cannot be repeated" in told


def test_cuts_search_less_and_both_evaluations_are_there(sections: list[Section]) -> None:
    (cuts,) = (section for section in sections if section.title.startswith("Strict and loose"))
    random, itself = cuts.tables
    assert [row[:3] for row in random.rows] == [
        [ply, evaluation, cut]
        for evaluation in ("sum", "weighted")
        for ply in (2, 3)
        for cut in ("no cut", "alpha >= beta", "alpha > beta")
    ]
    nodes = [value(row[4]) for row in itself.rows]
    for none, loose, strict in zip(nodes[::3], nodes[1::3], nodes[2::3], strict=True):
        assert loose < strict < none


def test_the_win_detectors_are_timed(sections: list[Section]) -> None:
    found = figures(sections)
    for way in ("the matrix", "loops"):
        ours = found[f"µs to look for a win by {way}"].ours
        assert ours is not None
        assert ours.value > 0


def test_the_states_of_a_move_fall_with_the_square_of_the_free_cells(sections: list[Section]) -> None:
    found = figures(sections)
    for what, states in (("first move", 63**2), ("last move but one", 3**2)):
        ours = found[f"states of the {what}, minimax, 2 plies"].ours
        assert ours is not None
        assert ours.value == states
    (table,) = next(section for section in sections if section.title.startswith("States a move")).tables
    for _, free, minimax, *with_cuts in table.rows:
        assert isinstance(free, int)
        assert value(minimax) == free**2
        assert all(value(one) <= free**2 for one in with_cuts)
