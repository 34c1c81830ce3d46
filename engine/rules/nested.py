"""The nine boards: the square that is played names the board in which the next move must be.

Boards and squares are numbered alike, in reading order, and a cell is 9 * board + square:

    0 1 2
    3 4 5
    6 7 8

A side's marks are one 81-bit integer, bit `c` for cell `c`; sets of boards are 9-bit integers, bit `b` for board
`b`. A board is *won* by the side that first has a line in it, *closed* when no move may be made in it any more. The
games differ in two things only, which their rules state: whether a won board is closed, and what the won and closed
boards mean for the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Final

from engine.rules import lines, notation
from engine.rules.family import Family
from engine.rules.position import IllegalMove, Move, O, Outcome, Side, UnknownGame, X

ALL_BOARDS: Final = 0x1FF
BOARD_LINES: Final = lines.flat_lines(3, 3, 3)
LINE_MASKS: Final = tuple(map(lines.mask_of, BOARD_LINES))
HAS_LINE: Final = tuple(any(marks & mask == mask for mask in LINE_MASKS) for marks in range(512))
"""Whether each 9-bit set of squares or boards holds a line of three."""

# For each set of closed boards, the cells of the others.
_CELLS_OF_OPEN: Final = tuple(
    sum(ALL_BOARDS << 9 * board for board in range(9) if not closed >> board & 1) for closed in range(512)
)


class NestedPosition:
    """A position of a game on the nine boards.

    `x` and `o` are the marks; `won_x`, `won_o` and `closed` are sets of boards. Constant by declaration only, as
    the flat positions are, for the speed of `play`.
    """

    __slots__ = ("_last", "closed", "forced", "o", "outcome", "ply", "rules", "to_move", "won_o", "won_x", "x")

    def __init__(
        self,
        rules: NestedRules,
        x: int,
        o: int,
        ply: int,
        won_x: int,
        won_o: int,
        closed: int,
        forced: int | None,
        outcome: Outcome | None,
        last: int,
    ) -> None:
        self.rules: Final = rules
        self.x: Final = x
        self.o: Final = o
        self.ply: Final = ply
        self.to_move: Final = O if ply & 1 else X
        self.won_x: Final = won_x
        self.won_o: Final = won_o
        self.closed: Final = closed
        self.forced: Final = forced
        self.outcome: Final = outcome
        self._last: Final = last

    @property
    def line(self) -> tuple[int, ...]:
        if self.outcome is None or self.outcome.termination != "line":
            return ()
        winner_is_x = self.outcome.winner == X
        marks, boards = (self.x, self.won_x) if winner_is_x else (self.o, self.won_o)
        return self.rules.winning_line(marks, boards, self._last)

    def mark(self, cell: int) -> Side | None:
        if self.x >> cell & 1:
            return X
        return O if self.o >> cell & 1 else None

    def board_owner(self, board: int) -> Side | None:
        """Who won this board, 0-8; None while nobody has, and for a full board without a line."""
        if self.won_x >> board & 1:
            return X
        return O if self.won_o >> board & 1 else None

    def legal_mask(self) -> int:
        if self.outcome is not None:
            return 0
        if self.forced is None:
            return _CELLS_OF_OPEN[self.closed] & ~(self.x | self.o)
        return ALL_BOARDS << 9 * self.forced & ~(self.x | self.o)

    def legal_moves(self) -> tuple[Move, ...]:
        return lines.cells_of(self.legal_mask())

    def is_legal(self, move: Move) -> bool:
        return 0 <= move < 81 and bool(self.legal_mask() >> move & 1)

    def play(self, move: Move) -> NestedPosition:
        if not self.is_legal(move):
            raise IllegalMove(self._why_illegal(move))
        rules = self.rules
        board, square = divmod(move, 9)
        x, o, won_x, won_o, closed = self.x, self.o, self.won_x, self.won_o, self.closed
        if self.ply & 1:
            own = o = o | 1 << move
        else:
            own = x = x | 1 << move
        changed = False
        unowned = not (won_x | won_o) >> board & 1
        if unowned and HAS_LINE[own >> 9 * board & ALL_BOARDS]:
            changed = True
            if self.ply & 1:
                won_o |= 1 << board
            else:
                won_x |= 1 << board
            if rules.closes_won_boards:
                closed |= 1 << board
        if (x | o) >> 9 * board & ALL_BOARDS == ALL_BOARDS:
            changed = True
            closed |= 1 << board
        outcome = rules.judge(won_x, won_o, closed) if changed else None
        forced = None if outcome is not None or closed >> square & 1 else square
        return NestedPosition(rules, x, o, self.ply + 1, won_x, won_o, closed, forced, outcome, move)

    def _why_illegal(self, move: Move) -> str:
        if not 0 <= move < 81:
            return f"{move} is no cell of the nine boards: their cells are 0 to 80."
        text = notation.format_nested(move)
        board = move // 9
        if self.outcome is not None:
            return f"{text} cannot be played: the game is over."
        owner = self.mark(move)
        if owner is not None:
            return f"{text} is taken by {owner.upper()}."
        if self.forced is not None:
            return f"{text} is not in board {self.forced + 1}, where this move must be made."
        return f"{text} is in board {board + 1}, which is closed."

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NestedPosition):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        # In `super` the owner of a board with lines of both sides depends on the order of the moves.
        return (self.x, self.o, self.forced, self.won_x, self.won_o, self.rules.id)

    def __repr__(self) -> str:
        marks = f"x={list(lines.cells_of(self.x))} o={list(lines.cells_of(self.o))}"
        return f"<{self.rules.id} {marks} forced={self.forced}>"


class NestedRules(ABC):
    """Shared by the games on the nine boards. Subclasses say what won and closed boards mean."""

    nested: Final = True
    cells: Final = 81
    dimensions: Final = (9, 9)
    closes_won_boards: bool = True

    def __init__(self, game_id: str, name: str, sentences: tuple[str, str, str]) -> None:
        self.id: Final = game_id
        self.name: Final = name
        self.sentences: Final = sentences
        self.initial: Final = NestedPosition(self, 0, 0, 0, 0, 0, 0, None, None, -1)

    @abstractmethod
    def judge(self, won_x: int, won_o: int, closed: int) -> Outcome | None:
        """The end of the game, if these sets of boards are one. Asked only after one of them has grown."""

    @abstractmethod
    def winning_line(self, marks: int, boards: int, last: Move) -> tuple[int, ...]:
        """The cells of the line or lines by which the winner's `marks` and won `boards` ended the game."""

    @cached_property
    def symmetries(self) -> tuple[lines.Symmetry, ...]:
        # Board and square turn together: only then does a square still name the board in the same place.
        return tuple(
            tuple(9 * turn[board] + turn[square] for board in range(9) for square in range(9))
            for turn in lines.flat_symmetries(3, 3)
        )

    def parse_move(self, text: str) -> Move:
        cell = self._cells_by_text.get(text)
        return notation.parse_nested(text) if cell is None else cell

    @cached_property
    def _cells_by_text(self) -> dict[str, Move]:
        return {text: cell for cell, text in enumerate(self.texts)}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(notation.format_nested, range(81)))

    def format_move(self, move: Move) -> str:
        return notation.text_of(move, self.texts)

    def __repr__(self) -> str:
        return f"<rules of {self.id}>"


def line_members(marks: int) -> int:
    """The squares (or boards) of a 9-bit set that stand in a complete line of it."""
    members = 0
    for mask in LINE_MASKS:
        if marks & mask == mask:
            members |= mask
    return members


def family(name: str, variants: dict[str | None, Callable[[str], NestedRules]]) -> Family:
    """A family whose parameters are words: None for the plain name, or the word after the colon."""
    forms = " or ".join(name if word is None else f"{name}:{word}" for word in variants)

    def canonical(parameters: str | None) -> str | None:
        word = None if parameters is None else parameters.strip(" ")
        if word not in variants:
            raise UnknownGame(f"{name} knows no variant {notation.shown(parameters or '')}: write {forms}.")
        return word

    def build(game_id: str, parameters: str | None) -> NestedRules:
        return variants[parameters](game_id)

    return Family(name, forms, canonical, build, listed=tuple(variants))
