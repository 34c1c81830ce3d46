import json
from pathlib import Path

import pytest

from engine.rules.perft import perft
from engine.rules.registry import rules

COUNTS: dict[str, list[int]] = json.loads((Path(__file__).parents[2] / "data" / "perft.json").read_text())


@pytest.mark.parametrize("game_id", COUNTS)
def test_counts(game_id: str) -> None:
    assert list(perft(rules(game_id), len(COUNTS[game_id]))) == COUNTS[game_id]


@pytest.mark.slow
def test_a_finished_game_is_not_extended() -> None:
    assert list(perft(rules("tictactoe"), 11))[9:] == [0, 0]
