"""The experiment on Pawar and Ren's program in small."""

from __future__ import annotations

import pytest

from client.lab.experiments.findings import Section
from client.lab.experiments.registry import EXPERIMENTS
from tests.support.lab.experiment import check, figures, ran


@pytest.fixture(scope="module")
def of_pawar_ren() -> list[Section]:
    return ran(EXPERIMENTS["pawar-ren"])


@pytest.mark.slow
def test_pawar_ren_answers_well(of_pawar_ren: list[Section]) -> None:
    check(of_pawar_ren)


@pytest.mark.slow
def test_pruning_saves_nodes_and_more_so_deeper(of_pawar_ren: list[Section]) -> None:
    found = figures(of_pawar_ren)
    two, three = (
        found[f"nodes of a game against random without pruning to those with, {ply} plies"].ours for ply in (2, 3)
    )
    assert two is not None
    assert three is not None
    assert 1 < two.value < three.value


@pytest.mark.slow
def test_last_and_coin_meet_the_same_opponents(of_pawar_ren: list[Section]) -> None:
    (table,) = next(section for section in of_pawar_ren if section.title.startswith("The last")).tables
    met = {tie: [row[0] for row in table.rows if row[1] == f"`{tie}`"] for tie in ("last", "coin")}
    assert met["last"] == met["coin"][:-1]
    assert met["coin"][-1] == "`pawar-ren:2,last`"
    assert all(row[2] == 2 for row in table.rows)
