"""Standing bars."""

from __future__ import annotations

import pytest

from server.report.drawing.bars import draw_bars
from server.report.drawing.canvas import Canvas
from server.report.plots import Bars
from tests.support.report.svg import check_readable, filled, number, texts


def drawn(plot: Bars) -> str:
    canvas = Canvas()
    return canvas.svg(draw_bars(canvas, plot, 20))


def test_a_bar_is_as_high_as_its_value_says() -> None:
    svg = drawn(Bars([3, 4, 5], [10, 0, 40], "plies", "games"))
    low, high = filled(svg, "rect", "accent")
    assert number(high, "height") == pytest.approx(4 * number(low, "height"), abs=0.2)
    assert number(low, "y") + number(low, "height") == pytest.approx(
        number(high, "y") + number(high, "height"), abs=0.2
    )
    assert number(low, "x") + number(low, "width") < number(high, "x")


@pytest.mark.parametrize(("median", "leans_right"), [(1, True), (9, False)])
def test_the_median_is_named_on_the_side_with_more_room(median: float, leans_right: bool) -> None:
    svg = drawn(Bars(list(range(11)), [1] * 11, "plies", "games", mark=(median, "median")))
    [line] = [element for element in texts(svg) if element.text == "median"]
    assert (line.left < 200) == leans_right
    check_readable(svg)


@pytest.mark.parametrize("x", [[], [7], [1_000_000.0 + x for x in range(30)]])
def test_none_one_and_many(x: list[float]) -> None:
    check_readable(drawn(Bars(x, [5] * len(x), "plies", "games")))
