"""What Altekar's searches cost, of searches made up."""

from __future__ import annotations

from client.lab.experiments.altekar.bots import BOTS, CUTS
from client.lab.experiments.altekar.costs import cuts_section, section
from client.lab.experiments.findings import Estimate, Section
from client.lab.experiments.lab import Measured, Search
from engine.search.fixed import Cut
from tests.support.lab.experiment import figures, searched


def search(cut: Cut, nodes: int, pruned: int = 0, interior: int = 0) -> Search:
    return Search(1, cut, nodes, 0, pruned, interior, 1.0)


def game(loose: int = 10) -> Measured:
    """Two moves of the bot; without a cut they take 100 and 50 nodes."""
    return searched(
        search(Cut.NONE, 100, 0, 9), search(Cut.NONE, 50, 0, 9),
        search(Cut.STRICT, 40, 60, 4), search(Cut.STRICT, 20, 30, 1),
        search(Cut.LOOSE, loose, 90, 0), search(Cut.LOOSE, 5, 45, 0),
    )  # fmt: skip


UNMOVED = searched()
"""A game in which the bot made no move: it is in no average."""


def of(*games: Measured, soft: int = 30) -> Section:
    found = [*games, UNMOVED]
    line = {cut: [search(cut, 5, 4, 1)] for cut in CUTS}
    return section(found, found, [line, line], [[search(Cut.STRICT_SOFT, soft)]] * 2)


def test_figures_are_of_the_strict_cut_and_of_the_games_in_which_the_bot_moved() -> None:
    ours = {what: figure.ours.value for what, figure in figures([of(game(), game())]).items() if figure.ours}
    assert ours == {
        "states at the first move, 2 plies": 41,
        "nodes of a game, 2 plies": 60,
        "branches pruned, 2 plies": 60,
        "branching factor, 2 plies, without cuts": (100 / 10 + 50 / 10) / 2,
        "nodes of a game, 3 plies": 60,
        "states of a move, 3 plies": 31,
        "pruned branches of a move, 3 plies": 45,
        "branching factor, 3 plies": (40 / 5 + 20 / 2) / 2,
        "nodes of a move, 3 plies, no cut": 75,
        "nodes of a move, 3 plies, alpha > beta": 30,
        "nodes of a move, 3 plies, alpha >= beta": 7.5,
        "states of a move, 3 plies, alpha >= beta": 8.5,
        "minimax's nodes to alpha-beta's, 3 plies, alpha > beta": 2.5,
        "minimax's nodes to alpha-beta's, 3 plies, alpha >= beta": 10,
    }


def test_half_of_the_nodes_are_several_times_fewer() -> None:
    for loose, agrees in ((70, True), (71, False)):
        figure = figures([of(game(loose), game(loose))])["minimax's nodes to alpha-beta's, 3 plies, alpha >= beta"]
        assert (figure.agrees, figure.note == "") == (agrees, agrees)


def test_the_reading_nearest_to_his_nodes_is_told() -> None:
    """In the ratio to his 97,281 nodes: 50,000 is farther than 150,000."""
    for soft, loose, nearest in (
        (150_000, 50_000, "alpha > beta, true values passed up"),
        (30, 90_000, "alpha >= beta"),
    ):
        told = of(game(loose), game(loose), soft=soft).text[2]
        assert f'The reading nearest to his nodes a game is "{nearest}".' in told


def test_the_tables_have_every_reading() -> None:
    two, three = of(game(), game()).tables
    assert [row[0] for row in two.rows] == [
        "he", *(f"{cut}, {where}" for where in ("against random", "along drawn lines") for cut in CUTS.values())
    ]  # fmt: skip
    values = [cell.value for cell in two.rows[-1] if isinstance(cell, Estimate)]
    assert values == [6, 5, 100 * 4 / 9, 2.5]
    assert [row[0] for row in three.rows][1:] == [
        "alpha >= beta",
        "alpha > beta",
        "alpha > beta, true values passed up",
    ]


def test_each_bot_and_cut_has_a_row_of_the_same_games() -> None:
    random, itself = cuts_section({one: [game(), game()] for one in BOTS}, {one: game() for one in BOTS}).tables
    heads = [[ply, evaluation, cut] for ply, evaluation in BOTS for cut in CUTS.values()]
    assert [row[:3] for row in random.rows] == [row[:3] for row in itself.rows] == heads
    strict = [cell.value for cell in random.rows[2] if isinstance(cell, Estimate)]
    assert strict == [30, 60, 60, 9]
    assert itself.rows[2][4] == Estimate(60.0)  # of one game, without an interval


def test_plots_are_by_the_moves_of_the_bot() -> None:
    two, _, pruned = of(game(), game()).plots
    assert [line.name for line in two.series] == list(CUTS.values())
    assert (two.series[0].x, two.series[0].y) == ([1, 2], [100, 50])
    assert [line.y for line in pruned.series] == [[90, 90], [60, 60]] * 2
