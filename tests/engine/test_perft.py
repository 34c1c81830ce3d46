import json
from pathlib import Path

import pytest

from engine.perft import perft
from engine.rules.registry import rules

COUNTS: dict[str, list[int]] = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())
QUICK = 600_000
"""Sequences that a test may count; the longer counts are slow."""


@pytest.mark.parametrize("game_id", COUNTS)
def test_counts(game_id: str) -> None:
    quick = [count for count in COUNTS[game_id] if count <= QUICK]
    assert list(perft(rules(game_id), len(quick))) == quick


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id, counts in COUNTS.items() if max(counts) > QUICK])
def test_long_counts(game_id: str) -> None:
    assert list(perft(rules(game_id), len(COUNTS[game_id]))) == COUNTS[game_id]


def test_a_finished_game_is_not_extended() -> None:
    assert list(perft(rules("tictactoe"), 11))[9:] == [0, 0]
