"""Numbers beside axes, and legends."""

from __future__ import annotations

from itertools import pairwise

import pytest

from server.report.drawing.axes import (
    Frame,
    draw_legend,
    legend_height,
    lying_axis,
    shortened,
    standing_axis,
    swatch,
    ticks_below,
)
from server.report.drawing.canvas import WIDTH, Canvas, text_width
from server.report.drawing.scales import Scale
from tests.support.report.svg import check_readable, texts


@pytest.mark.parametrize("low", [0.0, 1_000_000.0, -2_479.0, 0.00012])
@pytest.mark.parametrize("width", [60, 120, 300])
def test_numbers_below_an_axis_stand_apart(low: float, width: int) -> None:
    scale = Scale(low, low + 27, 0, width)
    shown = ticks_below(scale)
    places = [(scale.at(value), text_width(text) / 2) for value, text in shown]
    assert all(x + half < other - its_half for (x, half), (other, its_half) in pairwise(places))


def test_an_axis_has_its_name_and_numbers() -> None:
    canvas = Canvas()
    frame = Frame(72, 10, 375, 110)
    lying_axis(canvas, frame, Scale(0, 100, 72, 375), [(0, "0"), (100, "1,000,000,000")], "plies")
    standing_axis(canvas, frame, Scale(0, 2, 110, 10), [0, 1, 2], "games")
    svg = canvas.svg(160)
    check_readable(svg)
    assert [text.text for text in texts(svg)] == ["0", "1,000,000,000", "plies", "0", "1", "2"]
    assert ">games</text>" in svg, "which runs upwards"


def test_a_legend_takes_as_many_rows_as_it_needs() -> None:
    names = [f"bot number {number}" for number in range(7)]
    canvas = Canvas()
    draw_legend(canvas, 0, names, [swatch(canvas, "#123456")] * 7)
    check_readable(canvas.svg(legend_height(names)))
    bases = {text.base for text in texts(canvas.svg(200))}
    assert 2 <= len(bases) < 7
    assert legend_height(names[:1]) < legend_height(names)


def test_a_label_that_does_not_fit_ends_with_dots() -> None:
    assert shortened("Qubic", 100) == "Qubic"
    cut = shortened("a-bot-with-a-long-name:12", 100)
    assert cut.endswith("…")
    assert cut.startswith("a-bot-")
    assert text_width(cut) <= 100 < WIDTH
