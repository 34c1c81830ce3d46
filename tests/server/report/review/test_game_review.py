"""A reviewed game as a table, an object and a page."""

from __future__ import annotations

import pytest

from engine.analysis.verdict import MoveVerdict
from engine.record.model import GameRecord, Player, RecordedMove
from server.report.review import game_review


@pytest.mark.parametrize(
    ("player", "shown"),
    [
        (Player("level:6", "bot", 1), "Level 6"),
        (Player("strongest", "bot", 1), "Strongest"),
        (Player("alphabeta:3", "bot", 1), "alphabeta:3"),
        (Player("level:6"), "level:6"),
    ],
)
def test_bots_have_names_for_people(player: Player, shown: str) -> None:
    record = GameRecord("tictactoe", player, Player("Ann"), id=7)
    assert game_review.heading(record) == f"Game 7, Tic-tac-toe: {shown} (X) against Ann (O)"


def test_values_are_for_x_whoever_begins() -> None:
    won = MoveVerdict("won", True, 1.0, 3, False, (0,), "won", 3, 1)
    record = GameRecord("tictactoe", Player("a"), Player("b"), (RecordedMove(0), RecordedMove(1)), start=(4,))
    reviewed = game_review.Reviewed(record, [won, won])
    assert [reviewed.value_for_x(ply) for ply in range(2)] == [-1, 1]


def test_a_table_is_cut_to_the_terminal() -> None:
    rows = [("move", "side", "played", "time", "for X", "verdict", "best line"), ("1", "X", "b2", "0.10 s", "+1", "x" * 60, "b2")]  # fmt: skip  # noqa: E501
    assert list(game_review.aligned(rows, 40))[1] == "   1  X     b2      0.10 s     +1  " + "x" * 4 + "~"
    assert list(game_review.aligned(rows))[1].endswith("x  b2")
