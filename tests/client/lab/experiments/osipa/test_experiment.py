"""The experiment on Osipa's figures in small, and that only the seed decides what is played and counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.lab.experiments.findings import Estimate, Figure, Section
from client.lab.experiments.osipa import experiment as osipa
from client.lab.experiments.registry import EXPERIMENTS
from tests.support.lab.experiment import check, figures, ran, untimed

pytestmark = pytest.mark.slow

PRUNED = ("alpha > beta", "alpha > beta, true values passed up", "alpha >= beta")


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return ran(EXPERIMENTS["osipa"])


def test_it_answers_well(sections: list[Section]) -> None:
    check(sections)


def test_jobs_change_nothing_and_the_seed_does(sections: list[Section]) -> None:
    assert untimed(ran(EXPERIMENTS["osipa"], jobs=2)) == untimed(sections)
    assert untimed(ran(EXPERIMENTS["osipa"], seed=2)) != untimed(sections)


def test_his_figure_is_drawn_from_the_second_move_on(sections: list[Section]) -> None:
    plots = {plot.name: plot for section in sections for plot in section.plots}
    time, nodes = plots["time"], plots["nodes"]
    assert [series.name for series in time.series] == ["without pruning", *PRUNED]
    assert all(series.x[0] == 2 for plot in (time, nodes) for series in plot.series)  # the first move is random
    without, *with_pruning = nodes.series
    assert all(more >= less for some in with_pruning for more, less in zip(without.y, some.y, strict=True))
    at = without.x.index(32.0)
    assert without.y[at] > without.y[at - 1]  # 4 plies instead of 3


def test_his_first_moves_are_the_dearest_with_a_strict_cut_alone(sections: list[Section]) -> None:
    found = figures(sections)
    for cut in PRUNED:
        agrees = cut != "alpha >= beta"
        assert found[f"games whose dearest searched move is one of the first two, {cut}"].agrees == agrees


def test_true_values_passed_up_cut_more_than_alpha_does(sections: list[Section]) -> None:
    found = figures(sections)
    for when in ("up to", "after"):
        gains = [found[f"nodes without pruning to those with, {when} step 30, {cut}"].ours for cut in PRUNED]
        alpha, true, _ = (gain.value for gain in gains if gain is not None)
        assert 1 < alpha < true


def test_each_pairing_is_played_with_sides_swapped(sections: list[Section]) -> None:
    (table,) = next(section for section in sections if section.title.startswith("How long")).tables
    assert [row[0] for row in table.rows] == [
        "zero - zero",
        "zero - control",
        "zero - ways",
        "control - control",
        "control - ways",
        "ways - ways",
    ]
    assert all(row[1] == 2 for row in table.rows)


def test_the_order_of_the_cells_stands_beside_the_shuffled_one(sections: list[Section]) -> None:
    found = figures(sections)
    for said in PRUNED:
        figure = found[f"nodes in the order of the cells to those shuffled, {said}"]
        assert figure.ours is not None
        assert figure.ours.value > 0
        assert figure.agrees is not None


def test_what_he_says_of_evaluations_is_shown_or_left_undecided() -> None:
    def figure(points: tuple[float, ...]) -> Figure:
        games: list[Any] = [SimpleNamespace(a_points=one) for one in points]
        return osipa._points_figure({("zero", "control"): games}, "zero", "control", "useless", _below)

    few = figure((0.0,) * 9 + (1.0,))
    assert (few.agrees, few.note) == (True, "")
    even = figure((0.0, 1.0) * 5)
    assert even.agrees is None
    assert even.note.startswith("No difference beyond chance")


def _below(one: Estimate) -> bool:
    return one.high is not None and one.high < 50
