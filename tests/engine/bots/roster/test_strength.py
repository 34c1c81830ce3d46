"""What the roster tells of strength: for bots and games that there are, in a few words."""

from __future__ import annotations

import pytest

from engine.bots.roster import bot, strength
from engine.rules.registry import rules


def test_what_was_measured_names_bots_and_games_that_there_are() -> None:
    for game, measured in strength._MEASURED.items():
        assert rules(game).id == game
        for name, words in measured.items():
            assert bot(name).name == name
            assert bot(name).plays(rules(game))
            assert 0 < len(words) <= 40


def test_strength_is_found_by_name_and_family(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = {"qubic": {"alphabeta:2": "about level 2", "alphabeta:4": "about level 4", "random": "below level 1"}}
    monkeypatch.setattr(strength, "_MEASURED", measured)
    assert strength.strength("alphabeta:4", "qubic") == "about level 4"
    assert strength.strength("alphabeta:3", "qubic") is None
    assert strength.strength("alphabeta:4", "gomoku") is None
    assert strength.strengths("alphabeta", "qubic") == {"alphabeta:2": "about level 2", "alphabeta:4": "about level 4"}
    assert strength.strengths("alpha", "qubic") == {}
