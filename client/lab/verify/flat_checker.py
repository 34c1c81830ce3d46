"""A checker of proofs of who wins an m,n,k game or a cube. It shares nothing with what made them.

It needs Python alone: `python flat_checker.py FILE`. The file, its numbers little-endian:

    8, 2, 4 bytes   the letters "flatgame", the format, 1, and the size of the file
    4 bytes         columns C, rows R, levels (1 if it is flat), and how many in a row win
    8, 8 bytes      X's and O's cells in the position that it is about; cell x + C*y + C*R*z is bit x + C*y + C*R*z
    1, 1 bytes      who wins, 0 nobody, 1 X, 2 O; and in how many plies at most, 0 if nobody does
    4, 4 bytes      the number of records about X as the attacker, and about O; then the records, first all of X's:
      8, 8, 1, n    the attacker's cells, the defender's, a number n, and n cells
    32 bytes        the SHA-256 of all before

A record stands for all images of a position under the board's symmetries and names that with the smallest number of
the attacker's cells, then of the defender's. Records rise in that order; none may be left over. An attacker that wins
has its move in each position with it to move; one that is held, the defender's in each with that to move. Where the
attacker is to move and held there may be pairs, two by two: the defender answers in the other cell of a pair, and each
line that the attacker could still fill has one. Moves that complete a line or must stop one are not written down. Nor
is anything where, a line that lacks r cells weighing 2**-r, all weigh less than 1 with the defender to move, 1/2 with
the attacker: the defender holds (P. Erdos, J. Selfridge 1973). Lines with marks of both, or that lack more cells than
the attacker has moves, do not count. A mark on lines with marks of both alone is like passing, which is never best, as
a mark more does no harm: it is not looked at. A draw needs both sides held, on the empty board only X: if O won as
second, X could make any move and then play as O would; both cannot win.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import operator
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

HEAD, RECORD = struct.Struct("<8sHI4BQQBBII"), struct.Struct("<QQB")
Marks = tuple[int, int]  # The attacker's cells and the defender's.


class Rejected(ValueError):
    """The text says why, in one sentence."""


def each(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


class Board:
    def __init__(self, sizes: tuple[int, ...], length: int) -> None:
        self.sizes, self.length, cells = sizes, length, math.prod(sizes)
        if length < 2 or not 0 < cells <= 64:
            raise Rejected("The proof is not of a board of at most 64 cells.")
        self.full = (1 << cells) - 1
        places = [place[::-1] for place in itertools.product(*map(range, sizes[::-1]))]
        bits = {place: 1 << cell for cell, place in enumerate(places)}
        steps = [step for step in itertools.product((-1, 0, 1), repeat=3) if any(step)]
        ways = [[(x + n * i, y + n * j, z + n * k) for n in range(length)] for x, y, z in places for i, j, k in steps]
        self.lines = sorted({sum(bits[place] for place in way) for way in ways if bits.keys() >= {*way}})
        self.images = []
        for axes in itertools.permutations(range(3)):
            for mirrors in itertools.product(*((0, size - 1)[:size] for size in sizes)):
                images = [tuple(abs(m - p[axis]) for m, axis in zip(mirrors, axes, strict=True)) for p in places]
                if bits.keys() == {*images}:
                    turned = [bits[image] for image in images]
                    self.images.append([self.table(turned[first : first + 12]) for first in range(0, cells, 12)])

    def table(self, turned: list[int]) -> list[int]:
        """Where a symmetry takes each set of 12 cells."""
        return functools.reduce(lambda found, bit: found + [cells | bit for cells in found], turned, [0])

    def least(self, attacker: int, defender: int) -> Marks:
        shifts = [*range(0, self.full.bit_length(), 12)]
        a, d = [attacker >> shift & 0xFFF for shift in shifts], [defender >> shift & 0xFFF for shift in shifts]
        return min((sum(map(operator.getitem, t, a)), sum(map(operator.getitem, t, d))) for t in self.images)

    def completing(self, own: int, others: int) -> int:
        """The cells that complete a line."""
        lacking = [line & ~own for line in self.lines if not line & others]
        return functools.reduce(operator.or_, (cells for cells in lacking if not cells & (cells - 1)), 0)

    def useful(self, a: int, d: int) -> list[int]:
        lines = [line for line in self.lines if not line & a or not line & d]
        return [*each(functools.reduce(operator.or_, lines, 0) & ~a & ~d)]

    def lacking(self, a: int, d: int, attacking: bool) -> list[int]:
        """The empty cells of each line that the attacker can still fill."""
        moves = ((self.full & ~a & ~d).bit_count() + attacking) // 2
        found = [line & ~a for line in self.lines if not line & d]
        return [cells for cells in found if cells.bit_count() <= moves]


class Section:
    """What is claimed about one attacker, and the records that are to show it."""

    def __init__(self, board: Board, records: dict[Marks, bytes]) -> None:
        self.board, self.records, self.used = board, records, set[Marks]()

    def cells(self, a: int, d: int, moves: int = 0) -> list[int]:
        if (a, d) not in self.records:
            raise Rejected(f"There is no record where one is needed: attacker {a:#x}, defender {d:#x}.")
        self.used.add((a, d))
        cells = [1 << cell for cell in self.records[a, d]]
        if len({*cells}) < len(cells) or sum(cells) & ~(self.board.full & ~a & ~d) or moves not in (0, len(cells)):
            raise Rejected(f"A record names cells that cannot be: attacker {a:#x}, defender {d:#x}.")
        return cells

    def check(self, position: Marks, attacking: bool, plies: int) -> None:
        """Check that from this position the attacker wins in so many plies, or not at all if that is 0."""
        root = self.board.least(*position)
        reached, pending = {root}, [(*root, attacking, plies)]
        while pending:
            a, d, turn, left = pending.pop()
            for after in self.winning(a, d, turn, left) if plies else self.holding(a, d, turn):
                if (least := self.board.least(*after)) not in reached:
                    reached.add(least)
                    pending.append((*least, not turn, left - 1))
        if len(self.used) < len(self.records):
            raise Rejected(f"{len(self.records) - len(self.used)} records of the proof are of no use.")

    def winning(self, a: int, d: int, attacking: bool, left: int) -> list[Marks]:
        """The positions after the attacker's move, or after all the defender's, from each of which it must win."""
        wins, stops = self.board.completing(a, d), self.board.completing(d, a)
        if attacking and wins and left > 0:
            return []
        replies = [*each(wins)] or self.board.useful(a, d)
        if left < 2 or (stops & (stops - 1) if attacking else stops or not replies):
            raise Rejected(f"The attacker does not win, or too late: attacker {a:#x}, defender {d:#x}.")
        if attacking:
            return [(a | (stops or self.cells(a, d, moves=1)[0]), d)]
        return [(a, d | reply) for reply in replies] if not wins & (wins - 1) else []

    def holding(self, a: int, d: int, attacking: bool) -> list[Marks]:
        """The positions after the defender's move, or after all the attacker's, in each of which it must hold."""
        wins, stops = self.board.completing(a, d), self.board.completing(d, a)
        if stops if not attacking else stops & (stops - 1) and not wins:
            return []
        if wins if attacking else wins & (wins - 1):
            raise Rejected(f"The attacker wins: attacker {a:#x}, defender {d:#x}.")
        lacking = self.board.lacking(a, d, attacking)
        if sum(2.0 ** -cells.bit_count() for cells in lacking) < (0.5 if attacking else 1):
            return []
        if not attacking:
            return [(a, d | (wins or self.cells(a, d, moves=1)[0]))]
        if (a, d) not in self.records:
            return [(a | move, d) for move in [*each(stops)] or self.board.useful(a, d)]
        pairs = [one | two for one, two in zip(*[iter(self.cells(a, d))] * 2, strict=False)]
        if not all(any(line & pair == pair for pair in pairs) for line in lacking):
            raise Rejected(f"A line has no pair: attacker {a:#x}, defender {d:#x}.")
        return []


def parts(data: bytes) -> tuple[Board, Marks, int, int, list[dict[Marks, bytes]]]:
    head = HEAD.unpack(data[: HEAD.size].ljust(HEAD.size))
    magic, version, size, *sizes, length, x, o, winner, plies, of_x, of_o = head
    if (magic, version) != (b"flatgame", 1):
        raise Rejected("This is no proof for a flat board or cube in format 1: it does not begin as one.")
    if len(data) != size:
        raise Rejected(f"The proof has {len(data)} bytes, and it should have {size}.")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Rejected("The proof was altered or damaged: its checksum is wrong.")
    at, rows = HEAD.size, list[tuple[Marks, bytes]]()
    while at + RECORD.size <= size - 32:
        a, d, cells = RECORD.unpack(data[at : at + RECORD.size])
        at += RECORD.size + cells
        rows.append(((a, d), data[at - cells : at]))
    sections = rows[:of_x], rows[of_x:]
    if at != size - 32 or len(rows) != of_x + of_o:
        raise Rejected("The proof has not as many records as it says.")
    if any(row[0] >= after[0] for section in sections for row, after in itertools.pairwise(section)):
        raise Rejected("The records of the proof are not in order.")
    return Board(tuple(sizes), length), (x, o), winner, plies, [dict(section) for section in sections]


def check(data: bytes) -> tuple[str, int]:
    """What is proven, in words, and the number of records. Raises Rejected."""
    board, (x, o), winner, plies, sections = parts(data)
    marks, ahead = x.bit_count() + o.bit_count(), x.bit_count() - o.bit_count()
    over = any(line in (line & x, line & o) for line in board.lines)
    if x & o or (x | o) & ~board.full or ahead not in (0, 1) or over or winner > 2 or (winner > 0) != (plies > 0):
        raise Rejected("The proof is of a position or a result that cannot be.")
    for side, position in ((1, (x, o)), (2, (o, x))):
        section = Section(board, sections[side - 1])
        if winner == side or (winner == 0 and (marks or side == 1)):
            section.check(position, ahead == side - 1, plies)
        elif section.records:
            raise Rejected("The proof has records about a side that it claims nothing of.")
    result = f"{'XO'[winner - 1]} wins in at most {plies} plies" if winner else "nobody can win"
    game = f"{' x '.join(str(size) for size in board.sizes if size > 1)} with {board.length} in a row"
    return f"on {game}{f' after {marks} plies' if marks else ''} {result}", sum(map(len, sections))


def position(data: bytes) -> tuple[list[str], list[str]]:
    """What an accepted proof is about: X's cells and O's, such as b1 in the second column, on levels b1.1."""
    _, _, _, columns, rows, levels, _, x, o, *_ = HEAD.unpack_from(data)
    places = itertools.product(range(levels), range(rows), range(columns))
    names = [f"{chr(97 + x)}{y + 1}" + (f".{z + 1}" if levels > 1 else "") for z, y, x in places]
    x_names, o_names = ([name for cell, name in enumerate(names) if marks >> cell & 1] for marks in (x, o))
    return x_names, o_names


if __name__ == "__main__":
    try:
        data = Path(sys.argv[1]).read_bytes()
        print("Proven: {}; {} records.".format(*check(data)))
        print("Position: X {}; O {}.".format(*(" ".join(held) or "-" for held in position(data))))
    except (OSError, Rejected) as error:
        sys.exit(str(error))
