from __future__ import annotations

import pytest

from engine.rules.position import IllegalMove, Outcome
from engine.rules.registry import rules
from tests.support.engine.games import replay_texts


def test_nine_board_ends_with_the_first_line() -> None:
    position = replay_texts("nine-board", "5/1 1/5 5/2 2/5 5/3")
    assert position.outcome == Outcome("x", "line")
    assert position.line == (36, 37, 38)
    assert position.forced is None
    with pytest.raises(IllegalMove, match="9/9 cannot be played: the game is over"):
        position.play(80)


def test_nine_full_boards_without_a_line_are_a_draw() -> None:
    judge = rules("nine-board").judge  # type: ignore[attr-defined]
    assert judge(0, 0, 0b111111111) == Outcome(None, "board_full")
    assert judge(0, 0, 0b111111110) is None
    assert judge(1, 0, 0b111111111) == Outcome("x", "line")
    assert judge(0, 1, 0) == Outcome("o", "line")
