"""Openings of the flat boards that are solved, but take a while: results, best moves and lines of play.

A position stands for all its symmetric ones: it is the one with the smallest number of X's cells, then of O's. The
file, its numbers little-endian, ends with the SHA-256 of all before:

    8, 2 bytes           the letters "flatbook" and the number of games; for each game
    16, 4 bytes          its id, filled up with zeros, and the number of its positions; for each position, ascending
    8, 8, 1, 1, 8 bytes  X's and O's cells, who wins (0 nobody, 1 X, 2 O), in how many plies, the best moves as cells
    1 byte a ply         the moves of one game of best play, where somebody wins
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final, TypeAlias

from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import cells_of, mask_of
from engine.rules.position import Move, O, X
from engine.rules.registry import rules
from engine.search.solve.solver import Solution, Solver, Value

Marks: TypeAlias = tuple[int, int]
Book: TypeAlias = Mapping[str, Mapping[Marks, Solution]]
"""Solutions by game and least image."""

GAMES: Final = ("mnk:6,6,4", "mnk:6,6,5")
MOST_PLY: Final = 2
"""Later positions are solved when they are met."""
_HEAD: Final = struct.Struct("<8sH")
_GAME: Final = struct.Struct("<16sI")
_ENTRY: Final = struct.Struct("<QQBBQ")
_MAGIC: Final = b"flatbook"
_VALUES: Final[tuple[Value, ...]] = ("draw", X, O)


def make(told: Callable[[str, int], None] = lambda game, positions: None) -> Book:
    """Solve all of it; `told` is called for each position. The book is the same each time."""
    book = {}
    for game in GAMES:
        board = rules(game)
        assert isinstance(board, FlatRules)
        solver = Solver(board)
        found: dict[Marks, Solution] = {}
        waiting = [board.initial]
        while waiting:
            position = waiting.pop()
            marks, _ = least_image(position)
            if marks in found:
                continue
            # The same way to the end, whichever of the positions that are alike came first.
            alike = FlatPosition(board, *marks, position.ply)
            found[marks] = solver.solve(alike)
            told(game, len(found))
            if position.ply < MOST_PLY:
                waiting += [alike.play(move) for move in alike.legal_moves()]
        book[game] = found
    return book


def look_up(position: FlatPosition) -> Solution | None:
    """What the shipped book says of a position, at no cost; None if it is not in it."""
    if position.ply > MOST_PLY or position.rules.id not in GAMES:
        return None
    marks, image = least_image(position)
    found = shipped()[position.rules.id].get(marks)
    if found is None:
        return None
    back = {cell: origin for origin, cell in enumerate(image)}
    best = tuple(sorted(back[cell] for cell in found.best))
    return Solution(found.value, found.plies, best, tuple(back[cell] for cell in found.line), 0)


def least_image(position: FlatPosition) -> tuple[Marks, tuple[Move, ...]]:
    """The position that stands for this one, and a symmetry that takes this one there: image = symmetry[cell]."""
    x, o = cells_of(position.x), cells_of(position.o)
    return min(
        ((mask_of(tuple(image[cell] for cell in x)), mask_of(tuple(image[cell] for cell in o))), image)
        for image in position.rules.symmetries
    )


def to_bytes(book: Book) -> bytes:
    """The file of a book: the same bytes for the same book."""
    data = bytearray(_HEAD.pack(_MAGIC, len(book)))
    for game, found in book.items():
        data += _GAME.pack(game.encode(), len(found))
        for (x, o), solution in sorted(found.items()):
            winner = _VALUES.index(solution.value)
            data += _ENTRY.pack(x, o, winner, solution.plies or 0, mask_of(solution.best)) + bytes(solution.line)
    return bytes(data) + hashlib.sha256(data).digest()


def from_bytes(data: bytes) -> Book:
    """The book of a file. Raises ValueError, with a sentence, for anything else."""
    if not data.startswith(_MAGIC) or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ValueError("This is no book of flat boards, or it is damaged.")
    _, games = _HEAD.unpack_from(data)
    at = _HEAD.size
    book = {}
    for _ in range(games):
        name, count = _GAME.unpack_from(data, at)
        at += _GAME.size
        found = {}
        for _ in range(count):
            x, o, winner, plies, best = _ENTRY.unpack_from(data, at)
            at += _ENTRY.size + plies
            line = tuple(data[at - plies : at])
            found[x, o] = Solution(_VALUES[winner], plies or None, cells_of(best), line, 0)
        book[name.rstrip(b"\0").decode()] = found
    return book


@lru_cache(maxsize=1)
def shipped() -> Book:
    """The book that comes with the package."""
    return from_bytes(files("engine.search.perfect").joinpath("flat.book").read_bytes())
