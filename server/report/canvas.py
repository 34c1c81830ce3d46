"""What every plot is drawn on: its ink, its width, and axes placed in inches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK: Final = "#3b4049"
"""Of text and axes; in an SVG the page's."""
WIDTH: Final = 3.9
"""Inches: on a phone of 390 pixels a point of a letter's height becomes 1.2 of them."""


def add_axes(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at a place in inches."""
    all_width, all_height = figure.get_size_inches()
    box = (left / all_width, bottom / all_height, width / all_width, height / all_height)
    axes = figure.add_axes(box)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def ink_on(colour: Any) -> str:
    """Black or white, whichever can be read on a colour."""
    red, green, blue = mpl.colors.to_rgb(colour)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
