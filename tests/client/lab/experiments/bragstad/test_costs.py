"""What alpha-beta saves Bragstad's bots, of searches made up, and the games that are searched for it."""

from __future__ import annotations

from client.lab.experiments.bragstad.costs import groups, section
from client.lab.experiments.findings import Estimate
from client.lab.experiments.lab import Lab, Measured, Search
from engine.rules.position import O, Side, X
from engine.search.fixed import Cut
from tests.support.lab.experiment import Silent, figures, searched


def game(minimax: int, alphabeta: int) -> Measured:
    return searched(*(
        Search(1, cut, nodes, 0, 0, 0, 1.0) for cut, nodes in ((Cut.NONE, minimax), (Cut.LOOSE, alphabeta))
    ))  # fmt: skip


SAVINGS: dict[tuple[int, Side], list[Measured]] = {
    (ply, side): [game(30 * ply, 3 * ply)] * 2 for ply in range(5, 10) for side in (X, O)
}
"""Ten times everywhere."""


def test_each_bot_searches_on_either_side_of_so_many_games() -> None:
    for games, most in ((300, 200), (20, 20)):
        found = groups(Lab(games, 1, 1, Silent(), "bragstad"))
        assert list(found) == [(ply, side) for ply in range(5, 10) for side in "xo"]
        for (ply, side), tasks in found.items():
            assert len(tasks) == most
            names = {(task.x.name, task.o.name)[:: 1 if side == X else -1] for task in tasks}
            assert names == {(f"bragstad-alphabeta:{ply}", "random")}


def test_savings_are_told_by_plies_and_side() -> None:
    (table,) = section(SAVINGS).tables
    assert [row[:2] for row in table.rows] == [[ply, side] for ply in range(5, 10) for side in "XO"]
    for row in table.rows:
        assert isinstance(row[0], int)
        assert [cell.value for cell in row[2:] if isinstance(cell, Estimate)] == [30 * row[0], 3 * row[0], 10]
    (plot,) = section(SAVINGS).plots
    assert [(line.name, line.y) for line in plot.series] == [
        ("ours, as X", [10] * 5), ("ours, as O", [10] * 5), ("he (time)", [6.1, 27.6])
    ]  # fmt: skip
    assert [plot.labels[int(at)] for at in plot.series[2].x] == ["5", "9"]


def test_his_bot_searched_as_o_at_5_plies_and_as_x_at_9() -> None:
    found = figures([section(SAVINGS | {(5, O): [game(61, 10)] * 2, (9, X): [game(276, 10)] * 2})])
    for what in ("5 plies, as O", "9 plies, as X"):
        assert found[f"minimax's nodes to alpha-beta's, {what} against random"].agrees
    nodes = [found[f"alpha-beta's nodes a move, {ply} plies, as O against random"].ours for ply in (5, 9)]
    assert [one and one.value for one in nodes] == [10, 27]
    other = figures([section(SAVINGS)])["minimax's nodes to alpha-beta's, 5 plies, as O against random"]
    assert (other.agrees, other.note != "") == (False, True)
