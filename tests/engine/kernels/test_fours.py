"""Wins by continuous fours against trying all of them by the rules."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import fours
from engine.kernels.patterns import PatternBoard
from engine.rules.flat import FlatPosition
from engine.search.patterned import pattern_board
from tests.support.engine.forced_wins import completing, sides, wins_by_fours
from tests.support.engine.games import played, replay, replay_texts

GAMES = ["mnk:7,7,5", "mnk:5,5,4", "mnk:9,6,4"]
ENDLESS = 1 << 40
MANY_FOURS = "e11 i10 d11 k13 l10 g9 f3 f9 h13 j13 m10 m3 e3 m6 f12 j3 j8 j9 g5 c9 l5 l12 k11 i6 h12"
"""Nearly 400 moves until a win is found."""


def changing(board: PatternBoard) -> list[bytes]:
    arrays = (board.lines, board.patterns, board.kinds, board.tallies, board.sums, board.numbers, board.key)
    return [array.tobytes() for array in arrays]


def searched(position: FlatPosition, cap: int = ENDLESS) -> tuple[int, fours.Fours]:
    found = fours.fours(position.rules.cells)
    board = pattern_board(position)
    before = changing(board)
    plies = fours.search(board, found, position.ply & 1, cap)
    assert changing(board) == before
    return plies, found


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=150, deadline=None)
def test_it_finds_a_win_exactly_where_there_is_one(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    if position.outcome is None:
        plies, _ = searched(position)
        assert (plies > 0) == wins_by_fours(position)


@given(played(st.sampled_from(GAMES)))
@settings(max_examples=150, deadline=None)
def test_its_moves_win_in_the_plies_that_it_says(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    if position.outcome is not None:
        return
    plies, found = searched(position)
    if plies <= 0:
        return
    at, last = pattern_board(position).cell, int(found.counters[fours.LENGTH]) - 1
    for number in range(last):
        for place in (found.moves[number], found.replies[number]):
            position = position.play(int(at[place]))
            assert position.outcome is None
    position = position.play(int(at[found.moves[last]]))
    if position.outcome is None:
        others, own = sides(position)
        assert len(completing(position, own, others)) > 1
        assert not completing(position, others, own)
        assert plies == 2 * last + 3
    else:
        assert plies == 2 * last + 1


def test_it_stops_after_as_many_moves_as_it_may_make() -> None:
    position = replay_texts("gomoku", MANY_FOURS)
    assert isinstance(position, FlatPosition)
    assert searched(position, 0)[0] == fours.CAPPED
    for cap in range(1, 30):
        plies, found = searched(position, cap)
        assert plies == fours.CAPPED
        assert found.counters[fours.MOVES] == cap // 2 * 2


@given(played(st.sampled_from(GAMES)), st.integers(1, 20))
@settings(max_examples=100, deadline=None)
def test_pauses_change_nothing(game: tuple[str, list[int]], every: int) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    if position.outcome is not None:
        return
    plies, whole = searched(position)
    board, paused = pattern_board(position), fours.fours(position.rules.cells)
    before, until, found = changing(board), 0, fours.CAPPED
    while found == fours.CAPPED:
        until += every
        found = fours.run(board, paused, position.ply & 1, until)
    assert (found, changing(board)) == (plies, before)
    assert all((one == other).all() for one, other in zip(whole, paused, strict=True))


def test_a_paused_search_is_taken_back() -> None:
    position = replay_texts("gomoku", MANY_FOURS)
    assert isinstance(position, FlatPosition)
    board, paused = pattern_board(position), fours.fours(position.rules.cells)
    before = changing(board)
    assert fours.run(board, paused, position.ply & 1, 5) == fours.CAPPED
    assert changing(board) != before
    fours.leave(board, paused, position.ply & 1)
    assert changing(board) == before
    assert fours.search(board, paused, position.ply & 1, ENDLESS) == searched(position)[0]
