"""X and O as drawings."""

from __future__ import annotations

import pytest

from client.terminal.drawing.marks import in_blocks, in_letters


def test_the_smallest_drawings() -> None:
    assert in_blocks(False, 3) == ["▀▄ ▄▀", " ▄▀▄ ", "▀   ▀"]
    assert in_blocks(True, 3) == ["▄▀▀▀▄", "█   █", " ▀▀▀ "]
    assert in_letters(False, 3, "X") == ["X   X", "  X  ", "X   X"]
    assert in_letters(True, 3, "O") == [" OOO ", "O   O", " OOO "]


@pytest.mark.parametrize("lines", range(3, 16, 2))
@pytest.mark.parametrize("is_o", [False, True])
def test_drawings_fill_their_square_and_are_mirrored(lines: int, is_o: bool) -> None:
    for drawn in (in_blocks(is_o, lines), in_letters(is_o, lines, "#")):
        assert len(drawn) == lines
        assert {len(line) for line in drawn} == {2 * lines - 1}
        assert all(line == line[::-1] for line in drawn)
        assert drawn[0].strip()
