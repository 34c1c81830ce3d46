"""Fitting: it learns what results depend on, and tells so by games that it has not learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from client.lab.learn.fit import _hand_made, fit
from client.lab.learn.positions import positions, settled_at_once
from engine.kernels import weighted
from engine.search import weights
from tests.support.engine.games import nested_rules
from tests.support.engine.random_games import random_games

ULTIMATE = nested_rules("ultimate")
GAMES = random_games(ULTIMATE, 150)
FOUND = positions(ULTIMATE, GAMES, [0.5] * 150, [[np.nan] * len(game) for game in GAMES], 2)


def fitted(
    results: object, passes: int = 60, values: object = FOUND.values, mix: float = 0.0
) -> tuple[weighted.Weights, float, float]:
    found = FOUND._replace(results=np.asarray(results, np.float32), values=np.asarray(values, np.float32))
    errors: list[float] = []
    made = fit(ULTIMATE, found, 1, passes, errors.append, mix)
    assert len(errors) == passes
    assert made.error == min(errors)
    assert made.trained + made.held_out <= len(found.game)
    return weights.expanded(made.learned), made.error, made.guessing


def test_who_has_a_free_choice_can_be_learned() -> None:
    table, error, guessing = fitted(FOUND.forced < 0)
    assert error < 0.95 * guessing
    assert table.free[0, 1:5].min() > 0 > table.free[1, 1:5].max()


def test_the_middle_board_can_be_learned() -> None:
    own = weighted.threatened()[FOUND.codes[:, 4]] & 1
    _, error, guessing = fitted(own)
    assert error < 0.95 * guessing


def test_values_are_learned_from_as_far_as_they_are_mixed_in() -> None:
    free, unknown = FOUND.forced < 0, np.full(len(FOUND.game), np.nan)
    table = fitted(np.full(len(free), 0.5), 20, values=free, mix=0.5)[0]
    assert table.free[0, 1:5].min() > 0 > table.free[1, 1:5].max()
    by_results = fitted(free, 1)[0]
    for mix, values in ((0.0, ~free), (0.5, unknown)):
        again = fitted(free, 1, values=values, mix=mix)[0]
        assert all(np.array_equal(one, other) for one, other in zip(by_results, again, strict=True))


def test_the_error_is_that_of_the_results() -> None:
    free = FOUND.forced < 0
    _, error, guessing = fitted(free, 3, values=~free, mix=1.0)
    assert error >= guessing


def test_chance_cannot_be_learned() -> None:
    drawn = np.random.default_rng(3).integers(0, 2, len(FOUND.game))
    _, error, guessing = fitted(drawn)
    assert error > 0.98 * guessing


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (fitted(FOUND.forced < 0, 2)[0] for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


FREE = (FOUND.forced < 0).astype(np.float32)
HELD_OUT = FOUND.game % 10 == 9


@pytest.mark.parametrize("results", [FREE, _hand_made(ULTIMATE, FOUND) > 0], ids=["free choice", "hand-made score"])
def test_held_out_games_are_not_learned_from(results: Any) -> None:
    """Neither by the weights nor by the scale of the score that they are added to."""
    one, other = (fitted(each, 1)[0] for each in (results, np.where(HELD_OUT, 1 - results, results)))
    assert all(np.array_equal(*tables) for tables in zip(one, other, strict=True))


def test_guessing_is_by_the_mean_of_what_is_learned_from() -> None:
    quiet = ~settled_at_once(ULTIMATE, FOUND)
    share, held_out = FREE[quiet & ~HELD_OUT].mean(), FREE[quiet & HELD_OUT]
    made = fit(ULTIMATE, FOUND._replace(results=FREE), 1, 1, lambda error: None)
    expected = -np.mean(held_out * np.log(share) + (1 - held_out) * np.log(1 - share))
    assert made.guessing == pytest.approx(expected, rel=1e-5)
    assert (made.trained, made.held_out) == ((quiet & ~HELD_OUT).sum(), len(held_out))
