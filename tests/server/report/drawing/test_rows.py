"""Rows of bars and points."""

from __future__ import annotations

import pytest

from server.report.drawing.canvas import Canvas
from server.report.drawing.rows import draw_points, draw_stacked
from server.report.plots import Points, Stacked
from tests.support.report.svg import check_readable, filled, number, texts

WIDE = [-2_479.0, -743.0, -175.0, 186.0, 1_188.0]
LABELS = tuple(f"bot-with-a-long-name:{n}" for n in range(5))


def stacked(plot: Stacked) -> str:
    canvas = Canvas()
    return canvas.svg(draw_stacked(canvas, plot, 20))


def points(plot: Points) -> str:
    canvas = Canvas()
    return canvas.svg(draw_points(canvas, plot, 20))


def test_parts_of_a_bar_are_its_shares() -> None:
    svg = stacked(Stacked(("a", "b"), (("X", [6, 0]), ("drawn", [1, 0]), ("O", [3, 0])), "results"))
    [won, sample], [lost, _] = filled(svg, "rect", "#0072b2"), filled(svg, "rect", "#d55e00")
    assert number(won, "width") == pytest.approx(2 * number(lost, "width"), abs=0.2)
    assert number(sample, "width") == 16, "and one stands in the legend"
    assert {"60", "10", "30", "X", "drawn", "O", "a", "b"} <= {text.text for text in texts(svg)}
    check_readable(svg)


def test_small_parts_have_no_number() -> None:
    svg = stacked(Stacked(("a",), (("line", [97]), ("flag", [3])), "many"))
    assert "97" in {text.text for text in texts(svg)}
    assert "3" not in {text.text for text in texts(svg)}


def test_a_point_lies_between_the_ends_of_its_whisker() -> None:
    svg = points(Points(("a", "b"), [10, 20], [5, 18], [15, 22], "Elo"))
    first, second = filled(svg, "circle", "accent")
    assert number(first, "cx") < number(second, "cx")
    assert number(first, "cy") < number(second, "cy"), "the first label stands on top"
    whiskers = [element.get("d", "") for element in filled(svg, "path", "accent")]
    left, right = (float(part.split(",")[0]) for part in whiskers[0].removeprefix("M").split("L"))
    assert (left + right) / 2 == pytest.approx(number(first, "cx"), abs=0.1)


@pytest.mark.parametrize(
    "plot",
    [
        Points(LABELS, WIDE, [-3_400.0] * 5, [2_100.0] * 5, "Elo"),
        Points(("a",), [0.00012], [0.00001], [0.0009], "share"),
        Points(("a", "b"), [50.0, 51.0], [49.9, 50.2], [50.4, 51.3], "share", 50.0, ends=[12_345.0, 99.0]),
        Points((), [], [], [], "Elo"),
    ],
)
def test_extreme_values_can_be_read(plot: Points) -> None:
    check_readable(points(plot))


def test_marks_of_the_longest_and_the_line_in_the_middle() -> None:
    svg = points(Points(("a",), [1], [0], [2], "share", 100.0, ends=[300.0]))
    assert len(filled(svg, "path", "#d55e00")) == 1
    assert 'stroke-dasharray="5 4"' in svg
