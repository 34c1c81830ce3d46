"""Altekar's matrix and win detectors against the rules and the evaluation of his search."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from client.lab.experiments.altekar.matrix import (
    LINE_MATRIX,
    LINES,
    look_ups,
    state_of,
    threat_win_matrix,
    winner_by_loops,
    winner_by_matrix,
)
from engine.bots.literature import altekar
from engine.rules.position import O, X
from engine.rules.registry import rules
from tests.support.engine.plain_minimax import evaluation, position_after

START = rules("qubic").initial


@pytest.mark.parametrize("plies", [0, 1, 7, 20, 40])
@pytest.mark.parametrize("name", ["sum", "weighted"])
def test_his_matrix_judges_as_the_search_does(plies: int, name: str) -> None:
    for seed in range(4):
        position = position_after("qubic", plies, seed)
        state = state_of(position)
        x, o = np.array(altekar.LINE_SCORES[name])[threat_win_matrix(state)].sum(axis=0).tolist()
        assert evaluation(position, altekar.SCORINGS[name], X) == x - o
        assert evaluation(position, altekar.SCORINGS[name], O) == o - x


def test_blocked_lines_count_in_the_matrix() -> None:
    position = START.play(0).play(1)
    state = state_of(position)
    marks = threat_win_matrix(state)
    assert marks.shape == (76, 2)
    assert marks.sum(axis=0).tolist() == [7, 4]
    assert (marks.min(axis=1) == 1).sum() == 1  # the line that both are in


@pytest.mark.parametrize("seed", range(12))
def test_both_win_detectors_agree_with_the_rules(seed: int) -> None:
    random = Random(seed)
    position = START
    while position.outcome is None:
        state = state_of(position)
        assert winner_by_matrix(state) is winner_by_loops(state) is None
        position = position.play(random.choice(position.legal_moves()))
    state = state_of(position)
    assert winner_by_matrix(state) == winner_by_loops(state) == position.outcome.winner


def test_the_matrix_has_the_76_lines() -> None:
    assert LINE_MATRIX.shape == (76, 64)
    assert set(LINE_MATRIX.sum(axis=1).tolist()) == {4}
    assert np.unique(LINE_MATRIX, axis=0).shape == (76, 64)


@pytest.mark.parametrize("plies", [0, 9, 40])
def test_the_look_ups_are_those_that_the_loops_make(plies: int) -> None:
    """Counted by a state that counts."""

    class Counting:
        looked = 0

        def __getitem__(self, at: tuple[int, int]) -> bool:
            Counting.looked += 1
            return bool(state[at])

    state = state_of(position_after("qubic", plies, 3))
    winner_by_loops(Counting())  # type: ignore[arg-type]
    assert look_ups(state) == Counting.looked >= 2 * len(LINES)
