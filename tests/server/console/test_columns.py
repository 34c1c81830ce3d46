"""Tables as lines of text."""

from __future__ import annotations

import pytest

from server.console.columns import in_columns

ROWS = [("bot", "games", "note"), ("Level 2", "7", "")]


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ((0,), ["bot      games  note", "Level 2      7"]),
        ((0, 1), ["bot      games  note", "Level 2  7"]),
        ((), ["    bot  games  note", "Level 2      7"]),
    ],
)
def test_columns_begin_or_end_below_each_other(left: tuple[int, ...], expected: list[str]) -> None:
    assert list(in_columns(ROWS, left)) == expected
