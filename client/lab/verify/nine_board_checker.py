"""A checker of proofs of who wins a position of nine-board. It shares nothing with what made them.

It needs Python alone: `python nine_board_checker.py FILE [PROCESSES]`. The file, its numbers little-endian:

    8, 1, 1 bytes   the letters "ninegame", the format, 2, and the number of claims, 1 or 2
    11, 11 bytes    X's and O's cells; square s of board b, both 0 to 8 in reading order, is bit 9*b + s
    1 byte          the board in which the next move must be made, or 9 for a free choice; X moves if the marks are even
    per claim:
      1, 1 bytes    whose strategy proves it, 1 X, 2 O; and what that reaches, 1 a line, 0 that the other side gets none
      per part:
        4, 4 bytes  the number of positions it begins with, at least 1, and of positions that it leaves to others
        4, 4 bytes  the number of moves, and of bytes that follow
        ...         compressed by zlib: the positions that it begins with and those that it leaves, 23 bytes each, the
                    prover's cells, the other side's and the board as above; then the moves, a byte each
      4 bytes       0
    32 bytes        the SHA-256 of all before

A strategy has a move for each position with its side, the *prover*, to move that the other side can reach, unless the
prover completes a line there at once. A move is a square of the board it must be made in, or a cell 9*b + s if the
choice is free. A part begins with its first position and, when no position is left, goes on with its next. The moves
come in the order in which this program asks for them: within a part, a position that is reached again is not asked for
again, the last one found is next, and replies are found in the order of their cells. Where the moves end, the positions
that have none are those that the part leaves, in the order found; another part must begin with each of them. No part is
there twice, and none leaves a position that it begins with. So what a part leaves has more marks than what leans on it,
and no part can lean on itself. No part has more than 4,194,304 positions or moves, so that checking one takes little
memory.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import signal
import struct
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import NamedTuple

HEAD, CLAIM, PART = struct.Struct("<8sBB11s11sB"), struct.Struct("<BB"), struct.Struct("<IIII")
END = bytes(4)
MOST = 1 << 22
"""Positions of a part, and moves: without a limit a small file unpacks to more than memory holds."""
PLACE = struct.Struct("<11s11sB")
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FREE = 9
WINNING = [sum({line & ~own for line in LINES if (line & ~own).bit_count() == 1}) for own in range(512)]
"""For each set of a side's squares in a board, the squares that complete a line with them."""
BEGUN = [any(line & own == line for line in LINES) for own in range(512)]


EMPTY = [[[9 * board + s for s in range(9) if not taken >> s & 1] for taken in range(512)] for board in range(9)]
"""For each board and set of its squares that are taken, the other cells."""
SHIFTS = [9 * (cell % 9) for cell in range(81)]
"""For each cell, where the squares of the board that it leads to begin."""


class Rejected(ValueError):
    """The text says why, in one sentence."""


def boards(marks: int) -> list[int]:
    return [marks >> 9 * board & 511 for board in range(9)]


def wins(own: int, taken: int, forced: int) -> bool:
    """Whether the side with these cells completes a line by its next move."""
    for board in range(9) if forced == FREE else (forced,):
        if WINNING[own >> 9 * board & 511] & ~(taken >> 9 * board):
            return True
    return False


def after(taken: int, square: int) -> int:
    """The board that a move on this square leads to."""
    return FREE if taken >> 9 * square & 511 == 511 else square


def moves(taken: int, forced: int) -> list[int]:
    if forced < FREE:
        return EMPTY[forced][taken >> 9 * forced & 511]
    return [cell for cell in range(81) if not taken >> cell & 1]


def where(own: int, others: int, forced: int) -> str:
    return f"prover {own:#x}, opponent {others:#x}, board {forced}"


Place = tuple[int, int, int]
"""The prover's cells, the other side's, and the board in which the prover must move."""


class Part(NamedTuple):
    """A part as it is in the file."""

    needs_line: bool
    begun: int
    left: int
    moves: int
    packed: bytes


class Checked(NamedTuple):
    """What holds for the first positions if it does for the others."""

    begun: list[Place]
    left: list[Place]
    moves: int


class Strategy:
    """A prover's moves, and what they are to reach."""

    def __init__(self, chosen: bytes, needs_line: bool) -> None:
        self.chosen, self.needs_line = chosen, needs_line
        self.made = 0
        self.known = set[int]()
        self.pending = list[Place]()

    def check(self, place: Place) -> None:
        """Follow the moves from a position, to the last if they do not suffice."""
        self.reach(*place)
        while self.pending and self.made < len(self.chosen):
            own, others, forced = self.pending.pop()
            move = self.chosen[self.made]
            self.made += 1
            cell = move if forced == FREE else 9 * forced + move
            taken = own | others
            if (forced != FREE and move > 8) or cell > 80 or taken >> cell & 1:
                raise Rejected(f"A move cannot be made: {move} for {where(own, others, forced)}.")
            self.reply(own | 1 << cell, others, after(taken | 1 << cell, cell % 9))

    def reach(self, own: int, others: int, forced: int) -> None:
        """The prover is to move."""
        # As one number, which takes half the memory of three.
        number = own << 85 | others << 4 | forced
        if number not in self.known and not wins(own, own | others, forced):
            if (own | others).bit_count() == 81:
                self.full((own, others, forced))
            else:
                self.known.add(number)
                self.pending.append((own, others, forced))

    def reply(self, own: int, others: int, forced: int) -> None:
        """The other side is to move."""
        taken = own | others
        if wins(others, taken, forced):
            raise Rejected(f"The other side completes a line: {where(own, others, forced)}.")
        if taken.bit_count() == 81:
            self.full((own, others, forced))
        for cell in moves(taken, forced):
            # Most replies let the prover complete a line, which shows before anything else is worked out.
            shift, marks = SHIFTS[cell], taken | 1 << cell
            if not WINNING[own >> shift & 511] & ~(marks >> shift):
                self.reach(own, others | 1 << cell, after(marks, cell % 9))

    def full(self, position: tuple[int, int, int]) -> None:
        if self.needs_line:
            raise Rejected(f"The boards are full without a line: {where(*position)}.")


def checked(part: Part) -> Checked:
    """Raises Rejected."""
    if max(part.begun + part.left, part.moves) > MOST:
        raise Rejected(f"A part says that it has more than {MOST:,} positions or moves, which none needs.")
    size = PLACE.size * (part.begun + part.left)
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(part.packed, size + part.moves + 1)
    except zlib.error:
        raise Rejected("A part cannot be decompressed.") from None
    if len(data) != size + part.moves or unpacker.unused_data:
        raise Rejected("A part does not hold what it says.")
    places = (
        (int.from_bytes(own, "little"), int.from_bytes(others, "little"), forced)
        for own, others, forced in PLACE.iter_unpack(data[:size])
    )
    strategy, begun = Strategy(data[size:], part.needs_line), dict[Place, None]()
    for place in itertools.islice(places, part.begun):
        if strategy.pending:
            raise Rejected(f"There are too few moves: the next is for {where(*strategy.pending[-1])}.")
        if not possible(*place):
            raise Rejected(f"A part begins with a position that cannot be: {where(*place)}.")
        strategy.check(place)
        begun[place] = None
    if strategy.made < part.moves:
        raise Rejected("There are more moves than positions.")
    left = strategy.pending
    # Their number first: a small file unpacks to many positions.
    if len(left) != part.left or left != [*places]:
        raise Rejected("A part leaves other positions than it says, or its moves are too few.")
    if not begun.keys().isdisjoint(left):
        raise Rejected("A part leaves a position that it begins with.")
    return Checked([*begun], left, part.moves)


def possible(own: int, others: int, forced: int) -> bool:
    """Whether the game is not over, and the board has an empty square."""
    taken = own | others
    if own & others or taken >> 81 or taken.bit_count() == 81 or forced > FREE:
        return False
    if forced < FREE and taken >> 9 * forced & 511 == 511:
        return False
    return not any(BEGUN[marks] for marks in boards(own) + boards(others))


def led_to(own: int, others: int, forced: int) -> bool:
    """Whether some move of the side not to move, with the cells `own`, has led there."""
    if not own | others:
        return forced == FREE
    return any(own >> cell & 1 and after(own | others, cell % 9) == forced for cell in range(81))


def parts(data: bytes, at: int, needs_line: bool) -> Iterator[Part]:
    """The parts of a claim, from byte `at` on."""
    while data[at : at + len(END)] != END:
        if at + PART.size > len(data):
            raise Rejected("The proof ends within a claim.")
        begun, left, moves, size = PART.unpack_from(data, at)
        at += PART.size + size
        if at > len(data):
            raise Rejected("The proof ends within a part.")
        yield Part(needs_line, begun, left, moves, data[at - size : at])


def claims(data: bytes, count: int) -> Iterator[tuple[int, int, list[Part]]]:
    """Each claim's prover, what it reaches and its parts."""
    at = HEAD.size
    for _ in range(count):
        if at + CLAIM.size > len(data):
            raise Rejected("The proof ends before its last claim.")
        prover, line = CLAIM.unpack_from(data, at)
        if prover not in (1, 2) or line not in (0, 1):
            raise Rejected("A claim is of a side or an aim that is none.")
        at += CLAIM.size
        found = list(parts(data, at, line == 1))
        if len({*found}) < len(found):
            raise Rejected("A part is there twice.")
        at += sum(PART.size + len(part.packed) for part in found) + len(END)
        yield prover, line, found
    if at != len(data):
        raise Rejected("The proof does not end after its claims.")


def proven(found: Iterable[Checked], first: Iterable[Place]) -> int:
    """The number of moves, if the parts together prove the first positions. Raises Rejected."""
    begun, needed, moves = set[Place](), set(first), 0
    for part in found:
        begun.update(part.begun)
        needed.update(part.left)
        moves += part.moves
    missing = needed - begun
    if missing:
        raise Rejected(f"No part begins with {where(*min(missing))}.")
    return moves


def check(data: bytes, processes: int = 1, told: Callable[[int, int], None] = lambda done, of: None) -> tuple[str, int]:
    """What is proven, in words, and the number of moves. Raises Rejected.

    `told` is called with the number of parts that are checked, and of all.
    """
    if len(data) < HEAD.size + 32 or not data.startswith(b"ninegame\x02"):
        raise Rejected("This is no proof for nine-board in format 2: it does not begin as one.")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Rejected("The proof was altered or cut off: its checksum is wrong.")
    *_, count, x_bytes, o_bytes, forced = HEAD.unpack_from(data)
    x, o = (int.from_bytes(marks, "little") for marks in (x_bytes, o_bytes))
    plies = (x | o).bit_count()
    is_even = possible(x, o, forced) and x.bit_count() - o.bit_count() in (0, 1)
    if not is_even or not led_to(*((x, o) if plies % 2 else (o, x)), forced):
        raise Rejected("The proof is of a position that cannot be.")
    found = list(claims(data[:-32], count))
    of, made, number = sum(len(parts) for *_, parts in found), 0, 0
    pool = ProcessPoolExecutor(processes, get_context("spawn"), belong_to_parent) if processes > 1 else None
    try:
        for prover, line, parts in found:
            own, others = (x, o) if prover == 1 else (o, x)
            first = Strategy(b"", line == 1)
            (first.reach if plies % 2 == prover - 1 else first.reply)(own, others, forced)
            results = list[Checked]()
            for result in pool.map(checked, parts) if pool else map(checked, parts):
                results.append(result)
                made += 1
                told(made, of)
            number += proven(results, first.pending)
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)
    claimed = [(prover, line) for prover, line, _ in found]
    start = f"on nine-board after {plies} plies" if plies else "on nine-board"
    if claimed in ([(1, 1)], [(2, 1)]):
        return f"{start} {'XO'[claimed[0][0] - 1]} wins", number
    if claimed == [(1, 0), (2, 0)]:
        return f"{start} nobody can win", number
    if claimed in ([(1, 0)], [(2, 0)]):
        return f"{start} {'OX'[claimed[0][0] - 1]} cannot win", number
    raise Rejected("The claims of the proof do not belong together.")


def position(data: bytes) -> tuple[list[str], list[str], int | None]:
    """What an accepted proof is about: X's cells, O's, each as board/square, and the board of the next move."""
    *_, x_bytes, o_bytes, forced = HEAD.unpack_from(data)
    x, o = (
        [f"{cell // 9 + 1}/{cell % 9 + 1}" for cell in range(81) if int.from_bytes(marks, "little") >> cell & 1]
        for marks in (x_bytes, o_bytes)
    )
    return x, o, None if forced == FREE else forced + 1


def belong_to_parent() -> None:
    """Have this process, which checks parts, ended by the one that started it or with it, and by no Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


if __name__ == "__main__":
    try:
        file, processes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
        data = Path(file).read_bytes()
        print("Proven: {}; {} moves.".format(*check(data, processes)))
        x, o, board = position(data)
        print(f"Position: X {' '.join(x) or '-'}; O {' '.join(o) or '-'}; board {board or 'any'}.")
    except (OSError, Rejected) as error:
        sys.exit(str(error))
