"""Fitting the numbers of patterns: what data were drawn from is found again, and rare sets learn from their like."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from client.lab.learn import pattern_fit
from client.lab.learn.pattern_fit import fit
from client.lab.learn.pattern_positions import Choices, Judged
from engine.kernels.patterns import CLASSES, SETS
from engine.search.pattern_evaluation import PROMISE_UNIT, UNIT

SETS_OF_CLASSES = list(combinations_with_replacement(range(CLASSES), 4))
OFTEN = [SETS_OF_CLASSES.index(one) for one in ((0, 0, 0, 2), (0, 0, 2, 2), (0, 1, 1, 3), (0, 0, 0, 4))]
IDLE = SETS_OF_CLASSES.index((0, 0, 0, 1))
OPEN_FOUR = SETS_OF_CLASSES.index((0, 0, 0, 6))
KIN = SETS_OF_CLASSES.index((0, 0, 2, 3))
"""Never seen, but of classes that are."""


def drawn(random: Any, size: int) -> Judged:
    """Worth half a logit each for the side to move, less for the other; the move a fifth."""
    counts = np.zeros((size, 2 * SETS), np.float32)
    for place in OFTEN:
        counts[:, place] = random.integers(0, 3, size)
        counts[:, SETS + place] = random.integers(0, 3, size)
    logits = 0.2 + counts[:, :SETS].sum(axis=1) * 0.5 - counts[:, SETS:].sum(axis=1) * 0.3
    return Judged(np.arange(size) % 10 == 9, counts, 1 / (1 + np.exp(-logits)))


def chosen(random: Any, size: int, moves: int = 8) -> Choices:
    """A move is the more likely the larger its own pattern's number in OFTEN."""
    own, others = random.choice(OFTEN, (size, moves)), random.choice(OFTEN, (size, moves))
    promise = np.select([own == OFTEN[1], own == OFTEN[3]], [1.0, 2.0], 0.0)
    odds = np.exp(promise)
    shares = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
    picked = np.minimum((random.random((size, 1)) > shares).sum(axis=1), moves - 1)
    begins = np.arange(size) * moves
    return Choices(
        np.arange(size) % 10 == 9, begins, begins + picked, own.ravel(), others.ravel(), np.zeros(size * moves)
    )


def test_what_values_were_made_of_is_found() -> None:
    random = np.random.default_rng(1)
    errors: list[float] = []
    found = fit(drawn(random, 4_000), chosen(random, 500), 6, errors.append)
    own, others = found.numbers[:SETS], found.numbers[SETS : 2 * SETS]
    assert own[OFTEN] == pytest.approx(0.5 * UNIT, rel=0.1)
    assert others[OFTEN] == pytest.approx(0.3 * UNIT, rel=0.1)
    assert found.numbers[-1] == pytest.approx(0.2 * UNIT, abs=0.1 * UNIT)
    assert errors[-1] == found.error < found.guessing
    assert errors[0] > errors[-1]
    assert (found.trained, found.held_out) == (3_600, 400)


def test_a_set_that_was_never_seen_is_worth_what_its_classes_are() -> None:
    random = np.random.default_rng(2)
    found = fit(drawn(random, 4_000), chosen(random, 500), 6, lambda error: None)
    assert 0.1 * UNIT < found.numbers[KIN] < UNIT
    assert found.numbers[SETS_OF_CLASSES.index((7, 7, 7, 7))] == pytest.approx(0, abs=UNIT / 2)


def test_what_makes_and_prepares_nothing_is_worth_nothing() -> None:
    random = np.random.default_rng(2)
    judged = drawn(random, 1_000)
    judged.counts[:, IDLE] = random.integers(0, 9, len(judged.counts))
    found = fit(judged, chosen(random, 100), 3, lambda error: None)
    assert not found.numbers[: 2 * SETS].reshape(2, SETS)[:, [IDLE, SETS_OF_CLASSES.index((1, 1, 1, 1))]].any()


def test_where_the_other_side_would_win_a_cell_is_worth_the_same_whatever_was_seen() -> None:
    random = np.random.default_rng(2)
    judged = drawn(random, 1_000)
    judged.counts[:, SETS + OPEN_FOUR] = random.integers(0, 3, len(judged.counts))
    own, others = fit(judged, chosen(random, 100), 3, lambda error: None).numbers[: 2 * SETS].reshape(2, SETS)
    two_fours = SETS_OF_CLASSES.index((0, 1, 5, 5))
    assert others[OPEN_FOUR] == others[two_fours] == 2 * UNIT
    assert own[OPEN_FOUR] < UNIT


def test_the_moves_that_were_chosen_are_promising() -> None:
    random = np.random.default_rng(3)
    judged, choices = drawn(random, 500), chosen(random, 4_000)
    found = fit(judged, choices, 6, lambda error: None)
    assert np.array_equal(found.numbers, fit(judged, choices, 7, lambda error: None).numbers), (
        "it is as good as it gets"
    )
    mover = found.numbers[2 * SETS : 3 * SETS].astype(int)
    assert mover[OFTEN[1]] - mover[OFTEN[0]] == pytest.approx(PROMISE_UNIT, rel=0.25)
    assert mover[OFTEN[3]] - mover[OFTEN[0]] == pytest.approx(2 * PROMISE_UNIT, rel=0.25)
    opponent = found.numbers[3 * SETS : 4 * SETS].astype(int)
    assert max(abs(opponent[OFTEN[0]] - opponent[place]) for place in OFTEN) < PROMISE_UNIT / 4


def test_positions_held_out_decide_nothing() -> None:
    random = np.random.default_rng(4)
    judged, choices = drawn(random, 1_000), chosen(random, 1_000)
    other = judged._replace(chances=np.where(judged.is_held_out, 0.01, judged.chances))
    turned = choices._replace(chosen=np.where(choices.is_held_out, choices.begins, choices.chosen))
    first, second = fit(judged, choices, 4, lambda error: None), fit(other, turned, 4, lambda error: None)
    assert np.array_equal(first.numbers, second.numbers)
    assert first.error != second.error


def test_among_ten_counts_the_chosen_moves_that_nine_others_at_most_outdo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_fit, "_TEN", 1)
    random = np.random.default_rng(5)
    choices = chosen(random, 3_000)
    found = fit(drawn(random, 500), choices, 6, lambda error: None)
    assert 1 / 8 < found.among_ten < 1
    best = np.zeros(2 * SETS)
    best[OFTEN[3]] = 1
    outdone = choices.own.reshape(-1, 8) == OFTEN[3]
    assert pattern_fit._among_ten(best, choices._replace(chosen=choices.begins + outdone.argmax(axis=1))) == 1
    assert pattern_fit._among_ten(-best, choices._replace(chosen=choices.begins + outdone.argmin(axis=1))) == 1
    worst = choices._replace(chosen=choices.begins + outdone.argmin(axis=1))
    assert pattern_fit._among_ten(best, worst) == np.mean(~outdone.any(axis=1)[choices.is_held_out])
