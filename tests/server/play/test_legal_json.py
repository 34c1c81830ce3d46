"""Legal moves as JSON: the same as the list of their texts, in games of every family to their ends."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.position import Position
from engine.rules.registry import rules
from server.play.legal_json import legal_json

GAMES = ("tictactoe", "mnk:5,5,4", "mnk:9,9,5", "qubic", "nine-board", "ultimate", "super")


def texts(position: Position) -> list[str]:
    return [position.rules.format_move(cell) for cell in position.legal_moves()]


@given(game=st.sampled_from(GAMES), choices=st.lists(st.integers(0, 80), max_size=81))
def test_as_the_list_says(game: str, choices: list[int]) -> None:
    position = rules(game).initial
    for choice in choices:
        legal = position.legal_moves()
        if not legal:
            break
        position = position.play(legal[choice % len(legal)])
    assert json.loads(legal_json(position)) == texts(position)


@pytest.mark.parametrize("game", GAMES)
def test_of_a_game_to_its_end(game: str) -> None:
    position = rules(game).initial
    while position.outcome is None:
        assert json.loads(legal_json(position)) == texts(position)
        position = position.play(position.legal_moves()[0])
    assert legal_json(position) == b"[]"
