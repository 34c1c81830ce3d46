"""Games of a search against itself, here of one that takes the last free cell and says how many are left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from client.lab.learn import records
from client.lab.learn.records import Games, Scale, expected
from client.lab.learn.self_play import play
from client.lab.learn.subject import AnyOpening
from engine.rules.position import Position, X, play_all
from engine.rules.registry import rules
from engine.search.decision import Decision


class Last(AnyOpening):
    rules = rules("mnk:4,4,4")
    scale = Scale(unit=10, since_version=1)
    opening_plies = (0, 3)

    def __init__(self, random_moves: float) -> None:
        self.random_moves = random_moves

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        left = position.legal_moves()
        return Decision(left[-1], value=float(len(left)), nodes=nodes)


def games_of(subject: Any, number: int = 12, seed: int = 1) -> tuple[Games, list[str]]:
    games, lines = Games(), list[str]()
    play(games, subject, number, 50, seed, lines.append)
    return games, lines


@pytest.mark.parametrize("random_moves", [0, 0.3, 1])
def test_what_is_recorded_is_read_again_as_it_was_played(random_moves: float) -> None:
    subject = Last(random_moves)
    games, lines = games_of(subject)
    read = Games()
    records.add(read, subject.rules, subject.scale, "games", lines)
    assert (read.moves, read.results, read.left_out) == (games.moves, games.results, 0)
    for one, other in zip(read.values, games.values, strict=True):
        np.testing.assert_array_equal(one, other)


def test_after_the_opening_the_search_moves_and_its_values_are_xs() -> None:
    subject = Last(0)
    games, _ = games_of(subject)
    lengths = set()
    for moves, values, result in zip(games.moves, games.values, games.results, strict=True):
        opened = sum(map(np.isnan, values))
        lengths.add(opened)
        for ply, (move, value) in enumerate(zip(moves, values, strict=True)):
            position = play_all(subject.rules.initial, moves[:ply])
            if ply >= opened:
                assert move == position.legal_moves()[-1]
                assert value == expected(16.0 - ply, ply & 1, 10)
        outcome = play_all(subject.rules.initial, moves).outcome
        assert outcome is not None
        assert result == (0.5 if outcome.winner is None else float(outcome.winner == X))
    assert lengths == {0, 3}


def test_no_value_is_known_of_a_random_move() -> None:
    games, _ = games_of(Last(1))
    assert all(np.isnan(values).all() for values in games.values)
    assert len(set(games.moves)) == len(games.moves)


def test_each_game_depends_on_the_seed_and_its_number_alone() -> None:
    subject = Last(0.3)
    few, many, others = games_of(subject, 3)[1], games_of(subject, 6)[1], games_of(subject, 3, seed=2)[1]
    assert few == many[:3]
    assert not {*few} & {*others}
