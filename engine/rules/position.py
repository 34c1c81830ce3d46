"""The contract that every game of the family keeps: immutable positions and the rules that make them.

A *cell* is an index into the board; a *move* is the cell it marks, so both are plain integers. Positions never
change: `play` returns a new one, and going back is replaying fewer moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self, TypeAlias

from engine.rules.termination import RuleTermination

Side: TypeAlias = Literal["x", "o"]
Kind: TypeAlias = Literal["person", "bot"]
"""Who plays a side."""
Move: TypeAlias = int

X: Side = "x"
O: Side = "o"  # noqa: E741 - the game's own letter


def other(side: Side) -> Side:
    return O if side == X else X


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the rules ended a game: who won, apart from why."""

    winner: Side | None
    termination: RuleTermination


class MalformedMove(ValueError):
    """Text that names no cell of this board."""


class IllegalMove(ValueError):
    """A cell of the board that may not be played now: taken, closed, not in the forced board, or the game is over."""


class UnknownGame(ValueError):
    """A game id that names no game, or one with impossible sizes."""


class Position(Protocol):
    """A position reached by legal moves. Immutable and hashable."""

    @property
    def rules(self) -> Rules: ...
    @property
    def x(self) -> int:
        """X's marks as a bit mask of cells."""

    @property
    def o(self) -> int: ...
    @property
    def ply(self) -> int:
        """Moves made so far."""

    @property
    def to_move(self) -> Side:
        """X on even plies, O on odd ones, after the end too."""

    @property
    def outcome(self) -> Outcome | None:
        """None while the game runs."""

    @property
    def forced(self) -> int | None:
        """The forced board, 0-8; None for a free choice, when over, and on flat boards."""

    @property
    def line(self) -> tuple[int, ...]:
        """Every cell, ascending, of every line that the last move completed (ultimate, super: of the boards)."""

    def mark(self, cell: int) -> Side | None: ...
    def legal_mask(self) -> int:
        """The legal moves as a bit mask of cells; 0 when over."""

    def legal_moves(self) -> tuple[Move, ...]:
        """Ascending; empty when over."""

    def is_legal(self, move: Move) -> bool: ...
    def play(self, move: Move) -> Self:
        """Raises IllegalMove, with a sentence that says why."""

    def __hash__(self) -> int: ...


def marks_of(position: Position, side: Side) -> tuple[int, int]:
    """The marks of a side and those of the other, as bit masks of cells."""
    return (position.x, position.o) if side == X else (position.o, position.x)


def play_all(position: Position, moves: Iterable[Move]) -> Position:
    """The position after these moves, one after the other. Raises IllegalMove."""
    for move in moves:
        position = position.play(move)
    return position


class Rules(Protocol):
    """One game of the family, made by `engine.rules.registry.rules(game_id)`."""

    @property
    def id(self) -> str:
        """Canonical: the alias where one exists, else the id without leading zeros or spaces."""

    @property
    def name(self) -> str:
        """For people: "Qubic", "5 x 4, four in a row"."""

    @property
    def sentences(self) -> tuple[str, str, str]:
        """The rules in three sentences, for a beginner."""

    @property
    def cells(self) -> int: ...
    @property
    def nested(self) -> bool:
        """True for the nine boards, whose positions have a forced board."""

    @property
    def dimensions(self) -> tuple[int, ...]:
        """(columns, rows) or (columns, rows, levels); (9, 9) for nested boards, cells being 9 * board + square."""

    @property
    def initial(self) -> Position: ...
    @property
    def symmetries(self) -> Sequence[tuple[int, ...]]:
        """Permutations of the cells (cell -> image) that keep the rules, the identity first."""

    @property
    def texts(self) -> Sequence[str]:
        """The text of every cell: `texts[move]` is `format_move(move)`."""

    def parse_move(self, text: str) -> Move:
        """Raises MalformedMove."""

    def format_move(self, move: Move) -> str: ...
    def __hash__(self) -> int: ...
