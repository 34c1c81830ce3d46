"""Numbers of things in sentences."""

from __future__ import annotations

import pytest

from server.console.counted import counted


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (12_345, "12,345 games")]
)
def test_one_thing_is_named_as_one(number: int, expected: str) -> None:
    assert counted(number, "game") == expected


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert [counted(number, "ply", "plies") for number in (1, 2)] == ["1 ply", "2 plies"]
