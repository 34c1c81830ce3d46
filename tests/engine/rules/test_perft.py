import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.rules.perft import perft
from engine.rules.registry import rules

COUNTS: dict[str, list[int]] = json.loads((Path(__file__).parents[2] / "data" / "perft.json").read_text())


FEW = 500_000
"""Sequences that are counted in a moment. `make test-slow` counts the plies that have more."""


def quick(game_id: str) -> int:
    """The plies, from the first on, with few sequences: of tictactoe all, to the end of every game."""
    return sum(count <= FEW for count in COUNTS[game_id])


@pytest.mark.parametrize("game_id", COUNTS)
def test_counts(game_id: str) -> None:
    assert list(perft(rules(game_id), quick(game_id))) == COUNTS[game_id][: quick(game_id)]


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in COUNTS if quick(game_id) < len(COUNTS[game_id])])
def test_counts_of_more_plies(game_id: str) -> None:
    assert list(perft(rules(game_id), len(COUNTS[game_id]))) == COUNTS[game_id]


def test_once_no_game_goes_on_nothing_is_counted() -> None:
    asked = []

    def legal_moves() -> tuple[()]:
        asked.append("moves")
        return ()

    over: Any = SimpleNamespace(initial=SimpleNamespace(legal_moves=legal_moves))
    assert list(perft(over, 99)) == [0] * 99
    assert asked == ["moves"]


@pytest.mark.slow
def test_a_finished_game_is_not_extended() -> None:
    assert list(perft(rules("tictactoe"), 11))[9:] == [0, 0]
