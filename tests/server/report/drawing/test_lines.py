"""Panels of lines."""

from __future__ import annotations

import re

import pytest

from server.report.drawing.canvas import COLOURS, Canvas
from server.report.drawing.lines import draw_lines
from server.report.plots import Line, Lines, Panel
from tests.support.report.svg import check_readable, filled, texts


def drawn(*panels: Panel, x_label: str = "ply") -> str:
    canvas = Canvas()
    return canvas.svg(draw_lines(canvas, Lines(panels, x_label), 20))


def strokes(svg: str) -> list[str]:
    """The courses of lines, without bands, axes and marks."""
    return re.findall(r'<path d="([^"]*)" fill="none"', svg)


def test_a_line_goes_through_its_points() -> None:
    [course] = strokes(drawn(Panel((Line("a", [0, 1, 2], [0, 50, 100]),), "moves")))
    (x0, y0), (x1, y1), (x2, y2) = ([float(part) for part in point.split(",")] for point in course[1:].split("L"))
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2)
    assert y2 < y0


def test_points_that_are_not_joined_have_marks_alone() -> None:
    svg = drawn(Panel((Line("a", range(99), range(99), joined=False, style=1),), "value"))
    assert strokes(svg) == []
    [marks] = filled(svg, "path", COLOURS[1])
    assert marks.get("d", "").count("M") == 99


def test_a_long_line_keeps_its_peaks_and_no_more_than_can_be_seen() -> None:
    y = [1.0] * 20_000
    y[12_345] = 500.0
    svg = drawn(Panel((Line("memory", range(20_000), y),), "MB"))
    [course] = strokes(svg)
    heights = [float(point.split(",")[1]) for point in course[1:].split("L")]
    assert len(heights) < 4 * 390
    assert min(heights) < 60 < 200 < max(heights)
    check_readable(svg)


def test_a_band_lies_around_its_line() -> None:
    svg = drawn(Panel((Line("", [1, 2, 3], [5, 6, 7], [1, 2, 3], [9, 9, 9]),), "time, ms", log=True))
    assert 'fill-opacity="0.2"' in svg
    alone = drawn(Panel((Line("", [1], [5], [1], [9]),), "time, ms", log=True))
    assert 'stroke-opacity="0.2"' in alone, "one value has a stroke"


@pytest.mark.parametrize("least", [0.0, 0.05, 20.0])
def test_logarithmic_panels_have_powers_of_ten(least: float) -> None:
    svg = drawn(Panel((Line("", range(5), [least, 100, 100, 1000, 100]),), "nodes", log=True))
    assert {"100", "1,000"} <= {text.text for text in texts(svg)}
    check_readable(svg)


def test_panels_share_their_axis_and_their_legend() -> None:
    lines = tuple(Line(f"a game with a long name {n}", range(3), [n] * 3) for n in range(9))
    svg = drawn(Panel(lines, "one"), Panel((Line("", [0, 60], [1, 2]),), "two"))
    shown = [text.text for text in texts(svg)]
    assert shown.count("60") == 1
    assert [f"a game with a long name {n}" in shown for n in range(9)] == [True] * 7 + [False] * 2, "one a colour"
    check_readable(svg)


def test_limits_put_a_line_at_0() -> None:
    svg = drawn(Panel((Line("value", [1, 2], [-1, 1]),), "value", limits=(-1.1, 1.1)))
    assert {"\N{MINUS SIGN}1", "0", "1"} <= {text.text for text in texts(svg)}


def test_nothing_to_draw() -> None:
    check_readable(drawn(Panel((), "MB"), Panel((Line("", [], []),), "games", log=True)))
