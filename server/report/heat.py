"""Draws boards whose cells have values: how often a cell was chosen, or what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from matplotlib.collections import PatchCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from server.report.canvas import INK, WIDTH, add_axes, ink_on
from server.report.plots import Board, Heat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES: Final = LinearSegmentedColormap.from_list("shares", ("#eaf3f9", "#6fb1dc", "#0072b2", "#002f4d"))
_POINTS: Final = LinearSegmentedColormap.from_list("points", ("#d55e00", "#f3c9a6", "#eeeeee", "#a6cde6", "#0072b2"))
_ACROSS: Final = 2
"""Boards side by side."""
_NUMBERS: Final = 36
"""Cells of a board up to which each says its number."""


def draw_heat(figure: Figure, plot: Heat, top: float) -> None:
    columns, rows, *rest = plot.dimensions
    top -= 0.1
    levels = rest[0] if rest else 1
    numbered = columns * rows <= _NUMBERS
    # Boards of one level stand side by side, the levels of a cube in rows below its title.
    across = 1 if levels > 1 else _ACROSS
    stacked = -(-levels // _ACROSS)
    gap, left, right, step = 0.28, 0.3, 0.12, 0.36
    side = min((WIDTH - left - right - (_ACROSS - 1) * gap) / _ACROSS, 2.3)
    height = side * rows / columns
    band = 0.42 + stacked * height + (stacked - 1) * step + (0.28 if numbered else 0.55)
    lines = -(-len(plot.boards) // across)
    figure.set_size_inches(WIDTH, top + lines * band)
    for number, board in enumerate(plot.boards):
        line, place = divmod(number, across)
        top_edge = (lines - line) * band - 0.42
        bottom = top_edge - stacked * height - (stacked - 1) * step
        for level in range(levels):
            row, column = divmod(level, _ACROSS)
            at = left + (place + column) * (side + gap)
            axes = add_axes(figure, at, top_edge - (row + 1) * height - row * step, side, height)
            values = board.values[level * columns * rows : (level + 1) * columns * rows]
            _board(axes, board, values, plot, numbered)
            if levels > 1:
                axes.set_xlabel(plot.levels[level], fontsize=8, labelpad=2)
            if level == 0:
                axes.set_title(board.title, loc="left", fontsize=9)
        if not numbered:
            _scale(add_axes(figure, left + place * (side + gap), bottom - 0.42, side, 0.09), board)


def _board(axes: Axes, board: Board, values: Sequence[float | None], plot: Heat, numbered: bool) -> None:
    columns, rows = plot.dimensions[:2]
    lowest, highest = _limits(board)
    size = 8.0
    cells, colours = [], []
    for cell, value in enumerate(values):
        x, y = _place_of(cell, plot)
        cells.append(Rectangle((x + 0.03, y + 0.03), 0.94, 0.94))
        colour = _colour(board, value, lowest, highest)
        colours.append(colour)
        if numbered and value is not None:
            axes.text(
                x + 0.5, y + 0.5, _percent(value), ha="center", va="center", fontsize=size, color=ink_on(colour[:3])
            )
    # Cells without a value have an edge alone.
    edges = [(*colour[:3], 0.35 if colour[3] == 0 else 0.0) for colour in colours]
    axes.add_collection(PatchCollection(cells, facecolors=colours, edgecolors=edges, linewidths=0.6))
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0) if plot.nested else axes.set_ylim(0, rows)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, pad=1.5, labelsize=8)
    if plot.nested:
        axes.set_xticks([])
        axes.set_yticks([])
        for at in range(0, 10, 3):
            axes.axvline(at, color=INK, linewidth=1, clip_on=False)
            axes.axhline(at, color=INK, linewidth=1, clip_on=False)
    else:
        step = 1 if columns <= 10 else 2
        axes.set_xticks([x + 0.5 for x in range(0, columns, step)], [chr(97 + x) for x in range(0, columns, step)])
        axes.set_yticks([y + 0.5 for y in range(0, rows, step)], [str(y + 1) for y in range(0, rows, step)])


def _place_of(cell: int, plot: Heat) -> tuple[int, int]:
    """Column and row: flat boards have rank 1 at the bottom, nested ones are read from the top left."""
    if plot.nested:
        board, square = divmod(cell, 9)
        return 3 * (board % 3) + square % 3, 3 * (board // 3) + square // 3
    y, x = divmod(cell, plot.dimensions[0])
    return x, y


def _limits(board: Board) -> tuple[float, float]:
    if board.kind == "points":
        return 0.0, 1.0
    return 0.0, max((value for value in board.values if value is not None), default=1.0) or 1.0


def _colour(board: Board, value: float | None, lowest: float, highest: float) -> tuple[float, float, float, float]:
    if value is None:
        return (0.5, 0.5, 0.5, 0.0)
    colours = _SHARES if board.kind == "share" else _POINTS
    red, green, blue, _ = colours((value - lowest) / (highest - lowest))
    return (red, green, blue, 1.0)


def _percent(value: float) -> str:
    percent = 100 * value
    return f"{percent:.1f}" if 0 < percent < 9.95 else f"{percent:.0f}"


def _scale(axes: Axes, board: Board) -> None:
    lowest, highest = _limits(board)
    steps = 40
    cells = [Rectangle((step / steps, 0), 1.05 / steps, 1) for step in range(steps)]
    colours = [
        _colour(board, lowest + (highest - lowest) * (step + 0.5) / steps, lowest, highest) for step in range(steps)
    ]
    axes.add_collection(PatchCollection(cells, facecolors=colours, linewidths=0))
    axes.set_xlim(0, 1)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    ticks = (0.0, 0.5, 1.0)
    axes.set_xticks(ticks, [f"{_percent(lowest + (highest - lowest) * tick)} %" for tick in ticks])
    axes.tick_params(length=0, pad=1.5, labelsize=8)
    # Else the outer ones would stand over the edges.
    axes.get_xticklabels()[0].set_horizontalalignment("left")
    axes.get_xticklabels()[-1].set_horizontalalignment("right")
