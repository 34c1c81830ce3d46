"""Judged moves as they are shown."""

from __future__ import annotations

from engine.analysis.verdict import MoveVerdict
from engine.rules.registry import rules
from server.wire import JudgedMove
from server.wire.review_view import LINE_LENGTH, judged_moves

LOST = MoveVerdict("lost", True, -1.0, -4, True, (4, 0), "won", 3, 99)
EVEN = MoveVerdict("even", False, 0.25, None, False, tuple(range(60)), "better", None, 7)


def test_moves_come_in_the_order_of_play_with_cells_as_text() -> None:
    later, earlier = (12, LOST), (2, EVEN)
    assert judged_moves("tictactoe", [(1, LOST)])[0].best == ["b2", "a1"]
    shown = judged_moves("qubic", [later, earlier])
    assert [move.ply for move in shown] == [2, 12]
    assert shown[1] == JudgedMove(
        ply=12,
        verdict="lost",
        exact=True,
        value=-1.0,
        win_in=-4,
        at_most=True,
        best=["a2.1", "a1.1"],
        could="won",
        could_in=3,
    )


def test_a_long_line_is_cut() -> None:
    (shown,) = judged_moves("qubic", [(0, EVEN)])
    assert shown.best == [rules("qubic").format_move(cell) for cell in range(LINE_LENGTH)]
