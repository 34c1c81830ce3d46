"""X's forced win in Super, followed against every reply by the rules themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.rules.nested import NestedPosition
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.perfect import super_policy
from engine.search.perfect.super_policy import LAST_BOARDS, MOST_PLIES, Check, Stopped, Unsound, after_filling


def initial() -> NestedPosition:
    position = rules("super").initial
    assert isinstance(position, NestedPosition)
    return position


@pytest.mark.parametrize("last", [0, 1])
def test_x_wins_in_exactly_43_plies_at_worst(last: int) -> None:
    """Followed once more without `Check`: every move of X legal, every game X's, none longer, one as long."""
    ends: set[int] = set()
    seen: set[Position] = set()
    waiting = [after_filling(last)]
    while waiting:
        position = waiting.pop()
        move = super_policy.policy_move(position)
        assert move in position.legal_moves()
        won = position.play(move)
        if won.outcome is not None:
            assert won.outcome.winner == "x"
            ends.add(won.ply)
            continue
        for reply in won.legal_moves():
            after = won.play(reply)
            assert after.outcome is None
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert max(ends) == MOST_PLIES == 43
    assert min(ends) >= 29
    assert len(seen) + 1 == {0: 5_545, 1: 5_739}[last]


@pytest.mark.parametrize(
    "last", [LAST_BOARDS[0], *(pytest.param(last, marks=pytest.mark.slow) for last in LAST_BOARDS[1:])]
)
def test_the_check_finds_the_same_for_every_board_that_may_be_last(last: int) -> None:
    check = Check()
    position = after_filling(last)
    assert check.way(position).plies == MOST_PLIES - position.ply
    assert check.positions == (5_739 if last % 2 else 5_545)
    line = check.line(position)
    for plies_left, move in zip(range(len(line), 0, -1), line, strict=True):
        assert check.way(position).plies == plies_left
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner == "x"


def test_filling_board_4_leads_there_in_any_order() -> None:
    position = initial()
    for square in (8, 2, 5, 0, 7, 1, 6, 3):
        assert super_policy.is_filling(position)
        move = super_policy.policy_move(position)
        assert move is not None
        position = position.play(move)
        assert super_policy.is_filling(position)
        position = position.play(36 + square)
    assert position == after_filling(3)
    assert super_policy.policy_move(position) == 9 * 3 + 3


def test_it_names_no_move_where_it_does_not_lead() -> None:
    left = initial().play(0).play(1)
    assert super_policy.policy_move(left) is None
    assert not super_policy.is_filling(left)
    with pytest.raises(Unsound, match="no legal move after 2 plies"):
        Check().way(left)


def test_a_reply_that_escapes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fourth rule X does not win: the check says so instead of a number of plies."""

    def first_cell(position: NestedPosition, first: int) -> int:
        return position.legal_moves()[0]

    monkeypatch.setattr(super_policy, "_free", first_cell)
    with pytest.raises(Unsound):
        Check().way(after_filling(0))


def test_a_check_stops_and_goes_on() -> None:
    check = Check()
    check.stopped = lambda: True
    with pytest.raises(Stopped):
        check.way(after_filling(0))
    before = check.positions
    check.stopped = counting(10)
    with pytest.raises(Stopped):
        check.way(after_filling(0))
    assert check.positions > before
    check.stopped = lambda: False
    assert check.way(after_filling(0)).plies == 27
    assert check.positions == 5_545


def counting(calls: int) -> Callable[[], bool]:
    left = iter(range(calls))
    return lambda: next(left, None) is None
