"""How hard puzzles are, and which of them are chosen: of made-up ones, since neither asks whether they are right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.puzzle import Answer, Kind, Puzzle, Turn, choose, difficulty, is_threatened
from engine.rules.flat import FlatPosition
from engine.rules.position import play_all
from engine.rules.registry import rules
from tests.support.engine.forced_wins import completing, sides
from tests.support.engine.games import played, replay
from tests.support.examples import examples


def puzzle(moves: Sequence[int], key: int, kind: Kind, plies: int, alone: bool = True, game: str = "gomoku") -> Puzzle:
    return Puzzle(game, tuple(moves), kind, plies, alone, Turn({key: None}, {}))


def of_texts(game: str, moves: str, key: str, kind: Kind = "win", plies: int = 3) -> Puzzle:
    found, last = (tuple(map(rules(game).parse_move, text.split())) for text in (moves, key))
    return puzzle(found, last[0], kind, plies, game=game)


def test_the_line_goes_by_the_first_right_moves_and_the_replies() -> None:
    last = Turn({5: None, 6: None}, {7: 8})
    middle = Turn({3: Answer(4, last)}, {})
    first = Turn({1: Answer(2, middle), 9: None}, {})
    found = Puzzle("tictactoe", (), "win", 5, True, first)
    assert (found.key, found.line) == (1, (1, 2, 3, 4, 5))


# How hard they are

THREAT, QUIET = "a3", "b3"
"""After a1 c3 c1 b1 the one threatens to complete a line, the other does not."""


@pytest.mark.parametrize(
    ("kind", "plies", "key", "hard"),
    [
        ("win", 3, THREAT, 1),
        ("win", 3, QUIET, 2),
        ("win", 5, THREAT, 2),
        ("win", 5, QUIET, 3),
        ("win", 7, THREAT, 3),
        ("win", 9, QUIET, 3),
        ("save", 2, THREAT, 2),
        ("save", 4, QUIET, 2),
        ("save", 5, THREAT, 3),
    ],
)
def test_long_wins_are_hard_and_so_is_a_quiet_first_move(kind: Kind, plies: int, key: str, hard: int) -> None:
    assert difficulty(of_texts("tictactoe", "a1 c3 c1 b1", key, kind, plies), rules("tictactoe")) == hard


@given(played(st.sampled_from(["tictactoe", "mnk:5,4,4", "cube:3"])))
def test_a_threat_is_a_line_that_the_other_side_could_complete(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    if position.outcome is None:
        own, others = sides(position)
        assert is_threatened(position) == bool(completing(position, others, own))


# Which are chosen

Found = tuple[Puzzle, int]
GROUPS: list[tuple[Kind, int]] = [("win", 3), ("win", 5), ("win", 7), ("save", 2), ("save", 5)]
"""In the order in which they have their turn."""


def drawn(seed: int) -> list[Found]:
    """Each of a game of its own, and no two alike."""
    random = Random(seed)
    found = []
    for number in range(random.randrange(30)):
        *moves, key = random.sample(range(rules("gomoku").cells), random.randrange(4, 9))
        kind, plies = random.choice(GROUPS)
        found.append((puzzle(moves, key, kind, plies, random.random() < 0.5), number))
    random.shuffle(found)
    return found


def group(found: Sequence[Found], kind: Kind, plies: int) -> list[Found]:
    return [each for each in found if (each[0].kind, each[0].plies) == (kind, plies)]


@given(st.integers(0, 10**6), st.integers(0, 30))
@examples(100)
def test_kinds_and_lengths_have_their_turn_and_the_best_of_each_come_first(seed: int, most: int) -> None:
    found = drawn(seed)
    chosen = choose(found, rules("gomoku"), most)
    assert len(chosen) == min(most, len(found))
    for kind, plies in GROUPS:
        best = sorted(group(found, kind, plies), key=lambda one: (not one[0].alone, len(one[0].moves), one[1]))
        taken = group(chosen, kind, plies)
        assert {number for _, number in taken} == {number for _, number in best[: len(taken)]}
    taken_of = [len(group(chosen, *each)) for each in GROUPS]
    left = [len(group(found, *each)) - taken for each, taken in zip(GROUPS, taken_of, strict=True)]
    for earlier, later in combinations(range(len(GROUPS)), 2):
        assert taken_of[earlier] >= taken_of[later] or not left[earlier]
        assert taken_of[later] >= taken_of[earlier] - 1 or not left[later]
    hard = [(difficulty(one, rules("gomoku")), one.kind == "save", one.plies) for one, _ in chosen]
    assert hard == sorted(hard)


@pytest.mark.parametrize("game", ["tictactoe", "gomoku", "qubic", "ultimate"])
def test_of_those_that_a_symmetry_makes_alike_one_is_chosen(game: str) -> None:
    random = Random(game)
    position = rules(game).initial
    moves: list[int] = []
    for _ in range(5):
        moves.append(random.choice(play_all(position, moves).legal_moves()))
    *moves, key = moves
    images = [
        (puzzle([turn[move] for move in moves], turn[key], "win", 3, game=game), number)
        for number, turn in enumerate(rules(game).symmetries)
    ]
    assert choose(images, rules(game), 9) == images[:1]


def test_one_is_chosen_of_a_game() -> None:
    first, second = of_texts("gomoku", "h8 i9", "h9"), of_texts("gomoku", "h8 i9 a1 b1", "h9")
    assert choose([(second, 1), (first, 1)], rules("gomoku"), 9) == [(first, 1)]


def test_the_board_to_play_in_makes_a_difference() -> None:
    """With the same marks."""
    first, second = of_texts("ultimate", "1/2 2/3 3/7 7/1", "1/5"), of_texts("ultimate", "3/7 7/1 1/2 2/3", "3/5")
    assert len(choose([(first, 1), (second, 2)], rules("ultimate"), 9)) == 2


def test_where_moves_are_free_their_order_makes_none() -> None:
    first, second = of_texts("gomoku", "h8 a1 i9 o2", "h9"), of_texts("gomoku", "i9 o2 h8 a1", "h9")
    assert len(choose([(first, 1), (second, 2)], rules("gomoku"), 9)) == 1
