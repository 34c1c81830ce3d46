"""Flat boards and cubes: lines, an incremental evaluation, and the gain of every move at any time.

Sets of cells are words of 64 bits, bit `c % 64` of word `c // 64` for cell `c`: one word up to 8 x 8 and Qubic, six
for 19 x 19. Each line has a *state*, `own + (length + 1) * others` marks, and the evaluation is a sum over the lines of
a table indexed by it. What a mark on a cell would add, its *gain*, is kept for every cell and both sides: a leaf then
costs one addition, and a move that completes a line shows by a gain of at least `HALF_WIN`.

Side 0 is the side to move at the root and side 1 the other; `ply` counts from the root. `static` and `after` are from
side 0's view, gains from that of the side that moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest
from engine.kernels.hashing import random_words
from engine.kernels.jit import inlined, jit

WIN_SHIFT = 24
"""A completed line adds 1 << WIN_SHIFT to the gain of the move, so the evaluation's own gains stay below half of it."""
STATIC, SHORT, OPEN = 0, 1, 2
HALF_WIN = 1 << WIN_SHIFT - 1


class FlatBoard(NamedTuple):
    """A position under search. The first arrays are constant for a game and an evaluation, the others change."""

    cells: int
    first: Any
    """uint32[cells + 1]: where the lines through a cell begin in `through`."""
    through: Any
    """uint16[..]: lines, cell after cell."""
    line_cells: Any
    """uint16[lines, length]."""
    step: Any
    """int64[2]: what a mark of a side adds to the state of a line."""
    value: Any
    """int64[states]: the evaluation of a line."""
    gain: Any
    """int32[2, states]: what a mark of a side on a line adds to the value for that side."""
    delta: Any
    """int32[2, states, 4]: how a side's mark changes the gain of side 0 and 1, the lines one mark short of a win of
    side 0 minus those of side 1 (packed, 1 << 16 for side 1), and the number of open lines."""
    images: Any
    """uint16[symmetries, cells]: where a symmetry takes a cell."""
    origins: Any
    """uint16[symmetries, cells]: the inverse."""
    zobrist: Any
    """uint64[2, cells, symmetries]."""
    places: Any
    """int32[cells]: what a mark is worth apart from its lines."""
    taken: Any
    """int64[1]: marks on the board at the root."""
    empty: Any
    """uint64[words]."""
    line_state: Any
    """uint16[lines]."""
    gains: Any
    """int32[plies, 2 * cells]: of cell 0 for side 0 and side 1, of cell 1, ..."""
    facts: Any
    """int64[plies, 3]: the evaluation (STATIC), lines one mark short of a win, of side 0 plus 65536 times those of
    side 1 (SHORT), and lines that somebody can still complete (OPEN)."""
    hashes: Any
    """uint64[plies, symmetries]."""


class FlatTables(NamedTuple):
    """What is constant for a game and an evaluation; see FlatBoard."""

    cells: int
    first: Any
    through: Any
    line_cells: Any
    step: Any
    value: Any
    gain: Any
    delta: Any
    images: Any
    origins: Any
    zobrist: Any
    places: Any


def tables(
    cells: int,
    lines: Sequence[Sequence[int]],
    values: Sequence[Sequence[int]],
    symmetries: Sequence[Sequence[int]],
    places: Sequence[int] = (),
) -> FlatTables:
    """The tables of a game whose lines are worth `values[own][others]`, a (length + 1) x (length + 1) table.

    `places`, if given, is what a mark on each cell is worth apart from its lines.

    A search with a transposition table takes positions for equal that one of `symmetries` (the identity first) maps
    to each other. Raises ValueError for values too large to tell the gain of a move from a win.
    """
    length = len(lines[0])
    of_cell: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for cell in line:
            of_cell[cell].append(number)
    first = np.cumsum([0, *map(len, of_cell)], dtype=np.uint32)
    through = np.array([number for numbers in of_cell for number in numbers], dtype=np.uint16)
    value, gain, delta = _line_tables(length, values)
    if int(np.abs(gain % (1 << WIN_SHIFT)).max(initial=0)) and _largest_gain(gain) * max(map(len, of_cell)) >= HALF_WIN:
        raise ValueError("The evaluation is too large: its gains reach that of a completed line.")
    images = np.array(symmetries, dtype=np.uint16).reshape(-1, cells)
    origins = np.argsort(images, axis=1).astype(np.uint16)
    words = random_words(2 * cells).reshape(2, cells)
    zobrist = np.ascontiguousarray(words[:, images.T])
    return FlatTables(
        cells,
        first,
        through,
        np.array(lines, dtype=np.uint16),
        np.array([1, length + 1], dtype=np.int64),
        value,
        gain,
        delta,
        images,
        origins,
        zobrist,
        np.array(places or [0] * cells, dtype=np.int32),
    )


def _largest_gain(gain: Any) -> int:
    """The largest gain apart from that of completing a line."""
    plain = np.where(gain >= HALF_WIN, gain - (1 << WIN_SHIFT), gain)
    return int(np.abs(plain).max())


def _line_tables(length: int, values: Sequence[Sequence[int]]) -> tuple[Any, Any, Any]:
    states = (length + 1) ** 2
    value = np.zeros(states, np.int64)
    gain = np.zeros((2, states), np.int64)
    short = np.zeros(states, np.int64)
    is_open = np.zeros(states, np.int64)
    marks = [(own, others) for own in range(length + 1) for others in range(length + 1 - own)]
    for own, others in marks:
        state = own + (length + 1) * others
        value[state] = values[own][others]
        is_open[state] = own == 0 or others == 0
        short[state] = (others == 0 and own == length - 1) + ((own == 0 and others == length - 1) << 16)
    for own, others in marks:
        if own + others == length:
            continue
        state = own + (length + 1) * others
        gain[0, state] = value[state + 1] - value[state]
        gain[1, state] = value[state] - value[state + length + 1]
        gain[0, state] += (own == length - 1) << WIN_SHIFT
        gain[1, state] += (others == length - 1) << WIN_SHIFT
    delta = np.zeros((2, states, 4), np.int32)
    for own, others in marks:
        if own + others == length:
            continue
        state = own + (length + 1) * others
        for side, step in ((0, 1), (1, length + 1)):
            after = state + step
            delta[side, state] = (
                gain[0, after] - gain[0, state],
                gain[1, after] - gain[1, state],
                short[after] - short[state],
                is_open[after] - is_open[state],
            )
    return value, gain.astype(np.int32), delta


def board(
    table: FlatTables, own: Sequence[int], others: Sequence[int], plies: int, symmetry_count: int = 0
) -> FlatBoard:
    """A position with the marks of the side to move and of the other, to be searched at most `plies` deep.

    Its key is the least over the first `symmetry_count` symmetries; 0 keeps no key.
    """
    rows = plies + 1
    made = FlatBoard(
        *table[:8],
        table.images[: max(symmetry_count, 1)],
        table.origins[: max(symmetry_count, 1)],
        np.ascontiguousarray(table.zobrist[:, :, :symmetry_count]),
        table.places,
        np.array([len(own) + len(others)], np.int64),
        np.zeros((table.cells + 63) // 64, np.uint64),
        np.zeros(len(table.line_cells), np.uint16),
        np.zeros((rows, 2 * table.cells), np.int32),
        np.zeros((rows, 3), np.int64),
        np.zeros((rows, symmetry_count), np.uint64),
    )
    _set_up(made, np.array(own, np.int64), np.array(others, np.int64))
    return made


@jit
def _set_up(board: FlatBoard, own: Any, others: Any) -> None:
    for cell in range(board.cells):
        board.empty[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
        board.gains[0, 2 * cell] = board.places[cell]
        board.gains[0, 2 * cell + 1] = board.places[cell]
    for side in range(2):
        marks = own if side == 0 else others
        for cell in marks:
            board.empty[cell >> 6] &= ~(np.uint64(1) << np.uint64(cell & 63))
            board.facts[0, STATIC] += board.places[cell] if side == 0 else -board.places[cell]
            for i in range(integer(board.first[cell]), integer(board.first[cell + 1])):
                board.line_state[integer(board.through[i])] += board.step[side]
            for symmetry in range(board.hashes.shape[1]):
                board.hashes[0, symmetry] ^= board.zobrist[side, cell, symmetry]
    length = board.line_cells.shape[1]
    for line in range(board.line_cells.shape[0]):
        state = integer(board.line_state[line])
        by_own, by_others = state % (length + 1), state // (length + 1)
        board.facts[0, STATIC] += board.value[state]
        board.facts[0, OPEN] += by_own == 0 or by_others == 0
        board.facts[0, SHORT] += by_others == 0 and by_own == length - 1
        board.facts[0, SHORT] += (by_own == 0 and by_others == length - 1) << 16
        for cell in board.line_cells[line]:
            board.gains[0, 2 * cell] += board.gain[0, state]
            board.gains[0, 2 * cell + 1] += board.gain[1, state]


@inlined
def legal(board: FlatBoard, ply: int, row: Any) -> int:
    """Write the legal moves, ascending, into `row` and answer how many there are."""
    count = 0
    for number in range(board.empty.shape[0]):
        word = board.empty[number]
        while word:
            row[count] = lowest(word) + 64 * number
            count += 1
            word &= word - np.uint64(1)
    return count


@inlined
def following(board: FlatBoard, ply: int, previous: int) -> int:
    """The least legal move above `previous` (-1: of all), or -1."""
    cell = previous + 1
    number = cell >> 6
    while number < board.empty.shape[0]:
        word = board.empty[number] >> np.uint64(cell & 63)
        if word:
            return cell + lowest(word)
        number += 1
        cell = number << 6
    return -1


@inlined
def count(board: FlatBoard, ply: int) -> int:
    """How many legal moves there are."""
    return board.cells - board.taken[0] - ply


@inlined
def look(board: FlatBoard, ply: int, move: int) -> tuple[int, int]:
    """What a move would do: 0 the game goes on, 1 it wins, 2 it draws; and the evaluation after it."""
    gain = integer(board.gains[ply, 2 * move + (ply & 1)])
    status = 0
    if gain >= HALF_WIN:
        status = 1
        gain -= (gain + HALF_WIN) >> WIN_SHIFT << WIN_SHIFT
    elif board.taken[0] + ply + 1 == board.cells:
        status = 2
    return status, board.facts[ply, STATIC] + gain if ply & 1 == 0 else board.facts[ply, STATIC] - gain


@inlined
def frontier(
    board: FlatBoard, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    """The best of a position's moves by what `look` says, in the order of their cells, up to the first above `bound`.

    From the mover's view; only a move better than `best` counts. A win is worth `won`, or its evaluation if `win_adds`;
    a draw 0, or its evaluation if `draw_adds`. Answers (value, move or -1, moves tried, moves that ended the game).
    """
    side = ply & 1
    mine = board.facts[ply, STATIC] if side == 0 else -board.facts[ply, STATIC]
    fills = board.taken[0] + ply + 1 == board.cells
    best_move = -1
    tried = 0
    ends = 0
    for number in range(board.empty.shape[0]):
        word = board.empty[number]
        while word:
            move = lowest(word) + (number << 6)
            word &= word - np.uint64(1)
            gain = integer(board.gains[ply, 2 * move + side])
            tried += 1
            value = mine + gain
            if gain >= HALF_WIN:
                ends += 1
                value = value - ((gain + HALF_WIN) >> WIN_SHIFT << WIN_SHIFT) if win_adds else won
            elif fills:
                ends += 1
                value = value if draw_adds else 0
            if value > best:
                best, best_move = value, move
                if best > bound:
                    return best, best_move, tried, ends
    return best, best_move, tried, ends


@inlined
def make(board: FlatBoard, ply: int, move: int) -> None:
    """Make a move after which the game goes on."""
    side = ply & 1
    board.empty[move >> 6] ^= np.uint64(1) << np.uint64(move & 63)
    gain = integer(board.gains[ply, 2 * move + side])
    board.facts[ply + 1, STATIC] = board.facts[ply, STATIC] + gain if side == 0 else board.facts[ply, STATIC] - gain
    before, gains = board.gains[ply], board.gains[ply + 1]
    for i in range(2 * board.cells):
        gains[i] = before[i]
    step = board.step[side]
    short = board.facts[ply, SHORT]
    open_lines = board.facts[ply, OPEN]
    length = board.line_cells.shape[1]
    for i in range(integer(board.first[move]), integer(board.first[move + 1])):
        line = integer(board.through[i])
        state = integer(board.line_state[line])
        board.line_state[line] = state + step
        short += board.delta[side, state, 2]
        open_lines += board.delta[side, state, 3]
        by_own, by_others = board.delta[side, state, 0], board.delta[side, state, 1]
        if by_own | by_others:
            # No line has fewer than three cells: these need no loop.
            first = 2 * integer(board.line_cells[line, 0])
            gains[first] += by_own
            gains[first + 1] += by_others
            second = 2 * integer(board.line_cells[line, 1])
            gains[second] += by_own
            gains[second + 1] += by_others
            third = 2 * integer(board.line_cells[line, 2])
            gains[third] += by_own
            gains[third + 1] += by_others
            for j in range(3, length):
                cell = 2 * integer(board.line_cells[line, j])
                gains[cell] += by_own
                gains[cell + 1] += by_others
    board.facts[ply + 1, SHORT] = short
    board.facts[ply + 1, OPEN] = open_lines
    for symmetry in range(board.hashes.shape[1]):
        board.hashes[ply + 1, symmetry] = board.hashes[ply, symmetry] ^ board.zobrist[side, move, symmetry]


@inlined
def unmake(board: FlatBoard, ply: int, move: int) -> None:
    """Take back the move that was made at `ply`."""
    board.empty[move >> 6] ^= np.uint64(1) << np.uint64(move & 63)
    step = board.step[ply & 1]
    for i in range(integer(board.first[move]), integer(board.first[move + 1])):
        board.line_state[integer(board.through[i])] -= step


@inlined
def threats(board: FlatBoard, ply: int, row: Any) -> tuple[int, int, int]:
    """(1, move, 1) if the mover can win at once; (2, _, n) if the other side would win next at n cells, put into `row`;
    else (0, _, 0)."""
    short = board.facts[ply, SHORT]
    if short == 0:
        return 0, -1, 0
    ours, theirs = (short & 0xFFFF, short >> 16) if ply & 1 == 0 else (short >> 16, short & 0xFFFF)
    if ours:
        gains = board.gains[ply, ply & 1 :]
        for number in range(board.empty.shape[0]):
            word = board.empty[number]
            while word:
                cell = lowest(word) + 64 * number
                if gains[2 * cell] >= HALF_WIN:
                    return 1, cell, 1
                word &= word - np.uint64(1)
    count = 0
    if theirs:
        gains = board.gains[ply, 1 - (ply & 1) :]
        for number in range(board.empty.shape[0]):
            word = board.empty[number]
            while word:
                cell = lowest(word) + 64 * number
                if gains[2 * cell] >= HALF_WIN:
                    row[count] = cell
                    count += 1
                word &= word - np.uint64(1)
    return 2 if count else 0, -1, count


@inlined
def drawn(board: FlatBoard, ply: int) -> bool:
    """Can nobody complete a line any more?"""
    return board.facts[ply, OPEN] == 0


@inlined
def promise(board: FlatBoard, ply: int, move: int) -> int:
    """How early a move is worth trying: what it adds for the mover, and what it takes from the other side."""
    return integer(board.gains[ply, 2 * move]) + board.gains[ply, 2 * move + 1]


@inlined
def key(board: FlatBoard, ply: int) -> tuple[Any, int]:
    """The least key over the symmetries, and the symmetry that has it. Who is to move follows from the marks."""
    best = board.hashes[ply, 0]
    symmetry = 0
    for number in range(1, board.hashes.shape[1]):
        if board.hashes[ply, number] < best:
            best = board.hashes[ply, number]
            symmetry = number
    return best, symmetry
