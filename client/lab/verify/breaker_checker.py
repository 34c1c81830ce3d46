"""A checker of proofs that O stops every line of an m,n,k game or a cube. It shares nothing with what made them.

It needs Python alone: `python breaker_checker.py FILE`. The file, its numbers little-endian:

    8, 2, 4 bytes   the letters "flatgame", the format, 2, and the size of the file
    4 bytes         columns C, rows R, levels (1 if it is flat), and how many in a row win
    n bytes         what the checker asks for, in that order; cell x + C*y + C*R*z is the number of a cell
    32 bytes        the SHA-256 of all before

The checker walks through a strategy of O's for the empty board. It sees only the *open* lines, those without a mark of
O's, as only they matter: lines of O's own would help O further. Where no chain of common free cells joins two open
lines, O can stop them apart, as it answers where X moves. So a position is a set of joined open lines, with X's marks
on them; those that arise together come in the order of their free cells as numbers. Positions that are images of each
other under the board's symmetries are one, that with the smallest number of X's marks, then of the lines' cells, and
each is checked once.

- X is to move: a byte says how many pairs of cells follow, no cell in two of them. O answers in the other cell of a
  pair, and so stops each line that has both. In the other lines X is given all cells of pairs. They are stopped too if,
  a line that lacks r cells weighing 2**-r, they weigh less than 1/2 (P. Erdos, J. Selfridge 1973); a line all whose
  missing cells include another's does not count. 255 stands for no such pairs: then X's moves are looked at, each
  time the one whose lines weigh most, of equal ones the first.
- O is to move: it stops a line that lacks one cell; of two such lines it cannot stop both. Else a byte names its cell.

Not all of X's moves are looked at. Each check finds a *zone*: the cells that O's strategy from there needs to be free;
elsewhere X may have every cell. They are the cells of O's moves, of pairs, and what the weighed lines lack. A move of
X's outside the zone of another one of its moves is answered as that is, so it fails too. Where several symmetries lead
to a position, the image of its zone with the smallest number counts.

If O can stop every line, nobody wins with best play: if O could win as second, X could make any move and then play as
O.
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

HEAD = struct.Struct("<8sHI4B")
NO_PAIRS = 255


class Rejected(ValueError):
    """The text says why, in one sentence."""


def each(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


def union(words: list[int]) -> int:
    return functools.reduce(operator.or_, words, 0)


def weight(lacking: list[int]) -> float:
    return sum(2.0 ** -cells.bit_count() for cells in lacking)


class Board:
    def __init__(self, sizes: tuple[int, ...], length: int) -> None:
        self.sizes, self.length, cells = sizes, length, math.prod(sizes)
        if length < 2 or not 0 < cells <= 64:
            raise Rejected("The proof is not of a board of at most 64 cells.")
        self.places = [place[::-1] for place in itertools.product(*map(range, sizes[::-1]))]
        bits = {place: 1 << cell for cell, place in enumerate(self.places)}
        steps = [step for step in itertools.product((-1, 0, 1), repeat=3) if any(step)]
        ways = [
            [(x + n * i, y + n * j, z + n * k) for n in range(length)] for x, y, z in self.places for i, j, k in steps
        ]
        self.lines = sorted({sum(bits[place] for place in way) for way in ways if bits.keys() >= {*way}})
        turned = []
        for axes in itertools.permutations(range(3)):
            for mirrors in itertools.product(*((0, size - 1)[:size] for size in sizes)):
                images = [tuple(abs(m - p[axis]) for m, axis in zip(mirrors, axes, strict=True)) for p in self.places]
                if bits.keys() == {*images}:
                    turned.append([bits[image] for image in images])
        # Each symmetry, with the one that undoes it.
        back = [[1 << image.index(1 << cell) for cell in range(cells)] for image in turned]
        self.images = [(self.tables(image), self.tables(undone)) for image, undone in zip(turned, back, strict=True)]

    def tables(self, turned: list[int]) -> list[list[int]]:
        """Where a symmetry takes each set of 12 cells."""
        parts = [turned[first : first + 12] for first in range(0, len(turned), 12)]
        return [functools.reduce(lambda found, bit: found + [cells | bit for cells in found], p, [0]) for p in parts]


def image(tables: list[list[int]], cells: int) -> int:
    return sum(table[cells >> 12 * part & 0xFFF] for part, table in enumerate(tables))


class Walk:
    def __init__(self, board: Board, words: bytes) -> None:
        self.board, self.words, self.at = board, words, 0
        self.zones = dict[tuple[int, int, bool], int]()

    def ask(self, number: int, free: int = 0) -> list[int]:
        """The next bytes, which are cells in `free` if that is given."""
        found = self.words[self.at : self.at + number]
        self.at += number
        if len(found) < number:
            raise Rejected("The proof ends before O's strategy does.")
        if free and not all(free >> cell & 1 for cell in found):
            raise Rejected(f"The proof names a cell that is of no use at byte {self.at + HEAD.size - number}.")
        return [*found]

    def stops(self, x: int, lines: list[int]) -> int:
        """X is to move, with these marks: the zone of O's strategy against these open lines."""
        regions = list[tuple[int, int]]()  # The free cells of joined lines, and all their cells.
        for line in lines:
            joined = [region for region in regions if region[0] & line]
            regions = [region for region in regions if not region[0] & line]
            free, live = union([free for free, _ in joined]), union([live for _, live in joined])
            regions.append((free | line & ~x, live | line))
        return union([self.zone(x, live, True) for _, live in sorted(regions)])

    def zone(self, x: int, live: int, to_move: bool) -> int:
        """The same of the open lines whose cells are `live`; X is `to_move`, or O."""
        images = [(image(there, x & live), image(there, live), back) for there, back in self.board.images]
        x, live, _ = min(images)
        if (x, live, to_move) not in self.zones:
            lines = [line for line in self.board.lines if not line & ~live]
            self.zones[x, live, to_move] = (self.after_x if not to_move else self.before_x)(x, lines)
        return min(image(back, self.zones[x, live, to_move]) for *alike, back in images if alike == [x, live])

    def before_x(self, x: int, lines: list[int]) -> int:
        lacking = [line & ~x for line in lines]
        (number,) = self.ask(1)
        if number == NO_PAIRS:
            zone, moves = 0, union(lacking)
            while moves:
                move = max(each(moves), key=lambda cell: weight([cells for cells in lacking if cells & cell]))
                after = self.zone(x | move, union(lines), False)
                zone, moves = zone | after, moves & after & ~move
            return zone
        cells = [1 << cell for cell in self.ask(2 * number, union(lacking))]
        if len({*cells}) < len(cells):
            raise Rejected(f"A cell is in two pairs before byte {self.at + HEAD.size}.")
        pairs = [one | two for one, two in zip(cells[::2], cells[1::2], strict=True)]
        open_lines = {line & ~sum(cells) for line in lacking if not any(line & pair == pair for pair in pairs)}
        left = [line for line in open_lines if not any(other != line and other & line == other for other in open_lines)]
        if weight(left) >= 0.5:
            raise Rejected(f"Lines that have no pair weigh too much before byte {self.at + HEAD.size}.")
        return union([*pairs, *left])

    def after_x(self, x: int, lines: list[int]) -> int:
        lacking = [line & ~x for line in lines]
        must = union([cells for cells in lacking if not cells & (cells - 1)])
        if must & (must - 1) or 0 in lacking:
            raise Rejected(f"X gets a line before byte {self.at + HEAD.size}.")
        move = must or 1 << self.ask(1, union(lacking))[0]
        return move | self.stops(x, [line for line in lines if not line & move])


def check(data: bytes) -> tuple[str, int]:
    """What is proven, in words, and the number of positions. Raises Rejected."""
    magic, version, size, *sizes, length = HEAD.unpack(data[: HEAD.size].ljust(HEAD.size))
    if (magic, version) != (b"flatgame", 2):
        raise Rejected("This is no proof for a flat board or cube in format 2: it does not begin as one.")
    if len(data) != size:
        raise Rejected(f"The proof has {len(data)} bytes, and it should have {size}.")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Rejected("The proof was altered or damaged: its checksum is wrong.")
    board = Board(tuple(sizes), length)
    walk = Walk(board, data[HEAD.size : -32])
    walk.stops(0, board.lines)
    if walk.at < len(walk.words):
        raise Rejected(f"{len(walk.words) - walk.at} bytes of the proof are of no use.")
    game = f"{' x '.join(str(size) for size in board.sizes if size > 1)} with {board.length} in a row"
    return f"on {game} nobody can win", len(walk.zones)


if __name__ == "__main__":
    try:
        print("Proven: {}; {} positions.".format(*check(Path(sys.argv[1]).read_bytes())))
    except (OSError, Rejected) as error:
        sys.exit(str(error))
