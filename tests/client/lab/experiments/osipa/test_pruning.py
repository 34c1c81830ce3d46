"""What pruning saves on the nine boards, of searches made up."""

from __future__ import annotations

from client.lab.experiments.findings import Estimate, Section
from client.lab.experiments.lab import Measured, Search
from client.lab.experiments.osipa.pruning import CUTS, PRUNING, section
from engine.search.fixed import Cut
from tests.support.lab.experiment import figures, searched


def game(without: dict[int, int], pruned: dict[int, int]) -> Measured:
    """Nodes of the searches at these plies, without a cut and with every one; half as many branches are cut."""
    return searched(*(
        Search(ply, cut, nodes, 0, nodes // 2, 2, 1.0)
        for cut in CUTS
        for ply, nodes in (without if cut == Cut.NONE else pruned).items()
    ))  # fmt: skip


def of(*games: Measured) -> Section:
    return section(list(games), [])


def value(found: Section, what: str) -> Estimate | None:
    return figures([found])[f"{what}, alpha > beta"].ours


EARLY = game({1: 90, 2: 60, 30: 30, 31: 300}, {1: 30, 2: 20, 30: 10, 31: 20})
"""The first two searches are the dearest; pruning saves two thirds up to step 30, and nine in ten and more after it."""
LATE = game({1: 9, 2: 9, 30: 9, 31: 90}, {1: 3, 2: 3, 30: 3, 31: 90})
"""The last one is; and pruning saves nothing there."""


def test_the_dearest_search_is_found_in_each_game() -> None:
    for other in (LATE, game({1: 9, 3: 90}, {1: 3, 3: 9})):
        found = value(of(EARLY, EARLY, other, other), "games whose dearest searched move is one of the first two")
        assert found is not None
        assert found.value == 50
    found = value(of(EARLY, EARLY, LATE, LATE), "the dearest move of the game on average")
    assert found == Estimate(32.0)
    what = "games whose dearest searched move is one of the first two, alpha > beta"
    assert [figures([of(one, one)])[what].agrees for one in (EARLY, LATE)] == [True, False]


def test_pruning_gains_up_to_step_30_and_after_it() -> None:
    found = of(EARLY, EARLY)
    early = value(found, "nodes without pruning to those with, up to step 30")
    late = value(found, "nodes without pruning to those with, after step 30")
    assert early is not None
    assert late is not None
    assert (early.value, late.value) == (3, 15)
    figure = figures([found])["nodes without pruning to those with, after step 30, alpha > beta"]
    assert (figure.agrees, figure.note) == (True, "")
    figure = figures([of(LATE, LATE)])["nodes without pruning to those with, after step 30, alpha > beta"]
    assert (figure.agrees, figure.note != "") == (False, True)


def test_a_row_for_each_search_and_a_line_for_each_cut() -> None:
    found = of(EARLY, EARLY)
    rows = {row[0]: row[1:] for row in found.tables[0].rows}
    assert list(rows) == list(CUTS.values())
    assert [cell.value for cell in rows["alpha > beta"] if isinstance(cell, Estimate)] == [20, 10, 20 / 3]
    nodes, cut = found.plots
    assert [line.name for line in nodes.series] == [*CUTS.values()]
    assert [line.name for line in cut.series] == [CUTS[one] for one in PRUNING]
    assert (nodes.series[0].x, nodes.series[0].y) == ([2, 3, 31, 32], [90, 60, 30, 300])


def test_a_move_that_few_games_reach_is_not_drawn() -> None:
    nodes, _ = of(*[EARLY] * 20, game({1: 1, 40: 1}, {1: 1, 40: 1})).plots
    assert [line.x[-1] for line in nodes.series] == [32] * 4
