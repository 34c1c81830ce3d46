"""Weights as a file, and the tables made of them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from engine.kernels.nested import CODES, STATES
from engine.search import weights
from engine.search.skill import LEARNED
from engine.search.weights import Learned
from engine.search.weights_file import shipped_bytes


def drawn(seed: int) -> Learned:
    random = np.random.default_rng(seed)
    return Learned(*(random.integers(-3, 3, size).astype(np.int16) for size in weights.sizes()))


DATA = weights.to_bytes(drawn(1), {"game": "ultimate"})


def test_a_file_holds_the_weights_and_how_they_were_made() -> None:
    learned, made = weights.from_bytes(DATA)
    assert made == {"game": "ultimate"}
    assert all(np.array_equal(got, given) for got, given in zip(learned, drawn(1), strict=True))


def test_both_sides_see_the_same_with_the_sign_turned() -> None:
    table = weights.expanded(drawn(2))
    _, swapped, _ = weights.code_classes()
    small = table.small.reshape(3, 4, 4, CODES)
    assert np.array_equal(small, -small.transpose(0, 2, 1, 3)[..., swapped])
    states = np.arange(STATES)
    assert np.array_equal(table.big, -table.big[states >> 9 | (states & 0x1FF) << 9])
    sent = table.sent.reshape(2, 4, 4, CODES)
    assert np.array_equal(sent[0], -sent[1].transpose(1, 0, 2)[..., swapped])


def test_finding_what_is_alike_takes_little_memory() -> None:
    """A process never gives back most of what small arrays took beside those that stay."""
    weights.code_classes()
    tracemalloc.start()
    try:
        made = weights.indices.__wrapped__()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3 * sum(array.nbytes for array in made)


@pytest.mark.parametrize("game", sorted(set(LEARNED.values())))
def test_each_game_has_weights_that_say_how_they_were_made(game: str) -> None:
    _, made = weights.from_bytes(shipped_bytes(game))
    assert made["game"] == game
    assert made["error"] < made["guessing"]
    assert np.any(weights.of(game).small)


def test_ultimate_has_the_same_weights_whether_or_not_boards_are_counted() -> None:
    assert weights.of("ultimate:count") is weights.of("ultimate")


def test_a_candidate_takes_their_place_for_a_while() -> None:
    candidate = weights.expanded(drawn(3))
    before = weights.of("ultimate")
    with weights.instead(candidate):
        assert weights.of("ultimate") is candidate
    assert weights.of("ultimate") is before
