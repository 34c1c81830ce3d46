"""A picture as SVG: a title, and the plot below it."""

from __future__ import annotations

import textwrap
from typing import Final

from server.report.drawing.bars import draw_bars
from server.report.drawing.canvas import TITLE, Canvas
from server.report.drawing.heat import draw_heat
from server.report.drawing.lines import draw_lines
from server.report.drawing.rows import draw_points, draw_stacked
from server.report.plots import Bars, Lines, Picture, Plot, Points, Stacked

_LETTERS: Final = 42
"""Letters in a line of the title."""
_LINE: Final = 20


def svg(picture: Picture) -> str:
    """A whole file, whose colours follow a light or a dark page: it can also stand in HTML."""
    canvas = Canvas()
    lines = textwrap.wrap(picture.title, _LETTERS)
    for number, line in enumerate(lines):
        canvas.text(10, 20 + _LINE * number, line, size=TITLE, bold=True)
    return canvas.svg(_draw(canvas, picture.plot, 20.0 + _LINE * len(lines)))


def _draw(canvas: Canvas, plot: Plot, top: float) -> float:
    """Answers where the picture ends."""
    if isinstance(plot, Lines):
        return draw_lines(canvas, plot, top)
    if isinstance(plot, Bars):
        return draw_bars(canvas, plot, top)
    if isinstance(plot, Stacked):
        return draw_stacked(canvas, plot, top)
    if isinstance(plot, Points):
        return draw_points(canvas, plot, top)
    return draw_heat(canvas, plot, top)
