"""Standing bars."""

from __future__ import annotations

from server.report.drawing.axes import BELOW, LEFT, RIGHT, Frame, lying_axis, mark_line, standing_axis, ticks_below
from server.report.drawing.canvas import COLOURS, SMALL, WIDTH, Anchor, Canvas
from server.report.drawing.scales import Scale, ticks
from server.report.plots import Bars

_HEIGHT = 220


def draw_bars(canvas: Canvas, plot: Bars, top: float) -> float:
    """Answers where the picture ends."""
    frame = Frame(LEFT, top, WIDTH - RIGHT, top + _HEIGHT)
    beyond = 1.5 * plot.width
    across = Scale(min(plot.x, default=0.0) - beyond, max(plot.x, default=1.0) + beyond, frame.left, frame.right)
    upwards = Scale(0, 1.14 * max(plot.y, default=0.0) or 1.0, frame.bottom, frame.top)
    standing_axis(canvas, frame, upwards, ticks(0, upwards.high, 6, whole=True), plot.y_label)
    half = 0.43 * plot.width
    for x, y in zip(plot.x, plot.y, strict=True):
        left, right, high = across.at(x - half), across.at(x + half), upwards.at(y)
        if frame.bottom - high >= 0.05:
            canvas.rectangle(left, high, right - left, frame.bottom - high, COLOURS[0])
    lying_axis(canvas, frame, across, ticks_below(across, whole=True), plot.x_label)
    if plot.mark:
        value, text = plot.mark
        x = across.at(value)
        mark_line(canvas, x, frame, COLOURS[1], stroke_width=2)
        anchor: Anchor = "start" if x < (frame.left + frame.right) / 2 else "end"
        beside = 6 if anchor == "start" else -6
        canvas.text(x + beside, frame.top + 8, text, anchor=anchor, size=SMALL + 0.8)
    return frame.bottom + BELOW
