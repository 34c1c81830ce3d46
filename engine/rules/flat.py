"""Flat boards and cubes: every cell is open until it is marked, and the first complete line wins.

On an *exact* board a line must not be longer: one whose ends hold marks of the same side wins nothing.

A side's marks are one integer, bit `c` for cell `c`. On 4 columns the bits lie so, the first rank at the bottom:

    8 9 10 11
    4 5  6  7
    0 1  2  3     a cube adds 16 for each level
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from engine.rules import lines, notation
from engine.rules.family import Family
from engine.rules.lines import Line, Symmetry
from engine.rules.position import IllegalMove, Move, O, Outcome, Side, UnknownGame, X

_DRAW: Final = Outcome(None, "board_full")
_WINS: Final[dict[Side, Outcome]] = {X: Outcome(X, "line"), O: Outcome(O, "line")}
_COUNT_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class FlatPosition:
    """A position of an m,n,k game or a cube; `x` and `o` are the marks as bit masks.

    The fields are constant by declaration only: guarding them at run time would double the cost of `play`, which a
    server calls for every move.
    """

    __slots__ = ("line", "o", "outcome", "ply", "rules", "to_move", "x")

    def __init__(
        self,
        rules: FlatRules,
        x: int,
        o: int,
        ply: int,
        outcome: Outcome | None = None,
        line: tuple[int, ...] = (),
    ) -> None:
        self.rules: Final = rules
        self.x: Final = x
        self.o: Final = o
        self.ply: Final = ply
        self.to_move: Final = O if ply & 1 else X
        self.outcome: Final = outcome
        self.line: Final = line

    @property
    def forced(self) -> int | None:
        return None

    def mark(self, cell: int) -> Side | None:
        if self.x >> cell & 1:
            return X
        return O if self.o >> cell & 1 else None

    def legal_mask(self) -> int:
        return 0 if self.outcome is not None else self.rules.full ^ (self.x | self.o)

    def legal_moves(self) -> tuple[Move, ...]:
        return lines.cells_of(self.legal_mask())

    def is_legal(self, move: Move) -> bool:
        return self.outcome is None and 0 <= move < self.rules.cells and not (self.x | self.o) >> move & 1

    def play(self, move: Move) -> FlatPosition:
        if not self.is_legal(move):
            raise IllegalMove(self._why_illegal(move))
        rules, ply = self.rules, self.ply + 1
        bit = 1 << move
        if ply & 1:
            own = x = self.x | bit
            o = self.o
        else:
            own = o = self.o | bit
            x = self.x
        for mask in rules.masks[move]:
            if own & mask == mask and not own & rules.ends.get(mask, 0):
                return FlatPosition(rules, x, o, ply, _WINS[self.to_move], _completed(rules, own, rules.masks[move]))
        return FlatPosition(rules, x, o, ply, _DRAW if ply == rules.cells else None)

    def _why_illegal(self, move: Move) -> str:
        if not 0 <= move < self.rules.cells:
            return f"{move} is no cell of this board: its cells are 0 to {self.rules.cells - 1}."
        text = self.rules.format_move(move)
        if self.outcome is not None:
            return f"{text} cannot be played: the game is over."
        owner = self.mark(move)
        return f"{text} is taken by {owner.upper() if owner else 'nobody'}."

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FlatPosition):
            return NotImplemented
        return self.x == other.x and self.o == other.o and self.rules.id == other.rules.id

    def __hash__(self) -> int:
        return hash((self.x, self.o, self.rules.id))

    def __repr__(self) -> str:
        return f"<{self.rules.id} x={list(lines.cells_of(self.x))} o={list(lines.cells_of(self.o))}>"


def _completed(rules: FlatRules, own: int, masks: Iterable[int]) -> tuple[int, ...]:
    union = 0
    for mask in masks:
        if own & mask == mask and not own & rules.ends.get(mask, 0):
            union |= mask
    return lines.cells_of(union)


class FlatRules:
    """Shared by flat boards and cubes: their cells, their lines and the first position."""

    nested: Final = False

    def __init__(
        self,
        game_id: str,
        name: str,
        sentences: tuple[str, str, str],
        dimensions: tuple[int, ...],
        length: int,
        exact: bool = False,
    ) -> None:
        self.id: Final = game_id
        self.name: Final = name
        self.sentences: Final = sentences
        self.dimensions: Final = dimensions
        self.length: Final = length
        self.exact: Final = exact
        cells = 1
        for extent in dimensions:
            cells *= extent
        self.cells: Final = cells
        self.full: Final = (1 << cells) - 1
        self.initial: Final = FlatPosition(self, 0, 0, 0)

    # Drawn when a game is played: whoever just asks what a big board is would wait milliseconds for nothing.

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        if len(self.dimensions) == 3:
            return lines.cube_lines(self.length)
        columns, rows = self.dimensions
        return lines.flat_lines(columns, rows, self.length)

    @cached_property
    def masks(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the masks of the lines through it."""
        return lines.masks_through(self.lines, self.cells)

    @cached_property
    def ends(self) -> dict[int, int]:
        """On an exact board, the mask of each line and the cells that would make it longer; else empty."""
        if not self.exact:
            return {}
        columns, rows = self.dimensions
        return {lines.mask_of(line): lines.mask_of(lines.flat_ends(columns, rows, line)) for line in self.lines}

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        if len(self.dimensions) == 3:
            return lines.cube_symmetries(self.dimensions[0])
        columns, rows = self.dimensions
        return lines.flat_symmetries(columns, rows)

    def position(self, x: int, o: int) -> FlatPosition:
        """The position with these marks of both sides, in whatever order they were made: over where there is a line."""
        ply = (x | o).bit_count()
        for side, own in ((X, x), (O, o)):
            line = _completed(self, own, map(lines.mask_of, self.lines))
            if line:
                return FlatPosition(self, x, o, ply, _WINS[side], line)
        return FlatPosition(self, x, o, ply, _DRAW if ply == self.cells else None)

    def parse_move(self, text: str) -> Move:
        cell = self._cells_by_text.get(text)
        return self._parse(text) if cell is None else cell

    @cached_property
    def _cells_by_text(self) -> dict[str, Move]:
        return {text: cell for cell, text in enumerate(self.texts)}

    def _parse(self, text: str) -> Move:
        if len(self.dimensions) == 3:
            return notation.parse_cube(text, self.dimensions[0])
        columns, rows = self.dimensions
        return notation.parse_flat(text, columns, rows)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        if len(self.dimensions) == 3:
            return tuple(notation.format_cube(cell, self.dimensions[0]) for cell in range(self.cells))
        columns, rows = self.dimensions
        return tuple(notation.format_flat(cell, columns, rows) for cell in range(self.cells))

    def format_move(self, move: Move) -> str:
        return notation.text_of(move, self.texts)

    def __repr__(self) -> str:
        return f"<rules of {self.id}>"


def _number(count: int) -> str:
    return _COUNT_WORDS[count] if count < len(_COUNT_WORDS) else str(count)


# Any digits are read here, so that the error for a size out of range can name the range. The registry bounds the
# length.
_SIZES = re.compile(r" *([0-9]+) *, *([0-9]+) *, *([0-9]+) *(?:, *(.*?) *)?")
_SIZE = re.compile(r" *([0-9]+) *")
_MOST: Final = len(notation.FILES)
_EXACT: Final = "exact"
_MNK_FORM = (
    f"mnk:M,N,K with M columns and N rows, 3 to {_MOST} each, and K from 3 to the larger of the two, "
    f"or mnk:M,N,K,{_EXACT}, where longer lines do not win"
)
_CUBE_FORM = "cube:N with N 3, 4 or 5"


def _canonical_mnk(parameters: str | None) -> str:
    match = _SIZES.fullmatch(parameters or "")
    if not match:
        raise UnknownGame(f"{notation.shown(parameters or '')} is not three sizes: write {_MNK_FORM}.")
    columns, rows, length = map(int, match.groups()[:3])
    for extent, noun in ((columns, "columns"), (rows, "rows")):
        if not 3 <= extent <= _MOST:
            raise UnknownGame(f"A board cannot have {extent} {noun}: write {_MNK_FORM}.")
    if not 3 <= length <= max(columns, rows):
        raise UnknownGame(
            f"{length} in a row cannot be the aim on {columns} x {rows}: it is from 3 to {max(columns, rows)}."
        )
    sizes = f"{columns},{rows},{length}"
    if match[4] not in (None, _EXACT):
        raise UnknownGame(
            f"{notation.shown(match[4])} is no rule: write mnk:{sizes}, where longer lines win too, or "
            f"mnk:{sizes},{_EXACT}, where they do not."
        )
    # Where no longer line fits on the board, both are one game.
    return f"{sizes},{_EXACT}" if match[4] and length < max(columns, rows) else sizes


def _build_mnk(game_id: str, parameters: str | None) -> FlatRules:
    *sizes, last = (parameters or "").split(",")
    exact = last == _EXACT
    columns, rows, length = map(int, sizes if exact else (*sizes, last))
    aim = f"exactly {_number(length)}" if exact else _number(length)
    more = " or more" if length < max(columns, rows) and not exact else ""
    but = "; a longer line does not count" if exact else ""
    names = {"tictactoe": "Tic-tac-toe", "gomoku": "Gomoku"}
    sentences = (
        f"The board has {columns} columns and {rows} rows; X and O take turns to mark one empty cell, X first.",
        f"The first to have {aim}{more} of their own marks side by side in a row, a column or a diagonal wins{but}.",
        "If the board fills up and nobody has done it, the game is a draw.",
    )
    return FlatRules(
        game_id,
        names.get(game_id, f"{columns} x {rows}, {aim} in a row"),
        sentences,
        (columns, rows),
        length,
        exact,
    )


def _canonical_cube(parameters: str | None) -> str:
    match = _SIZE.fullmatch(parameters or "")
    if not match:
        raise UnknownGame(f"{notation.shown(parameters or '')} is not the size of a cube: write {_CUBE_FORM}.")
    size = int(match[1])
    if size not in (3, 4, 5):
        raise UnknownGame(f"A cube cannot have {size} cells along an edge: write {_CUBE_FORM}.")
    return str(size)


def _build_cube(game_id: str, parameters: str | None) -> FlatRules:
    size = int(parameters or "")
    aim = _number(size)
    sentences = (
        f"The board is a cube of {aim} levels, each {size} x {size}; X and O take turns to mark one empty cell, "
        "X first, and any empty cell of any level may be taken.",
        f"The first to fill a straight line of {aim} cells wins: along a row, a column or an upright, or along a "
        f"diagonal of a flat slice or of the whole cube, {((size + 2) ** 3 - size**3) // 2} lines in all.",
        "If the cube fills up and nobody has done it, the game is a draw.",
    )
    name = "Qubic" if game_id == "qubic" else f"{size} x {size} x {size} cube, {aim} in a row"
    return FlatRules(game_id, name, sentences, (size, size, size), size)


MNK = Family(
    name="mnk",
    form=_MNK_FORM,
    canonical=_canonical_mnk,
    build=_build_mnk,
    aliases={"tictactoe": "3,3,3", "gomoku": "15,15,5"},
    listed=("3,3,3", "4,4,4", "5,5,4", "15,15,5"),
)
CUBE = Family(
    name="cube",
    form=_CUBE_FORM,
    canonical=_canonical_cube,
    build=_build_cube,
    aliases={"qubic": "4"},
    listed=("3", "4", "5"),
)
