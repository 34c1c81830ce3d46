"""Drawn lines of Qubic, and Altekar's searches along them."""

from __future__ import annotations

import pytest

from client.lab.experiments.altekar.lines import along, drawn_line
from engine.rules.position import O, Outcome
from engine.rules.registry import rules
from engine.search.fixed import Cut

START = rules("qubic").initial


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


def test_every_line_has_his_43680_nodes() -> None:
    searches = along(drawn_line(1))
    assert [search.nodes for search in searches[Cut.NONE]] == [n + n * (n - 1) for n in range(63, 0, -2)]
    for cut in (Cut.LOOSE, Cut.STRICT):
        for pruned, whole in zip(searches[cut], searches[Cut.NONE], strict=True):
            assert pruned.nodes + pruned.pruned == whole.nodes  # at 2 plies only leaves are cut
