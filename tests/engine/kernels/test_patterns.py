"""The kernel of patterns against the rules: classes by trying moves, and counts by looking at every cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import patterns
from engine.kernels.jit import jit
from engine.kernels.patterns import PatternBoard
from engine.rules.flat import FlatPosition
from engine.rules.lines import cells_of
from engine.rules.registry import rules
from tests.support.engine_games import played, replay

GAMES = ["mnk:5,5,4", "mnk:7,7,5", "mnk:6,9,4", "mnk:8,8,6", "gomoku"]
WORTH = patterns.by_classes((0, 1, 3, 7, 15, 31, 63, 127, 255, 511), range(9)) + (
    patterns.by_classes((0, 2, 5, 9, 20, 40, 80, 160, 320, 640), range(9)) << 32
)
PROMISE = patterns.by_classes(range(10), range(9)).astype(np.int32)


def board_of(position: FlatPosition) -> PatternBoard:
    columns, rows = position.rules.dimensions
    return patterns.board(
        columns, rows, position.rules.length, WORTH, PROMISE, cells_of(position.x), cells_of(position.o)
    )


@jit
def make(board: PatternBoard, place: int, side: int) -> None:
    patterns.make(board, place, side)


@jit
def unmake(board: PatternBoard, place: int, side: int) -> None:
    patterns.unmake(board, place, side)


@jit
def static(board: PatternBoard, side: int) -> int:
    return patterns.static(board, side)


def by_trying(own: int, others: int, windows: list[int], depth: int = 6) -> int:
    """The class of the last mark among `own`, from the windows through it, by marking more cells."""
    alive = [window & ~own for window in windows if not window & others]
    if 0 in alive:
        return patterns.FIVE
    completing = {cells for cells in alive if not cells & (cells - 1)}
    if completing:
        return patterns.OPEN_FOUR if len(completing) > 1 else patterns.FOUR
    if depth <= 2:
        return 0
    empty = {1 << cell for cells in alive for cell in cells_of(cells)}
    return max([0, *(by_trying(own | cell, others, windows, depth - 2) - 2 for cell in empty)])


def kind_of(classes: list[int]) -> int:
    if patterns.FIVE in classes:
        return patterns.COMPLETING
    threes = classes.count(patterns.OPEN_THREE)
    if patterns.OPEN_FOUR in classes or classes.count(patterns.FOUR) > 1:
        return patterns.WINNING
    if patterns.FOUR in classes:
        return patterns.FOUR_THREE if threes else patterns.FOURS
    if threes:
        return patterns.FORCING if threes == 1 else patterns.TWO_THREES
    if max(classes) >= patterns.TWO:
        return patterns.QUIET
    return patterns.APART if any(classes) else patterns.IDLE


def changing(board: PatternBoard) -> list[bytes]:
    """What a position determines, cells off the board left out."""
    return [array[board.at].tobytes() for array in (board.marks, board.codes, board.patterns, board.kinds)] + [
        board.counts.tobytes(),
        board.sums.tobytes(),
        board.taken.tobytes(),
        board.key.tobytes(),
    ]


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=30, deadline=None)
def test_classes_are_what_trying_moves_shows(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    columns, _ = position.rules.dimensions
    steps = [1, columns, columns + 1, columns - 1]
    empty = [cell for cell in range(position.rules.cells) if position.mark(cell) is None]
    for cell in empty[:: 1 + len(empty) // 8]:
        for side, (own, others) in enumerate([(position.x, position.o), (position.o, position.x)]):
            pattern = int(board.patterns[board.at[cell], side])
            found = [pattern >> 4 * direction & 15 for direction in range(4)]
            through = [
                [line for line in position.rules.lines if cell in line and line[1] - line[0] == step] for step in steps
            ]
            # Only rows have lines in steps of 1, and so on, except on the narrowest boards, which are not tested.
            expected = [
                by_trying(own | 1 << cell, others, [sum(1 << c for c in line) for line in lines], 10) if lines else 0
                for lines in through
            ]
            assert found == expected
            assert board.kinds[board.at[cell], side] == kind_of(expected)


@given(played(st.sampled_from(GAMES)), st.data())
@settings(max_examples=40, deadline=None)
def test_a_move_gives_the_board_of_the_next_position_and_is_taken_back(
    game: tuple[str, list[int]], data: st.DataObject
) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    before = changing(board)
    move = data.draw(st.sampled_from(position.legal_moves()))
    make(board, board.at[move], position.ply & 1)
    assert changing(board) == changing(board_of(position.play(move)))
    unmake(board, board.at[move], position.ply & 1)
    assert changing(board) == before


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=30, deadline=None)
def test_counts_and_evaluation_are_those_of_the_empty_cells(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    empty = [board.at[cell] for cell in range(position.rules.cells) if position.mark(cell) is None]
    for side in range(2):
        kinds = [int(board.kinds[place, side]) for place in empty]
        assert board.counts[side].tolist() == [kinds.count(kind) for kind in range(patterns.KINDS)]
        own = sum(int(WORTH[board.patterns[place, side]]) & 0xFFFFFFFF for place in empty)
        others = sum(int(WORTH[board.patterns[place, 1 - side]]) >> 32 for place in empty)
        assert static(board, side) == own - others


@pytest.mark.parametrize(
    ("dimensions", "length", "expected"),
    [((15, 15), 5, True), ((5, 5), 4, True), ((3, 3), 3, False), ((9, 9), 7, False), ((5, 5, 5), 5, False)],
)
def test_there_are_tables_for_four_to_six_in_a_row(dimensions: tuple[int, ...], length: int, expected: bool) -> None:
    assert patterns.plays(dimensions, length) == expected


def test_gomoku_is_among_them() -> None:
    game = rules("gomoku").initial
    assert isinstance(game, FlatPosition)
    assert patterns.plays(game.rules.dimensions, game.rules.length)
