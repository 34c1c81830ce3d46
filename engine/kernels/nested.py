"""The nine boards: ternary codes of the small ones, and everything that follows from a code in a table.

Board and square `b`, `s` are numbered as in `engine.rules.nested`; sets of boards or squares are 9-bit integers. The
*code* of a small board is the sum of `3**s * (1 + side)` over its marks. A board that somebody has won goes on (in
`super`) or rests (elsewhere) at `code + WON`: in that half of the tables no line counts and every value is 0.

The *states* of the nine boards are one 18-bit integer: bit `b` says that side 1 can no longer win board `b`, because
side 0 has it or nobody can, and bit `9 + b` says the same of side 0. So a board of side 0 has the first bit, one of
side 1 the second, a *dead* one both and an undecided one none.

Side 0 is the side to move at the root and side 1 the other; `ply` counts from the root. `static` and `after` are from
side 0's view: the values of the undecided boards and that of the states.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.hashing import random_words
from engine.kernels.jit import inlined
from engine.rules import lines
from engine.rules.nested import ALL_BOARDS, HAS_LINE, LINE_MASKS

CODES = 3**9
STATES = 4**9
WON = CODES
"""Added to the code of a board that has an owner."""

# What has happened to a small board that comes to a code: flags.
_LINE, _FULL = 1, 2
_SEED = 81


class NestedBoard(NamedTuple):
    """A position under search. The first fields are constant for a game and an evaluation, the others change."""

    first_line_wins: bool
    """The first line in any board wins (nine-board); else three boards in a line do."""
    closes_won_boards: bool
    """No move may be made in a won board."""
    counts_boards: bool
    """Once every board is closed, the side with more won boards wins."""
    steps: Any
    """int64[2, 9]: what a mark of a side on a square adds to the code."""
    events: Any
    """int8[2 * CODES]: whether the board has a line, and whether it is full."""
    empty: Any
    """int16[2 * CODES]: the empty squares."""
    winning: Any
    """int16[2, 2 * CODES]: the empty squares on which a side completes a line."""
    completing: Any
    """int16[512]: the boards (or squares) that complete a line with those of a set."""
    has_line: Any
    """bool[512]: for each set of boards."""
    blocked: Any
    """bool[512]: whether every line has one of these boards."""
    values: Any
    """int32[2 * CODES]: of an undecided small board."""
    big_values: Any
    """int32[STATES]: of the states."""
    images: Any
    """int16[symmetries, 81]: where a symmetry takes a cell."""
    origins: Any
    """int16[symmetries, 81]: the inverse."""
    zobrist: Any
    """uint64[2, 81, symmetries]: a mark."""
    fate_words: Any
    """uint64[3, 9, symmetries]: a board that belongs to side 0, to side 1, or is dead."""
    forced_words: Any
    """uint64[9, symmetries]: the forced board."""
    codes: Any
    """int64[9]."""
    former: Any
    """int64[plies]: the code, before the move made at a ply, of the board it was made in."""
    states: Any
    """int64[plies]."""
    closed: Any
    """int64[plies]: the boards in which no move may be made."""
    forced: Any
    """int64[plies]: the board in which the move must be made, or -1."""
    static: Any
    """int64[plies]."""
    hashes: Any
    """uint64[plies, symmetries]: all but the forced board and the side to move."""


def board(
    *,
    first_line_wins: bool,
    closes_won_boards: bool,
    counts_boards: bool,
    values: Any,
    big_values: Any,
    plies: int,
    symmetry_count: int = 0,
) -> NestedBoard:
    """A board without marks, for positions of one game under one evaluation, to be searched at most `plies` deep.

    `values` (int[CODES]) judges an undecided small board by its code, `big_values` (int[STATES]) the boards by their
    states; both from side 0's view. The key is the least over the first `symmetry_count` of the 8 symmetries; 0 keeps
    no key.
    """
    table = tables()
    # A decided board has no value of its own, nor one with an owner.
    undecided = np.where(table.events[:CODES] == 0, np.asarray(values, np.int32), np.int32(0))
    made = NestedBoard(
        bool(first_line_wins),
        bool(closes_won_boards),
        bool(counts_boards),
        *table,
        np.concatenate((undecided, np.zeros(CODES, np.int32))),
        np.ascontiguousarray(big_values, np.int32),
        *_symmetric_tables(symmetry_count),
        np.zeros(9, np.int64),
        np.zeros(plies + 1, np.int64),
        np.zeros(plies + 1, np.int64),
        np.zeros(plies + 1, np.int64),
        np.zeros(plies + 1, np.int64),
        np.zeros(plies + 1, np.int64),
        np.zeros((plies + 1, symmetry_count), np.uint64),
    )
    made.forced[0] = -1
    return made


def set_up(board: NestedBoard, own: int, others: int, own_boards: int, other_boards: int, forced: int | None) -> None:
    """Make a position that is not over the root: 81-bit marks and won boards of the side to move and of the other."""
    states = closed = 0
    for number in range(9):
        marks = own >> 9 * number & ALL_BOARDS, others >> 9 * number & ALL_BOARDS
        code = sum(int(board.steps[side, square]) for side in range(2) for square in lines.cells_of(marks[side]))
        is_full = marks[0] | marks[1] == ALL_BOARDS
        has_owner = (own_boards | other_boards) >> number & 1
        board.codes[number] = code + WON if has_owner else code
        is_dead = is_full and not has_owner
        states |= (own_boards >> number & 1 | is_dead) << number
        states |= (other_boards >> number & 1 | is_dead) << 9 + number
        closed |= (is_full or (has_owner and board.closes_won_boards)) << number
    board.states[0], board.closed[0] = states, closed
    board.forced[0] = -1 if forced is None else forced
    board.static[0] = int(board.values[board.codes].sum()) + int(board.big_values[states])
    board.hashes[0] = _hash(board, (own, others), states, closed)


def _hash(board: NestedBoard, marks: tuple[int, int], states: int, closed: int) -> Any:
    """What `make` keeps up to date: the marks of the boards that are not closed, and what became of the others."""
    total = np.zeros(board.hashes.shape[1], np.uint64)
    for side in range(2):
        for cell in lines.cells_of(marks[side]):
            if not closed >> cell // 9 & 1:
                total ^= board.zobrist[side, cell]
    for number in range(9):
        lost_to = (states >> number & 1) + 2 * (states >> 9 + number & 1)
        if lost_to:
            total ^= board.fate_words[lost_to - 1, number]
    return total


def marks_of_codes() -> tuple[Any, Any]:
    """The 9-bit sets of squares of side 0 and side 1, for every code of a small board (int64[CODES])."""
    digits = np.arange(CODES)[:, None] // 3 ** np.arange(9) % 3
    bits = 1 << np.arange(9)
    return (digits == 1) @ bits, (digits == 2) @ bits


def boards_of_states() -> tuple[Any, Any, Any]:
    """The sets of boards of side 0, of side 1 and of neither for good, for every state (int32[STATES])."""
    states = np.arange(STATES, dtype=np.int32)
    own, others = states & ALL_BOARDS, states >> 9
    return own & ~others, others & ~own, own & others


class Tables(NamedTuple):
    """What follows from codes and sets alone; see NestedBoard."""

    steps: Any
    events: Any
    empty: Any
    winning: Any
    completing: Any
    has_line: Any
    blocked: Any


@lru_cache(maxsize=1)
def tables() -> Tables:
    powers = 3 ** np.arange(9)
    own, others = marks_of_codes()
    sets = np.arange(512)
    completing = np.zeros(512, np.int64)
    for mask in LINE_MASKS:
        missing = mask & ~sets
        completing |= np.where(missing & (missing - 1) == 0, missing, 0)
    has_line = np.array(HAS_LINE)
    full = own | others == ALL_BOARDS
    events = (has_line[own] | has_line[others]) * _LINE + full * _FULL
    empty = ALL_BOARDS & ~(own | others)
    winning = np.stack((completing[own] & empty, completing[others] & empty))
    made = Tables(
        np.stack((powers, 2 * powers)).astype(np.int64),
        np.concatenate((events, full * _FULL)).astype(np.int8),
        np.concatenate((empty, empty)).astype(np.int16),
        np.concatenate((winning, np.zeros_like(winning)), axis=1).astype(np.int16),
        completing.astype(np.int16),
        has_line,
        np.all([sets & mask != 0 for mask in LINE_MASKS], axis=0),
    )
    for table in made:
        table.flags.writeable = False
    return made


@lru_cache(maxsize=9)
def _symmetric_tables(count: int) -> tuple[Any, Any, Any, Any, Any]:
    """images, origins, zobrist, fate_words and forced_words; see NestedBoard."""
    turns = np.array(lines.flat_symmetries(3, 3), np.int16)[: max(count, 1)]
    images = (9 * turns[:, :, None] + turns[:, None, :]).reshape(-1, 81)
    origins = np.argsort(images, axis=1).astype(np.int16)
    words = random_words(2 * 81 + 4 * 9, _SEED)
    of_marks, of_boards = words[: 2 * 81].reshape(2, 81), words[2 * 81 :].reshape(4, 9)
    zobrist = np.ascontiguousarray(of_marks[:, images.T][:, :, :count])
    of_images = np.ascontiguousarray(of_boards[:, turns.T][:, :, :count])
    made = (images, origins, zobrist, of_images[:3], of_images[3])
    for table in made:
        table.flags.writeable = False
    return made


@inlined
def legal(board: NestedBoard, ply: int, row: Any) -> int:
    """Write the legal moves, ascending, into `row` and return how many there are."""
    boards = open_boards(board, ply)
    found = 0
    while boards:
        number = lowest(boards)
        boards &= boards - 1
        squares = integer(board.empty[board.codes[number]])
        while squares:
            row[found] = 9 * number + lowest(squares)
            found += 1
            squares &= squares - 1
    return found


@inlined
def following(board: NestedBoard, ply: int, previous: int) -> int:
    """The least legal move above `previous` (-1: of all), or -1."""
    boards = open_boards(board, ply)
    number = (previous + 1) // 9
    skipped = previous + 1 - 9 * number
    while number < 9:
        if boards >> number & 1:
            squares = integer(board.empty[board.codes[number]]) >> skipped
            if squares:
                return 9 * number + skipped + lowest(squares)
        number += 1
        skipped = 0
    return -1


@inlined
def count(board: NestedBoard, ply: int) -> int:
    """How many legal moves there are."""
    boards = open_boards(board, ply)
    found = 0
    while boards:
        found += popcount(board.empty[board.codes[lowest(boards)]])
        boards &= boards - 1
    return found


@inlined
def open_boards(board: Any, ply: int) -> int:
    """The boards in which a move may be made."""
    forced = board.forced[ply]
    return 1 << forced if forced >= 0 else ALL_BOARDS & ~board.closed[ply]


@inlined
def frontier(
    board: NestedBoard, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    """The best of a position's moves by what `look` says, in the order of their cells, up to the first above `bound`.

    See `flat.frontier`.
    """
    side = ply & 1
    boards = open_boards(board, ply)
    best_move = -1
    tried = 0
    ends = 0
    while boards:
        number = lowest(boards)
        boards &= boards - 1
        former = board.codes[number]
        static = board.static[ply] - board.values[former]
        squares = integer(board.empty[former])
        while squares:
            square = lowest(squares)
            squares &= squares - 1
            tried += 1
            code = former + board.steps[side, square]
            after = static + board.values[code]
            status = 0
            if board.events[code]:
                states, closed = settled(board, ply, number, code)
                after += integer(board.big_values[states]) - board.big_values[board.states[ply]]
                status = status_after(board, ply, states, closed)
            value = after if side == 0 else -after
            if status != 0:
                ends += 1
                if status == 2:
                    value = value if draw_adds else 0
                elif not win_adds:
                    value = won if status == 1 else -won
            if value > best:
                best, best_move = value, 9 * number + square
                if best > bound:
                    return best, best_move, tried, ends
    return best, best_move, tried, ends


@inlined
def look(board: NestedBoard, ply: int, move: int) -> tuple[int, int]:
    """What a move would do: 0 the game goes on, 1 it wins, 2 it draws, 3 it loses; and the evaluation after it."""
    number = move // 9
    former = board.codes[number]
    code = former + board.steps[ply & 1, move - 9 * number]
    after = board.static[ply] + board.values[code] - board.values[former]
    if board.events[code] == 0:
        return 0, after
    states, closed = settled(board, ply, number, code)
    after += integer(board.big_values[states]) - board.big_values[board.states[ply]]
    return status_after(board, ply, states, closed), after


@inlined
def settled(board: Any, ply: int, number: int, code: int) -> tuple[int, int]:
    """The states and the closed boards after a move by which a board came to a code with an event."""
    states, closed = board.states[ply], board.closed[ply]
    event = board.events[code]
    bit = 1 << number
    if event & _LINE:
        states |= bit << 9 * (ply & 1)
    elif code < WON:
        states |= bit | bit << 9
    if event & _FULL or board.closes_won_boards:
        closed |= bit
    return states, closed


@inlined
def owned(states: int, side: int) -> int:
    """The boards that a side has won."""
    own, others = states & ALL_BOARDS, states >> 9
    return own & ~others if side == 0 else others & ~own


@inlined
def status_after(board: Any, ply: int, states: int, closed: int) -> int:
    """The first value of `look`, for a move that leads to these states and closed boards."""
    side = ply & 1
    ours = owned(states, side)
    if board.first_line_wins:
        if ours:
            return 1
    elif board.has_line[ours]:
        return 1
    if closed != ALL_BOARDS:
        return 0
    if board.counts_boards:
        lead = popcount(ours) - popcount(owned(states, 1 - side))
        if lead:
            return 1 if lead > 0 else 3
    return 2


@inlined
def make(board: NestedBoard, ply: int, move: int) -> None:
    """Make a move after which the game goes on."""
    number = move // 9
    former = board.codes[number]
    code = former + board.steps[ply & 1, move - 9 * number]
    states, closed = board.states[ply], board.closed[ply]
    static = board.static[ply] + board.values[code] - board.values[former]
    if board.events[code]:
        states, closed = settled(board, ply, number, code)
        static += integer(board.big_values[states]) - board.big_values[board.states[ply]]
    place(board, ply, move, code, states, closed)
    board.static[ply + 1] = static


@inlined
def place(board: Any, ply: int, move: int, code: int, states: int, closed: int) -> None:
    """What `make` changes besides the evaluation."""
    side = ply & 1
    number = move // 9
    square = move - 9 * number
    for symmetry in range(board.hashes.shape[1]):
        board.hashes[ply + 1, symmetry] = board.hashes[ply, symmetry] ^ board.zobrist[side, move, symmetry]
    board.former[ply] = board.codes[number]
    if board.events[code]:
        _rehash(board, ply, number, code, states, closed)
        if board.events[code] & _LINE:
            code += WON
    board.codes[number] = code
    board.states[ply + 1] = states
    board.closed[ply + 1] = closed
    board.forced[ply + 1] = -1 if closed >> square & 1 else square


@inlined
def _rehash(board: NestedBoard, ply: int, number: int, code: int, states: int, closed: int) -> None:
    """Add a board's fate to the hash; once it is closed, its fate stands for all of its marks."""
    hashes = board.hashes[ply + 1]
    if states != board.states[ply]:
        fate = (states >> number & 1) + 2 * (states >> 9 + number & 1) - 1
        for symmetry in range(hashes.shape[0]):
            hashes[symmetry] ^= board.fate_words[fate, number, symmetry]
    if closed != board.closed[ply] and hashes.shape[0]:
        rest = code % WON
        for square in range(9):
            mark = rest % 3
            rest //= 3
            if mark:
                for symmetry in range(hashes.shape[0]):
                    hashes[symmetry] ^= board.zobrist[mark - 1, 9 * number + square, symmetry]


@inlined
def unmake(board: NestedBoard, ply: int, move: int) -> None:
    """Take back the move that was made at `ply`."""
    board.codes[move // 9] = board.former[ply]


@inlined
def threats(board: NestedBoard, ply: int, row: Any) -> tuple[int, int, int]:
    """(1, move, 1) if the mover can win at once, else (0, _, 0)."""
    boards = open_boards(board, ply)
    if board.counts_boards and popcount(board.closed[ply]) == 8:
        return _winning_last(board, ply, row)
    if not board.first_line_wins:
        boards &= integer(board.completing[owned(board.states[ply], ply & 1)])
    while boards:
        number = lowest(boards)
        boards &= boards - 1
        squares = integer(board.winning[ply & 1, board.codes[number]])
        if squares:
            return 1, 9 * number + lowest(squares), 1
    return 0, -1, 0


@inlined
def _winning_last(board: NestedBoard, ply: int, row: Any) -> tuple[int, int, int]:
    """Like `threats`, where closing the last board may win without any line."""
    for i in range(legal(board, ply, row)):
        move = integer(row[i])
        number = move // 9
        code = board.codes[number] + board.steps[ply & 1, move - 9 * number]
        if board.events[code] and status_after(board, ply, *settled(board, ply, number, code)) == 1:
            return 1, move, 1
    return 0, -1, 0


@inlined
def drawn(board: NestedBoard, ply: int) -> bool:
    """Whether it is plain that nobody can win any more; never in nine-board."""
    if board.first_line_wins or board.counts_boards:
        return False
    states = board.states[ply]
    return bool(board.blocked[states & ALL_BOARDS]) and bool(board.blocked[states >> 9])


@inlined
def promise(board: NestedBoard, ply: int, move: int) -> int:
    """How early a move is worth trying: what it adds for the mover.

    Tried, and worth under 2 % of the nodes: what the move takes from the other side, and what it costs to let that side
    choose its board or make a line where it is sent.
    """
    after = look(board, ply, move)[1] - board.static[ply]
    return after if ply & 1 == 0 else -after


@inlined
def key(board: NestedBoard, ply: int) -> tuple[Any, int]:
    """The least key over the symmetries, and the symmetry that has it.

    Positions with equal keys, hash collisions apart, have the same moves with the same values: the key leaves out marks
    in closed boards and counts the owners of boards.
    """
    forced = board.forced[ply]
    best, symmetry = np.uint64(0xFFFFFFFFFFFFFFFF), 0
    for number in range(board.hashes.shape[1]):
        word = board.hashes[ply, number]
        if forced >= 0:
            word ^= board.forced_words[forced, number]
        if word < best:
            best, symmetry = word, number
    return best ^ (np.uint64(ply & 1) * np.uint64(_SIDE)), symmetry


_SIDE = 0x9E3779B97F4A7C15
