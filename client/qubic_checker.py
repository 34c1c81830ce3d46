"""A checker of proofs that the first player wins 4 x 4 x 4 tic-tac-toe. It shares nothing with what made them.

It needs Python alone: `python qubic_checker.py FILE`. The file, its numbers little-endian:

    8 bytes         the letters "qubicwin"
    4, 4 bytes      the format, 1, and the number of records
    18 bytes each   X's cells (8 bytes), O's cells (8), the cell that X takes (1), in how many plies X then wins (1)
    32 bytes        the SHA-256 of all before

Cell x + 4y + 16z is bit x + 4y + 16z. A record is a position with X to move, for it and for all that are the same under
the 192 symmetries of the board's lines: of these the one whose X cells are the smallest number, then its O cells. The
records rise in that order. Checked is that from the empty board on, whatever O replies, X has a record or wins in time
by threats, moves that each make a three, so that O has one reply; and that no record is left over.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import operator
import struct
import sys
from pathlib import Path

HEAD, RECORD = struct.Struct("<8sII"), struct.Struct("<QQBB")
ALL, MOST_STEPS = (1 << 64) - 1, 300_000
Counts = tuple[int, int, int]  # The lines on which a side has at least one, two, three marks: bit n for line n.


class Rejected(ValueError):
    """The text says why, in one sentence."""


def _lines() -> list[int]:
    places = itertools.product(itertools.product(range(4), repeat=3), itertools.product((-1, 0, 1), repeat=3))
    lines = [[[s + n * d for s, d in zip(start, step, strict=True)] for n in range(4)] for start, step in places]
    inside = [line for line in lines if line[0] != line[1] and set(itertools.chain(*line)) <= {0, 1, 2, 3}]
    return sorted({sum(1 << x + 4 * y + 16 * z for x, y, z in line) for line in inside})


def _symmetries() -> list[list[list[int]]]:
    """Exchange axes, mirror them, change the values inside all alike: where the cells of each 16 bits of a word go."""
    found = []
    for inner in ((0, 1, 2, 3), (0, 2, 1, 3), (1, 0, 3, 2), (1, 3, 0, 2)):
        for axes, mirrors in itertools.product(itertools.permutations((1, 4, 16)), itertools.product((0, 3), repeat=3)):
            tables = [[0], [0], [0], [0]]
            for z, y, x in itertools.product(range(4), repeat=3):
                image = 1 << sum((inner[v] ^ m) * axis for v, axis, m in zip((x, y, z), axes, mirrors, strict=True))
                tables[z] += [cells | image for cells in tables[z]]
            found.append(tables)
    return found


LINES = _lines()
LINE = {1 << n: line for n, line in enumerate(LINES)}
THROUGH = {1 << cell: sum(1 << n for n, line in enumerate(LINES) if line >> cell & 1) for cell in range(64)}
IMAGES = _symmetries()


@functools.lru_cache(maxsize=4096)
def images_of(cells: int) -> list[int]:
    a, b, c, d = (cells >> shift & 0xFFFF for shift in (0, 16, 32, 48))
    return [first[a] | second[b] | third[c] | fourth[d] for first, second, third, fourth in IMAGES]


assert len(LINES) == 76
assert len(set(zip(*(images_of(1 << cell) for cell in range(64)), strict=True))) == 192
assert all(set(images) == set(LINES) for images in zip(*map(images_of, LINES), strict=True))


def least_image(x: int, o: int) -> tuple[int, int]:
    return min(zip(images_of(x), images_of(o), strict=True))


def marked(counts: Counts, cell: int) -> Counts:
    one, two, three, lines = *counts, THROUGH[cell]
    return one | lines, two | one & lines, three | two & lines


def counted(cells: int) -> Counts:
    return functools.reduce(marked, (cell for cell in THROUGH if cells & cell), (0, 0, 0))


def empty_cells(lines: int, empty: int) -> list[int]:
    """The empty cells of each of these lines, together in one word."""
    words = []
    while lines:
        words.append(LINE[lines & -lines] & empty)
        lines &= lines - 1
    return words


class Attack:
    """A search for a win by threats in at most `most` moves of X, who is to move.

    `moves` are those of the win, each with the cells that complete the three it makes, the last one with two. Tried
    first are moves on many lines with one mark of X's alone.
    """

    def __init__(self, x: int, o: int, most: int) -> None:
        self.failed, self.steps = set[int](), 0
        self.moves: list[tuple[int, int]] = []
        self.won = most > 0 and self._wins(x, o, counted(x), counted(o), most)

    def _wins(self, x: int, o: int, mine: Counts, theirs: Counts, most: int) -> bool:
        empty = ALL ^ x ^ o
        if fours := empty_cells(mine[2] & ~theirs[0], empty):
            self.moves = [(fours[0], 0)]
            return True
        must = functools.reduce(operator.or_, empty_cells(theirs[2] & ~mine[0], empty), 0)
        if must & (must - 1) or most < 2:
            return False
        seen = twice = 0
        for cells in (pairs := empty_cells(mine[1] & ~mine[2] & ~theirs[0], empty)):
            twice |= seen & cells & (must or ALL)
            seen |= cells
        if move := twice & -twice:
            self.moves = [(move, sum(cells ^ move for cells in pairs if cells & move))]
            return True
        helpful = mine[0] & ~mine[1] & ~theirs[0]
        moves = [(move, cells ^ move) for cells in pairs for move in (cells & -cells, cells & cells - 1)]
        for move, reply in sorted(moves, key=lambda pair: -(THROUGH[pair[0]] & helpful).bit_count()):
            if (must and move != must) or (x | move) << 64 | o | reply in self.failed:
                continue
            self.steps += 1
            if self.steps > MOST_STEPS:
                return False
            if self._wins(x | move, o | reply, marked(mine, move), marked(theirs, reply), most - 1):
                self.moves.append((move, reply))
                return True
        self.failed.add(x << 64 | o)
        return False

    def breaking(self, x: int, o: int) -> int:
        """Where one more mark of O's may break the win: its cells, and where O makes a three sooner or later."""
        cells = functools.reduce(operator.or_, itertools.chain(*self.moves))
        two = counted(functools.reduce(operator.or_, (reply for _, reply in self.moves), o))[1]
        return functools.reduce(operator.or_, empty_cells(two & ~counted(x)[0], ALL), cells)


def records_in(data: bytes) -> dict[tuple[int, int], tuple[int, int]]:
    magic, version, count = HEAD.unpack(data[: HEAD.size].ljust(HEAD.size))
    if (magic, version) != (b"qubicwin", 1):
        raise Rejected("This is no proof for qubic in format 1: it does not begin as one.")
    end = HEAD.size + count * RECORD.size
    if len(data) != end + 32:
        raise Rejected(f"The proof has {len(data)} bytes, and with {count} records it should have {end + 32}.")
    if hashlib.sha256(data[:end]).digest() != data[end:]:
        raise Rejected("The proof was altered or damaged: its checksum is wrong.")
    rows = [*RECORD.iter_unpack(data[HEAD.size : end])]
    if any(row[:2] >= after[:2] for row, after in itertools.pairwise(rows)):
        raise Rejected("The records of the proof are not in order.")
    return {(x, o): (cell, plies) for x, o, cell, plies in rows}


def following(x: int, o: int, cell: int, plies: int) -> set[tuple[int, int]]:
    """The positions after X's move for which there is to be a record: O's replies that threats do not beat."""
    if cell > 63 or (x | o) >> cell & 1:
        raise Rejected(f"A move of the proof cannot be played: X {x:#x}, O {o:#x}, move {cell}.")
    x |= 1 << cell
    most, left, replies, mine, theirs = (plies - 1) // 2, set(), ALL ^ x ^ o, counted(x), counted(o)
    if empty_cells(theirs[2] & ~mine[0], replies):
        raise Rejected(f"A move of the proof lets O win at once: X {x:#x}, O {o:#x}.")
    if forced := empty_cells(mine[2] & ~theirs[0], replies):
        replies = forced[0]
    elif (attack := Attack(x, o, most)).won:
        replies &= attack.breaking(x, o)
    while replies:
        reply = replies & -replies
        replies ^= reply
        if (attack := Attack(x, o | reply, most)).won:
            replies &= attack.breaking(x, o | reply)
        else:
            left.add(least_image(x, o | reply))
    return left


def check(data: bytes) -> tuple[int, int]:
    """The records of a proof, and the plies in which X wins at most. Raises Rejected."""
    records, pending, reached = records_in(data), [(0, 0, 64)], set()
    while pending:
        x, o, most = pending.pop()
        if (x, o) not in records or records[x, o][1] > most:
            raise Rejected(f"X's win is not proven in {most} plies from X {x:#x}, O {o:#x}.")
        if (x, o) not in reached:
            reached.add((x, o))
            cell, plies = records[x, o]
            pending += [(*after, plies - 2) for after in following(x, o, cell, plies)]
    if len(reached) < len(records):
        raise Rejected(f"{len(records) - len(reached)} records of the proof are of positions that O cannot reach.")
    return len(records), records[0, 0][1]


if __name__ == "__main__":
    try:
        print("Proven: {} positions, X wins in at most {} plies.".format(*check(Path(sys.argv[1]).read_bytes())))
    except (OSError, Rejected) as error:
        sys.exit(str(error))
