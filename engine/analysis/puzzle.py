"""Puzzles as data: positions in which one move alone wins in time, or alone saves the game.

A *win* is a chess player's "mate in three": the move to find is the only one that forces the end within `plies`, and
no move forces it sooner. A *save* is the only move that does not lose. `engine.analysis.puzzle_search` finds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.rules.flat import FlatPosition
from engine.rules.position import Move, Rules, play_all

Kind: TypeAlias = Literal["win", "save"]
Difficulty: TypeAlias = Literal[1, 2, 3]

MOST_PLIES: Final = 9
"""The longest win that is a puzzle, unless another bound is given."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the person who solves the puzzle can do on one turn."""

    right: dict[Move, Answer | None]
    """Every move that reaches the goal in time, with what follows; None where it solves the puzzle."""
    wrong: dict[Move, Move]
    """Every other legal move, with a reply that puts the goal out of reach."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply that holds out longest, and the turn after it."""

    reply: Move
    turn: Turn


@dataclass(frozen=True, slots=True)
class Puzzle:
    game: str
    """Canonical id."""
    moves: tuple[Move, ...]
    """The moves from the empty board to the position."""
    kind: Kind
    plies: int
    """Moves of both sides: to the end of a win, or to the opponent's win after the second-best move of a save."""
    alone: bool
    """It is proven that no other first move wins, however late; always true of a save."""
    turn: Turn

    @property
    def key(self) -> Move:
        """The move to find."""
        return next(iter(self.turn.right))

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line: the first right move of each turn, and the replies."""
        found: list[Move] = []
        turn: Turn | None = self.turn
        while turn is not None:
            move, answer = next(iter(turn.right.items()))
            found.append(move)
            turn = None
            if answer is not None:
                found.append(answer.reply)
                turn = answer.turn
        return tuple(found)


def difficulty(puzzle: Puzzle, rules: Rules) -> Difficulty:
    """1 to 3, by the length of the win and by whether the first move is an obvious threat."""
    if puzzle.kind == "save":
        return 2 if puzzle.plies <= 4 else 3
    steps = (puzzle.plies - 1) // 2 + (0 if _is_forcing(puzzle, rules) else 1)
    return 1 if steps <= 1 else 2 if steps <= 2 else 3


def _is_forcing(puzzle: Puzzle, rules: Rules) -> bool:
    """Whether the first move threatens to complete a line at once."""
    position = play_all(rules.initial, (*puzzle.moves, puzzle.key))
    if not isinstance(position, FlatPosition):
        return False
    return is_threatened(position)


def is_threatened(position: FlatPosition) -> bool:
    """Whether the other side would complete a line if it were to move."""
    passed = FlatPosition(position.rules, position.x, position.o, position.ply + 1)
    return any(passed.play(move).line for move in passed.legal_moves())


def choose(found: Iterable[tuple[Puzzle, int]], rules: Rules, most: int) -> list[tuple[Puzzle, int]]:
    """At most `most` of the puzzles, each with the number of its game, the easiest first.

    They are taken from every kind and length in turn, wins before saves; among those of one length the fuller proof and
    the emptier board come first. No two are from one game, or equal by a symmetry of the board.
    """
    groups: dict[tuple[Kind, int], list[tuple[Puzzle, int]]] = {}
    for puzzle, number in sorted(found, key=lambda each: (not each[0].alone, len(each[0].moves), each[1])):
        groups.setdefault((puzzle.kind, puzzle.plies), []).append((puzzle, number))
    chosen: list[tuple[Puzzle, int]] = []
    classes: set[object] = set()
    games: set[int] = set()
    while len(chosen) < most and any(groups.values()):
        for group in sorted(groups, key=lambda group: (group[0] == "save", group[1])):
            while groups[group] and len(chosen) < most:
                puzzle, number = groups[group].pop(0)
                symmetry_class = _symmetry_class(puzzle, rules)
                if symmetry_class not in classes and number not in games:
                    classes.add(symmetry_class)
                    games.add(number)
                    chosen.append((puzzle, number))
                    break
    return sorted(chosen, key=lambda each: (difficulty(each[0], rules), each[0].kind == "save", each[0].plies))


def _symmetry_class(puzzle: Puzzle, rules: Rules) -> object:
    """Equal for puzzles that a rotation or a reflection of the board maps to each other."""
    sides = puzzle.moves[::2], puzzle.moves[1::2]
    last = puzzle.moves[-1:] if rules.nested else ()
    return min(
        tuple(tuple(sorted(image[cell] for cell in part)) for part in (*sides, last)) for image in rules.symmetries
    )
