"""Openings: legal, seeded, and unlike each other as far as the game allows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.rules.openings
from engine.rules.openings import classes, openings
from engine.rules.position import Position, Rules
from engine.rules.registry import rules
from tests.support.engine.games import GAME_IDS, replay
from tests.support.examples import examples


def least_image(game: Rules, opening: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The class of an opening of one or two plies, told without the code under test: the least image of its moves."""
    return min(tuple((symmetry[move],) for move in opening) for symmetry in game.symmetries)


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("plies", [0, 1, 2, pytest.param(4, marks=pytest.mark.slow)])
def test_an_opening_is_legal_and_the_game_goes_on(game_id: str, plies: int) -> None:
    for opening in openings(rules(game_id), 3, 5, plies):
        position = replay(game_id, list(opening))
        assert position.ply == plies
        assert position.outcome is None


@pytest.mark.parametrize(
    ("game_id", "plies", "number"),
    # tictactoe: 3 first moves, 12 classes of two, and from three on transpositions count once.
    [("tictactoe", 1, 3), ("tictactoe", 2, 12), ("tictactoe", 3, 38), ("qubic", 1, 2), ("qubic", 2, 35)],
)
def test_the_classes_of_small_openings_are_counted_out(game_id: str, plies: int, number: int) -> None:
    counted = classes(rules(game_id), plies)
    assert counted is not None
    assert len(counted) == number


def test_classes_are_counted_out_once() -> None:
    """A ladder asks how many there are, and draws from them again and again."""
    game = rules("tictactoe")
    assert classes(game, 1) is classes(game, 1)


@pytest.mark.parametrize(("game_id", "number"), [("tictactoe", 12), ("qubic", 35), ("nine-board", None)])
def test_every_class_comes_once_before_any_comes_again(game_id: str, number: int | None) -> None:
    game = rules(game_id)
    counted = classes(game, 2)
    assert counted is not None
    number = number or len(counted)
    dealt = openings(game, 7, 2 * number, 2)
    for round_of_them in (dealt[:number], dealt[number:]):
        assert len({least_image(game, opening) for opening in round_of_them}) == number
    assert dealt[:number] != dealt[number:]


@pytest.mark.parametrize("number", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_many_classes_are_drawn_without_counting_them_out(number: int) -> None:
    game = rules("gomoku")
    assert classes(game, 4) is None
    drawn = openings(game, 1, number, 4)
    marks = {frozenset((symmetry[move], i % 2) for i, move in enumerate(opening))
             for opening in drawn for symmetry in game.symmetries}  # fmt: skip
    assert len(marks) >= number * 4  # no image of one is another (an opening may be its own mirror image)


def test_drawn_openings_are_unlike_as_long_as_that_is_easy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.rules.openings, "classes", lambda rules, plies: None)
    game = rules("qubic")
    drawn = openings(game, 3, 40, 2)
    assert len({least_image(game, opening) for opening in drawn[:25]}) == 25
    assert len({least_image(game, opening) for opening in drawn}) <= 35


def test_on_nested_boards_the_same_marks_may_be_unlike() -> None:
    """After another order of the same four moves another board may be forced."""
    game = rules("nine-board")
    counted = classes(game, 4)
    assert counted is not None
    positions: list[tuple[tuple[int, ...], Position]] = [((), game.initial)]
    for _ in range(4):
        positions = [((*moves, move), position.play(move)) for moves, position in positions
                     for move in position.legal_moves()]  # fmt: skip
    images = {
        min((*sorted((turn[a], turn[c])), *sorted((turn[b], turn[d])), turn[d] % 9) for turn in game.symmetries)
        for (a, b, c, d), _ in positions
    }
    assert len(counted) == len(images)


def test_no_side_of_the_board_is_favoured() -> None:
    firsts = {opening[0] for opening in openings(rules("tictactoe"), 0, 100, 2)}
    assert firsts == set(range(9))


@examples(20)
@given(st.sampled_from(["tictactoe", "mnk:7,4,4", "qubic", "ultimate"]), st.integers(), st.integers(0, 20))
def test_the_seed_makes_the_openings_and_more_begin_as_fewer(game_id: str, seed: int, number: int) -> None:
    assert openings(rules(game_id), seed, number + 3, 2)[:number] == openings(rules(game_id), seed, number, 2)


def test_other_seeds_make_other_openings() -> None:
    assert openings(rules("qubic"), 1, 10, 2) != openings(rules("qubic"), 2, 10, 2)


def test_a_drawn_opening_steers_clear_of_the_end() -> None:
    """Uniform moves of the 3 x 3 x 3 cube nearly always end it before ply 14."""
    for opening in openings(rules("cube:3"), 0, 10, 14):
        assert replay("cube:3", list(opening)).outcome is None


@pytest.mark.parametrize(("game_id", "plies"), [("tictactoe", 9), ("tictactoe", 100), ("cube:3", 27), ("qubic", 64)])
def test_a_game_that_cannot_last_so_long_is_refused(game_id: str, plies: int) -> None:
    with pytest.raises(ValueError, match=f"No game of {game_id}"):
        openings(rules(game_id), 0, 1, plies)
