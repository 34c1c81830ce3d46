"""Lying bars and points with whiskers: a row for each label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.report.drawing.axes import (
    BELOW,
    Frame,
    draw_legend,
    legend_height,
    lying_axis,
    mark_line,
    shortened,
    swatch,
    ticks_below,
)
from server.report.drawing.canvas import ACCENT, COLOURS, SMALL, WIDTH, Canvas, ink_on, text_width
from server.report.drawing.scales import Scale, spanned
from server.report.plots import Points, Stacked

_RESULTS: Final = ("#0072b2", "#b5b8be", "#d55e00")
"""X or won, drawn, O or lost."""
_ENDS: Final = ("#0072b2", *COLOURS[1:])
_PAIRS: Final = ("#0072b2", "#7fb6d8", "#b5b8be", "#eda878", "#d55e00")
_ROW: Final = 27
_BAR: Final = 19
_RIGHT: Final = 26
_MOST: Final = 160
"""Largest width of a label."""
_SAID: Final = 7
"""Least percent at which a part of a bar has its number in it."""


def draw_stacked(canvas: Canvas, plot: Stacked, top: float) -> float:
    """Answers where the picture ends."""
    names = [name for name, _ in plot.parts]
    colours = {"results": _RESULTS, "points": _PAIRS, "many": _ENDS}[plot.colours]
    frame = _frame(canvas, plot.labels, top)
    scale = Scale(0, 100, frame.left, frame.right)
    lying_axis(canvas, frame, scale, [(share, str(share)) for share in range(0, 101, 25)], plot.x_label, grid=True)
    for row in range(len(plot.labels)):
        values = [values[row] for _, values in plot.parts]
        _bar(canvas, scale, _middle(frame, row), values, colours)
    samples = [swatch(canvas, colour) for colour in colours]
    draw_legend(canvas, frame.bottom + BELOW - 4, names, samples[: len(names)])
    return frame.bottom + BELOW + legend_height(names)


def _bar(canvas: Canvas, scale: Scale, y: float, values: Sequence[float], colours: Sequence[str]) -> None:
    total = sum(values) or 1
    begin = 0.0
    for value, colour in zip(values, colours, strict=False):
        share = 100 * value / total
        left, right = scale.at(begin), scale.at(begin + share)
        if value:
            canvas.rectangle(left, y - _BAR / 2, right - left, _BAR, colour)
        if share >= _SAID:
            canvas.text((left + right) / 2, y, f"{share:.0f}", anchor="middle", size=SMALL, fill=ink_on(colour))
        begin += share


def draw_points(canvas: Canvas, plot: Points, top: float) -> float:
    """Answers where the picture ends."""
    frame = _frame(canvas, plot.labels, top)
    middle = [] if plot.middle is None else [plot.middle]
    scale = spanned([*plot.values, *plot.low, *plot.high, *plot.ends, *middle], frame.left, frame.right, 0.06)
    lying_axis(canvas, frame, scale, ticks_below(scale, 5), plot.x_label, grid=True)
    for value in middle:
        mark_line(canvas, scale.at(value), frame, stroke_width=1.2, stroke_dasharray="5 4")
    for row, (value, low, high) in enumerate(zip(plot.values, plot.low, plot.high, strict=True)):
        y = _middle(frame, row)
        canvas.line(scale.at(low), y, scale.at(high), y, stroke=ACCENT, stroke_width=3, stroke_opacity=".7")
        canvas.element("circle", cx=scale.at(value), cy=y, r=4, fill=ACCENT)
    for row, end in enumerate(plot.ends):
        canvas.element("path", d=f"M{scale.at(end):.1f},{_middle(frame, row) - 5:.1f}l5,5l-5,5l-5-5z", fill=COLOURS[1])
    return frame.bottom + BELOW


def _frame(canvas: Canvas, labels: Sequence[str], top: float) -> Frame:
    shown = [shortened(label, _MOST) for label in labels]
    left = 18 + max((text_width(label) for label in shown), default=0.0)
    frame = Frame(left, top, WIDTH - _RIGHT, top + 8 + _ROW * max(1, len(labels)))
    for row, label in enumerate(shown):
        canvas.text(left - 8, _middle(frame, row), label, anchor="end")
    return frame


def _middle(frame: Frame, row: int) -> float:
    return frame.top + 4 + _ROW * (row + 0.5)
