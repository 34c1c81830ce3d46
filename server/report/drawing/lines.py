"""Panels of lines below each other, with one lying axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from server.report.drawing.axes import (
    BELOW,
    LEFT,
    RIGHT,
    Frame,
    Sample,
    draw_legend,
    legend_height,
    lying_axis,
    standing_axis,
    ticks_below,
)
from server.report.drawing.canvas import COLOURS, WIDTH, Canvas, Point, pair, path
from server.report.drawing.scales import LogScale, Scale, powers, spanned, ticks
from server.report.plots import Line, Lines, Panel

_ALONE, _ONE_OF_MANY, _GAP = 230, 135, 16
_BAND: Final = 0.25
_FEW: Final = 30
"""Most points of a line at which each has its mark."""
_MARKS: Final = (
    "m-3,0a3,3 0 1 0 6,0a3,3 0 1 0-6,0",
    "m-3-3h6v6h-6z",
    "m0-4l4,4l-4,4l-4-4z",
    "m0-4l4,7h-8z",
    "m0,4l-4-7h8z",
    "m-1-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z",
    "m-4-2l2-2l6,6l-2,2z",
)
"""A mark for each colour of a line, so that lines can be told apart by either alone."""


def draw_lines(canvas: Canvas, plot: Lines, top: float) -> float:
    """Answers where the picture ends."""
    height = _ALONE if len(plot.panels) == 1 else _ONE_OF_MANY
    everything = [x for panel in plot.panels for line in panel.lines for x in line.x]
    across = spanned(everything, LEFT, WIDTH - RIGHT, 0.02)
    below = ticks_below(across, whole=True)
    legend: dict[str, Sample] = {}
    for number, panel in enumerate(plot.panels):
        frame = Frame(LEFT, top, WIDTH - RIGHT, top + height)
        is_last = number == len(plot.panels) - 1
        _panel(canvas, panel, frame, across)
        lying_axis(canvas, frame, across, below if is_last else (), plot.x_label if is_last else "")
        for style, line in _styled(panel):
            if line.name:
                legend.setdefault(line.name, _sample(canvas, style, line))
        top = frame.bottom + _GAP
    end = frame.bottom + BELOW
    if len(legend) > 1:
        draw_legend(canvas, end - 4, list(legend), list(legend.values()))
        end += legend_height(list(legend))
    return end


def _styled(panel: Panel) -> Iterator[tuple[int, Line]]:
    """The lines with their styles, at most as many as there are colours."""
    for place, line in enumerate(panel.lines[: len(COLOURS)]):
        yield place if line.style is None else line.style, line


def _panel(canvas: Canvas, panel: Panel, frame: Frame, across: Scale) -> None:
    values = [value for line in panel.lines for value in (*line.y, *line.low, *line.high)]
    upwards, shown = _upwards(panel, values, frame)
    standing_axis(canvas, frame, upwards, shown, panel.y_label)
    if panel.limits is not None:
        canvas.line(frame.left, upwards.at(0), frame.right, upwards.at(0), stroke_width=0.8)
    for style, line in _styled(panel):
        if line.low:
            _band(canvas, line, COLOURS[style], across, upwards)
    for style, line in _styled(panel):
        _line(canvas, line, style, across, upwards)


def _upwards(panel: Panel, values: Sequence[float], frame: Frame) -> tuple[Scale, list[float]]:
    """The standing axis and the values that have their number beside it."""
    if panel.log:
        least, most = min(values, default=1.0), max(values, default=1.0)
        shown = powers(least, most)
        low = 0.8 * shown[0] if least > 0 else -0.12
        scale: Scale = LogScale(low, max(2.0 * (shown[0] or 1.0), 1.6 * most), frame.bottom, frame.top)
        return scale, [value for value in shown if value <= scale.high]
    low, high = panel.limits or (0.0, 1.08 * max(values, default=0.0) or 1.0)
    return Scale(low, high, frame.bottom, frame.top), ticks(low, high, 6, whole=True)


def _band(canvas: Canvas, line: Line, colour: str, across: Scale, upwards: Scale) -> None:
    low = [(across.at(x), upwards.at(y)) for x, y in zip(line.x, line.low, strict=True)]
    high = [(across.at(x), upwards.at(y)) for x, y in zip(line.x, line.high, strict=True)]
    if len(line.x) == 1:
        canvas.element("path", d=path([*low, *high]), stroke=colour, stroke_opacity=_BAND, stroke_width=8)
    else:
        outline = [*_thinned(low), *reversed(list(_thinned(high)))]
        canvas.element("path", d=f"{path(outline)}z", fill=colour, fill_opacity=_BAND)


def _line(canvas: Canvas, line: Line, style: int, across: Scale, upwards: Scale) -> None:
    points = [(across.at(x), upwards.at(y)) for x, y in zip(line.x, line.y, strict=True)]
    if line.joined and len(points) > 1:
        canvas.element(
            "path", d=path(list(_thinned(points))), fill="none", stroke=COLOURS[style], stroke_width=1.9,
            stroke_linejoin="round", stroke_linecap="round",
        )  # fmt: skip
    if points and (len(points) <= _FEW or not line.joined):
        marks = "".join(f"M{pair(x, y)}{_MARKS[style]}" for x, y in points)
        canvas.element("path", d=marks, fill=COLOURS[style])


def _thinned(points: Sequence[Point]) -> Iterator[Point]:
    """The first, lowest, highest and last of the points that share a column of pixels: no more can be seen."""
    for _, shared in groupby(points, key=lambda point: int(point[0])):
        column = list(shared)
        if len(column) <= 4:
            yield from column
        else:
            yield column[0]
            yield from sorted((min(column, key=_y), max(column, key=_y)))
            yield column[-1]


def _y(point: Point) -> float:
    return point[1]


def _sample(canvas: Canvas, style: int, line: Line) -> Sample:
    def draw(x: float, y: float) -> None:
        if line.joined:
            canvas.line(x - 8, y, x + 8, y, stroke=COLOURS[style], stroke_width=1.9)
        canvas.element("path", d=f"M{pair(x, y)}{_MARKS[style]}", fill=COLOURS[style])

    return draw
