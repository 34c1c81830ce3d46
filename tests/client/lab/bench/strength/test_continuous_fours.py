"""Wins by continuous fours in plain Python against trying all of them, and in positions that people can check."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.lab.bench.strength.continuous_fours import ContinuousFours
from engine.rules.flat import FlatPosition
from tests.support.engine.forced_wins import wins_by_fours
from tests.support.engine.games import played, replay, replay_texts


@given(played(st.sampled_from(["mnk:7,7,5", "mnk:5,5,4"])))
@settings(max_examples=100, deadline=None)
def test_it_finds_a_win_exactly_where_there_is_one(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    if position.outcome is None:
        assert (ContinuousFours(position.rules).shortest(position, 49) > 0) == wins_by_fours(position)


@pytest.mark.parametrize(
    ("moves", "plies", "best"),
    [
        ("e8 a1 f8 a3 g8 o1 h8 o3", 1, ()),
        ("f8 a1 g8 a3 h8 o1", 3, ("e8", "i8")),
        ("d8 c8 e8 a2 f8 a4", 0, ()),
    ],
)
def test_the_shortest_win_is_found(moves: str, plies: int, best: tuple[str, ...]) -> None:
    position = replay_texts("gomoku", moves)
    assert isinstance(position, FlatPosition)
    slow = ContinuousFours(position.rules)
    assert slow.shortest(position, 21) == plies
    if best:
        assert set(best) <= {position.rules.format_move(move) for move in slow.winning(position, plies)}
    if plies > 1:
        assert slow.shortest(position, plies - 2) == 0


def test_a_line_about_to_be_completed_is_stopped_first() -> None:
    """X has an open three, and O a four."""
    position = replay_texts("gomoku", "f8 a1 g8 b1 h8 c1 o15 d1")
    assert isinstance(position, FlatPosition)
    assert ContinuousFours(position.rules).shortest(position, 21) == 0
