"""Games that are played to measure."""

from __future__ import annotations

import pytest

from client.lab.bench.server.tables import long_game
from engine.rules.position import play_all
from engine.rules.registry import rules


@pytest.mark.parametrize(("game", "plies"), [("tictactoe", 9), ("qubic", 64), ("gomoku", 220), ("ultimate", 50)])
def test_long_games_are_legal_and_long(game: str, plies: int) -> None:
    found = long_game(game)
    position = play_all(rules(game).initial, map(rules(game).parse_move, found))
    assert position.outcome is not None
    assert len(found) >= plies
