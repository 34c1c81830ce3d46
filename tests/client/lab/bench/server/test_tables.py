"""Games that are played to measure."""

from __future__ import annotations

import pytest

from client.lab.bench.server.tables import long_game
from engine.rules.registry import rules


@pytest.mark.parametrize(("game", "plies"), [("tictactoe", 9), ("qubic", 64), ("gomoku", 220), ("ultimate", 50)])
def test_long_games_are_legal_and_long(game: str, plies: int) -> None:
    position = rules(game).initial
    for text in (found := long_game(game)):
        position = position.play(rules(game).parse_move(text))
    assert position.outcome is not None
    assert len(found) >= plies
