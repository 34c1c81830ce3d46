"""Pictures that can be read: numbers below an axis stand apart, and nothing is cut off at the edges."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest
from matplotlib.figure import Figure

from server.report import drawing
from server.report.parts import every_part
from server.report.plots import Bars, Line, Lines, Panel, Picture, Plot, Points, walk
from server.report.words import ReportData

WIDE: Final = [-2_479.0, -743.0, -175.0, 186.0, 1_188.0]
PLOTS: Final[tuple[Plot, ...]] = (
    Points(tuple(f"bot-with-a-long-name:{n}" for n in range(5)), WIDE, [-3_400.0] * 5, [2_100.0] * 5, "Elo"),
    Points(("a",), [0.00012], [0.00001], [0.0009], "share"),
    Points(("a", "b"), [50.0, 51.0], [49.9, 50.2], [50.4, 51.3], "share", 50.0, ends=[12_345.0, 99.0]),
    Bars([1_000_000.0 + x for x in range(30)], list(range(30)), "plies", "games"),
    Lines((Panel((Line("a", [float(x) for x in range(20_000)], [1.0] * 20_000),), "y"),), "hours"),
)  # fmt: skip


def drawn(picture: Picture) -> Figure:
    figure = drawing.Drawing(picture)._figure
    figure.canvas.draw()
    return figure


def check(figure: Figure) -> None:
    for axes in figure.axes:
        low, high = sorted(axes.get_xlim())
        # Labels beyond the axis exist, but are not drawn.
        shown = [
            label
            for at, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=False)
            if low <= at <= high and label.get_text() and label.get_visible()
        ]
        boxes = sorted((label.get_window_extent() for label in shown), key=lambda box: box.x0)
        assert all(left.x1 + 1 < right.x0 for left, right in pairwise(boxes)), [label.get_text() for label in shown]
    for text in figure.texts:
        box = text.get_window_extent()
        assert box.x0 >= 0, text.get_text()
        assert box.x1 <= figure.bbox.width, text.get_text()


@pytest.mark.parametrize("plot", PLOTS, ids=range(len(PLOTS)))
def test_labels_of_extreme_values_stand_apart(plot: Plot) -> None:
    check(drawn(Picture("p", "A title that is rather long and so has to be broken into lines", "alt", "reading", plot)))


def test_labels_of_a_report_stand_apart(data: ReportData) -> None:
    for part in walk(every_part(data)):
        for picture in part.pictures:
            check(drawn(picture))
