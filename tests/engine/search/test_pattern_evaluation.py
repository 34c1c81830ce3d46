"""What patterns are worth, and the file of it."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from engine.kernels.patterns import CLASSES, SETS
from engine.search import pattern_evaluation
from engine.search.weights_file import shipped_bytes

NUMBERS = (np.arange(4 * SETS + 1) * 37 % 4001 - 2000).astype(np.int16)


def test_a_file_gives_back_what_was_written() -> None:
    judgement, made = pattern_evaluation.from_bytes(pattern_evaluation.to_bytes(NUMBERS, {"game": "gomoku"}))
    assert made == {"game": "gomoku"}
    assert judgement.tempo == NUMBERS[-1]
    own, others, mover, opponent = NUMBERS[:-1].astype(np.int64).reshape(4, SETS)
    sets = [list(four) for four in combinations_with_replacement(range(CLASSES), 4)]
    for pattern in range(0, 8**4, 7):
        one = sets.index(sorted(pattern >> 3 * direction & 7 for direction in range(4)))
        assert judgement.worth[pattern] == own[one] + others[one] * 2**32
        assert judgement.promise[pattern] == mover[one] + opponent[one] * 2**32


def test_those_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="are 2 numbers, and this version needs 1321"):
        pattern_evaluation.from_bytes(pattern_evaluation.to_bytes(NUMBERS[:2], {"game": "qubic"}))


def test_what_is_shipped_says_how_it_was_made() -> None:
    judgement, made = pattern_evaluation.from_bytes(shipped_bytes("patterns"))
    assert made["game"] == "gomoku"
    assert made["error"] < made["guessing"]
    assert judgement.tempo > 0
    assert judgement.worth.tolist() == pattern_evaluation.current().worth.tolist()


def test_a_candidate_takes_its_place_for_a_while() -> None:
    candidate, _ = pattern_evaluation.from_bytes(pattern_evaluation.to_bytes(NUMBERS, {"game": "gomoku"}))
    before = pattern_evaluation.current()
    with pattern_evaluation.instead(candidate):
        assert pattern_evaluation.current() is candidate
    assert pattern_evaluation.current() is before
