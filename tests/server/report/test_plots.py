"""The plain data of a report."""

from __future__ import annotations

import pytest

from server.report.plots import Cell, Link, Part, text_of, walk, written


@pytest.mark.parametrize(
    ("cell", "told", "plain"),
    [
        (1_234_567, "1,234,567", "1234567"),
        (-1234.5, "-1,234.5", "-1234.5"),
        ("1234567", "1234567", "1234567"),
        (None, "", ""),
        (Link("game 1000", game_id=1000), "game 1000", "game 1000"),
    ],
)
def test_numbers_alone_get_commas(cell: Cell, told: str, plain: str) -> None:
    assert (written(cell), text_of(cell)) == (told, plain)


def test_a_part_comes_before_those_in_it() -> None:
    def part(name: str, *parts: Part) -> Part:
        return Part(name, name, parts=parts)

    tree = [part("a", part("aa", part("aaa")), part("ab")), part("b")]
    assert [one.name for one in walk(tree)] == ["a", "aa", "aaa", "ab", "b"]
