"""Altekar's figures that follow from his description, and his 5 seconds."""

from __future__ import annotations

import pytest

from engine.bots.literature import altekar
from engine.bots.player import Decision, Limit, decide
from engine.bots.roster import bot
from engine.rules.position import O, Outcome, X
from engine.rules.registry import rules
from engine.search.fixed import Cut
from tests.support.engine.altekar_positions import DRAWN
from tests.support.engine.bot_games import play_game
from tests.support.engine.plain_minimax import evaluation, position_after, values
from tests.support.engine.watches import Clock

START = rules("qubic").initial


def test_minimax_evaluates_43680_nodes_in_a_drawn_game() -> None:
    """n + n(n-1) for n = 63, 61, ... 1: the second player's searches, the root not counted."""
    position, nodes = START, []
    for move in DRAWN:
        if position.to_move == O:
            nodes.append(decide(bot("altekar-minimax:2"), position).nodes)
        position = position.play(move)
    assert position.outcome == Outcome(None, "board_full")
    assert nodes == [n + n * (n - 1) for n in range(63, 0, -2)]
    assert sum(nodes) == 43_680


def test_the_branching_factor_of_a_move() -> None:
    """62 and more at first, and falling: all moves of the root and of its children."""
    found = decide(bot("altekar-minimax:2"), START.play(0))
    assert (found.nodes, found.interior) == (63 + 63 * 62, 63)
    assert found.nodes / (found.interior + 1) == 63 * 63 / 64, "his branching factor"


def test_the_strict_cut_is_kept_and_told_from_the_loose_one() -> None:
    found = decide(bot("altekar-alphabeta:3"), START)
    assert found.nodes == 207_446  # and the root
    assert altekar.searched(START, 3, "sum", Cut.LOOSE).nodes == 4_310
    assert (found.move, found.value) == (0, 7.0)
    # At 2 plies from the empty board they cut alike: 191 with the root, of 64 + 64 * 63.
    assert altekar.searched(START, 2, "sum", Cut.LOOSE).nodes == 190


def test_blocked_lines_count() -> None:
    """Unlike in every open-line count: X's corner keeps its 7 lines whatever O puts into them."""
    position = START.play(0).play(1)
    assert evaluation(position, altekar.SCORINGS["sum"], X) == 7 - 4
    assert evaluation(position, altekar.SCORINGS["weighted"], X) == 7 - 4


def test_weighted_lines_score_1_3_6_and_10() -> None:
    table = altekar.SCORINGS["weighted"].lines
    assert table is not None
    assert [row[0] for row in table] == [0, 1, 3, 6, 10]
    assert [table[0][others] for others in range(5)] == [0, -1, -3, -6, -10]
    assert table[3][1] == 6 - 1


@pytest.mark.parametrize("name", ["altekar-minimax:2", "altekar-alphabeta:2"])
def test_five_seconds_unless_another_limit_is_given(name: str) -> None:
    position = position_after("qubic", 30, 1)
    whole = decide(bot(name), position)
    stopped = Decision(position.legal_moves()[0])
    assert decide(bot(name), position, watch=Clock(4_999)) == whole
    assert decide(bot(name), position, watch=Clock(5_000)) == stopped
    assert decide(bot(name), position, Limit(move_ms=6_000), watch=Clock(5_999)) == whole
    assert decide(bot(name), position, Limit(move_ms=100), watch=Clock(100)) == stopped
    # With a limit of nodes or depth the answer is the same on every machine, however slow.
    assert decide(bot(name), position, Limit(depth=2), watch=Clock(10**6)) == whole
    assert decide(bot(name), position, Limit(nodes=10**6), watch=Clock(10**6)) == whole


def test_out_of_time_the_best_finished_move_is_played() -> None:
    position = position_after("qubic", 16, 9)
    exact = values(position, 2, altekar.SCORINGS["sum"])
    assert position.legal_moves()[:4] == (1, 2, 3, 4)
    assert max(exact.values()) == exact[3] > exact[1] >= exact[2]
    # A root move costs itself and its 47 replies.
    for finished, move in ((1, 1), (2, 1), (3, 3), (40, 3)):
        found = decide(bot("altekar-minimax:2"), position, Limit(nodes=48 * finished + 5))
        assert (found.move, found.value, found.depth) == (move, exact[move], 2)
        assert found.nodes <= 48 * finished + 5
        assert not found.proven


def test_the_second_player_loses_to_itself() -> None:
    """Its author saw only ties; with his description no choice of what he left open that we tried gives them."""
    record = play_game(bot("altekar-minimax:2"), bot("altekar-alphabeta:2"), START.rules)
    assert (record.winner, len(record.moves)) == (X, 29)
    record = play_game(bot("altekar-alphabeta:2,weighted"), bot("altekar-minimax:2,weighted"), START.rules)
    assert (record.winner, len(record.moves)) == (X, 23)
