"""The experiment on Altekar's figures in small: what is exact, and what was left out."""

from __future__ import annotations

import pytest

from client.lab.experiments.altekar import fail_soft
from client.lab.experiments.altekar.lines import along, drawn_line
from client.lab.experiments.findings import Section
from client.lab.experiments.registry import EXPERIMENTS
from engine.bots.literature import altekar as his
from engine.rules.position import O, Outcome, play_all
from engine.rules.registry import rules
from engine.search.fixed import Cut
from tests.support.lab.experiment import check, figures, ran

START = rules("qubic").initial

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return ran(EXPERIMENTS["altekar"])


def test_it_answers_well(sections: list[Section]) -> None:
    check(sections)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_drawn_line_has_no_win_in_hand_for_o(seed: int) -> None:
    position = START
    for move in drawn_line(seed):
        if position.to_move == O:
            for cell in position.legal_moves():
                outcome = position.play(cell).outcome
                assert outcome is None or outcome.winner is None
        position = position.play(move)
    assert position.outcome == Outcome(None, "board_full")


def test_the_exact_figures(sections: list[Section]) -> None:
    found = figures(sections)
    game = found["nodes of a game, minimax, 2 plies, the second player along a drawn line"]
    states = found["states of the 2-ply tree of the empty board"]
    assert game.ours is not None
    assert states.ours is not None
    assert (game.ours.value, game.exact, game.agrees) == (43_680, True, True)
    assert (states.ours.value, states.exact, states.agrees) == (4_033, True, True)
    (table,) = sections[0].tables
    assert [row[:2] for row in table.rows] == [
        ["no cut", 254_081],
        ["alpha >= beta", 4_311],
        ["alpha > beta", 207_447],
        ["alpha > beta, true values passed up", 19_959],
    ]


def test_every_line_has_his_43680_nodes() -> None:
    searches = along(drawn_line(3))
    assert [search.nodes for search in searches[Cut.NONE]] == [n + n * (n - 1) for n in range(63, 0, -2)]
    for cut in (Cut.LOOSE, Cut.STRICT):
        for pruned, whole in zip(searches[cut], searches[Cut.NONE], strict=True):
            assert pruned.nodes + pruned.pruned == whole.nodes  # at 2 plies only leaves are cut


@pytest.mark.parametrize("plies", [0, 1, 30, 61])
def test_true_values_passed_up_choose_the_same_move(plies: int) -> None:
    position = play_all(START, drawn_line(1)[:plies])
    depth = min(2, 64 - plies)
    counts, found = fail_soft.count(position, depth), his.searched(position, depth, "sum", Cut.STRICT)
    assert counts.move == found.moves[found.values.index(max(found.values))]
    # At 2 plies nodes are either parents of leaves or leaves, and it does not matter what is passed up.
    assert (counts.nodes, counts.pruned, counts.interior) == (found.nodes, found.pruned, found.interior)


def test_true_values_passed_up_are_the_kernels() -> None:
    for position, depth in ((START, 3), (play_all(START, drawn_line(1)[:40]), 4)):
        counts, found = fail_soft.count(position, depth), his.searched(position, depth, "sum", Cut.STRICT_SOFT)
        assert (counts.nodes, counts.pruned, counts.interior) == (found.nodes, found.pruned, found.interior)


def test_what_cannot_be_repeated_is_said(sections: list[Section]) -> None:
    told = " ".join(paragraph for section in sections for paragraph in section.text)
    assert "against its author" in told
    assert "cannot be repeated" in told


def test_cuts_search_less_and_both_evaluations_are_there(sections: list[Section]) -> None:
    (cuts,) = (section for section in sections if section.title.startswith("Strict and loose"))
    random, itself = cuts.tables
    assert [row[:3] for row in random.rows] == [
        [ply, evaluation, cut]
        for evaluation in ("sum", "weighted")
        for ply in (2, 3)
        for cut in ("no cut", "alpha >= beta", "alpha > beta")
    ]
    nodes = [row[4].value for row in itself.rows]  # type: ignore[union-attr]
    for none, loose, strict in zip(nodes[::3], nodes[1::3], nodes[2::3], strict=True):
        assert loose < strict < none


def test_the_win_detectors_are_timed(sections: list[Section]) -> None:
    found = figures(sections)
    for way in ("the matrix", "loops"):
        ours = found[f"µs to look for a win by {way}"].ours
        assert ours is not None
        assert ours.value > 0


def test_the_states_of_a_move_fall_with_the_square_of_the_free_cells(sections: list[Section]) -> None:
    found = figures(sections)
    for what, states in (("first move", 63**2), ("last move but one", 3**2)):
        ours = found[f"states of the {what}, minimax, 2 plies"].ours
        assert ours is not None
        assert ours.value == states
    (table,) = next(section for section in sections if section.title.startswith("States a move")).tables
    for _, free, minimax, *with_cuts in table.rows:
        assert isinstance(free, int)
        assert minimax.value == free**2  # type: ignore[union-attr]
        assert all(one.value <= free**2 for one in with_cuts)  # type: ignore[union-attr]
