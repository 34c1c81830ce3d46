"""Axes of a chart: what frames it, numbers beside it, the lines that lead to them, and the legend below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from server.report.drawing.canvas import INK, LABEL, SMALL, WIDTH, Canvas, text_width
from server.report.drawing.scales import Scale, labels, ticks

LEFT: Final = 72
"""Room for numbers and a name beside a standing axis."""
RIGHT: Final = 15
BELOW: Final = 46
"""Room for numbers and a name below a lying axis."""
_GRID: Final = {"stroke_opacity": ".2", "stroke_width": ".7"}
_APART: Final = 8
"""Least space between two numbers below an axis."""
_TICKS: Final = 6
_SWATCH: Final = 16
_ROW: Final = 19
"""Height of a row of the legend."""

Sample = Callable[[float, float], None]
"""Draws what stands for a name of the legend, around a point."""


class Frame(NamedTuple):
    """What the axes enclose."""

    left: float
    top: float
    right: float
    bottom: float


def ticks_below(scale: Scale, most: int = _TICKS, *, whole: bool = False) -> list[tuple[float, str]]:
    """Values with their numbers, as many as stand apart."""
    for number in range(most, 0, -1):
        values = ticks(scale.low, scale.high, number, whole=whole)
        texts = labels(values)
        boxes = [(scale.at(value), text_width(text) / 2) for value, text in zip(values, texts, strict=True)]
        if all(left + half + _APART <= right - other for (left, half), (right, other) in pairwise(boxes)):
            break
    return list(zip(values, texts, strict=True))


def lying_axis(
    canvas: Canvas, frame: Frame, scale: Scale, shown: Sequence[tuple[float, str]], name: str, *, grid: bool = False
) -> None:
    """Draws the axis below the frame; `grid` draws lines across the frame too."""
    canvas.line(frame.left, frame.bottom, frame.right, frame.bottom, stroke_width=0.8)
    for value, text in shown:
        x = scale.at(value)
        if grid:
            canvas.line(x, frame.top, x, frame.bottom, **_GRID)
        canvas.line(x, frame.bottom, x, frame.bottom + 4, stroke_width=0.8)
        # The first and the last one stay within the picture.
        half = text_width(text) / 2
        canvas.text(min(max(x, half + 2), WIDTH - half - 2), frame.bottom + 13, text, anchor="middle")
    if name:
        canvas.text((frame.left + frame.right) / 2, frame.bottom + 33, name, anchor="middle")


def standing_axis(canvas: Canvas, frame: Frame, scale: Scale, values: Sequence[float], name: str) -> None:
    """Draws the axis left of the frame, with lines across the frame."""
    for value, text in zip(values, labels(values), strict=True):
        y = scale.at(value)
        canvas.line(frame.left, y, frame.right, y, **_GRID)
        canvas.text(frame.left - 7, y, text, anchor="end")
    canvas.text(13, (frame.top + frame.bottom) / 2, name, anchor="middle", upwards=True)


def legend_height(names: Sequence[str]) -> float:
    return 8 + _ROW * len(_legend_rows(names))


def draw_legend(canvas: Canvas, top: float, names: Sequence[str], samples: Sequence[Sample]) -> None:
    """Names in rows, each row in the middle."""
    by_name = dict(zip(names, samples, strict=True))
    y = top + 8 + _ROW / 2
    for row in _legend_rows(names):
        x = (WIDTH - sum(map(_entry_width, row))) / 2
        for name in row:
            by_name[name](x + _SWATCH / 2, y)
            canvas.text(x + _SWATCH + 6, y, name, size=SMALL + 0.8)
            x += _entry_width(name)
        y += _ROW


def _entry_width(name: str) -> float:
    return _SWATCH + 6 + text_width(name, SMALL + 0.8) + 8


def _legend_rows(names: Sequence[str]) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    for name in names:
        if rows[-1] and sum(map(_entry_width, [*rows[-1], name])) > WIDTH - 20:
            rows.append([])
        rows[-1].append(name)
    return rows


def swatch(canvas: Canvas, colour: str) -> Sample:
    return lambda x, y: canvas.rectangle(x - _SWATCH / 2, y - 5, _SWATCH, 10, colour)


def mark_line(canvas: Canvas, x: float, frame: Frame, colour: str = INK, **attributes: str | float) -> None:
    """A value that others are compared with."""
    canvas.line(x, frame.top, x, frame.bottom, stroke=colour, **attributes)


def shortened(label: str, width: float, size: float = LABEL) -> str:
    """The label, shortened with an ellipsis where it does not fit."""
    if text_width(label, size) <= width:
        return label
    while label and text_width(label + "…", size) > width:
        label = label[:-1]
    return label + "…"
