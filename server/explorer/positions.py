"""Which recorded positions are alike, and how their moves scored. Pure.

Two positions are *alike* when a symmetry of the board turns one into the other. Each gets a key of 64 bits that all
positions alike share: for every symmetry the position, turned by it, has a hash, and the key is the smallest of them.
The symmetries that lead to the smallest turn the position into its *canonical orientation*, in which moves are counted.
Where several do, the position is its own image under some symmetry, and cells that such a symmetry takes to one another
are alike too: the smallest of them in the canonical orientation stands for all.

A hash is the exclusive or of random words for whatever the rules look at: the marks, and on the nine boards also the
forced board and who won which board, which in `super` the marks alone do not determine. So positions with other moves
or another value have other keys, up to the chance of 2**-64 a pair that two hashes meet. The side to move is not in it:
the number of marks determines it.

The hashes of all symmetries stand side by side in one long integer, 64 bits each, the first symmetry lowest: one
exclusive or of Python's brings all 192 of Qubic up to date.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.rules.nested import NestedPosition
from engine.rules.position import Move, O, Position, Rules, Side, X
from engine.rules.registry import rules as find_rules

_WORD: Final = 2**64 - 1


def _random_word(number: int) -> int:
    """The splitmix64 sequence from seed 0 (Steele, Lea & Flood 2014). Databases hold what is made of it."""
    word = (number + 1) * 0x9E3779B97F4A7C15 & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


# Which random word stands for what. No board has 400 cells.
_X_MARKS, _O_MARKS, _FORCED, _WON_BY_X, _WON_BY_O = 0, 400, 800, 809, 818


class Place(NamedTuple):
    """Where a position is among all that are alike."""

    key: int
    """signed, as SQLite has it"""
    symmetries: tuple[int, ...]
    """numbers of the symmetries that turn the position into its canonical orientation"""


class SymmetryTables:
    """The tables of one game, made and kept by `symmetry_tables`."""

    def __init__(self, rules: Rules) -> None:
        self.symmetries: Final = tuple(rules.symmetries)
        self._bytes: Final = 8 * len(self.symmetries)
        self.marks: Final[dict[Side, tuple[int, ...]]] = {
            X: self._words(self.symmetries, _X_MARKS),
            O: self._words(self.symmetries, _O_MARKS),
        }
        """for a side and a cell, its words under all symmetries"""
        turns = [tuple(symmetry[9 * board] // 9 for board in range(9)) for symmetry in self.symmetries if rules.nested]
        self.forced: Final = self._words(turns, _FORCED)
        self.won: Final[dict[Side, tuple[int, ...]]] = {
            X: self._words(turns, _WON_BY_X),
            O: self._words(turns, _WON_BY_O),
        }

    def _words(self, turns: Sequence[Sequence[int]], first: int) -> tuple[int, ...]:
        places = range(len(turns[0])) if turns else ()
        return tuple(
            sum(_random_word(first + turn[place]) << 64 * number for number, turn in enumerate(turns))
            for place in places
        )

    def place(self, hashes: int) -> Place:
        each = array("q", hashes.to_bytes(self._bytes, sys.byteorder))
        if sys.byteorder == "big":
            each.reverse()
        key = min(each)
        if each.count(key) == 1:
            return Place(key, (each.index(key),))
        return Place(key, tuple(number for number, one in enumerate(each) if one == key))

    def canonical(self, place: Place, cell: Move) -> Move:
        """The cell that stands for this one and for those alike at that place."""
        return min([self.symmetries[number][cell] for number in place.symmetries])


def symmetry_tables(rules: Rules) -> SymmetryTables:
    return _symmetry_tables(rules.id)


@lru_cache(maxsize=16)
def _symmetry_tables(game: str) -> SymmetryTables:
    """Tables of a game. Those of a 5 x 5 x 5 cube take half a megabyte, so not all are kept."""
    return SymmetryTables(find_rules(game))


class Walk:
    """A game from its first position on; `place` is that of the position now."""

    def __init__(self, rules: Rules) -> None:
        self.tables: Final = symmetry_tables(rules)
        self.position: Position = rules.initial
        self._hashes = 0
        """hashes of marks and won boards: the forced board comes and goes"""

    def play(self, cell: Move) -> None:
        """Raises IllegalMove and changes nothing then."""
        before, after = self.position, self.position.play(cell)
        side = before.to_move
        self._hashes ^= self.tables.marks[side][cell]
        if isinstance(before, NestedPosition) and isinstance(after, NestedPosition):
            board = cell // 9
            if after.board_owner(board) != before.board_owner(board):
                self._hashes ^= self.tables.won[side][board]
        self.position = after

    @property
    def place(self) -> Place:
        forced = self.position.forced
        return self.tables.place(self._hashes if forced is None else self._hashes ^ self.tables.forced[forced])

    def legal_by_canonical(self) -> dict[Move, list[Move]]:
        """Legal moves that each canonical cell stands for, ascending."""
        place = self.place
        found: dict[Move, list[Move]] = {}
        for cell in self.position.legal_moves():
            found.setdefault(self.tables.canonical(place, cell), []).append(cell)
        return found


class Played(NamedTuple):
    """A finished game: `moves` are all its cells, the first `set_up` of them those of its start."""

    id: int
    set_up: int
    moves: Sequence[Move]
    winner: Side | None


Entry = tuple[str, int, int]
"""A game's id, a position's key, and a move from there: the canonical cell of a move that a player chose, `~cell` of
one that was set up beforehand, as an opening of a ladder is."""
Count = tuple[int, int, int, int]
"""How many games X won, how many were drawn, how many O won, and the id of the newest."""


def entries(rules: Rules, game: Played) -> Iterator[Entry]:
    """An entry for each move. Raises IllegalMove for moves that break the rules."""
    walk = Walk(rules)
    for ply, cell in enumerate(game.moves):
        place = walk.place
        walk.play(cell)
        canonical = walk.tables.canonical(place, cell)
        yield rules.id, place.key, canonical if ply >= game.set_up else ~canonical


def added(count: Count, game: Played) -> Count:
    """The count with one more game, which began after those that it has."""
    x_won, drawn, o_won, _ = count
    won_by_x, won_by_o = game.winner == X, game.winner == O
    return x_won + won_by_x, drawn + (not won_by_x and not won_by_o), o_won + won_by_o, game.id


NONE: Final[Count] = (0, 0, 0, 0)
