"""The experiment on Osipa's figures in small, and that only the seed decides what is played and counted."""

from __future__ import annotations

import pytest

from client.lab.experiments import osipa
from client.lab.experiments.findings import Section
from tests.support.experiment_lab import check, figures, ran, untimed


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return ran(osipa.EXPERIMENT)


def test_it_answers_well(sections: list[Section]) -> None:
    check(sections)


def test_the_tree_draws_against_itself(sections: list[Section]) -> None:
    draws = figures(sections)["draws against itself"]
    assert (draws.exact, draws.agrees) == (True, True)


@pytest.mark.slow
def test_jobs_change_nothing_and_the_seed_does(sections: list[Section]) -> None:
    assert untimed(ran(osipa.EXPERIMENT, jobs=2)) == untimed(sections)
    assert untimed(ran(osipa.EXPERIMENT, seed=2)) != untimed(sections)


def test_his_figure_is_drawn_from_the_second_move_on(sections: list[Section]) -> None:
    plots = {plot.name: plot for section in sections for plot in section.plots}
    time, nodes = plots["time"], plots["nodes"]
    assert [series.name for series in time.series] == ["without pruning", "with pruning"]
    assert all(series.x[0] == 2 for plot in (time, nodes) for series in plot.series)  # the first move is random
    without, with_pruning = nodes.series
    assert all(more > less for more, less in zip(without.y, with_pruning.y, strict=True))
    at = without.x.index(31.0)
    assert without.y[at] > without.y[at - 1]  # 4 plies instead of 3


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
