"""The experiment on depth3 in small."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.lab.experiments.depth3 import experiment as depth3
from client.lab.experiments.findings import Section
from client.lab.experiments.registry import EXPERIMENTS
from tests.support.lab.experiment import check, figures, ran, value


@pytest.fixture(scope="module")
def of_depth3() -> list[Section]:
    """Its 288 games whatever the number asked for: whoever asks for them is slow."""
    return ran(EXPERIMENTS["depth3"])


@pytest.mark.slow
def test_depth3_answers_well(of_depth3: list[Section]) -> None:
    check(of_depth3)


@pytest.mark.slow
def test_every_experiment_of_the_report_is_there(of_depth3: list[Section]) -> None:
    found = figures(of_depth3)
    for what in (
        "won against random",
        "won against itself at 2 plies",
        "won against defensive at 2 plies",
        "lost by each against itself, taking turns to begin",
        "lost by X against itself",
        "ms of the slowest move at 3 plies",
    ):
        assert found[what].author
    random = found["won against random"].ours
    assert random is not None
    assert random.value == 100


@pytest.mark.slow
def test_every_game_between_two_of_its_programs_is_played(of_depth3: list[Section]) -> None:
    """16 first moves, each by either: whatever the number of games asked for."""
    (table,) = (table for section in of_depth3 for table in section.tables if table.title == "All games")
    numbers = {(row[0], row[1]): row[2] for row in table.rows}
    assert numbers["`depth3:balanced,3`", "`random`"] == 2
    assert numbers["`depth3:balanced,3`", "`depth3:defensive,2`"] == 32
    against = figures(of_depth3)["won against defensive at 2 plies"]
    assert against.ours is not None
    assert (against.ours.value, against.exact) == (100 * 25 / 32, True)
    assert "15.6 % lost, 6.2 % drawn" in against.note


@pytest.mark.slow
def test_to_dominate_is_to_win_more_than_what_the_report_calls_incomplete(of_depth3: list[Section]) -> None:
    """One criterion for all opponents; of games that are all played the share is exact."""
    incomplete = figures(of_depth3)["won against itself at 2 plies"]
    assert incomplete.ours is not None
    assert (incomplete.ours.value, incomplete.agrees) == (100 * 21 / 32, False)
    assert "The report says of 70 % that this is not complete" in incomplete.note
    for won, agrees in ((20, True), (18, False)):  # Wilson's interval of 18 in 20 reaches below 70 %
        games: list[Any] = [SimpleNamespace(task=SimpleNamespace(start=()), a_points=1.0)] * won
        games += [SimpleNamespace(task=SimpleNamespace(start=()), a_points=0.0)] * (20 - won)
        assert depth3._dominates(games, "whom").agrees is agrees


@pytest.mark.slow
def test_draws_and_points_have_their_figures(of_depth3: list[Section]) -> None:
    found = figures(of_depth3)
    drawn = found["drawn against defensive at 2 plies"]
    assert drawn.ours is not None
    assert (drawn.ours.value, drawn.exact) == (100 * 2 / 32, True)
    points = {style: found[f"points of {style} against the other styles"] for style in depth3.STYLES}
    assert sum(figure.ours.value for figure in points.values() if figure.ours) == pytest.approx(200)
    assert points["balanced"].agrees is False


@pytest.mark.slow
def test_pruning_by_looks_saves_nodes_and_an_order_changes_no_value(of_depth3: list[Section]) -> None:
    (table,) = next(section for section in of_depth3 if section.title.startswith("Ordering")).tables
    rows = {row[0]: row for row in table.rows}
    assert value(rows["best first"][3]) == 100
    nodes = [value(rows[f"the best {kept} alone"][1]) for kept in (32, 16, 8)]
    assert nodes == sorted(nodes, reverse=True)
    narrow = figures(of_depth3)["nodes a move with the best 8 alone, of all"].ours
    whole = rows["in the order of the cells"][1]
    assert narrow is not None
    assert narrow.value == pytest.approx(100 * nodes[-1] / value(whole))


@pytest.mark.slow
def test_the_best_moves_first_save_nodes_where_true_values_are_passed_up(of_depth3: list[Section]) -> None:
    """Not so in our bot's form of the cut."""
    ours = figures(of_depth3)["nodes a move with the best moves at the root first, true values passed up"].ours
    assert ours is not None
    assert ours.value < 100


@pytest.mark.slow
def test_the_crosstable_has_each_style_against_each(of_depth3: list[Section]) -> None:
    (table,) = next(section for section in of_depth3 if section.title.startswith("The four styles")).tables
    for number, row in enumerate(table.rows):
        assert row[0] == depth3.STYLES[number]
        for other, cell in enumerate(row[1:5]):
            if other == number:
                assert cell == ""
            else:
                against = table.rows[other][number + 1]
                assert value(cell) + value(against) == pytest.approx(100)
