"""Judging by a search: what is certain of it, and what an estimate goes by."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.registry import games, rules
from engine.search import negamax, weights
from engine.search.assess import searched
from engine.search.decision import Decision
from engine.search.watch import NO_WATCH
from engine.search.weights import Learned
from tests.support.engine.plain_minimax import position_after


@pytest.mark.parametrize(
    ("game_id", "decision", "exact", "bound"),
    [
        ("ultimate", Decision(0, depth=7, value=9.0, win_in=7, bound=False, proven=True), True, False),
        ("gomoku", Decision(0, depth=7, value=9.0, win_in=7, bound=True, proven=True), True, True),
        ("ultimate", Decision(0, depth=7, value=0.0, proven=True), True, False),
        # A narrow search has not tried everything: its draw is none for certain.
        ("gomoku", Decision(0, depth=7, value=0.0, proven=True), False, False),
        ("ultimate", Decision(0, depth=7, value=1e9, proven=False), False, False),
    ],
)
def test_what_a_search_proves_is_exact_and_no_more(
    monkeypatch: pytest.MonkeyPatch, game_id: str, decision: Decision, exact: bool, bound: bool
) -> None:
    monkeypatch.setattr(negamax, "choose", lambda *arguments: decision)
    found = searched.assess(rules(game_id).initial, NO_WATCH)
    assert (found.exact, found.bound) == (exact, bound)
    assert found.win_in == (decision.win_in if exact else None)
    assert exact or -1 < found.value < 1


@pytest.mark.parametrize("game", ["nine-board", "ultimate", "ultimate:count", "super"])
def test_learned_weights_judge_where_there_are_some(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searched, "NODES", 20_000)
    position = position_after(game, 6, 1)
    found = searched.assess(position, NO_WATCH)
    nothing = weights.expanded(Learned(*(np.zeros(size, np.int16) for size in weights.sizes())))
    with weights.instead(nothing):
        without = searched.assess(position, NO_WATCH)
    assert not found.exact
    assert found.value != 0
    assert without.value == (found.value if game == "super" else 0)


@pytest.mark.parametrize("game", [game.id for game in games()])
def test_an_estimate_is_no_result_and_the_same_for_both_sides(game: str) -> None:
    values = [0, *(10**power for power in range(10))]
    estimates = [searched.squashed(rules(game), value) for value in values]
    assert estimates == sorted(estimates)
    assert estimates[0] == 0 < estimates[1]
    assert estimates[-1] < 1
    assert [searched.squashed(rules(game), -value) for value in values] == [-estimate for estimate in estimates]
