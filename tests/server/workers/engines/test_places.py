"""How CodinGame writes cells: on one board and on nine."""

from __future__ import annotations

import pytest

from engine.rules.registry import rules
from server.workers.engines.places import cell, place


@pytest.mark.parametrize(
    ("game", "move", "text"),
    [
        ("tictactoe", "a1", "0 0"),
        ("tictactoe", "c1", "0 2"),
        ("tictactoe", "a3", "2 0"),
        ("ultimate", "1/1", "0 0"),
        ("ultimate", "1/9", "2 2"),
        ("ultimate", "3/1", "0 6"),
        ("ultimate", "4/2", "3 1"),
        ("ultimate", "9/9", "8 8"),
    ],
)
def test_a_cell_is_a_row_and_a_column(game: str, move: str, text: str) -> None:
    assert place(rules(game), rules(game).parse_move(move)) == text


@pytest.mark.parametrize("game", ["tictactoe", "mnk:5,3,3", "ultimate"])
def test_each_cell_has_its_place_and_no_other_place_is_one(game: str) -> None:
    known = rules(game)
    columns, rows = known.dimensions
    found = {
        (row, column): cell(known, row, column) for row in range(-1, rows + 1) for column in range(-1, columns + 1)
    }
    on_board = {where: one for where, one in found.items() if one is not None}
    assert sorted(on_board.values()) == list(range(known.cells))
    assert all(place(known, one) == f"{row} {column}" for (row, column), one in on_board.items())
