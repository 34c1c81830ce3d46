"""Boards as text, for every game: what a terminal shows and what `--plain` prints. Pure.

A `Picture` is lines of spans. A span is text with a role, which the terminal app gives a colour; the text alone says
everything too: `(X)` is the last move, `[X]` stands in a winning line
(`>X` and `*X` where it is tight), `{X}` (`{X`) is a move that is not made yet, and on the nine boards an empty square
shows its number where the side to move may play. Every style is measured first, the roomiest that fits the width is
drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from client.sdk.marks import MARKS
from client.sdk.text import width
from client.terminal import text
from engine.rules.position import Position, Rules, Side

Role: TypeAlias = Literal[
    "", "x", "o", "empty", "legal", "last", "line", "label", "frame", "forced", "cursor", "intended"
]  # fmt: skip
Span: TypeAlias = tuple[str, Role]

GRID_CELLS = 36
"""Flat boards with more cells are drawn without a grid."""
LAYER_GAP = 3


@dataclass(slots=True)
class Picture:
    """A drawn board: its lines, and where each cell stands in them."""

    lines: list[list[Span]] = field(default_factory=list)
    cells: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Cell -> line, first column, columns."""

    @property
    def width(self) -> int:
        return max((sum(width(piece) for piece, _ in line) for line in self.lines), default=0)

    def cell_at(self, line: int, column: int) -> int | None:
        for cell, (at, first, columns) in self.cells.items():
            if at == line and first <= column < first + columns:
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
    """The board of any game, in the roomiest style that `look.width` holds, else in the narrowest."""
    drawn = [style(_Board(position, look, marked)) for style in _styles(position.rules)]
    return next((picture for picture in drawn if picture.width <= look.width), drawn[-1])


@dataclass(frozen=True, slots=True)
class _Board:
    position: Position
    look: Look
    marked: Marked

    @property
    def mark_width(self) -> int:
        return max(map(width, self.look.marks))

    def cell(self, cell: int, columns: int, empty: str, empty_role: Role = "empty") -> Span:
        """A cell in so many columns: at least one more than a mark, two more for signs on both sides."""
        owner = self.position.mark(cell)
        shown = empty if owner is None else self.look.marks[owner == "o"]
        role = empty_role if owner is None else owner
        left, right, tight = " ", " ", " "
        if cell in self.marked.line:
            role, left, right, tight = "line", "[", "]", "*"
        elif cell == self.marked.last:
            role, left, right, tight = "last", "(", ")", ">"
        if self.marked.intended is not None and cell == self.marked.intended[0] and owner is None:
            shown = self.look.marks[self.marked.intended[1] == "o"]
            role, left, right, tight = "intended", "{", "}", "{"
        if cell == self.marked.cursor:
            role, left, right, tight = "cursor", ">", "<", "#"
        shown = text.centred(shown, self.mark_width)
        if columns == self.mark_width + 1:
            return tight + shown, role
        return text.centred(left + shown + right, columns), role

    @property
    def dot(self) -> str:
        return "." if self.look.ascii else "\u00b7"

    def frame(self, characters: str) -> str:
        """Box drawing characters, or what stands for them in ASCII."""
        return characters.translate(_ASCII_FRAME) if self.look.ascii else characters


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


# Flat boards


def _grid(board: _Board) -> Picture:
    columns, rows = board.position.rules.dimensions
    wide = board.mark_width + 2
    label = len(str(rows))
    picture = Picture()
    for y in reversed(range(rows)):
        first = y == rows - 1
        picture.lines.append(_rule(board, label, columns, wide, "┌┬┐" if first else "├┼┤"))
        line: list[Span] = [(f" {y + 1:>{label}} ", "label")]
        at = label + 2
        for x in range(columns):
            cell = x + columns * y
            line += [(board.frame("│"), "frame"), board.cell(cell, wide, " ", "legal")]
            picture.cells[cell] = (len(picture.lines), at + 1, wide)
            at += wide + 1
        picture.lines.append([*line, (board.frame("│"), "frame")])
    picture.lines.append(_rule(board, label, columns, wide, "└┴┘"))
    letters = "".join(text.centred(_file(x), wide + 1) for x in range(columns))
    picture.lines.append([(" " * (label + 3) + letters, "label")])
    return picture


def _rule(board: _Board, label: int, columns: int, wide: int, ends: str) -> list[Span]:
    left, middle, right = tuple(ends)
    return [(" " * (label + 2) + board.frame(left + middle.join(["─" * wide] * columns) + right), "frame")]


def _file(x: int) -> str:
    return "abcdefghijklmnopqrs"[x]


def _dots(board: _Board) -> Picture:
    columns, rows = board.position.rules.dimensions
    return _beside([_layer(board, columns, rows, 0, board.mark_width + 2, None)])


def _tight_dots(board: _Board) -> Picture:
    columns, rows = board.position.rules.dimensions
    return _beside([_layer(board, columns, rows, 0, board.mark_width + 1, None)])


def _layer(board: _Board, columns: int, rows: int, level: int, wide: int, title: str | None) -> Picture:
    """One layer of cells without a grid, rank 1 at the bottom, with its title above."""
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
    whole = Picture(lines=[[] for _ in pictures[0].lines])
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


def _nested(board: _Board, wide: int) -> Picture:
    playable = frozenset(board.position.legal_moves())
    picture = Picture()
    for top in (0, 3, 6):
        ends = {0: "┌┬┐", 3: "├┼┤", 6: "├┼┤"}[top]
        picture.lines.append(_titles(board, top, 3 * wide + 1, ends))
        for row in range(3):
            picture.lines.append(_row_of_squares(board, picture, top, row, wide, playable))
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
    board: _Board, picture: Picture, top: int, row: int, wide: int, playable: frozenset[int]
) -> list[Span]:
    # A cell with signs on one side only needs its space on the other side of the board.
    lead, trail = (" ", "") if wide == board.mark_width + 1 else ("", " ")
    line: list[Span] = [(board.frame("│"), "frame")]
    at = 1
    for number in range(top, top + 3):
        line.append((lead, ""))
        for column in range(3):
            square = 3 * row + column
            cell = 9 * number + square
            legal = cell in playable
            line.append(board.cell(cell, wide, str(square + 1) if legal else board.dot, "legal" if legal else "empty"))
            picture.cells[cell] = (len(picture.lines), at + len(lead) + wide * column, wide)
        line += [(trail, ""), (board.frame("│"), "frame")]
        at += 3 * wide + 2
    return line


def board_owners(position: Position) -> tuple[Side | None, ...]:
    """Who won each of the nine boards. Games without won boards have no owners."""
    owner = getattr(position, "board_owner", None)
    if owner is None:
        return (None,) * 9
    return tuple(owner(number) for number in range(9))
