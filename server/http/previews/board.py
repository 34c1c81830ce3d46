"""A position as a picture of 1200 x 630, what previews of links show: where everything stands, and that as SVG. Pure.

Drawn as the page draws its boards: crosses of two strokes, rings, on paper. `png` makes pixels of the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Final, TypeAlias

from engine.rules.flat import FlatRules
from engine.rules.nested import NestedPosition
from engine.rules.position import Position, Rules, Side

WIDTH, HEIGHT = 1200, 630
"""The size that sites that show previews ask for."""
MARGIN = 48
CELL_MOST = 160
CUBE_GAP, NINE_GAP = 0.55, 0.3
"""Gaps between the grids of a board, in cells."""
PAD = 0.1
"""Width of the paper around a grid, in cells."""
CORNER = 14
BEYOND = 0.32
"""How far a stroke through a line goes beyond the middle of its last cells, in cells."""
STRIKE = 0.1
"""How thick it is, in cells."""

PAPER: Final = "#f5f3ee"
SURFACE: Final = "#fffefb"
RULE: Final = "#b9b2a3"
LAST: Final = "#ebe5d8"
WIN: Final = "#ffe08a"
WIN_EDGE: Final = "#e0a100"
INK: Final[dict[Side, str]] = {"x": "#2450c4", "o": "#b54708"}
SOFT: Final[dict[Side, str]] = {"x": "#e3eafb", "o": "#fbe9db"}

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A cross or a ring by its centre, half its size and its stroke, which ends round."""

    side: Side
    x: int
    y: int
    half: float
    stroke: float
    ground: str
    """the colour behind it"""


@dataclass(frozen=True, slots=True)
class Strike:
    """A stroke through what has won, which ends round."""

    start: Point
    end: Point
    width: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Panels with round corners, squares of another ground and lines of the grid on them, marks above, then strikes."""

    panels: list[tuple[Box, str]]
    squares: list[tuple[Box, str]]
    lines: list[Box]
    marks: list[Mark]
    strikes: list[Strike]


def scene(position: Position, last: int | None = None) -> Scene:
    """`last` is the cell of the last move, which shows."""
    rules = position.rules
    columns, rows, grids = _shape(rules)
    gap = NINE_GAP if rules.nested else CUBE_GAP
    across = _across(columns, rows, grids, gap) if not rules.nested else 3
    cell = _cell(columns, rows, grids, gap, across)
    apart = round(gap * cell)
    down = ceil(grids / across)
    top = (HEIGHT - down * rows * cell - (down - 1) * apart) // 2
    drawn = Scene([], [], [], [], [])
    corners: list[Point] = []
    for grid in range(grids):
        row, place = divmod(grid, across)
        in_row = min(across, grids - row * across)
        left = (WIDTH - in_row * columns * cell - (in_row - 1) * apart) // 2
        corner = (left + place * (columns * cell + apart), top + row * (rows * cell + apart))
        corners.append(corner)
        _add_grid(drawn, position, grid, corner, cell, last)
    drawn.strikes.extend(_strikes(position, corners, cell))
    return drawn


def _strikes(position: Position, corners: Sequence[Point], cell: int) -> Iterator[Strike]:
    """Through each line that won: in one grid, or across small boards that are won as a whole."""
    rules = position.rules
    columns, rows, grids = _shape(rules)
    size = columns * rows
    won = frozenset(position.line)
    whole = {grid for grid in range(grids) if rules.nested and won.issuperset(range(grid * size, (grid + 1) * size))}
    least = 3 if rules.nested else rules.length if isinstance(rules, FlatRules) else columns
    for grid, (left, top) in enumerate(corners):
        if grid in whole:
            continue
        in_grid = {divmod(index - grid * size, columns) for index in won if index // size == grid}
        for run in _runs(in_grid, least):
            middles = [
                (left + (x + 0.5) * cell, top + ((y if rules.nested else rows - 1 - y) + 0.5) * cell) for y, x in run
            ]
            yield _strike(middles, STRIKE * cell)
    for run in _runs({divmod(grid, 3) for grid in whole}, 3):
        boards = [corners[3 * y + x] for y, x in run]
        yield _strike([(left + 1.5 * cell, top + 1.5 * cell) for left, top in boards], 2 * STRIKE * cell)


def _runs(places: set[tuple[int, int]], least: int) -> Iterator[list[tuple[int, int]]]:
    """The longest rows of places side by side in each direction, of at least this many."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for y, x in sorted(places):
            if (y - down, x - right) in places:
                continue
            run = [(y, x)]
            while (run[-1][0] + down, run[-1][1] + right) in places:
                run.append((run[-1][0] + down, run[-1][1] + right))
            if len(run) >= least:
                yield run


def _strike(middles: Sequence[Point], width: float) -> Strike:
    (x, y), (right, below) = middles[0], middles[-1]
    beyond = BEYOND / (len(middles) - 1)
    across, down = beyond * (right - x), beyond * (below - y)
    return Strike((x - across, y - down), (right + across, below + down), width)


def _shape(rules: Rules) -> tuple[int, int, int]:
    if rules.nested:
        return 3, 3, 9
    columns, rows, *levels = rules.dimensions
    return columns, rows, levels[0] if levels else 1


def _across(columns: int, rows: int, grids: int, gap: float) -> int:
    """How many grids stand side by side: so many that their cells are largest."""
    return max(range(1, grids + 1), key=lambda across: _cell(columns, rows, grids, gap, across))


def _cell(columns: int, rows: int, grids: int, gap: float, across: int) -> int:
    """The side of a cell; an even number, so that marks have a middle."""
    down = ceil(grids / across)
    width = across * columns + (across - 1) * gap + 2 * PAD
    height = down * rows + (down - 1) * gap + 2 * PAD
    most = min((WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height, CELL_MOST)
    return int(most) // 2 * 2


def _add_grid(
    drawn: Scene, position: Position, grid: int, corner: tuple[int, int], cell: int, last: int | None
) -> None:
    columns, rows, _ = _shape(position.rules)
    left, top = corner
    won = frozenset(position.line)
    owner, is_closed = _owner(position, grid)
    paper = SURFACE if owner is None else WIN if is_closed and 9 * grid in won else SOFT[owner]
    pad = max(2, round(PAD * cell))
    drawn.panels.append(((left - pad, top - pad, columns * cell + 2 * pad, rows * cell + 2 * pad), paper))
    if owner is not None and is_closed:
        middle = (left + columns * cell // 2, top + rows * cell // 2)
        drawn.marks.append(Mark(owner, *middle, 0.95 * cell, 0.32 * cell, paper))
        return
    thick = max(2, cell // 32)
    for x in range(1, columns):
        drawn.lines.append((left + x * cell - thick // 2, top, thick, rows * cell))
    for y in range(1, rows):
        drawn.lines.append((left, top + y * cell - thick // 2, columns * cell, thick))
    inset = thick - thick // 2
    for number in range(columns * rows):
        index = grid * columns * rows + number
        y, x = divmod(number, columns)
        # Ranks are counted from below, as in chess; nine boards are read as a text is.
        place = (left + x * cell, top + (y if position.rules.nested else rows - 1 - y) * cell)
        ground = WIN if index in won else LAST if index == last else paper
        if ground is not paper:
            square = (place[0] + inset, place[1] + inset, cell - 2 * inset, cell - 2 * inset)
            drawn.squares.append((square, ground))
        side = position.mark(index)
        if side is not None:
            stroke = cell * (0.13 if cell < 48 else 0.11)
            half = cell * (0.25 if side == "x" else 0.28)
            drawn.marks.append(Mark(side, place[0] + cell // 2, place[1] + cell // 2, half, stroke, ground))


def _owner(position: Position, grid: int) -> tuple[Side | None, bool]:
    """Who won a small board, where that counts, and whether play in it is over."""
    if not isinstance(position, NestedPosition) or position.rules.id == "nine-board":
        return None, False
    return position.board_owner(grid), position.rules.closes_won_boards


def svg(drawn: Scene, title: str) -> str:
    """`title` is said where the picture is not seen."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
    ]
    parts += [_rect(box, colour, CORNER) for box, colour in drawn.panels]
    parts += [_rect(box, colour) for box, colour in drawn.squares]
    parts += [_rect(box, RULE) for box in drawn.lines]
    parts.append('<g fill="none" stroke-linecap="round">')
    parts += map(_mark, drawn.marks)
    parts += map(_stroke, drawn.strikes)
    return "".join([*parts, "</g></svg>\n"])


def _rect(box: Box, colour: str, radius: int = 0) -> str:
    x, y, width, height = box
    rounded = f' rx="{radius}"' if radius else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{rounded} fill="{colour}"/>'


def _mark(mark: Mark) -> str:
    ink = f'stroke="{INK[mark.side]}" stroke-width="{mark.stroke:.4g}"'
    half = f"{mark.half:.4g}"
    if mark.side == "o":
        return f'<circle cx="{mark.x}" cy="{mark.y}" r="{half}" {ink}/>'
    both = f"{2 * mark.half:.4g}"
    path = f"M{mark.x - mark.half:.6g} {mark.y - mark.half:.6g}l{both} {both}m0-{both}l-{both} {both}"
    return f'<path d="{path}" {ink}/>'


def _stroke(strike: Strike) -> str:
    (x, y), (right, below) = strike.start, strike.end
    return f'<path d="M{x:.6g} {y:.6g}L{right:.6g} {below:.6g}" stroke="{WIN_EDGE}" stroke-width="{strike.width:.4g}"/>'
