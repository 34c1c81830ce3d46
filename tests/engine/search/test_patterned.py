"""The search over patterns: what it claims is checked by code of its own, and limits are kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from random import Random

import pytest

from engine.bench import MANY_FOURS
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.kernels import patterns
from engine.kernels.jit import jit
from engine.kernels.patterns import PatternBoard
from engine.rules.flat import FlatPosition
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.lines import cells_of
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import negamax, patterned
from engine.search.negamax import FULL
from engine.search.watch import NO_WATCH
from tests.support.engine.forced_wins import completing, holds, sides
from tests.support.engine.games import replay, replay_texts
from tests.support.engine.watches import Stop, Ticking

FEW = Limit(nodes=3_000)


def middle_game(game_id: str, plies: int, random: Random) -> Position:
    """Marks near the centre, none of which ended the game."""
    while True:
        columns, rows = rules(game_id).dimensions
        near = [cell for cell in range(columns * rows) if _is_near(cell, columns, rows)]
        moves = random.sample(near, plies)
        position = rules(game_id).initial
        for move in moves:
            if position.outcome is None:
                position = position.play(move)
        if position.outcome is None:
            return position


def _is_near(cell: int, columns: int, rows: int) -> bool:
    return abs(2 * (cell % columns) - columns + 1) <= 8 and abs(2 * (cell // columns) - rows + 1) <= 8


def move_of(position: Position, limit: Limit = FEW) -> int:
    return patterned.choose(position, limit, NO_WATCH).move


@pytest.mark.parametrize("game_id", ["mnk:9,9,5", pytest.param("gomoku", marks=pytest.mark.slow)])
def test_proven_wins_hold_against_every_reply(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(20)
    claims = 0
    for _ in range(24):
        position = middle_game(game_id, random.randrange(8, 17), random)
        decision = patterned.choose(position, FEW, NO_WATCH)
        if decision.win_in is not None and decision.win_in > 0:
            assert isinstance(position, FlatPosition)
            if not holds(position, decision.win_in, move_of):
                # A win by fours that is found first need not be the shortest.
                with monkeypatch.context() as without_fours:
                    for cap in ("_MOST_FOURS", "_CAP", "_ROOT_CAP"):
                        without_fours.setattr(patterned, cap, 0)
                    assert holds(position, decision.win_in, lambda there: move_of(there, Limit(nodes=20_000)))
            claims += 1
    assert claims > 4


def test_a_line_that_is_about_to_be_completed_is_completed_or_stopped() -> None:
    random = Random(3)
    for _ in range(60):
        position = middle_game("gomoku", random.randrange(12, 30), random)
        assert isinstance(position, FlatPosition)
        own, others = sides(position)
        wins, stops = completing(position, own, others), completing(position, others, own)
        decision = patterned.choose(position, FEW, NO_WATCH)
        if wins:
            assert decision.move in wins
            assert (decision.win_in, decision.bound) == (1, False)
        elif stops:
            assert decision.move in stops
            assert len(stops) == 1 or (decision.win_in, decision.bound) == (-2, False)


def test_after_a_way_by_fours_a_shorter_win_is_looked_for() -> None:
    position = replay_texts("mnk:8,8,5", "a1 b1 f1 c1 a2 g5 e2 a6 b3 g6 b5 d7 e5 c8 h8 e8")
    assert isinstance(position, FlatPosition)
    hasty = patterned.choose(position, Limit(nodes=20), NO_WATCH)
    assert (hasty.win_in, hasty.bound) == (7, True)
    decision = patterned.choose(position, FEW, NO_WATCH)
    assert (decision.win_in, decision.bound) == (5, True)
    assert holds(position, 5, lambda at: negamax.choose(at, 5, NO_LIMIT, Random(0), NO_WATCH, FULL).move)


@pytest.mark.parametrize("opening", ["i6 j7 k7 k12", "g7 k9 e5 j7 d5 e12 i7 h6"])
def test_a_win_comes_within_the_plies_that_were_announced(opening: str) -> None:
    """In these games a later search, which stopped at the first win that it found, found a longer one."""
    position = replay_texts("gomoku", opening)
    ends: dict[str, int] = {}
    while position.outcome is None:
        decision = patterned.choose(position, Limit(nodes=20_000), NO_WATCH)
        if (decision.win_in or 0) > 0:
            end = position.ply + (decision.win_in or 0)
            assert end <= ends.get(position.to_move, end)
            ends[position.to_move] = end
        position = position.play(decision.move)
    assert ends[position.outcome.winner or ""] >= position.ply


@pytest.mark.parametrize("nodes", [1, 2, 3, 100, 20_000])
def test_a_node_limit_is_kept_and_repeats(nodes: int) -> None:
    position = replay_texts("gomoku", "h8 g9 g7 i9 h9 h10 f8 j8 g11 h6")
    first = patterned.choose(position, Limit(nodes=nodes), NO_WATCH)
    assert first == patterned.choose(position, Limit(nodes=nodes), NO_WATCH)
    assert first.nodes <= nodes


@pytest.mark.parametrize("game_id", ["mnk:8,8,5", "gomoku"])
def test_no_limit_is_passed_where_fours_are_looked_for(game_id: str) -> None:
    random = Random(8)
    for _ in range(20):
        position = middle_game(game_id, random.randrange(10, 30), random)
        for nodes in (1, 2, 3, random.randrange(4, 100), random.randrange(100, 1_000)):
            assert patterned.choose(position, Limit(nodes=nodes), NO_WATCH).nodes <= nodes


def test_a_search_repeats_bit_for_bit() -> None:
    random = Random(5)
    for game_id in ("gomoku", "mnk:8,8,5", "mnk:9,11,6"):
        position = middle_game(game_id, 9, random)
        first, *others = (patterned.choose(position, Limit(nodes=5_000), NO_WATCH) for _ in range(3))
        assert others == [first, first]


def test_symmetric_positions_are_judged_alike() -> None:
    random = Random(7)
    for game_id in ("gomoku", "mnk:8,11,5"):
        for _ in range(10):
            position = middle_game(game_id, random.randrange(4, 14), random)
            assert isinstance(position, FlatPosition)
            boards = [patterned.pattern_board(turned(position, symmetry)) for symmetry in position.rules.symmetries]
            for side in range(2):
                assert len({static(board, side) for board in boards}) == 1


def turned(position: FlatPosition, symmetry: Sequence[int]) -> FlatPosition:
    """The same marks on the cells that the symmetry takes them to."""
    x, o = ([symmetry[cell] for cell in cells_of(marks)] for marks in (position.x, position.o))
    found = replay(position.rules.id, [move for pair in zip_longest(x, o) for move in pair if move is not None])
    assert isinstance(found, FlatPosition)
    return found


@jit
def static(board: PatternBoard, side: int) -> int:
    return patterns.static(board, side)


@pytest.mark.parametrize("move_ms", [20, 100])
def test_a_long_search_for_fours_looks_at_the_clock(move_ms: int) -> None:
    """Where 2,000 nodes take 4 ms, as by this watch, a move's time passes by no more than a slice."""
    watch = Ticking(4)
    decision = patterned.choose(MANY_FOURS.position(), Limit(move_ms=move_ms), watch)
    assert watch.now_ms <= move_ms + 8
    assert decision.nodes < 10_000


def test_a_stopped_search_answers_with_a_legal_move() -> None:
    for moves in ([], [112], [112, 97, 96, 113]):
        position = replay("gomoku", moves)
        decision = patterned.choose(position, Limit(move_ms=1), Stop())
        assert position.is_legal(decision.move)


def test_a_full_board_is_a_draw_to_the_last_move() -> None:
    random = Random(1)
    position: Position = rules("mnk:8,8,5").initial
    while position.outcome is None and position.rules.cells - position.ply > 3:
        position = position.play(patterned.choose(position, Limit(nodes=200), NO_WATCH).move)
    while position.outcome is None:
        decision = patterned.choose(position, FEW, NO_WATCH)
        assert decision.proven
        position = position.play(random.choice(position.legal_moves()))


def test_it_plays_first_in_the_middle() -> None:
    move = decide(bot("strongest"), rules("gomoku").initial, Limit(nodes=20_000)).move
    assert _is_near(move, 15, 15)
