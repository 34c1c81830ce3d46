"""A checker of proofs that the first player wins 4 x 4 x 4 tic-tac-toe. It shares nothing with what made them.

It needs Python alone: `python qubic_checker.py FILE`. The file, its numbers little-endian:

    8, 4, 4 bytes   the letters "qubicwin", the format, 1, and the number of records
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
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

HEAD, RECORD, WORDS = struct.Struct("<8sII"), struct.Struct("<QQBB"), struct.Struct("<192Q")
ALL, MOST_STEPS = (1 << 64) - 1, 300_000
Marks = tuple[int, int]  # X's cells and O's.
Counts = tuple[int, int, int]  # The lines on which a side has at least one, two, three marks: bit n for line n.


class Rejected(ValueError):
    """The text says why, in one sentence."""


CUBE = [*itertools.product(range(4), repeat=3)]
WAYS = itertools.product(CUBE, itertools.product((-1, 0, 1), repeat=3))
ROWS = ({tuple(s + n * d for s, d in zip(start, step, strict=True)) for n in range(4)} for start, step in WAYS)
LINES = sorted({sum(1 << x + 4 * y + 16 * z for x, y, z in row) for row in ROWS if len(row.intersection(CUBE)) == 4})
LINE = {1 << n: line for n, line in enumerate(LINES)}
THROUGH = {1 << cell: sum(1 << n for n, line in enumerate(LINES) if line >> cell & 1) for cell in range(64)}
# The symmetries exchange axes, mirror them, and change the values inside all alike: a cell's images, 64 bits for each.
IMAGES, INSIDE = dict.fromkeys(THROUGH, 0), ((0, 1, 2, 3), (0, 2, 1, 3), (1, 0, 3, 2), (1, 3, 0, 2))
TURNS = itertools.product(INSIDE, itertools.permutations((1, 4, 16)), itertools.product((0, 3), repeat=3))
for number, (inner, axes, mirrors) in enumerate(TURNS):
    for x, y, z in CUBE:
        image = sum((inner[v] ^ mirror) * axis for v, axis, mirror in zip((x, y, z), axes, mirrors, strict=True))
        IMAGES[1 << x + 4 * y + 16 * z] |= 1 << 64 * number + image


def union(words: Iterable[int]) -> int:
    return functools.reduce(operator.or_, words, 0)


def bits(word: int) -> Iterator[int]:
    while word:
        yield word & -word
        word &= word - 1


def images_of(cells: int) -> tuple[int, ...]:
    return WORDS.unpack(union(IMAGES[cell] for cell in bits(cells)).to_bytes(WORDS.size, "little"))


IMAGE = {cell: images_of(cell) for cell in IMAGES}
assert (len(LINES), len(set(zip(*IMAGE.values(), strict=True)))) == (76, 192)
assert all(set(images) == set(LINES) for images in zip(*map(images_of, LINES), strict=True))


def marked(counts: Counts, cell: int) -> Counts:
    one, two, three, lines = *counts, THROUGH[cell]
    return one | lines, two | one & lines, three | two & lines


def completing(mine: Counts, theirs: Counts, empty: int) -> int:
    """The cells that complete a line of mine."""
    return union(LINE[line] & empty for line in bits(mine[2] & ~theirs[0]))


class Attack:
    """A search for a win by threats in at most `most` moves of X, who is to move and cannot complete a line at once.

    `moves` are those of the win, each with the cells that complete the threes it makes: the last one has two or more.
    Few of a win's marks wait for long until a later threat uses them, so attacks that hold two at most are tried first.
    """

    def __init__(self, x: int, o: int, mine: Counts, theirs: Counts, most: int) -> None:
        self.mine, self.theirs, self.moves = mine, theirs, list[Marks]()
        must = completing(theirs, mine, ALL ^ x ^ o)
        for self.most_held in (2, 64) if most > 1 and not must & (must - 1) else ():
            self.failed = set[int]()
            if self._wins((x, o, *mine[:2], *theirs[:2]), must, most, 0):
                break

    def _wins(self, position: tuple[int, ...], must: int, most: int, held: int) -> bool:
        x, o, x1, x2, o1, o2 = position
        seen, twice, pairs = 0, 0, []
        lines = x2 & ~o1 & THROUGH[must] if must else x2 & ~o1
        while lines:
            line = LINE[lines & -lines]
            lines &= lines - 1
            cells = line & ~x
            twice |= seen & cells
            seen |= cells
            pairs.append((cells, line & held))
        if move := (twice & must if must else twice & -twice):
            self.moves.append((move, union(cells for cells, _ in pairs if cells & move) ^ move))
            return True
        hope, fear, full = x1 & ~x2 & ~o1, x1 & ~o1 | o2 & ~x1, held.bit_count() >= self.most_held
        tries = [(0, must, cells ^ must, held & ~used) for cells, used in pairs if must and most > 2]
        for cells, used in pairs if most > 2 and not must else ():
            if used or not full:
                one, other, rest = cells & -cells, cells & cells - 1, held & ~used
                here, there = THROUGH[one], THROUGH[other]
                tries.append(((there & fear).bit_count() - (here & hope).bit_count(), one, other, rest | one))
                tries.append(((here & fear).bit_count() - (there & hope).bit_count(), other, one, rest | other))
        for _, move, reply, holding in sorted(tries):
            after, theirs, lines, lost = x | move, o | reply, THROUGH[move], THROUGH[reply]
            if (key := (after << 64 | theirs) << 64 | holding) in self.failed:
                continue
            self.failed.add(key)
            stop = union(LINE[three] & ~theirs for three in bits(threes)) if (threes := o2 & lost & ~x1 & ~lines) else 0
            if len(self.failed) > MOST_STEPS or stop & (stop - 1):
                continue
            now = after, theirs, x1 | lines, x2 | x1 & lines, o1 | lost, o2 | o1 & lost
            if self._wins(now, stop, most - 1, holding):
                self.moves.append((move, reply))
                return True
        return False

    def breaking(self) -> int:
        """Where one more mark of O's may break the win: its cells, and where O makes a three sooner or later."""
        twos = functools.reduce(marked, bits(union(reply for _, reply in self.moves)), self.theirs)[1] & ~self.mine[0]
        return union(itertools.chain(*self.moves, map(LINE.__getitem__, bits(twos)))) if self.moves else ALL


def records_in(data: bytes) -> dict[Marks, tuple[int, int]]:
    magic, version, count = HEAD.unpack(data[: HEAD.size].ljust(HEAD.size))
    if (magic, version) != (b"qubicwin", 1):
        raise Rejected("This is no proof for qubic in format 1: it does not begin as one.")
    end = HEAD.size + count * RECORD.size
    if len(data) != end + 32:
        raise Rejected(f"The proof has {len(data)} bytes, and with {count} records it should have {end + 32}.")
    if hashlib.sha256(data[:end]).digest() != data[end:]:
        raise Rejected("The proof was altered or damaged: its checksum is wrong.")
    records = {(x, o): (cell, plies) for x, o, cell, plies in RECORD.iter_unpack(data[HEAD.size : end])}
    if len(records) < count or list(records) != sorted(records) or (0, 0) not in records:
        raise Rejected("The records of the proof are not in order, that of the empty board first.")
    return records


def following(x: int, o: int, records: Mapping[Marks, tuple[int, int]]) -> set[Marks]:
    """The records that O's replies to this one's move lead to. Raises Rejected if a reply is not beaten in time."""
    cell, plies = records[x, o]
    if cell > 63 or (x | o) >> cell & 1:
        raise Rejected(f"A move of the proof cannot be played: X {x:#x}, O {o:#x}, move {cell}.")
    x |= 1 << cell
    mine, theirs = (functools.reduce(marked, bits(cells), (0, 0, 0)) for cells in (x, o))
    most, empty, found = (plies - 1) // 2, ALL ^ x ^ o, set[Marks]()
    if completing(theirs, mine, empty):
        raise Rejected(f"A move of the proof lets O win at once: X {x:#x}, O {o:#x}.")
    if (forced := completing(mine, theirs, empty)) & (forced - 1) and most > 0:
        return found
    replies = forced or empty
    of_x, of_o = images_of(x), images_of(o)
    least = min(of_x)
    turns = [turn for turn, image in enumerate(of_x) if image == least]
    for reply in bits(replies):
        after = least, min(of_o[turn] | IMAGE[reply][turn] for turn in turns)
        if after in records and records[after][1] <= plies - 2:
            found.add(after)
            replies ^= reply
    replies &= forced or Attack(x, o, mine, theirs, most).breaking()
    while replies:
        reply = replies & -replies
        if not (attack := Attack(x, o | reply, mine, marked(theirs, reply), most)).moves:
            raise Rejected(f"X's win in {plies} plies is not proven: X {x:#x}, O {o | reply:#x}, X to move.")
        replies &= attack.breaking() & ~reply
    return found


def check(data: bytes) -> tuple[int, int]:
    """The records of a proof, and the plies in which X wins at most. Raises Rejected."""
    records = records_in(data)
    reached, pending = {(0, 0)}, [(0, 0)]
    while pending:
        found = following(*pending.pop(), records) - reached
        reached |= found
        pending += found
    if len(reached) < len(records):
        raise Rejected(f"{len(records) - len(reached)} records of the proof are of positions that O cannot reach.")
    return len(records), records[0, 0][1]


if __name__ == "__main__":
    try:
        print("Proven: {} positions, X wins in at most {} plies.".format(*check(Path(sys.argv[1]).read_bytes())))
    except (OSError, Rejected) as error:
        sys.exit(str(error))
