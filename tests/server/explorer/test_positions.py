"""Which positions are alike."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.position import IllegalMove, Position, Rules
from engine.rules.registry import rules
from server.explorer.positions import Place, symmetry_tables
from server.http.answers.explorer import walk
from tests.support.database.played_records import random_game, walked

FLAT = ("tictactoe", "mnk:4,3,3", "mnk:19,19,5", "cube:3", "qubic", "cube:5")
NESTED = ("nine-board", "ultimate", "ultimate:count", "super")


# Keys


@pytest.mark.parametrize("game", [*FLAT, *NESTED])
@given(random=st.randoms(use_true_random=False), plies=st.integers(0, 80))
def test_a_turned_position_is_the_same_place(game: str, random: Random, plies: int) -> None:
    kind = rules(game)
    cells = random_game(kind, random, plies)
    turn = random.choice(kind.symmetries)
    here, there = walked(kind, cells), walked(kind, [turn[cell] for cell in cells])
    assert here.place.key == there.place.key
    for cell in here.position.legal_moves():
        same = here.tables.canonical(here.place, cell)
        assert same == there.tables.canonical(there.place, turn[cell])


@pytest.mark.parametrize("game", FLAT)
@given(random=st.randoms(use_true_random=False))
def test_the_order_of_moves_does_not_matter(game: str, random: Random) -> None:
    kind = rules(game)
    cells = random_game(kind, random)[:-1]
    xs, os = cells[::2], cells[1::2]
    random.shuffle(xs)
    random.shuffle(os)
    other = [cell for pair in zip(xs, os, strict=False) for cell in pair] + xs[len(os) :]
    assert walked(kind, cells).place == walked(kind, other).place


def reachable(kind: Rules, plies: int) -> dict[Position, list[int]]:
    """Every position within so many plies, and one way there."""
    found: dict[Position, list[int]] = {kind.initial: []}
    edge = dict(found)
    for _ in range(plies):
        edge = {position.play(move): [*way, move] for position, way in edge.items() for move in position.legal_moves()}
        found |= edge
    return found


@pytest.mark.parametrize(
    ("game", "plies", "classes"),
    # 765 is well known of tic-tac-toe. Qubic has 2 first moves and 35 openings of two.
    [("tictactoe", 9, 765), ("qubic", 2, 1 + 2 + 35)],
)
def test_as_many_keys_as_different_positions(game: str, plies: int, classes: int) -> None:
    kind = rules(game)
    assert len({walked(kind, way).place.key for way in reachable(kind, plies).values()}) == classes


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("mnk:4,3,3", 4),
        ("cube:3", 2),
        pytest.param("cube:3", 3, marks=pytest.mark.slow),
        ("nine-board", 3),
        ("ultimate", 3),
    ],
)
def test_keys_tell_apart_what_no_symmetry_makes_alike(game: str, plies: int) -> None:
    kind = rules(game)
    keys: dict[int, Any] = {}
    for position, way in reachable(kind, plies).items():
        assert keys.setdefault(walked(kind, way).place.key, smallest_turn(position)) == smallest_turn(position)
    assert len(set(keys.values())) == len(keys)


def smallest_turn(position: Position) -> Any:
    """The same by brute force, from what may be seen of a position."""
    kind = position.rules
    marks = [(cell, side) for cell in range(kind.cells) if (side := position.mark(cell)) is not None]
    forced = position.forced
    return min(
        (tuple(sorted((turn[cell], side) for cell, side in marks)), turn[9 * forced] // 9 if forced is not None else -1)
        for turn in kind.symmetries
    )


def test_who_won_a_board_of_super_is_part_of_the_place() -> None:
    """Both sides fill a column of board 1, in two orders: the same marks, but another owner."""
    x_column = ["1/2", "2/1", "1/5", "5/1", "1/8", "8/1"]
    to_o = ["1/4", "4/7", "7/1"]
    o_column = ["1/3", "3/1", "1/6", "6/1", "1/9", "9/1"]
    to_x = ["1/7", "7/4", "4/1"]
    kind = rules("super")
    x_first, o_first = (
        walked(kind, [kind.parse_move(text) for text in texts])
        for texts in (x_column + to_o + o_column + to_x, to_o + o_column + to_x + x_column)
    )
    marks = [(there.position.x, there.position.o, there.position.forced) for there in (x_first, o_first)]
    assert marks[0] == marks[1]
    assert x_first.position != o_first.position
    assert x_first.place.key != o_first.place.key


@pytest.mark.parametrize(
    ("game", "moves", "key"),
    [
        ("tictactoe", "", 0),
        ("tictactoe", "b2,a1", -9_024_624_046_674_377_737),
        ("qubic", "a1.1,b2.2", -9_169_423_100_941_739_143),
        ("ultimate", "5/5,5/1", -9_015_328_322_751_034_593),
    ],
)
def test_keys_never_change(game: str, moves: str, key: int) -> None:
    """Databases hold them."""
    assert walk(game, moves).place.key == key


def test_cells_are_alike_by_the_symmetry_of_the_position() -> None:
    kind = rules("tictactoe")
    assert sorted(walked(kind, []).legal_by_canonical().values()) == [[0, 2, 6, 8], [1, 3, 5, 7], [4]]
    assert sorted(walked(kind, [0]).legal_by_canonical().values()) == [[1, 3], [2, 6], [4], [5, 7], [8]]
    assert len(walked(kind, [0, 1]).legal_by_canonical()) == 7
    assert walked(kind, [0, 3, 1, 4, 2]).legal_by_canonical() == {}
    assert {len(alike) for alike in walked(rules("qubic"), []).legal_by_canonical().values()} == {16, 48}


def test_an_illegal_move_changes_nothing() -> None:
    there = walked(rules("tictactoe"), [0])
    before = there.place
    with pytest.raises(IllegalMove):
        there.play(0)
    assert there.place == before


def test_places_are_of_all_symmetries_that_fit() -> None:
    kind = rules("tictactoe")
    assert symmetry_tables(kind).place(0) == Place(0, tuple(range(8)))
    assert len(walked(kind, [0]).place.symmetries) == 2
    assert len(walked(kind, [0, 1]).place.symmetries) == 1
