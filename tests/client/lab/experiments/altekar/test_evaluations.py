"""The comparison of Altekar's evaluations: who plays whom, and what is said of it."""

from __future__ import annotations

import pytest

from client.lab.experiments.altekar import evaluations as altekar_evaluations
from client.lab.experiments.findings import Section
from client.lab.experiments.lab import Lab
from engine.bots import match
from tests.support.lab.experiment import Silent, figures

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def section() -> Section:
    lab = Lab(4, 1, 1, Silent(), "altekar")
    random = {
        (ply, evaluation): [
            match.play(task) for task in lab.fixed("qubic", f"altekar-alphabeta:{ply},{evaluation}", "random", 2)
        ]
        for ply in altekar_evaluations.PLIES
        for evaluation in ("sum", "weighted")
    }
    return altekar_evaluations.section(lab, random)


def test_both_play_each_other_and_two_that_see_more(section: Section) -> None:
    head, stronger = section.tables
    assert [(row[0], row[1]) for row in head.rows] == [("2", 4), ("3", 4)]
    assert {tuple(row[:3]) for row in stronger.rows} == {
        (ply, evaluation, other)
        for ply in ("2", "3")
        for evaluation in ("sum", "weighted")
        for other in ("`alphabeta:2`", "`depth3:balanced,3`")
    }
    assert all(row[3] == 4 for row in stronger.rows)


def test_few_games_do_not_show_that_one_loses_much_more(section: Section) -> None:
    """Only an interval above a half does."""
    for ply in altekar_evaluations.PLIES:
        figure = figures([section])[f"lost by the weighted evaluation to the sum, {ply} plies"]
        assert figure.ours is not None
        assert figure.agrees == ((figure.ours.low or 0) > 50)
        assert figure.note


def test_more_plies_and_who_sees_more_have_their_figures(section: Section) -> None:
    found = figures([section])
    easy = found["lost by the sum to `depth3:balanced,3`, 2 plies"]
    assert easy.author == "easy to beat"
    assert easy.agrees is not None
    for evaluation in ("sum", "weighted"):
        deeper = found[f"won by 3 plies against 2, {evaluation}"]
        assert deeper.ours is not None
        assert "drawn" in deeper.note
    assert all("games against people" not in figure.note for figure in found.values())
