"""The experiments on depth3 and on Pawar and Ren's program in small."""

from __future__ import annotations

import pytest

from client.lab.experiments import depth3, pawar_ren
from client.lab.experiments.findings import Section
from tests.support.experiment_lab import check, figures, ran


@pytest.fixture(scope="module")
def of_depth3() -> list[Section]:
    return ran(depth3.EXPERIMENT)


@pytest.fixture(scope="module")
def of_pawar_ren() -> list[Section]:
    return ran(pawar_ren.EXPERIMENT)


def test_they_answer_well(of_depth3: list[Section], of_pawar_ren: list[Section]) -> None:
    check(of_depth3)
    check(of_pawar_ren)


def test_every_experiment_of_the_report_is_there(of_depth3: list[Section]) -> None:
    found = figures(of_depth3)
    for what in (
        "won against random",
        "won against itself at 2 plies",
        "won against defensive, both at 2 plies",
        "won against defensive, 3 plies against 2",
        "lost by X against itself",
        "ms of the slowest move at 3 plies",
    ):
        assert found[what].author
    random = found["won against random"].ours
    assert random is not None
    assert random.value == 100


def test_the_crosstable_has_each_style_against_each(of_depth3: list[Section]) -> None:
    (table,) = next(section for section in of_depth3 if section.title.startswith("The four styles")).tables
    for number, row in enumerate(table.rows):
        assert row[0] == depth3.STYLES[number]
        for other, cell in enumerate(row[1:5]):
            if other == number:
                assert cell == ""
            else:
                against = table.rows[other][number + 1]
                assert cell.value + against.value == pytest.approx(100)  # type: ignore[union-attr]


def test_pruning_saves_nodes_and_more_so_deeper(of_pawar_ren: list[Section]) -> None:
    found = figures(of_pawar_ren)
    two, three = (
        found[f"nodes of a game against random without pruning to those with, {ply} plies"].ours for ply in (2, 3)
    )
    assert two is not None
    assert three is not None
    assert 1 < two.value < three.value


def test_last_and_coin_meet_the_same_opponents(of_pawar_ren: list[Section]) -> None:
    (table,) = next(section for section in of_pawar_ren if section.title.startswith("The last")).tables
    met = {tie: [row[0] for row in table.rows if row[1] == f"`{tie}`"] for tie in ("last", "coin")}
    assert met["last"] == met["coin"][:-1]
    assert met["coin"][-1] == "`pawar-ren:2,last`"
    assert all(row[2] == 2 for row in table.rows)
