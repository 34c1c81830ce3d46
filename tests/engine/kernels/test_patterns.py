"""The kernel of patterns against the rules: classes by trying moves, and counts by looking at every cell."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import patterns
from engine.kernels.jit import jit
from engine.kernels.patterns import Judgement, PatternBoard
from engine.rules.flat import FlatPosition
from engine.rules.lines import cells_of
from engine.rules.registry import rules
from tests.support.engine.games import played, replay

GAMES = ["mnk:5,5,4", "mnk:7,7,5", "mnk:6,9,4", "mnk:8,8,6", "gomoku"]
CLASSES = range(patterns.CLASSES)
SETS = list(combinations_with_replacement(CLASSES, 4))
OWN = patterns.by_sets([sum((0, 1, 7, 15, 31, 63, 127, 511)[one] for one in four) for four in SETS])
OTHERS = patterns.by_sets([sum((0, 2, 9, 20, 40, 80, 160, 640)[one] for one in four) - 9 * max(four) for four in SETS])
TEMPO = 12_345
JUDGEMENT = Judgement(OWN + (OTHERS << 32), patterns.by_sets(range(len(SETS))), TEMPO)


def board_of(position: FlatPosition) -> PatternBoard:
    columns, rows = position.rules.dimensions
    return patterns.board(columns, rows, position.rules.length, JUDGEMENT, cells_of(position.x), cells_of(position.o))


@jit
def make(board: PatternBoard, place: int, side: int) -> None:
    patterns.make(board, place, side, strong_only=False)


@jit
def make_strong(board: PatternBoard, place: int, side: int) -> None:
    patterns.make(board, place, side, strong_only=True)


@jit
def unmake(board: PatternBoard, place: int, side: int) -> None:
    patterns.unmake(board, place, side)


@jit
def static(board: PatternBoard, side: int) -> int:
    return patterns.static(board, side)


@jit
def kind_of(board: PatternBoard, place: int, side: int) -> int:
    return patterns.kind_of(board, place, side)


@jit
def kind_after(board: PatternBoard, place: int, side: int, other: int) -> int:
    return patterns.kind_after(board, place, side, other)


@jit
def promise_of(board: PatternBoard, place: int, side: int) -> int:
    return patterns.promise_of(board, place, side)


@jit
def listed(board: PatternBoard, places: Any) -> int:
    return patterns.listed(board, patterns.STRONG, places)


@jit
def leaves_out(board: PatternBoard) -> bool:
    return patterns.leaves_out(board)


def by_trying(own: int, others: int, windows: list[int], depth: int = 6) -> int:
    """The class of the last mark among `own`, from the windows through it, by marking more cells."""
    return STEPS[steps_by_trying(own, others, windows, depth)]


STEPS = (0, 1, 1, 1, 2, 3, 4, 5, 6, 7)


def steps_by_trying(own: int, others: int, windows: list[int], depth: int) -> int:
    """On a scale of ten, on which a mark more is two steps: none, one, open one, two and so on to five."""
    alive = [window & ~own for window in windows if not window & others]
    if 0 in alive:
        return 9
    completing = {cells for cells in alive if not cells & (cells - 1)}
    if completing:
        return 8 if len(completing) > 1 else 7
    if depth <= 2:
        return 0
    empty = {1 << cell for cells in alive for cell in cells_of(cells)}
    return max([0, *(steps_by_trying(own | cell, others, windows, depth - 2) - 2 for cell in empty)])


def kind_of_classes(classes: list[int]) -> int:
    if patterns.FIVE in classes:
        return patterns.COMPLETING
    threes = classes.count(patterns.OPEN_THREE)
    if patterns.OPEN_FOUR in classes or classes.count(patterns.FOUR) > 1:
        return patterns.WINNING
    if patterns.FOUR in classes:
        return patterns.FOUR_THREE if threes else patterns.FOURS
    if threes:
        return patterns.FORCING if threes == 1 else patterns.TWO_THREES
    if max(classes) >= patterns.OPEN_TWO:
        return patterns.QUIET
    return patterns.APART if any(classes) else patterns.IDLE


def empty_cells(board: PatternBoard) -> Any:
    """Their places, by the rows of the board."""
    return board.at[board.lines[board.line[board.at, 0]] >> board.shift[board.at, 0] & 3 == 0]


def changing(board: PatternBoard) -> list[bytes]:
    """What a position determines."""
    totals = (board.lines, board.kinds, board.tallies, board.sums, board.numbers[:1], board.key)
    return [array.tobytes() for array in (board.patterns[empty_cells(board)], *totals)]


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
            pattern = int(board.patterns[board.at[cell]]) >> 12 * side
            found = [pattern >> 3 * direction & 7 for direction in range(4)]
            through = [
                [line for line in position.rules.lines if cell in line and line[1] - line[0] == step] for step in steps
            ]
            # Only rows have lines in steps of 1, and so on, except on the narrowest boards, which are not tested.
            expected = [
                by_trying(own | 1 << cell, others, [sum(1 << c for c in line) for line in lines], 10) if lines else 0
                for lines in through
            ]
            assert found == expected
            assert board.kinds[board.at[cell]] >> 4 * side & 15 == kind_of_classes(expected)


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


@given(played(st.sampled_from(GAMES)), st.data())
@settings(max_examples=40, deadline=None)
def test_marks_that_keep_strong_kinds_only_tell_these_and_are_taken_back(
    game: tuple[str, list[int]], data: st.DataObject
) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    before = changing(board)
    made: list[tuple[int, int]] = []
    while position.outcome is None and len(made) < 12:
        move = data.draw(st.sampled_from(position.legal_moves()))
        make_strong(board, board.at[move], position.ply & 1)
        made.append((board.at[move], position.ply & 1))
        position = position.play(move)
        expected = board_of(position)
        assert strong_kinds(board) == strong_kinds(expected)
        assert board.tallies.tolist() == expected.tallies.tolist()
        assert board.key == expected.key
    for place, side in reversed(made):
        unmake(board, place, side)
    assert changing(board) == before


@given(played(st.sampled_from(GAMES)), st.data())
@settings(max_examples=40, deadline=None)
def test_kinds_after_a_mark_are_told_before_it(game: tuple[str, list[int]], data: st.DataObject) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    assert isinstance(position, FlatPosition)
    board, side = board_of(position), position.ply & 1
    place = int(board.at[data.draw(st.sampled_from(position.legal_moves()))])
    empty = [other for other in empty_cells(board) if other != place]
    told = [kind_after(board, other, 1 - side, place) for other in empty]
    make(board, place, side)
    assert told == [kind_of(board, other, 1 - side) for other in empty]


def strong_kinds(board: PatternBoard) -> list[list[int]]:
    """For each side the kinds of all places, 0 for those below FOURS."""
    kinds = [board.kinds >> 4 * side & 15 for side in range(2)]
    return [np.where(one < patterns.FOURS, 0, one).tolist() for one in kinds]


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=30, deadline=None)
def test_counts_and_evaluation_are_those_of_the_empty_cells(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    empty = [board.at[cell] for cell in range(position.rules.cells) if position.mark(cell) is None]
    assert sorted(empty) == sorted(empty_cells(board))
    assert not board.kinds[np.setdiff1d(np.arange(len(board.kinds)), empty)].any()
    for side in range(2):
        kinds = [int(board.kinds[place]) >> 4 * side & 15 for place in empty]
        strong = (patterns.FOURS, patterns.FOUR_THREE, patterns.WINNING, patterns.COMPLETING)
        assert [int(board.tallies[side]) >> 16 * number & 0xFFFF for number in range(4)] == list(
            map(kinds.count, strong)
        )
        for kind in strong:
            assert patterns.of_kind(board, side, kind) == [
                place for place, one in zip(empty, kinds, strict=True) if one == kind
            ]
        own = sum(int(OWN[board.patterns[place] >> 12 * side & 0xFFF]) for place in empty)
        others = sum(int(OTHERS[board.patterns[place] >> 12 * (1 - side) & 0xFFF]) for place in empty)
        assert static(board, side) == TEMPO + own - others


def test_a_pattern_is_judged_by_its_classes_in_any_order() -> None:
    numbers = patterns.by_sets(range(patterns.SETS))
    for number, four in enumerate(SETS):
        for one in set(permutations(four)):
            assert numbers[sum(made << 3 * direction for direction, made in enumerate(one))] == number


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=30, deadline=None)
def test_a_move_promises_by_the_patterns_of_both_sides(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    own, others = -OWN, 3 * OTHERS - 5
    board = board._replace(promise=own + (others << 32))
    empty = empty_cells(board)
    for side in range(2):
        of_all = patterns.promises(board, np.array(empty, np.int64), side)
        for place, promised in zip(empty, of_all, strict=True):
            pattern = int(board.patterns[place])
            assert (
                promise_of(board, place, side)
                == promised
                == (
                    own[pattern >> 12 * side & 0xFFF] + others[pattern >> 12 * (1 - side) & 0xFFF] + board.centre[place]
                )
            )


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=30, deadline=None)
def test_cells_are_listed_by_their_kinds(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    board = board_of(position)
    best = {int(place): max(int(board.kinds[place]) & 15, int(board.kinds[place]) >> 4) for place in board.at}
    places = np.zeros(board.cells, np.int64)
    assert places[: listed(board, places)].tolist() == [place for place, kind in best.items() if kind >= patterns.FOURS]
    assert leaves_out(board) == any(kind == patterns.APART for kind in best.values())


def test_worths_beyond_31_bits_do_not_mix() -> None:
    """What the other side's patterns take may be negative, like one's own worth."""
    position = replay("gomoku", [112, 97])
    assert isinstance(position, FlatPosition)
    negative = Judgement(-OWN + (-OTHERS << 32), JUDGEMENT.promise, -TEMPO)
    made = patterns.board(15, 15, 5, negative, cells_of(position.x), cells_of(position.o))
    assert static(made, 0) == -static(board_of(position), 0)


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
