"""The search on Qubic: what it claims is checked by code of its own, and limits are kept."""

from __future__ import annotations

from random import Random

import pytest

from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import qubic
from engine.search.watch import NO_WATCH
from tests.support.engine.forced_wins import completing, holds, sides
from tests.support.engine.games import replay, replay_texts
from tests.support.engine.watches import Stop, Ticking

GAME = rules("qubic")
FEW = Limit(nodes=3_000)
QUIET = "b3.3 a4.1 b2.3 b1.3"
SHORT = 9
"""Plies of a win whose every reply is tried in a test."""


def random_position(random: Random, plies: int) -> FlatPosition:
    while True:
        position: Position = GAME.initial
        for move in random.sample(range(64), plies):
            if position.outcome is None:
                position = position.play(move)
        if position.outcome is None:
            assert isinstance(position, FlatPosition)
            return position


def move_of(position: Position) -> int:
    return qubic.choose(position, FEW, NO_WATCH).move


def test_proven_wins_and_losses_hold_against_every_reply() -> None:
    random = Random(20)
    wins = losses = 0
    while wins < 12 or losses < 6:
        position = random_position(random, random.randrange(8, 20))
        won = qubic.choose(position, FEW, NO_WATCH)
        if not 3 < (won.win_in or 0) <= SHORT:
            continue
        assert won.proven
        assert holds(position, won.win_in or 0, move_of)
        wins += 1
        after = position.play(won.move)
        lost = qubic.choose(after, FEW, NO_WATCH)
        if lost.win_in is not None and -SHORT < lost.win_in < 0:
            for move in after.legal_moves():
                following = after.play(move)
                assert isinstance(following, FlatPosition)
                assert following.outcome is None
                assert holds(following, -lost.win_in - 1, move_of)
            losses += 1


def test_a_line_is_completed_or_stopped_at_once() -> None:
    random = Random(3)
    seen = set()
    for _ in range(120):
        position = random_position(random, random.randrange(10, 30))
        own, others = sides(position)
        wins, stops = completing(position, own, others), completing(position, others, own)
        decision = qubic.choose(position, FEW, NO_WATCH)
        if wins:
            assert decision.move in wins
            assert (decision.win_in, decision.bound) == (1, False)
        elif stops:
            assert decision.move in stops
            assert len(stops) == 1 or (decision.win_in, decision.bound) == (-2, False)
        seen.add((bool(wins), min(len(stops), 2)))
    assert {(True, 0), (False, 0), (False, 1), (False, 2)} <= seen


@pytest.mark.parametrize("nodes", [1, 2, 3, 100, 20_000])
@pytest.mark.parametrize("moves", [QUIET, "d1.4 a1.1 d1.1 d1.2 a3.3 c3.2 d4.4 c2.2"])
def test_a_node_limit_is_kept_and_repeats(moves: str, nodes: int) -> None:
    position = replay_texts("qubic", moves)
    first = qubic.choose(position, Limit(nodes=nodes), NO_WATCH)
    qubic.choose(replay_texts("qubic", f"{moves} d3.3"), Limit(nodes=nodes), NO_WATCH)
    assert first == qubic.choose(position, Limit(nodes=nodes), NO_WATCH)
    assert first.nodes <= nodes


def test_no_limit_is_passed_where_threats_are_looked_for() -> None:
    random = Random(8)
    for _ in range(60):
        position = random_position(random, random.randrange(6, 24))
        few = random.sample(position.legal_moves(), 5)
        for nodes in (1, 2, 3, random.randrange(4, 100), random.randrange(100, 1_000)):
            for moves in (None, few):
                assert qubic.choose(position, Limit(nodes=nodes), NO_WATCH, moves=moves).nodes <= nodes


def test_nodes_do_not_depend_on_the_clock() -> None:
    position = replay_texts("qubic", QUIET)
    sliced = qubic.choose(position, Limit(move_ms=1_000_000), Ticking(5), most_nodes=20_000)
    assert sliced == qubic.choose(position, Limit(nodes=20_000), NO_WATCH)


def test_time_is_looked_at() -> None:
    watch = Ticking(4)
    qubic.choose(replay_texts("qubic", QUIET), Limit(move_ms=60), watch)
    assert watch.now_ms <= 68


def test_a_stopped_search_answers_with_a_legal_move() -> None:
    for moves in ([], [21], [21, 42, 3, 12]):
        position = replay("qubic", moves)
        assert position.is_legal(qubic.choose(position, Limit(move_ms=1), Stop()).move)


def test_of_given_moves_one_is_played_and_no_loss_is_proven() -> None:
    position = replay_texts("qubic", "b2.3 c4.4 c2.2 a2.4 b3.3 a4.4 d4.4 b4.3 b1.1 a3.4 a1.4")
    given = [move for move in position.legal_moves() if position.rules.format_move(move) != "d4.1"][:5]
    decision = qubic.choose(position, FEW, NO_WATCH, moves=given)
    assert decision.move in given
    assert not decision.proven


def test_without_the_move_that_wins_the_others_are_searched() -> None:
    position = replay_texts("qubic", "a4.1 a1.1 a4.2 c2.2 d1.1 a4.4 a1.4 d2.1 a3.2 a2.3 a3.1")
    won = qubic.choose(position, FEW, NO_WATCH)
    assert won.win_in == 5
    others = [move for move in position.legal_moves() if move != won.move]
    decision = qubic.choose(position, FEW, NO_WATCH, moves=others)
    assert decision.move in others
    assert (decision.win_in or 0) > 0, "another move wins too"


def test_the_last_marks_are_a_draw_where_nobody_can_complete_a_line() -> None:
    random = Random(1)
    position: Position = GAME.initial
    while position.outcome is None and GAME.cells - position.ply > 3:
        position = position.play(qubic.choose(position, Limit(nodes=200), NO_WATCH).move)
    while position.outcome is None:
        assert qubic.choose(position, FEW, NO_WATCH).proven
        position = position.play(random.choice(position.legal_moves()))


def test_symmetric_moves_are_searched_once() -> None:
    """Eight corners and eight cells in the middle, and all others: two kinds of moves."""
    decision = qubic.choose(GAME.initial, Limit(depth=1), NO_WATCH)
    assert decision.interior == 0
    assert decision.leaves == 2
