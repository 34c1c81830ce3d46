"""Pawar and Ren's table, in their order, and what it makes of ends."""

from __future__ import annotations

import pytest

from engine.bots.literature import pawar_ren
from engine.bots.literature.pawar_ren import SCORING, line_value
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import O, Outcome, X
from engine.search.fixed import search
from tests.support.altekar_positions import DRAWN
from tests.support.engine_games import replay
from tests.support.plain_minimax import evaluation, position_after


def test_the_table_in_its_order() -> None:
    """Marks of X, marks of O, value for X."""
    in_order = [
        (4, 0, 9999),
        (0, 4, -9999),
        (3, 0, 100),
        (3, 1, 100),  # the fourth cell taken
        (0, 3, -100),
        (1, 3, -100),
        (2, 0, 10),
        (2, 1, 10),  # also with one opposing mark
        (0, 2, -10),
        (1, 2, -10),
        (1, 0, 1),
        (0, 1, -1),
        (1, 1, 0),  # one mark counts alone
        (2, 2, 0),
        (0, 0, 0),
    ]
    assert SCORING.lines is not None
    for x, o, value in in_order:
        assert line_value(x, o) == value
        assert SCORING.lines[x][o] == value
    assert len(in_order) == sum(1 for x in range(5) for o in range(5) if x + o <= 4)


@pytest.mark.parametrize("plies", [5, 21, 40])
def test_both_sides_are_judged_alike(plies: int) -> None:
    position = position_after("qubic", plies, plies)
    assert evaluation(position, SCORING, X) == -evaluation(position, SCORING, O)


# X holds 0, 1, 2 and 16, 17, 18; O holds 3, 5, 10, 40 and 41.
TWO_THREES = replay("qubic", [0, 3, 1, 5, 2, 10, 16, 40, 17, 41, 18, 45])


def test_a_won_game_is_worth_its_lines() -> None:
    found = search(TWO_THREES, 1, SCORING)
    won = TWO_THREES.play(19)
    value = dict(zip(found.moves, found.values, strict=True))[19]
    assert value == evaluation(won, SCORING, X)
    assert value != 9999
    decision = decide(bot("pawar-ren:1"), TWO_THREES)
    assert (decision.move, decision.value, decision.win_in, decision.proven) == (19, value, 1, True)


def test_a_blocked_three_is_worth_a_hundred_all_the_same() -> None:
    assert evaluation(TWO_THREES, SCORING, X) > 150  # 0 1 2 is blocked at 3


def test_a_drawn_game_is_worth_its_lines() -> None:
    position = replay("qubic", list(DRAWN[:-1]))
    end = position.play(DRAWN[-1])
    assert end.outcome == Outcome(None, "board_full")
    worth = evaluation(end, SCORING, O)
    assert worth != 0
    found = decide(bot("pawar-ren:1"), position)
    assert (found.value, found.proven) == (worth, False)


def test_the_last_of_equals_is_played_or_a_coins() -> None:
    empty = replay("qubic", [])
    # The 8 corners and the 8 centre cells have 7 lines; 63 is the last corner, 0 the first.
    assert decide(bot("pawar-ren:1"), empty).move == 63
    assert decide(bot("altekar-minimax:1"), empty).move == 0
    seen = {decide(bot("pawar-ren:1,coin"), empty, seed=seed).move for seed in range(60)}
    assert len(seen) > 3
    assert 63 in seen
    assert seen <= {0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63}


def test_pruning_saves_and_changes_nothing() -> None:
    position = position_after("qubic", 48, 2)
    with_pruning = pawar_ren.searched(position, 3, pawar_ren.Cut.LOOSE)
    without = pawar_ren.searched(position, 3, pawar_ren.Cut.NONE)
    best = max(without.values)
    assert [m for m, v in zip(with_pruning.moves, with_pruning.values, strict=True) if v == best] == [
        m for m, v in zip(without.moves, without.values, strict=True) if v == best
    ]
    assert with_pruning.nodes < without.nodes
    assert with_pruning.pruned > 0
