"""Openings of random moves."""

from __future__ import annotations

from random import Random

from client.lab.learn.subject import AnyOpening
from engine.rules.position import play_all
from engine.rules.registry import rules


class Short(AnyOpening):
    """Of a game that ends after five plies at the earliest."""

    rules = rules("tictactoe")
    opening_plies = (2, 7)


def test_an_opening_is_as_long_as_asked_for_and_ends_no_game() -> None:
    """A game of random moves alone would teach how they end, not what a position is worth."""
    lengths = set()
    for seed in range(100):
        opening = Short().opening(Random(seed))
        assert play_all(Short.rules.initial, opening).outcome is None  # legal, then
        lengths.add(len(opening))
        assert opening == Short().opening(Random(seed))
    assert lengths == {2, 7}


def test_games_that_are_compared_begin_after_four_plies() -> None:
    drawn = list(Short().openings(1, 9))
    assert [len(opening) for opening in drawn] == [4] * 9
    assert drawn[:3] == list(Short().openings(1, 3))
    assert all(play_all(Short.rules.initial, opening).outcome is None for opening in drawn)
