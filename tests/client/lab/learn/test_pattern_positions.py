"""Which positions patterns are learned from, and what is counted there."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from client.lab.learn import pattern_positions
from client.lab.learn.pattern_positions import studied
from client.lab.learn.records import Games
from engine.kernels import patterns
from engine.kernels.patterns import CLASSES, COMPLETING, QUIET, SETS, WINNING
from engine.rules.flat import FlatPosition
from engine.rules.position import Position, play_all
from engine.search.decision import WIN, Decision
from engine.search.pattern_evaluation import PROMISE_UNIT
from engine.search.patterned import pattern_board
from tests.support.engine.games import flat_rules
from tests.support.engine.random_games import random_games

BOARD = flat_rules("mnk:9,9,5")
PLAYED = [tuple(game[:30]) for game in random_games(BOARD, 30)]
SETS_OF_CLASSES: list[tuple[int, ...]] = list(combinations_with_replacement(range(CLASSES), 4))


def games(value: float = 0.5) -> Games:
    return Games([*PLAYED], [1.0] * len(PLAYED), [tuple([value] * len(game)) for game in PLAYED])


class Search:
    """Always sees the same value, and takes the first legal move."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.seen: list[FlatPosition] = []

    def __call__(self, position: Position) -> Decision:
        assert isinstance(position, FlatPosition)
        self.seen.append(position)
        return Decision(position.legal_moves()[0], value=self.value)


def test_positions_off_the_games_are_counted_as_the_side_to_move_sees_them() -> None:
    search = Search(1_000.0)
    judged, _ = studied(BOARD, games(), 0, search, lambda: None)
    assert len(judged.chances) == len(search.seen) > 40
    assert np.allclose(judged.chances, 1 / (1 + math.exp(-1)))
    for counts, position in zip(judged.counts, search.seen, strict=True):
        board = pattern_board(position)
        expected: list[Counter[int]] = [Counter(), Counter()]
        for cell in position.legal_moves():
            pattern = int(board.patterns[board.at[cell]])
            for number in range(2):
                side = (position.ply + number) % 2
                classes = sorted(pattern >> 12 * side + 3 * direction & 7 for direction in range(4))
                expected[number][SETS_OF_CLASSES.index(tuple(classes))] += 1
        for number in range(2):
            found = counts[number * SETS : (number + 1) * SETS]
            assert {int(at): int(found[at]) for at in np.flatnonzero(found)} == expected[number]


def test_they_are_off_the_games_by_a_few_moves_of_their_own() -> None:
    search = Search(0.0)
    studied(BOARD, games(), 0, search, lambda: None)
    along = {(position.x, position.o) for game in PLAYED for position in pattern_positions._along(BOARD, game)}
    assert sum((position.x, position.o) not in along for position in search.seen) > len(search.seen) / 2
    again, other = Search(0.0), Search(0.0)
    studied(BOARD, games(), 0, again, lambda: None)
    studied(BOARD, games(), 1, other, lambda: None)
    assert again.seen == search.seen != other.seen


def test_every_tenth_game_is_held_out_and_each_is_reported() -> None:
    reported = []
    judged, choices = studied(BOARD, games(), 0, Search(0.0), lambda: reported.append(1))
    assert len(reported) == len(PLAYED)
    for held in (judged.is_held_out, choices.is_held_out):
        assert 0.05 < held.mean() < 0.2


def test_the_chosen_move_is_among_those_that_a_search_lists() -> None:
    found = pattern_positions
    seen = 0
    for game in PLAYED:
        for position, move in zip(found._along(BOARD, game), game, strict=True):
            board = pattern_board(position)
            for choice in found._choice(False, board, move):
                place = int(board.at[move])
                own, others = found._sets(board, np.array([place]))
                assert (choice.own[choice.chosen], choice.others[choice.chosen]) == (own[0], others[0])
                assert choice.centre[choice.chosen] == board.centre[place] / PROMISE_UNIT
                kinds = board.kinds[board.at[list(position.legal_moves())]]
                assert len(choice.own) == int(np.sum(np.maximum(kinds & 15, kinds >> 4) >= QUIET))
                seen += 1
    assert seen > 100


def test_where_a_line_can_be_completed_there_is_no_choice() -> None:
    position = play_all(BOARD.initial, (0, 9, 1, 10, 2, 11, 3))
    assert isinstance(position, FlatPosition)
    assert pattern_positions._choice(False, pattern_board(position), 4) == []


@pytest.mark.parametrize("value", [0.0, 1.0, math.nan])
def test_where_the_end_is_seen_or_nothing_is_known_games_tell_no_choice(value: float) -> None:
    _, choices = studied(BOARD, games(value), 0, Search(0.0), lambda: None)
    _, more = studied(BOARD, games(0.5), 0, Search(0.0), lambda: None)
    assert len(choices.begins) < len(more.begins)


@pytest.mark.parametrize(("value", "chance"), [(WIN - 5, 1.0), (-WIN / 2, 0.0), (0, 0.5)])
def test_what_a_search_calls_won_or_lost_is_learned_as_such(value: float, chance: float) -> None:
    judged, _ = studied(BOARD, games(), 0, Search(value), lambda: None)
    assert set(judged.chances) == {chance}


def test_worths_are_learned_only_where_a_search_would_judge() -> None:
    search = Search(0.0)
    judged, _ = studied(BOARD, games(), 0, search, lambda: None)
    assert len(judged.chances) == len(search.seen)
    for position in search.seen:
        board = pattern_board(position)
        for side in range(2):
            assert not patterns.of_kind(board, side, COMPLETING)
            assert not patterns.of_kind(board, side, WINNING), "an open four or two fours"


@pytest.mark.parametrize(
    ("moves", "is_judged"),
    [
        ("a1 e5 a3", True),  # O to move, and X has two marks far apart
        ("a1 d5 a3 e5 a5 f5", False),  # X to move: an open three of O
        ("a1 e9 b1 e7 c1 e5 d1", False),  # O to move: a four of X
        ("d5 a1 e5 a3 f5 i9", False),  # X to move makes an open four
    ],
)
def test_a_threat_to_win_is_answered_and_not_judged(moves: str, is_judged: bool) -> None:
    position = play_all(BOARD.initial, map(BOARD.parse_move, moves.split()))
    assert isinstance(position, FlatPosition)
    assert pattern_positions._is_judged(pattern_board(position)) is is_judged
