"""Boards with values."""

from __future__ import annotations

from server.report.drawing.canvas import Canvas
from server.report.drawing.heat import draw_heat
from server.report.plots import Board, Heat
from tests.support.report.svg import check_readable, filled, number, tags, texts


def drawn(plot: Heat) -> str:
    canvas = Canvas()
    return canvas.svg(draw_heat(canvas, plot, 20))


def test_rank_1_is_at_the_bottom_of_a_flat_board() -> None:
    values = [0.5, 0.0, 0.0, 0.25, 0.0, 0.0, 0.25, 0.0, 0.0]
    svg = drawn(Heat((3, 3), False, (Board("first move", values, "share"),)))
    [most] = filled(svg, "rect", "#002f4d")
    rest = filled(svg, "rect", "#eaf3f9")
    assert number(most, "x") < min(number(cell, "x") for cell in rest)
    assert number(most, "y") == max(number(cell, "y") for cell in rest)
    assert {"a", "b", "c", "1", "2", "3", "50", "25", "0"} <= {text.text for text in texts(svg)}
    check_readable(svg)


def test_nested_boards_are_read_from_the_top_left() -> None:
    values: list[float | None] = [None] * 81
    values[10] = 1.0
    svg = drawn(Heat((9, 9), True, (Board("points", values, "points"),)))
    cell, *strip = filled(svg, "rect", "#0072b2")
    assert strip == [], "the strip ends half a step before"
    empty = filled(svg, "rect", "none")
    assert len(empty) == 80
    columns = sorted({number(one, "x") for one in empty})
    assert abs(number(cell, "x") - columns[4]) < 2, "square 2 of board 2: the fifth column of the first row"
    assert abs(number(cell, "y") - min(number(one, "y") for one in empty)) < 2


def test_large_boards_have_a_strip_instead_of_numbers() -> None:
    svg = drawn(Heat((15, 15), False, (Board("first move", [1 / 225] * 225, "share"),)))
    assert tags(svg).count("rect") == 225 + 40
    assert {"0 %", "0.2 %", "0.4 %"} <= {text.text for text in texts(svg)}
    check_readable(svg)


def test_levels_of_a_cube_stand_below_their_title() -> None:
    levels = tuple(f"level {n}" for n in range(1, 5))
    svg = drawn(Heat((4, 4, 4), False, (Board("one", [0.5] * 64, "share"), Board("two", [0.5] * 64, "points")), levels))
    shown = [text.text for text in texts(svg)]
    assert all(shown.count(level) == 2 for level in levels)
    check_readable(svg)
