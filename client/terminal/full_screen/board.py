"""The board as a widget: drawn by `client.terminal.drawing.boards`, coloured, with a cursor, clickable."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from rich.text import Text
from textual import events
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.reactive import Initialize, reactive
from textual.strip import Strip
from textual.visual import Visual, visualize
from textual.widget import Widget

from client.sdk import RoomView
from client.terminal.drawing.boards import Look, Picture, Role, draw_view
from engine.rules.position import Side

_Drawing: TypeAlias = tuple[int, int, int | None, tuple[int, Side] | None]
"""Columns, lines, cursor and the move that is not made yet."""
Direction: TypeAlias = Literal["left", "right", "up", "down", "next", "previous"]

_STYLES: dict[Role, str] = {
    "": "",
    "x": "bold cyan",
    "o": "bold magenta",
    "empty": "dim",
    "legal": "",
    "last": "bold yellow",
    "line": "bold green reverse",
    "label": "dim",
    "frame": "dim",
    "forced": "bold yellow reverse",
    "cursor": "bold reverse",
    "intended": "bold italic yellow",
}
_PICTURES = 8
_STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
_LINE_WEIGHT = 2
"""A character is about twice as high as wide, so the cell below is this much farther away than the one beside."""


def _first_view(board: Any) -> RoomView:
    view: RoomView = board.first_view
    return view


class BoardView(Widget):
    """Shows the position of a view."""

    ALLOW_SELECT = False  # cells are clicked
    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Chosen(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    class Redrawn(Message):
        """There is room for another style, of another height."""

    view: reactive[RoomView] = reactive(Initialize(_first_view), layout=True)
    cursor: reactive[int | None] = reactive[int | None](None, repaint=False)
    """The cell that Enter would play."""
    intended: reactive[tuple[int, Side] | None] = reactive[tuple[int, Side] | None](None)
    """A move that is not made yet, and whose it is."""

    def __init__(self, view: RoomView, look: Look) -> None:
        self.first_view = view
        super().__init__(id="board")
        self._look = look
        self._pictures: dict[_Drawing, Picture] = {}
        """What was drawn of this view lately: each key asks several times for the same."""

    def watch_view(self, before: RoomView, view: RoomView) -> None:
        self._pictures.clear()
        self.styles.min_width = self._drawn(0, 0).width
        if view.last is not None and (before is view or view.position is not before.position):
            self.call_after_refresh(self._reveal, view.rules.parse_move(view.last))

    def watch_cursor(self, before: int | None, cursor: int | None) -> None:
        cells = self._picture.cells
        self.refresh(*(self._region(cell) for cell in (before, cursor) if cell is not None and cell in cells))
        if cursor is not None:
            self._reveal(cursor)

    @property
    def least_lines(self) -> int:
        """The smallest height at which the board can be drawn in the width that there is."""
        return len(self._drawn(self._room.width, 0).lines)

    def on_resize(self) -> None:
        self.post_message(self.Redrawn())
        last = self.view.last
        cell = self.cursor if self.cursor is not None or last is None else self.view.rules.parse_move(last)
        if cell is not None:
            self.call_after_refresh(self._reveal, cell)

    def _reveal(self, cell: int) -> None:
        """Scroll what is around the board until a cell is seen, with what lies beside it."""
        region = self._region(cell)
        if isinstance(self.parent, Widget):
            spacing = Spacing(1, region.width, 1, region.width)
            self.parent.scroll_to_region(region, spacing=spacing, animate=False, force=True)

    def _region(self, cell: int) -> Region:
        picture = self._picture
        line, first, columns = picture.cells[cell]
        return Region(first, line, columns, picture.cell_lines)

    def steer(self, direction: Direction) -> None:
        """Move the cursor to the nearest cell in a direction, or by one level or board."""
        cells = self._picture.cells
        if self.cursor is None:
            last = self.view.last
            self.cursor = self.view.rules.parse_move(last) if last else len(cells) // 2
        elif direction in ("next", "previous"):
            layer = _cells_of_a_layer(self.view)
            self.cursor = (self.cursor + (layer if direction == "next" else -layer)) % len(cells)
        else:
            self.cursor = _nearest(cells, self.cursor, *_STEPS[direction])

    def render_line(self, y: int) -> Strip:
        """One line, since steering changes few of them."""
        text = painted(Picture(lines=self._picture.lines[y : y + 1]))
        return Visual.to_strips(self, visualize(self, text), self.size.width, 1, self.visual_style)[0]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._drawn(*container).width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._drawn(*container).lines)

    def on_click(self, event: events.Click) -> None:
        cell = self._picture.cell_at(event.y, event.x)
        if cell is not None:
            self.post_message(self.Chosen(cell))

    @property
    def _picture(self) -> Picture:
        return self._drawn(*self._room)

    @property
    def _room(self) -> Size:
        """Columns and lines to draw in: those of the scrolling container, in whose middle the board stands."""
        return self.parent.scrollable_content_region.size if isinstance(self.parent, Widget) else self.size

    def _drawn(self, width: int, height: int) -> Picture:
        drawing = (width, height, self.cursor, self.intended)
        picture = self._pictures.get(drawing)
        if picture is None:
            look = replace(self._look, width=width, height=height)
            picture = draw_view(self.view, look, self.cursor, self.intended)
            if len(self._pictures) >= _PICTURES:
                self._pictures.clear()
            self._pictures[drawing] = picture
        return picture


def painted(picture: Picture) -> Text:
    """A picture in colours."""
    text = Text(no_wrap=True)
    for number, line in enumerate(picture.lines):
        if number:
            text.append("\n")
        for role, pieces in groupby(line, key=itemgetter(1)):
            text.append("".join(piece for piece, _ in pieces), _STYLES[role])
    return text


def _cells_of_a_layer(view: RoomView) -> int:
    """Cells of a level of a cube, or of one of the nine boards; all of them on a flat board."""
    if view.rules.nested:
        return 9
    columns, rows = view.rules.dimensions[:2]
    return columns * rows


def _nearest(cells: dict[int, tuple[int, int, int]], start: int, down: int, right: int) -> int:
    """The cell that is seen next from `start` in a direction, `start` itself at the edge."""
    line, column, _ = cells[start]
    best, best_distance = start, float("inf")
    for cell, (other_line, other_column, _) in cells.items():
        lines, columns = (other_line - line) * _LINE_WEIGHT, other_column - column
        ahead, aside = (lines, columns) if down else (columns, lines)
        ahead *= down or right
        distance = ahead + 4 * abs(aside)
        if ahead > 0 and abs(aside) <= ahead and distance < best_distance:
            best, best_distance = cell, distance
    return best
