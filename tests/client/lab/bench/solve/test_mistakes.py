"""Positions after a mistake are judged, and games with one counted."""

from __future__ import annotations

import pytest

from client.lab.bench.solve import mistakes
from client.lab.bench.solve.mistakes import O_WINS, OPEN, REFUTED, X_PROVEN, X_WINS
from engine.bots.player import Limit
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from tests.support.lab.bench import figures


def position_of(texts: str) -> Position:
    return play_all(rules("qubic").initial, map(rules("qubic").parse_move, texts.split()))


@pytest.mark.parametrize(
    ("moves", "judged"),
    [
        ("a1.1 a2.2 b1.1 a3.2 b4.4 a1.2 d4.3", O_WINS),
        ("a1.1", X_WINS),
        ("a1.1 b1.1 d4.4 c1.2 a4.4 b3.2 d1.1", X_PROVEN),
    ],
)
def test_a_position_after_a_mistake_is_judged(moves: str, judged: str) -> None:
    assert mistakes.judge(position_of(moves)) == judged


def test_games_with_a_mistake_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "LEAVES", 20)
    (first, second) = mistakes.games(2, Limit(nodes=500))
    assert first is not None
    assert second is not None
    assert {first.judged, second.judged} <= {O_WINS, X_WINS, X_PROVEN, REFUTED, OPEN}
    monkeypatch.setattr(mistakes, "games", lambda number, limit: iter([first, None, mistakes.Game(X_WINS, "x")]))
    found = figures(mistakes.measure(3, Limit(nodes=1)))
    assert found["games with a mistake"] == 2
    assert found["O wins"] + found["draws"] + found["O loses"] == 2
    assert found["X's other move is known to win too"] + found["all others"] == 2
