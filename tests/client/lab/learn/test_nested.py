"""Searches of the games on nine boards judge by a candidate while it is compared."""

from __future__ import annotations

import numpy as np
import pytest

from client.lab.learn.nested import NestedSubject
from engine.rules.nested import NestedRules
from engine.rules.registry import rules
from engine.search import weights
from engine.search.weights import Learned


@pytest.mark.parametrize("game", ["nine-board", "ultimate"])
def test_the_search_judges_by_a_candidate(game: str) -> None:
    found = rules(game)
    assert isinstance(found, NestedRules)
    subject = NestedSubject(found)
    position = found.initial.play(40).play(found.initial.play(40).legal_moves()[2])
    before = subject.decided(position, 500, 0)
    nothing = weights.expanded(Learned(*(np.zeros(number, np.int16) for number in weights.sizes())))
    with subject.judging(nothing):
        assert subject.decided(position, 500, 0).value == 0
    assert subject.decided(position, 500, 0) == before
    assert before.value != 0
    assert before.nodes > subject.decided(position, 50, 0).nodes
