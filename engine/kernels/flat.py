"""Flat boards and cubes: lines, an incremental evaluation, and the gain of every move at any time.

Sets of cells are words of 64 bits, bit `c % 64` of word `c // 64` for cell `c`: one word up to 8 x 8 and Qubic, six
for 19 x 19. Each line has a *state*, `own + (length + 1) * others` marks, and the evaluation is a sum over the lines of
a table indexed by it. What a mark on a cell would add, its *gain*, is kept for every cell and both sides: a leaf then
costs one addition, and a move that completes a line shows by a gain of at least `HALF_WIN`.

On an exact board, where K in a row win and more do not, the lines of K + 1 and of K + 2 cells are lines as well, which
are worth nothing but count in what completing them gains: 1 win for a line of K cells, -2 for one of K + 1 and 1 for
one of K + 2. In a row of L marks there are L - K + 1, L - K and L - K - 1 of them, or none where that is negative: so
the wins add up to 1 if L = K, and to 0 if it is larger. A move's gain is thus the number of rows of exactly K that it
makes.

Side 0 is the side to move at the root and side 1 the other; `ply` counts from the root. `static` and `after` are from
side 0's view, gains from that of the side that moves. A *pair* of numbers for side 0 and side 1 is the first plus 2**32
times the second.
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
HALF_WIN = 1 << WIN_SHIFT - 1
BIAS = 1 << 30
"""Larger than any gain. Gains are kept with it added, so that none is negative: the gains of a cell for both sides then
lie side by side in one number, and one addition changes both."""


class FlatBoard(NamedTuple):
    """A position under search. The first arrays are constant for a game and an evaluation, the others change."""

    cells: int
    length: int
    """Cells of the longest lines."""
    first: Any
    """uint32[cells + 1]: where the lines through a cell begin in `through`."""
    through: Any
    """uint16[.., length]: for each cell, for each line through it, the line and its other cells; after those of a
    line that is not of the longest, the cell itself, whose gains do not matter once it is marked."""
    step: Any
    """int64[2]: what a mark of a side adds to the state of a line."""
    value: Any
    """int64[states]: the evaluation of a line."""
    gain: Any
    """int64[states]: what a mark on a line adds to the value for the side that makes it, as a pair."""
    delta: Any
    """int64[2, states * 2]: how a side's mark on a line changes the gains of its cells, a pair, and then `counts`."""
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
    pairs: Any
    """int64[plies, cells]: both gains of each empty cell, with BIAS added, as a pair; anything for other cells."""
    gains: Any
    """int32[plies, 2 * cells]: the same memory, of cell 0 for side 0 and side 1, of cell 1, ..., BIAS added to each."""
    static: Any
    """int64[plies]: the evaluation."""
    counts: Any
    """int64[plies]: the lines one mark short of a win, of side 0 in the lowest 16 bits, of side 1 in the next 16, and
    in the rest the lines that somebody can still complete."""
    hashes: Any
    """uint64[plies, symmetries]."""


class FlatTables(NamedTuple):
    """What is constant for a game and an evaluation; see FlatBoard."""

    cells: int
    length: int
    first: Any
    through: Any
    step: Any
    value: Any
    gain: Any
    delta: Any
    images: Any
    origins: Any
    zobrist: Any
    places: Any
    start: Any
    """uint16[lines]: the state of each line without marks."""
    counted: Any
    """int64[states]: what a line adds to `counts`."""


def tables(
    cells: int,
    lines: Sequence[Sequence[int]],
    values: Sequence[Sequence[int]],
    symmetries: Sequence[Sequence[int]],
    places: Sequence[int] = (),
    longer: Sequence[Sequence[Sequence[int]]] = (),
) -> FlatTables:
    """The tables of a game whose lines are worth `values[own][others]`, a (length + 1) x (length + 1) table.

    `places`, if given, is what a mark on each cell is worth apart from its lines. `longer` are an exact board's lines
    of one cell more, and those of two.

    A search with a transposition table treats positions as equal that one of `symmetries` (the identity first) maps
    to each other. Raises ValueError for values too large to tell the gain of a move from a win.
    """
    length = len(lines[0])
    longest = length + len(longer)
    every = [(more, line) for more, of_one_length in enumerate((lines, *longer)) for line in of_one_length]
    of_cell: list[list[tuple[int, ...]]] = [[] for _ in range(cells)]
    for number, (_, line) in enumerate(every):
        for cell in line:
            unused = (cell,) * (longest - len(line))
            of_cell[cell].append((number, *(other for other in line if other != cell), *unused))
    first = np.cumsum([0, *map(len, of_cell)], dtype=np.uint32)
    through = np.array([row for rows in of_cell for row in rows], dtype=np.uint16)
    most_lines = max(sum(row[0] < len(lines) for row in rows) for rows in of_cell)
    parts = [_line_tables(length + more, more, longest, values, most_lines) for more in range(len(longer) + 1)]
    value, gain, counted, delta = (np.concatenate(of_all, axis=-1) for of_all in zip(*parts, strict=True))
    images = np.array(symmetries, dtype=np.uint16).reshape(-1, cells)
    origins = np.argsort(images, axis=1).astype(np.uint16)
    words = random_words(2 * cells).reshape(2, cells)
    zobrist = np.ascontiguousarray(words[:, images.T])
    return FlatTables(
        cells,
        longest,
        first,
        through,
        np.array([1, longest + 1], dtype=np.int64),
        value,
        gain[0] + (gain[1] << 32),
        delta,
        images,
        origins,
        zobrist,
        np.array(places or [0] * cells, dtype=np.int32),
        np.array([more * (longest + 1) ** 2 for more, _ in every], dtype=np.uint16),
        counted,
    )


_WINS = (1, -2, 1)
"""Wins gained by completing a line, by how many cells longer than the shortest it is."""


def _line_tables(
    length: int, more: int, longest: int, values: Sequence[Sequence[int]], most_lines: int
) -> tuple[Any, Any, Any, Any]:
    """`value`, `gain` of both sides, `counted` and `delta` of the lines of one length, `more` cells above the shortest.

    Raises ValueError for values with which a move on `most_lines` of the shortest may gain as much as a win.
    """
    states, row = (longest + 1) ** 2, longest + 1
    value = np.zeros(states, np.int64)
    gain = np.zeros((2, states), np.int64)
    counted = np.zeros(states, np.int64)
    marks = [(own, others) for own in range(length + 1) for others in range(length + 1 - own)]
    for own, others in marks:
        state = own + row * others
        if more == 0:
            value[state] = values[own][others]
            counted[state] = int(others == 0 and own == length - 1)
            counted[state] += int(own == 0 and others == length - 1) << 16
            counted[state] += int((own == 0 or others == 0) and own + others < length) << 32
    unfinished = [(own, others) for own, others in marks if own + others < length]
    for own, others in unfinished:
        state = own + row * others
        gain[0, state] = value[state + 1] - value[state]
        gain[1, state] = value[state] - value[state + row]
    if int(np.abs(gain).max()) * most_lines >= HALF_WIN:
        raise ValueError("The evaluation is too large: its gains reach that of a completed line.")
    gain[0, length - 1] += _WINS[more] << WIN_SHIFT
    gain[1, row * (length - 1)] += _WINS[more] << WIN_SHIFT
    delta = np.zeros((2, states, 2), np.int64)
    for own, others in unfinished:
        state = own + row * others
        for side, step in ((0, 1), (1, row)):
            after = state + step
            of_own, of_others = gain[:, after] - gain[:, state]
            delta[side, state] = of_own + (of_others << 32), counted[after] - counted[state]
    return value, gain, counted, delta.reshape(2, -1)


def board(
    table: FlatTables, own: Sequence[int], others: Sequence[int], plies: int, symmetry_count: int = 0
) -> FlatBoard:
    """A position with the marks of the side to move and of the other, to be searched at most `plies` deep.

    Its key is the least over the first `symmetry_count` symmetries; 0 keeps no key.
    """
    rows = plies + 1
    pairs = np.zeros((rows, table.cells), np.int64)
    made = FlatBoard(
        *table[:8],
        table.images[: max(symmetry_count, 1)],
        table.origins[: max(symmetry_count, 1)],
        np.ascontiguousarray(table.zobrist[:, :, :symmetry_count]),
        table.places,
        np.array([len(own) + len(others)], np.int64),
        np.zeros((table.cells + 63) // 64, np.uint64),
        table.start.copy(),
        pairs,
        pairs.view(np.int32),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.zeros((rows, symmetry_count), np.uint64),
    )
    _set_up(made, table.counted, np.array(own, np.int64), np.array(others, np.int64))
    return made


@jit
def _set_up(board: FlatBoard, counted: Any, own: Any, others: Any) -> None:
    for cell in range(board.cells):
        board.empty[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
        gain = integer(board.places[cell]) + BIAS
        board.pairs[0, cell] = gain + (gain << 32)
    for side in range(2):
        marks = own if side == 0 else others
        for cell in marks:
            board.empty[cell >> 6] &= ~(np.uint64(1) << np.uint64(cell & 63))
            board.static[0] += board.places[cell] if side == 0 else -board.places[cell]
            for i in range(integer(board.first[cell]), integer(board.first[cell + 1])):
                board.line_state[integer(board.through[i, 0])] += board.step[side]
            for symmetry in range(board.hashes.shape[1]):
                board.hashes[0, symmetry] ^= board.zobrist[side, cell, symmetry]
    for state in board.line_state:
        board.static[0] += board.value[state]
        board.counts[0] += counted[state]
    for cell in range(board.cells):
        for i in range(integer(board.first[cell]), integer(board.first[cell + 1])):
            board.pairs[0, cell] += board.gain[integer(board.line_state[integer(board.through[i, 0])])]


@inlined
def legal(board: FlatBoard, ply: int, row: Any) -> int:
    """Write the legal moves, ascending, into `row` and return how many there are."""
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
    gain = integer(board.gains[ply, 2 * move + (ply & 1)]) - BIAS
    status = 0
    if gain >= HALF_WIN:
        status = 1
        gain -= (gain + HALF_WIN) >> WIN_SHIFT << WIN_SHIFT
    elif board.taken[0] + ply + 1 == board.cells:
        status = 2
    return status, board.static[ply] + gain if ply & 1 == 0 else board.static[ply] - gain


@inlined
def frontier(
    board: FlatBoard, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    """The best of a position's moves by what `look` says, in the order of their cells, up to the first above `bound`.

    From the mover's view; only a move better than `best` counts. A win is worth `won`, or its evaluation if `win_adds`;
    a draw 0, or its evaluation if `draw_adds`. Returns (value, move or -1, moves tried, moves that ended the game).
    """
    side = ply & 1
    before = (board.static[ply] if side == 0 else -board.static[ply]) - BIAS
    gains = board.gains[ply]
    fills = board.taken[0] + ply + 1 == board.cells
    best_move = -1
    tried = 0
    ends = 0
    for number in range(board.empty.shape[0]):
        word = board.empty[number]
        while word:
            move = lowest(word) + (number << 6)
            word &= word - np.uint64(1)
            gain = integer(gains[2 * move + side])
            tried += 1
            value = before + gain
            if gain >= HALF_WIN + BIAS:
                ends += 1
                value = value - ((gain - BIAS + HALF_WIN) >> WIN_SHIFT << WIN_SHIFT) if win_adds else won
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
    length = board.length
    before, pairs = board.pairs[ply], board.pairs[ply + 1]
    through, delta, line_state = board.through, board.delta[side], board.line_state
    gain = integer(board.gains[ply, 2 * move + side]) - BIAS
    board.static[ply + 1] = board.static[ply] + gain if side == 0 else board.static[ply] - gain
    for i in range(board.cells):
        pairs[i] = before[i]
    step = board.step[side]
    counts = board.counts[ply]
    for i in range(integer(board.first[move]), integer(board.first[move + 1])):
        line = integer(through[i, 0])
        state = integer(line_state[line])
        line_state[line] = state + step
        counts += delta[2 * state + 1]
        change = delta[2 * state]
        # No line has fewer than three cells, and the one of the move no longer counts.
        pairs[integer(through[i, 1])] += change
        pairs[integer(through[i, 2])] += change
        if length > 3:
            pairs[integer(through[i, 3])] += change
            for j in range(4, length):
                pairs[integer(through[i, j])] += change
    board.counts[ply + 1] = counts
    for symmetry in range(board.hashes.shape[1]):
        board.hashes[ply + 1, symmetry] = board.hashes[ply, symmetry] ^ board.zobrist[side, move, symmetry]


@inlined
def unmake(board: FlatBoard, ply: int, move: int) -> None:
    """Take back the move that was made at `ply`."""
    board.empty[move >> 6] ^= np.uint64(1) << np.uint64(move & 63)
    step = board.step[ply & 1]
    for i in range(integer(board.first[move]), integer(board.first[move + 1])):
        board.line_state[integer(board.through[i, 0])] -= step


@inlined
def threats(board: FlatBoard, ply: int, row: Any) -> tuple[int, int, int]:
    """(1, move, 1) if the mover can win at once; (2, _, n) if the other side would win next at n cells, put into `row`;
    else (0, _, 0)."""
    counts = board.counts[ply]
    if counts & 0xFFFFFFFF == 0:
        return 0, -1, 0
    side = ply & 1
    gains = board.gains[ply]
    if counts >> 16 * side & 0xFFFF:
        for number in range(board.empty.shape[0]):
            word = board.empty[number]
            while word:
                cell = lowest(word) + 64 * number
                if gains[2 * cell + side] >= HALF_WIN + BIAS:
                    return 1, cell, 1
                word &= word - np.uint64(1)
    count = 0
    if counts >> 16 * (1 - side) & 0xFFFF:
        for number in range(board.empty.shape[0]):
            word = board.empty[number]
            while word:
                cell = lowest(word) + 64 * number
                if gains[2 * cell + 1 - side] >= HALF_WIN + BIAS:
                    row[count] = cell
                    count += 1
                word &= word - np.uint64(1)
    return 2 if count else 0, -1, count


@inlined
def drawn(board: FlatBoard, ply: int) -> bool:
    """Whether nobody can complete a line any more."""
    return board.counts[ply] >> 32 == 0


@inlined
def promise(board: FlatBoard, ply: int, move: int) -> int:
    """How early a move is worth trying: what it adds for the mover, and what it takes from the other side."""
    return integer(board.gains[ply, 2 * move]) + board.gains[ply, 2 * move + 1] - 2 * BIAS


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
