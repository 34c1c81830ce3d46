"""The seven weights of Qubic and their file."""

from __future__ import annotations

import pytest

from engine.search import qubic_weights
from engine.search.weights_file import shipped_bytes


def test_a_file_gives_back_what_was_written() -> None:
    weights = (1, -2, 3, 4, 5, 6, 32_000)
    assert qubic_weights.from_bytes(qubic_weights.to_bytes(weights, {"game": "qubic"})) == (weights, {"game": "qubic"})


def test_those_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="are 2 numbers, and this version needs 7"):
        qubic_weights.from_bytes(qubic_weights.to_bytes((1, 2), {"game": "ultimate"}))


def test_what_is_shipped_says_how_it_was_made() -> None:
    weights, made = qubic_weights.from_bytes(shipped_bytes("qubic"))
    assert weights == qubic_weights.current()
    assert made["game"] == "qubic"
    assert made["error"] < made["guessing"]
    # A second mark makes a line worth more, and the other side's are worth less where it is not to move.
    assert 0 < weights[0] < weights[1]
    assert 0 < weights[3] < weights[4]


def test_a_candidate_takes_their_place_for_a_while() -> None:
    before = qubic_weights.current()
    with qubic_weights.instead((1, 2, 3, 4, 5, 6, 7)):
        assert qubic_weights.current() == (1, 2, 3, 4, 5, 6, 7)
    assert qubic_weights.current() is before
