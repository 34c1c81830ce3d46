"""The experiments on depth3 and on Pawar and Ren's program in small."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.lab.experiments import report
from client.lab.experiments.depth3 import examples as depth3_examples
from client.lab.experiments.depth3 import experiment as depth3
from client.lab.experiments.findings import Section
from client.lab.experiments.registry import EXPERIMENTS
from engine.bots.literature.depth3 import best_cells
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import X
from engine.rules.registry import rules
from tests.support.lab.experiment import check, figures, ran

DOCS = Path(__file__).parents[4] / "docs"


@pytest.fixture(scope="module")
def of_depth3() -> list[Section]:
    """Its 288 games whatever the number asked for: whoever asks for them is slow."""
    return ran(EXPERIMENTS["depth3"])


@pytest.fixture(scope="module")
def of_pawar_ren() -> list[Section]:
    return ran(EXPERIMENTS["pawar-ren"])


@pytest.mark.slow
def test_depth3_answers_well(of_depth3: list[Section]) -> None:
    check(of_depth3)


@pytest.mark.slow
def test_pawar_ren_answers_well(of_pawar_ren: list[Section]) -> None:
    check(of_pawar_ren)


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
    assert rows["best first"][3].value == 100  # type: ignore[union-attr]
    nodes = [rows[f"the best {kept} alone"][1].value for kept in (32, 16, 8)]  # type: ignore[union-attr]
    assert nodes == sorted(nodes, reverse=True)
    narrow = figures(of_depth3)["nodes a move with the best 8 alone, of all"].ours
    whole = rows["in the order of the cells"][1]
    assert narrow is not None
    assert narrow.value == pytest.approx(100 * nodes[-1] / whole.value)  # type: ignore[union-attr]


@pytest.mark.slow
def test_the_best_moves_first_save_nodes_where_true_values_are_passed_up(of_depth3: list[Section]) -> None:
    """Not so in our bot's form of the cut."""
    ours = figures(of_depth3)["nodes a move with the best moves at the root first, true values passed up"].ours
    assert ours is not None
    assert ours.value < 100


def test_the_example_games_of_the_committed_page_are_played_again() -> None:
    """Both bots find each move anew; the forced replies, the fork and the draw are what the table says."""
    found = report.from_json((DOCS / "experiments/depth3.json").read_bytes())
    (table,) = next(section for section in found.sections if section.title == "Example games").tables
    assert [row[0] for row in table.rows] == ["threes up to a fork", "a draw against defensive"]
    for what, x, o, moves in (map(str, row) for row in table.rows):
        cells = [rules("qubic").parse_move(text) for text in moves.strip("`").split()]
        assert cells[0] in best_cells(rules("qubic").initial)
        position = rules("qubic").initial.play(cells[0])
        for cell in cells[1:]:
            name = (x if position.to_move == X else o).strip("`")
            assert decide(bot(name), position).move == cell
            position = position.play(cell)
        assert position.outcome is not None
        if what.startswith("a draw"):
            assert position.outcome.winner is None
        else:
            assert position.outcome.winner is not None
            assert depth3_examples.threes(cells) >= 3
            assert forced(cells, 3)


def forced(cells: list[int], threes: int) -> bool:
    """Whether the loser's last replies each block the one cell that would have won, and the last of them one of two."""
    lines = [set(line) for line in rules("qubic").lines]  # type: ignore[attr-defined]
    for back in range(threes):
        made = cells[: len(cells) - 2 - 2 * back]
        winner, loser = set(made[(len(made) + 1) % 2 :: 2]), set(made[len(made) % 2 :: 2])
        open_cells = {cell for line in lines if len(line & winner) == 3 for cell in line - winner - loser}
        if len(open_cells) < (2 if back == 0 else 1) or cells[len(made)] not in open_cells:
            return False
    return True


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
                assert cell.value + against.value == pytest.approx(100)  # type: ignore[union-attr]


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
