from __future__ import annotations

import pytest

from engine.rules.nested import NestedPosition
from engine.rules.position import IllegalMove
from tests.support.engine.games import replay_texts

# X wins board 1 by squares 1, 2 and 3, while O holds 4, 5 and 7 there; O is to move in board 3.
BOARD_1_WON = "1/1 1/4 4/1 1/7 7/1 1/5 5/5 5/1 1/2 2/1 1/3"


def test_a_closed_board_is_refused_and_gives_a_free_choice() -> None:
    position = replay_texts("ultimate", f"{BOARD_1_WON} 3/1")
    assert position.forced is None
    assert {move // 9 for move in position.legal_moves()} == set(range(1, 9))
    with pytest.raises(IllegalMove, match="1/6 is in board 1, which is closed"):
        position.play(5)


def test_super_keeps_a_won_board_in_play() -> None:
    position = replay_texts("super", f"{BOARD_1_WON} 3/1")
    assert position.forced == 0
    assert position.legal_moves() == (5, 7, 8)


def test_super_keeps_the_first_owner() -> None:
    # O completes 4, 5 and 6 in the board that X won before.
    position = replay_texts("super", f"{BOARD_1_WON} 3/3 3/1 1/6")
    assert isinstance(position, NestedPosition)
    assert position.board_owner(0) == "x"
