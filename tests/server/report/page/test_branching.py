from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.rules.registry import rules
from server.report.page.branching import legal_moves

GAMES = ("ultimate", "ultimate:count", "super", "nine-board", "tictactoe", "mnk:5,4,4", "qubic")


@pytest.mark.parametrize("game", GAMES)
def test_random_games_have_as_many_legal_moves_as_the_rules_say(game: str) -> None:
    known, random = rules(game), Random(game)
    played, expected = [], []
    for _ in range(80):
        position, cells, numbers = known.initial, [], []
        while position.outcome is None and random.random() < 0.99:
            numbers.append(len(position.legal_moves()))
            cells.append(random.choice(position.legal_moves()))
            position = position.play(cells[-1])
        played.append(cells)
        expected.append(numbers)
    matrix = np.full((len(played), max(map(len, played))), -1, dtype=np.int16)
    for row, cells in enumerate(played):
        matrix[row, : len(cells)] = cells
    found = legal_moves(known, matrix)
    assert [row[row >= 0].tolist() for row in found] == expected
    assert ((found >= 0) == (matrix >= 0)).all()


@pytest.mark.parametrize("game", ["ultimate", "tictactoe"])
def test_no_games_and_no_moves(game: str) -> None:
    assert legal_moves(rules(game), np.empty((0, 9), dtype=np.int16)).shape == (0, 9)
    assert (legal_moves(rules(game), np.full((3, 2), -1, dtype=np.int16)) == -1).all()
