"""Boards as text, for every game: what a terminal shows and what `--plain` prints. Pure.

A `Picture` is lines of spans. A span is text with a role, which the terminal app gives a colour; the text alone says
everything too: `(X)` is the last move, `[X]` stands in a winning line
(`>X` and `*X` where it is tight), `{X}` (`{X`) is a move that is not made yet, and on the nine boards an empty square
shows its number where the side to move may play. The roomiest style that fits is drawn: where a height is given,
cells grow to several lines, with drawn marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal, NamedTuple, TypeAlias

from client.sdk import RoomView
from client.sdk.marks import MARKS
from client.sdk.text import width
from client.terminal.drawing import marks as drawn_marks
from client.terminal.drawing import text
from engine.rules.notation import FILES
from engine.rules.position import Position, Rules, Side

Role: TypeAlias = Literal[
    "", "x", "o", "empty", "legal", "last", "line", "label", "frame", "forced", "cursor", "intended"
]  # fmt: skip
Span: TypeAlias = tuple[str, Role]

GRID_CELLS = 36
"""Flat boards with more cells are drawn without a grid, unless there is height for one."""
TALLEST_CELL = 15
LAYER_GAP = 3


@dataclass(slots=True)
class Picture:
    """A drawn board: its lines, and where each cell stands in them."""

    lines: list[list[Span]] = field(default_factory=list)
    cells: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Cell -> first line, first column, columns."""
    cell_lines: int = 1

    @property
    def width(self) -> int:
        return max((sum(width(piece) for piece, _ in line) for line in self.lines), default=0)

    def cell_at(self, line: int, column: int) -> int | None:
        for cell, (at, first, columns) in self.cells.items():
            if at <= line < at + self.cell_lines and first <= column < first + columns:
                return cell
        return None

    def __str__(self) -> str:
        return "\n".join("".join(piece for piece, _ in line).rstrip() for line in self.lines)


@dataclass(frozen=True, slots=True)
class Look:
    """How boards are drawn for one person."""

    marks: tuple[str, str] = MARKS
    ascii: bool = False
    width: int = 80
    height: int | None = None
    """Number of lines; None where it does not matter."""
    level: str = "level {level}"
    """What stands above a level of a cube, in the language of that person."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What is marked on the board besides X and O."""

    last: int | None = None
    line: frozenset[int] = frozenset()
    cursor: int | None = None
    intended: tuple[int, Side] | None = None
    """A move that is not made yet, and whose it is."""


def draw(position: Position, look: Look = Look(), marked: Marked = Marked()) -> Picture:
    """The board of any game, in the roomiest style that `look` has room for, else in the tightest."""
    board = _Board(position, look, marked)
    height = look.height
    if height is not None:
        for large in _large_styles(board):
            if large.width <= look.width and large.height <= height:
                return large.draw()
    lowest: Picture | None = None
    for style in _styles(position.rules):
        picture = style(board)
        if picture.width <= look.width:
            if height is None or len(picture.lines) <= height:
                return picture
            if lowest is None or len(picture.lines) < len(lowest.lines):
                lowest = picture
    return lowest or picture


def draw_view(
    view: RoomView, look: Look, cursor: int | None = None, intended: tuple[int, Side] | None = None
) -> Picture:
    """The board of a room, with its last move and the line that won."""
    last = view.rules.parse_move(view.last) if view.last else None
    return draw(view.position, look, Marked(last, frozenset(view.position.line), cursor, intended))


class _Signs(NamedTuple):
    """What stands on both sides of a marked cell, and before it where it is tight."""

    left: str
    right: str
    tight: str


@dataclass(frozen=True)
class _Board:
    position: Position
    look: Look
    marked: Marked

    @cached_property
    def mark_width(self) -> int:
        return max(map(width, self.look.marks))

    def cell(self, cell: int, columns: int, empty: str, empty_role: Role = "empty") -> Span:
        """A cell in so many columns: at least one more than a mark, two more for signs on both sides."""
        side, role, signs = self._face(cell, empty_role)
        shown = text.centred(empty if side is None else self.look.marks[side == "o"], self.mark_width)
        if columns == self.mark_width + 1:
            return signs.tight + shown, role
        return text.centred(signs.left + shown + signs.right, columns), role

    def tall_cell(self, cell: int, lines: int, empty: str, empty_role: Role = "empty") -> list[Span]:
        """A cell in so many lines of `cell_columns`: with several, its mark is drawn."""
        columns = self.cell_columns(lines)
        if lines == 1:
            return [self.cell(cell, columns, empty, empty_role)]
        side, role, signs = self._face(cell, empty_role)
        middle = ["" if line != lines // 2 else empty for line in range(lines)]
        inside = middle if side is None else self._drawn_mark(side, lines)
        return [(signs.left + text.centred(line, columns - 2) + signs.right, role) for line in inside]

    def _face(self, cell: int, empty_role: Role) -> tuple[Side | None, Role, _Signs]:
        """Whose mark a cell shows, its role, and the signs around it."""
        owner, intended = self.position.mark(cell), self.marked.intended
        role: Role = empty_role if owner is None else owner
        signs = _Signs(" ", " ", " ")
        if cell in self.marked.line:
            role, signs = "line", _Signs("[", "]", "*")
        elif cell == self.marked.last:
            role, signs = "last", _Signs("(", ")", ">")
        if intended is not None and cell == intended[0] and owner is None:
            owner, role, signs = intended[1], "intended", _Signs("{", "}", "{")
        if cell == self.marked.cursor:
            role, signs = "cursor", _Signs(">", "<", "#")
        return owner, role, signs

    def _drawn_mark(self, side: Side, lines: int) -> list[str]:
        is_o = side == "o"
        mark = self.look.marks[is_o]
        if not self.look.ascii and self.look.marks == MARKS:
            return drawn_marks.in_blocks(is_o, lines)
        if len(mark) == width(mark) == 1:
            return drawn_marks.in_letters(is_o, lines, mark)
        return ["" if line != lines // 2 else mark for line in range(lines)]

    def cell_columns(self, lines: int) -> int:
        """The width of a cell of so many lines."""
        return self.mark_width + 2 if lines == 1 else 2 * lines + 1

    @property
    def dot(self) -> str:
        return "." if self.look.ascii else "\u00b7"

    def frame(self, characters: str) -> str:
        """Box drawing characters, or what stands for them in ASCII."""
        return characters.translate(_ASCII_FRAME) if self.look.ascii else characters


FRAME = "─│┌┬┐├┼┤└┴┘▀▄█"
"""What a terminal must be able to show, else boards are drawn in ASCII."""
_ASCII_FRAME = str.maketrans("─│┌┬┐├┼┤└┴┘", "-|+++++++++")


def _styles(rules: Rules) -> Sequence[Callable[[_Board], Picture]]:
    if rules.nested:
        return (_nine_boards, _narrow_nine_boards)
    if len(rules.dimensions) == 3:
        levels = rules.dimensions[2]
        return tuple(_cube_style(abreast, tight) for abreast in _rows_of(levels) for tight in (False, True))
    if rules.cells <= GRID_CELLS:
        return (_grid, _dots, _tight_dots)
    return (_dots, _tight_dots)


def _rows_of(levels: int) -> Iterator[int]:
    """How many layers may stand side by side: all, then as evenly as fewer rows allow."""
    seen = set()
    for rows in range(1, levels + 1):
        abreast = -(-levels // rows)
        if abreast not in seen:
            seen.add(abreast)
            yield abreast


@dataclass(frozen=True, slots=True)
class _LargeStyle:
    """A style whose size is known before it is drawn: only the one that fits is."""

    width: int
    height: int
    draw: Callable[[], Picture]


def _large_styles(board: _Board) -> Iterator[_LargeStyle]:
    """Styles, the roomiest first. Cells of one line in a grid are the last."""
    for lines in range(TALLEST_CELL, 0, -2):
        if board.position.rules.nested:
            yield _large_nine_boards(board, lines)
        else:
            yield from _large_layers(board, lines)


def _large_nine_boards(board: _Board, lines: int) -> _LargeStyle:
    wide = 3 * board.cell_columns(lines) + 1
    return _LargeStyle(3 * wide + 4, 3 * (3 * lines + 1) + 1, lambda: _nested(board, board.cell_columns(lines), lines))


def _large_layers(board: _Board, lines: int) -> Iterator[_LargeStyle]:
    dimensions = board.position.rules.dimensions
    columns, rows = dimensions[:2]
    levels = dimensions[2] if len(dimensions) == 3 else 1
    wide = board.cell_columns(lines)
    titled = len(dimensions) == 3
    width_of_layer = len(str(rows)) + 3 + columns * (wide + 1) + 1
    height_of_layer = rows * (lines + 1) + 2 + titled

    def draw_rows_of(abreast: int) -> Picture:
        titles = [_level_title(board.look, level, wide * columns) if titled else None for level in range(levels)]
        layers = [_grid_layer(board, level, lines, title) for level, title in enumerate(titles)]
        return _under([_beside(layers[start : start + abreast]) for start in range(0, levels, abreast)])

    for abreast in _rows_of(levels):
        down = -(-levels // abreast)
        yield _LargeStyle(
            abreast * (width_of_layer + LAYER_GAP) - LAYER_GAP,
            down * (height_of_layer + 1) - 1,
            partial(draw_rows_of, abreast),
        )


# Flat boards


def _grid(board: _Board) -> Picture:
    return _grid_layer(board, 0, 1, None)


def _grid_layer(board: _Board, level: int, lines: int, title: str | None) -> Picture:
    """A layer of cells of this many lines in a grid, rank 1 at the bottom, with its title above."""
    columns, rows = board.position.rules.dimensions[:2]
    wide = board.cell_columns(lines)
    label = len(str(rows))
    picture = Picture(cell_lines=lines)
    if title is not None:
        picture.lines.append([(" " * (label + 2) + text.centred(title, (wide + 1) * columns + 1), "label")])
    for y in reversed(range(rows)):
        picture.lines.append(_rule(board, label, columns, wide, "┌┬┐" if y == rows - 1 else "├┼┤"))
        drawn = []
        for x in range(columns):
            cell = x + columns * (y + rows * level)
            picture.cells[cell] = (len(picture.lines), label + 3 + (wide + 1) * x, wide)
            drawn.append(board.tall_cell(cell, lines, " ", "legal"))
        for line in range(lines):
            rank = y + 1 if line == lines // 2 else ""
            spans: list[Span] = [(f" {rank:>{label}} ", "label")]
            for cell_spans in drawn:
                spans += [(board.frame("│"), "frame"), cell_spans[line]]
            picture.lines.append([*spans, (board.frame("│"), "frame")])
    picture.lines.append(_rule(board, label, columns, wide, "└┴┘"))
    letters = "".join(text.centred(_file(x), wide + 1) for x in range(columns))
    picture.lines.append([(" " * (label + 3) + letters, "label")])
    return picture


def _rule(board: _Board, label: int, columns: int, wide: int, ends: str) -> list[Span]:
    left, middle, right = tuple(ends)
    return [(" " * (label + 2) + board.frame(left + middle.join(["─" * wide] * columns) + right), "frame")]


def _file(x: int) -> str:
    return FILES[x]


def _dots(board: _Board) -> Picture:
    columns, rows = board.position.rules.dimensions
    return _beside([_layer(board, columns, rows, 0, board.mark_width + 2, None)])


def _tight_dots(board: _Board) -> Picture:
    columns, rows = board.position.rules.dimensions
    return _beside([_layer(board, columns, rows, 0, board.mark_width + 1, None)])


def _layer(board: _Board, columns: int, rows: int, level: int, wide: int, title: str | None) -> Picture:
    """A layer of cells without a grid, rank 1 at the bottom, with its title above."""
    label = len(str(rows))
    picture = Picture()
    if title is not None:
        picture.lines.append([(" " * (label + 1) + text.centred(title, wide * columns), "label")])
    for y in reversed(range(rows)):
        line: list[Span] = [(f"{y + 1:>{label}} ", "label")]
        for x in range(columns):
            cell = x + columns * (y + rows * level)
            picture.cells[cell] = (len(picture.lines), label + 1 + wide * x, wide)
            line.append(board.cell(cell, wide, board.dot, "legal"))
        picture.lines.append(line)
    # In tight cells the mark stands at the right end.
    tight = wide == board.mark_width + 1
    letters = "".join(
        " " + text.centred(_file(x), wide - 1) if tight else text.centred(_file(x), wide) for x in range(columns)
    )
    picture.lines.append([(" " * (label + 1) + letters, "label")])
    return picture


# Cubes


def _cube_style(abreast: int, tight: bool) -> Callable[[_Board], Picture]:
    def style(board: _Board) -> Picture:
        columns, rows, levels = board.position.rules.dimensions
        wide = board.mark_width + (1 if tight else 2)
        titles = [_level_title(board.look, level, wide * columns) for level in range(levels)]
        layers = [_layer(board, columns, rows, level, wide, title) for level, title in enumerate(titles)]
        return _under([_beside(layers[start : start + abreast]) for start in range(0, levels, abreast)])

    return style


def _level_title(look: Look, level: int, columns: int) -> str:
    title = look.level.format(level=level + 1)
    return title if width(title) <= columns else f".{level + 1}"


def _beside(pictures: Sequence[Picture]) -> Picture:
    """Pictures of equal height side by side."""
    if len(pictures) == 1:
        return pictures[0]
    whole = Picture(lines=[[] for _ in pictures[0].lines], cell_lines=pictures[0].cell_lines)
    at = 0
    for number, picture in enumerate(pictures):
        wide = picture.width
        for line, part in zip(whole.lines, picture.lines, strict=True):
            rest = wide - sum(width(piece) for piece, _ in part)
            line += [*part, (" " * rest, "")]
            if number + 1 < len(pictures):
                line.append((" " * LAYER_GAP, ""))
        for cell, (row, first, columns) in picture.cells.items():
            whole.cells[cell] = (row, first + at, columns)
        at += wide + LAYER_GAP
    return whole


def _under(pictures: Iterable[Picture]) -> Picture:
    """Pictures one below the other, a line between."""
    whole = Picture()
    for picture in pictures:
        whole.cell_lines = picture.cell_lines
        if whole.lines:
            whole.lines.append([])
        for cell, (row, first, columns) in picture.cells.items():
            whole.cells[cell] = (row + len(whole.lines), first, columns)
        whole.lines += picture.lines
    return whole


# Nine boards


def _nine_boards(board: _Board) -> Picture:
    return _nested(board, board.mark_width + 2)


def _narrow_nine_boards(board: _Board) -> Picture:
    return _nested(board, board.mark_width + 1)


def _nested(board: _Board, wide: int, lines: int = 1) -> Picture:
    playable = frozenset(board.position.legal_moves())
    picture = Picture(cell_lines=lines)
    for top in (0, 3, 6):
        ends = {0: "┌┬┐", 3: "├┼┤", 6: "├┼┤"}[top]
        picture.lines.append(_titles(board, top, 3 * wide + 1, ends))
        for row in range(3):
            picture.lines += _row_of_squares(board, picture, top, row, wide, lines, playable)
    picture.lines.append([(board.frame("└" + "┴".join(["─" * (3 * wide + 1)] * 3) + "┘"), "frame")])
    return picture


def _titles(board: _Board, top: int, columns: int, ends: str) -> list[Span]:
    """The rule above three boards, with their numbers, owners and the forced board in it."""
    left, middle, right = tuple(ends)
    line: list[Span] = [(board.frame(left), "frame")]
    for number in range(top, top + 3):
        title, role = _title(board, number)
        rest = columns - 1 - width(title)
        line += [(board.frame("─"), "frame"), (title, role), (board.frame("─" * rest), "frame")]
        line.append((board.frame(middle if number < top + 2 else right), "frame"))
    return line


def _title(board: _Board, number: int) -> Span:
    owner = board_owners(board.position)[number]
    title = f"{number + 1}" if owner is None else f"{number + 1}={board.look.marks[owner == 'o']}"
    if board.position.forced == number:
        return f">{title}<", "forced"
    return f" {title} ", owner or "label"


def _row_of_squares(
    board: _Board, picture: Picture, top: int, row: int, wide: int, lines: int, playable: frozenset[int]
) -> list[list[Span]]:
    # A cell with signs on one side only needs its space on the other side of the board.
    tight = wide == board.mark_width + 1
    lead, trail = (" ", "") if tight else ("", " ")
    drawn: list[list[Span]] = [[(board.frame("│"), "frame")] for _ in range(lines)]
    at = 1
    for number in range(top, top + 3):
        for spans in drawn:
            spans.append((lead, ""))
        for column in range(3):
            square = 3 * row + column
            cell = 9 * number + square
            legal = cell in playable
            empty = str(square + 1) if legal else board.dot
            role: Role = "legal" if legal else "empty"
            tall = [board.cell(cell, wide, empty, role)] if tight else board.tall_cell(cell, lines, empty, role)
            for spans, span in zip(drawn, tall, strict=True):
                spans.append(span)
            picture.cells[cell] = (len(picture.lines), at + len(lead) + wide * column, wide)
        for spans in drawn:
            spans += [(trail, ""), (board.frame("│"), "frame")]
        at += 3 * wide + 2
    return drawn


def board_owners(position: Position) -> tuple[Side | None, ...]:
    """Who won each of the nine boards. Games without won boards have no owners."""
    owner = getattr(position, "board_owner", None)
    if owner is None:
        return (None,) * 9
    return tuple(owner(number) for number in range(9))
