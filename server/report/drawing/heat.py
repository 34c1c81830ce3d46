"""Boards whose cells have values: how often a cell was chosen, or what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.report.drawing.axes import Frame
from server.report.drawing.canvas import INK, SMALL, WIDTH, Anchor, Canvas, channels, ink_on
from server.report.plots import Board, Heat

_SHARES: Final = ("#eaf3f9", "#6fb1dc", "#0072b2", "#002f4d")
_POINTS: Final = ("#d55e00", "#f3c9a6", "#eeeeee", "#a6cde6", "#0072b2")
_ACROSS: Final = 2
"""Boards side by side."""
_NUMBERS: Final = 36
"""Most cells of a board at which each shows its number."""
_LEFT, _RIGHT, _GAP, _STEP = 30, 12, 28, 36
_STRIP: Final = 40
"""Pieces of the strip that says what the colours mean."""


def draw_heat(canvas: Canvas, plot: Heat, top: float) -> float:
    """Answers where the picture ends. Boards of one level stand side by side, a cube's levels below its title."""
    columns, rows, *rest = plot.dimensions
    levels = rest[0] if rest else 1
    numbered = columns * rows <= _NUMBERS
    across = 1 if levels > 1 else _ACROSS
    side = (WIDTH - _LEFT - _RIGHT - (_ACROSS - 1) * _GAP) / _ACROSS
    height = side * rows / columns
    stacked = -(-levels // _ACROSS)
    top += 8
    band = 22 + stacked * (height + _STEP) + (4 if numbered else 18)
    for number, board in enumerate(plot.boards):
        line, place = divmod(number, across)
        edge = top + line * band + 18
        canvas.text(_LEFT + place * (side + _GAP), edge - 12, board.title)
        for level in range(levels):
            row, column = divmod(level, _ACROSS)
            left, upper = _LEFT + (place + column) * (side + _GAP), edge + row * (height + _STEP)
            frame = Frame(left, upper, left + side, upper + height)
            _board(canvas, board, plot, frame, level, numbered)
        if not numbered:
            _strip(canvas, board, frame)
    return top + -(-len(plot.boards) // across) * band


def _board(canvas: Canvas, board: Board, plot: Heat, frame: Frame, level: int, numbered: bool) -> None:
    columns, rows = plot.dimensions[:2]
    size = (frame.right - frame.left) / columns
    for cell, value in enumerate(board.values[level * columns * rows : (level + 1) * columns * rows]):
        x, y = _place_of(cell, plot)
        left, upper = frame.left + x * size, frame.top + y * size
        if value is None:
            canvas.rectangle(
                left + 1.5, upper + 1.5, size - 3, size - 3, "none", stroke=INK, stroke_opacity=".3"
            )  # fmt: skip
            continue
        colour = _colour(board, value)
        canvas.rectangle(left + 0.5, upper + 0.5, size - 1, size - 1, colour)
        if numbered:
            canvas.text(
                left + size / 2, upper + size / 2, _percent(value), anchor="middle", size=SMALL, fill=ink_on(colour)
            )
    if plot.nested:
        _thirds(canvas, frame)
    else:
        _names(canvas, frame, columns, rows)
    if plot.levels:
        canvas.text((frame.left + frame.right) / 2, frame.bottom + 25, plot.levels[level], anchor="middle", size=SMALL)


def _thirds(canvas: Canvas, frame: Frame) -> None:
    """The lines between the boards of nine."""
    size = (frame.right - frame.left) / 3
    for place in range(4):
        x, y = frame.left + place * size, frame.top + place * size
        canvas.line(x, frame.top, x, frame.bottom, stroke_width=1.3)
        canvas.line(frame.left, y, frame.right, y, stroke_width=1.3)


def _names(canvas: Canvas, frame: Frame, columns: int, rows: int) -> None:
    """Letters below the columns, numbers beside the rows, the first at the bottom."""
    size = (frame.right - frame.left) / columns
    step = 1 if columns <= 10 else 2
    for x in range(0, columns, step):
        canvas.text(frame.left + (x + 0.5) * size, frame.bottom + 9, chr(97 + x), anchor="middle", size=SMALL)
    for y in range(0, rows, step):
        canvas.text(frame.left - 4, frame.bottom - (y + 0.5) * size, str(y + 1), anchor="end", size=SMALL)


def _place_of(cell: int, plot: Heat) -> tuple[int, int]:
    """Column and row from the top: flat boards have rank 1 at the bottom, nested ones are read from the top left."""
    if plot.nested:
        board, square = divmod(cell, 9)
        return 3 * (board % 3) + square % 3, 3 * (board // 3) + square // 3
    y, x = divmod(cell, plot.dimensions[0])
    return x, plot.dimensions[1] - 1 - y


def _highest(board: Board) -> float:
    if board.kind == "points":
        return 1.0
    return max((value for value in board.values if value is not None), default=1.0) or 1.0


def _colour(board: Board, value: float) -> str:
    return _blend(_SHARES if board.kind == "share" else _POINTS, value / _highest(board))


def _blend(stops: Sequence[str], share: float) -> str:
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    first = min(int(place), len(stops) - 2)
    part = place - first
    mixed = zip(channels(stops[first]), channels(stops[first + 1]), strict=True)
    return "#" + "".join(f"{round(one + part * (other - one)):02x}" for one, other in mixed)


def _percent(value: float) -> str:
    percent = 100 * value
    return f"{percent:.1f}" if 0 < percent < 9.95 else f"{percent:.0f}"


def _strip(canvas: Canvas, board: Board, above: Frame) -> None:
    """What the colours mean, below a board whose cells have no room for numbers."""
    highest, width = _highest(board), (above.right - above.left) / _STRIP
    top = above.bottom + 20
    for step in range(_STRIP):
        colour = _colour(board, highest * (step + 0.5) / _STRIP)
        canvas.rectangle(above.left + step * width, top, width + 0.5, 9, colour)
    ends: tuple[tuple[float, Anchor], ...] = ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    for share, anchor in ends:
        x = above.left + share * (above.right - above.left)
        canvas.text(x, top + 19, f"{_percent(highest * share)} %", anchor=anchor, size=SMALL)
