"""A checker of proofs of who wins a position of nine-board. It shares nothing with what made them.

It needs Python alone: `python nine_board_checker.py FILE`. The file, its numbers little-endian:

    8, 1, 1 bytes   the letters "ninegame", the format, 1, and the number of sections, 1 or 2
    11, 11 bytes    X's and O's cells; square s of board b, both 0 to 8 in reading order, is bit 9*b + s
    1 byte          the board in which the next move must be made, or 9 for a free choice; X moves if the marks are even
    per section:
      1, 1 bytes    whose moves it has, 1 X, 2 O; and what they reach, 1 a line, 0 that the other side gets none
      4, 4 bytes    the number of moves, and of bytes that follow: the moves, one byte each, compressed by zlib
    32 bytes        the SHA-256 of all before

A section is a strategy of its side, the *prover*: a move for each position with the prover to move that the other side
can reach, unless the prover completes a line there at once. A move is a square of the board it must be made in, or a
cell 9*b + s if the choice is free. The moves come in the order in which this program asks for them: a position that is
reached again is not asked for again, the last one found is next, and replies are found in the order of their cells.
No move may be left over.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

HEAD, SECTION = struct.Struct("<8sBB11s11sB"), struct.Struct("<BBII")
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FREE = 9
WINNING = [sum({line & ~own for line in LINES if (line & ~own).bit_count() == 1}) for own in range(512)]
"""For each set of a side's squares in a board, those that complete a line with them."""
BEGUN = [any(line & own == line for line in LINES) for own in range(512)]


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
    cells = range(81) if forced == FREE else range(9 * forced, 9 * forced + 9)
    return [cell for cell in cells if not taken >> cell & 1]


def where(own: int, others: int, forced: int) -> str:
    return f"prover {own:#x}, opponent {others:#x}, board {forced}"


class Strategy:
    """A prover's moves, and what they are to reach."""

    def __init__(self, chosen: bytes, needs_line: bool) -> None:
        self.chosen, self.needs_line = iter(chosen), needs_line

    def check(self, own: int, others: int, forced: int, to_move: bool) -> None:
        self.known = set[int]()
        self.pending = list[tuple[int, int, int]]()
        if to_move:
            self.reach(own, others, forced)
        else:
            self.reply(own, others, forced)
        while self.pending:
            position = self.pending.pop()
            own, others, forced = position
            move = next(self.chosen, None)
            if move is None:
                raise Rejected(f"There are too few moves: the next is for {where(*position)}.")
            cell = move if forced == FREE else 9 * forced + move
            taken = own | others
            if (forced != FREE and move > 8) or cell > 80 or taken >> cell & 1:
                raise Rejected(f"A move cannot be made: {move} for {where(*position)}.")
            self.reply(own | 1 << cell, others, after(taken | 1 << cell, cell % 9))
        if next(self.chosen, None) is not None:
            raise Rejected("There are more moves than positions.")

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
            self.reach(own, others | 1 << cell, after(taken | 1 << cell, cell % 9))

    def full(self, position: tuple[int, int, int]) -> None:
        if self.needs_line:
            raise Rejected(f"The boards are full without a line: {where(*position)}.")


def sections(data: bytes, count: int) -> Iterator[tuple[int, int, bytes]]:
    """Of each the prover, what it reaches and its moves."""
    at = HEAD.size
    for _ in range(count):
        if at + SECTION.size > len(data):
            raise Rejected("The proof ends within a section.")
        prover, line, number, size = SECTION.unpack_from(data, at)
        at += SECTION.size
        try:
            unpacker = zlib.decompressobj()
            chosen = unpacker.decompress(data[at : at + size], number + 1)
        except zlib.error:
            raise Rejected("The moves of a section cannot be decompressed.") from None
        at += size
        if prover not in (1, 2) or line not in (0, 1) or len(chosen) != number or unpacker.unused_data:
            raise Rejected("A section does not hold what it says.")
        yield prover, line, chosen
    if at != len(data):
        raise Rejected("The proof does not end after its sections.")


def check(data: bytes) -> tuple[str, int]:
    """What is proven, in words, and the number of moves. Raises Rejected."""
    if len(data) < HEAD.size + 32 or not data.startswith(b"ninegame\x01"):
        raise Rejected("This is no proof for nine-board in format 1: it does not begin as one.")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Rejected("The proof was altered or cut off: its checksum is wrong.")
    *_, count, x_bytes, o_bytes, forced = HEAD.unpack_from(data)
    x, o = (int.from_bytes(marks, "little") for marks in (x_bytes, o_bytes))
    plies = (x | o).bit_count()
    is_over = any(BEGUN[marks] for marks in boards(x) + boards(o)) or plies > 80
    is_odd = forced > FREE or (forced < FREE and boards(x | o)[forced] == 511)
    if x & o or (x | o) >> 81 or x.bit_count() - o.bit_count() not in (0, 1) or is_over or is_odd:
        raise Rejected("The proof is of a position that cannot be.")
    claims = list[tuple[int, int]]()
    number = 0
    for prover, line, chosen in sections(data[:-32], count):
        own, others = (x, o) if prover == 1 else (o, x)
        Strategy(chosen, line == 1).check(own, others, forced, plies % 2 == prover - 1)
        claims.append((prover, line))
        number += len(chosen)
    start = f"on nine-board after {plies} plies" if plies else "on nine-board"
    if claims in ([(1, 1)], [(2, 1)]):
        return f"{start} {'XO'[claims[0][0] - 1]} wins", number
    if claims == [(1, 0), (2, 0)]:
        return f"{start} nobody can win", number
    if claims in ([(1, 0)], [(2, 0)]):
        return f"{start} {'OX'[claims[0][0] - 1]} cannot win", number
    raise Rejected("The sections of the proof do not belong together.")


if __name__ == "__main__":
    try:
        print("Proven: {}; {} moves.".format(*check(Path(sys.argv[1]).read_bytes())))
    except (OSError, Rejected) as error:
        sys.exit(str(error))
