"""Flat boards by patterns: what a mark on each empty cell would make in each of the four directions, for both sides.

A *window* is `length` cells in a line, so whoever marks all of it wins. What a mark makes in one direction depends on
the windows through its cell alone, so on `length - 1` cells to either side; their contents, two bits a cell, are the
*code* of a cell and a direction, and a table says the *class* of every code for both sides. In the words of gomoku,
whatever the length: a four lacks one mark, an open four lacks one at two places and cannot be stopped, a three becomes
a four by one more mark, an open three an open four, and so on down.

The classes of a cell in the four directions, four bits each, are its *pattern* for a side, and the pattern says the
*kind* of the move. Marks change the codes around them, so a move costs a few dozen look-ups and is taken back by the
same steps.

Side 0 is X and side 1 is O. Cells are numbered with a border here: `board.at` and `board.cell` translate.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer
from engine.kernels.hashing import random_words
from engine.kernels.jit import inlined, jit

# The classes of a mark in one direction, what it makes there: none, one, open one, two, open two, three, open three,
# four, open four, five.
CLASSES: Final = 10
NONE, TWO, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = 0, 3, 6, 7, 8, 9
# The kinds of a mark, by all directions. IDLE is on no line that can still be completed, APART not near other marks of
# its side. WINNING makes two ways to complete a line: it wins unless the other side completes one first.
IDLE, APART, QUIET, FORCING, TWO_THREES, FOURS, FOUR_THREE, WINNING, COMPLETING = range(9)
KINDS: Final = 9
SHORTEST, LONGEST = 4, 6
"""Lengths of a line for which there are tables."""

_EMPTY, _OUTSIDE = 0, 3
_PATTERNS: Final = 1 << 16


class PatternBoard(NamedTuple):
    """A position under search. The first arrays are constant for a game, the others change."""

    cells: int
    length: int
    stride: int
    """From a cell to the one above it."""
    at: Any
    """int64[cells]: where a cell lies here."""
    cell: Any
    """int64[places]: the inverse; -1 on the border."""
    steps: Any
    """int64[4]: from a cell to the next in each direction."""
    classes: Any
    """uint8[codes]: of a code, the class for side 0 and 16 times that for side 1."""
    kind: Any
    """uint8[patterns]."""
    worth: Any
    """int64[patterns]: what a pattern adds to the evaluation of the side to move, plus 2**32 times what one of the
    other side takes from it."""
    promise: Any
    """int32[patterns]: how early a move of a pattern is worth trying."""
    centre: Any
    """int32[places]: nearness to the centre, which tells moves apart that are equal otherwise."""
    zobrist: Any
    """uint64[2, places]."""
    marks: Any
    """uint8[places]: 0 empty, 1 X, 2 O, 3 the border."""
    codes: Any
    """int32[places, 4]."""
    patterns: Any
    """int32[places, 2]: of every cell, also of marked ones."""
    kinds: Any
    """uint8[places, 2]: of the empty cells; 0 elsewhere."""
    counts: Any
    """int64[2, KINDS]: the empty cells of each kind."""
    sums: Any
    """int64[2]: of the worth of each side's patterns on empty cells."""
    taken: Any
    """int64[1]: marks on the board."""
    key: Any
    """uint64[1]: of the marks."""


def plays(dimensions: Sequence[int], length: int) -> bool:
    """Whether there are tables for such a board."""
    return len(dimensions) == 2 and SHORTEST <= length <= LONGEST


class _Tables(NamedTuple):
    classes: Any
    kind: Any


@lru_cache(maxsize=4)
def _tables(length: int) -> _Tables:
    return _Tables(_classes_of_codes(length), _kinds_of_patterns())


def _classes_of_codes(length: int) -> Any:
    """uint8[4 ** neighbours], see PatternBoard.classes."""
    neighbours = 2 * (length - 1)
    by_sets = _classes_of_sets(length)
    codes = np.arange(4**neighbours)
    own, blocked = [np.zeros_like(codes) for _ in range(2)], [np.zeros_like(codes) for _ in range(2)]
    for place in range(neighbours):
        content = codes >> 2 * place & 3
        for side in range(2):
            own[side] |= (content == side + 1).astype(codes.dtype) << place
            blocked[side] |= ((content == 2 - side) | (content == _OUTSIDE)).astype(codes.dtype) << place
    return (by_sets[own[0], blocked[0]] | by_sets[own[1], blocked[1]] << 4).astype(np.uint8)


def _classes_of_sets(length: int) -> Any:
    """uint8[sets, sets]: the class by the neighbours with own marks and those that are blocked, disjoint."""
    neighbours = 2 * (length - 1)
    sets = 1 << neighbours
    blocked = np.arange(sets)
    found = np.zeros((sets, sets), np.uint8)
    # Bit `length - 1` of a line is the cell itself; `neighbours` leave it out.
    windows = [_without_middle(((1 << length) - 1) << first, length) for first in range(length)]
    for own in sorted(range(sets), key=int.bit_count, reverse=True):
        completing = np.zeros(sets, np.int64)
        five = np.zeros(sets, bool)
        for window in windows:
            lacking = window & ~own
            is_open = blocked & window == 0
            if not lacking:
                five |= is_open
            elif not lacking & (lacking - 1):
                completing |= np.where(is_open, lacking, 0)
        best = np.zeros(sets, np.int64)
        for place in range(neighbours):
            if not own >> place & 1:
                after = found[own | 1 << place].astype(np.int64) - 2
                best = np.maximum(best, np.where(blocked >> place & 1, 0, after))
        # A mark more would complete a line from a four on, so those classes come from the windows.
        best = np.minimum(best, OPEN_THREE)
        best = np.where(completing > 0, np.where(completing & (completing - 1), OPEN_FOUR, FOUR), best)
        found[own] = np.where(five, FIVE, best)
    return found


def _without_middle(cells: int, length: int) -> int:
    low = cells & (1 << length - 1) - 1
    return low | cells >> length << length - 1


def _kinds_of_patterns() -> Any:
    by_direction = [np.arange(_PATTERNS) >> 4 * direction & 15 for direction in range(4)]
    number = {made: sum((classes == made).astype(int) for classes in by_direction) for made in range(CLASSES)}
    most = np.maximum.reduce(by_direction)
    kind = np.select([most >= TWO, most > NONE], [QUIET, APART], IDLE)
    kind = np.where(number[OPEN_THREE] == 1, FORCING, kind)
    kind = np.where(number[OPEN_THREE] > 1, TWO_THREES, kind)
    kind = np.where(number[FOUR] == 1, np.where(number[OPEN_THREE] > 0, FOUR_THREE, FOURS), kind)
    kind = np.where((number[FOUR] > 1) | (number[OPEN_FOUR] > 0), WINNING, kind)
    return np.where(number[FIVE] > 0, COMPLETING, kind).astype(np.uint8)


def by_classes(values: Sequence[int], of_kinds: Sequence[int]) -> Any:
    """int64[patterns]: the sum of `values` over the four classes of a pattern, and the value of its kind."""
    table = np.zeros(16, np.int64)
    table[: len(values)] = values
    patterns = np.arange(_PATTERNS)
    total = sum(table[patterns >> 4 * direction & 15] for direction in range(4))
    return total + np.array(of_kinds, np.int64)[_kinds_of_patterns()]


class _Geometry(NamedTuple):
    stride: int
    at: Any
    cell: Any
    steps: Any
    centre: Any
    zobrist: Any
    marks: Any


@lru_cache(maxsize=16)
def _geometry(columns: int, rows: int) -> _Geometry:
    stride = columns + 1
    places = stride * (rows + 2) + 1
    y, x = np.divmod(np.arange(columns * rows), columns)
    at = (y + 1) * stride + x + 1
    cell = np.full(places, -1, np.int64)
    cell[at] = np.arange(columns * rows)
    centre = np.zeros(places, np.int32)
    centre[at] = max(columns, rows) - np.maximum(abs(2 * x - columns + 1), abs(2 * y - rows + 1))
    marks = np.full(places, _OUTSIDE, np.uint8)
    marks[at] = _EMPTY
    steps = np.array([1, stride, stride + 1, stride - 1], np.int64)
    return _Geometry(stride, at, cell, steps, centre, random_words(2 * places).reshape(2, places), marks)


def board(
    columns: int, rows: int, length: int, worth: Any, promise: Any, x: Sequence[int], o: Sequence[int]
) -> PatternBoard:
    """A position with these marks. `worth` and `promise` are tables by pattern, see PatternBoard."""
    geometry, tables = _geometry(columns, rows), _tables(length)
    places = len(geometry.cell)
    made = PatternBoard(
        cells=columns * rows,
        length=length,
        stride=geometry.stride,
        at=geometry.at,
        cell=geometry.cell,
        steps=geometry.steps,
        classes=tables.classes,
        kind=tables.kind,
        worth=worth,
        promise=promise,
        centre=geometry.centre,
        zobrist=geometry.zobrist,
        marks=geometry.marks.copy(),
        codes=np.zeros((places, 4), np.int32),
        patterns=np.zeros((places, 2), np.int32),
        kinds=np.zeros((places, 2), np.uint8),
        counts=np.zeros((2, KINDS), np.int64),
        sums=np.zeros(2, np.int64),
        taken=np.zeros(1, np.int64),
        key=np.zeros(1, np.uint64),
    )
    _set_up(made, geometry.at[np.array(x, np.int64)], geometry.at[np.array(o, np.int64)])
    return made


@jit
def _set_up(board: PatternBoard, x: Any, o: Any) -> None:
    reach = board.length - 1
    for place in range(board.marks.shape[0]):
        if board.marks[place] == _OUTSIDE:
            continue
        for direction in range(4):
            step = integer(board.steps[direction])
            code = 0
            for back in range(2):
                outside = False
                for distance in range(1, reach + 1):
                    other = place + (-distance if back else distance) * step
                    outside = outside or board.marks[other] == _OUTSIDE
                    if outside:
                        code |= _OUTSIDE << 2 * (reach - distance if back else reach + distance - 1)
            board.codes[place, direction] = code
            both = integer(board.classes[code])
            board.patterns[place, 0] |= (both & 15) << 4 * direction
            board.patterns[place, 1] |= both >> 4 << 4 * direction
        _add(board, place)
    for place in x:
        make(board, place, 0)
    for place in o:
        make(board, place, 1)


@inlined
def _add(board: PatternBoard, place: int) -> None:
    """Count an empty cell."""
    for side in range(2):
        pattern = integer(board.patterns[place, side])
        kind = integer(board.kind[pattern])
        board.kinds[place, side] = kind
        board.counts[side, kind] += 1
        board.sums[side] += board.worth[pattern]


@inlined
def _remove(board: PatternBoard, place: int) -> None:
    for side in range(2):
        pattern = integer(board.patterns[place, side])
        board.kinds[place, side] = 0
        board.counts[side, integer(board.kind[pattern])] -= 1
        board.sums[side] -= board.worth[pattern]


@inlined
def _change(board: PatternBoard, place: int, direction: int, index: int, mark: int) -> None:
    """Put the mark of a neighbour into the code of a cell, or take it out."""
    code = integer(board.codes[place, direction]) ^ mark << 2 * index
    board.codes[place, direction] = code
    both = integer(board.classes[code])
    shift = 4 * direction
    is_empty = board.marks[place] == _EMPTY
    for side in range(2):
        made = both >> 4 * side & 15
        before = integer(board.patterns[place, side])
        after = before & ~(15 << shift) | made << shift
        if after == before:
            continue
        board.patterns[place, side] = after
        if is_empty:
            board.sums[side] += board.worth[after] - board.worth[before]
            kind = integer(board.kind[after])
            was = integer(board.kinds[place, side])
            if kind != was:
                board.kinds[place, side] = kind
                board.counts[side, was] -= 1
                board.counts[side, kind] += 1


@inlined
def _spread(board: PatternBoard, place: int, mark: int) -> None:
    """Tell the cells around of a mark that is made or taken back."""
    reach = board.length - 1
    for direction in range(4):
        step = integer(board.steps[direction])
        other = place
        for distance in range(1, reach + 1):
            other += step
            if board.marks[other] == _OUTSIDE:
                break
            _change(board, other, direction, reach - distance, mark)
        other = place
        for distance in range(1, reach + 1):
            other -= step
            if board.marks[other] == _OUTSIDE:
                break
            _change(board, other, direction, reach + distance - 1, mark)


@inlined
def make(board: PatternBoard, place: int, side: int) -> None:
    """Mark an empty cell, whether or not that completes a line."""
    _remove(board, place)
    board.marks[place] = side + 1
    _spread(board, place, side + 1)
    board.taken[0] += 1
    board.key[0] ^= board.zobrist[side, place]


@inlined
def unmake(board: PatternBoard, place: int, side: int) -> None:
    """Take back the last mark."""
    _spread(board, place, side + 1)
    board.marks[place] = _EMPTY
    _add(board, place)
    board.taken[0] -= 1
    board.key[0] ^= board.zobrist[side, place]


@inlined
def static(board: PatternBoard, side: int) -> int:
    """The evaluation for the side to move."""
    own, others = integer(board.sums[side]), integer(board.sums[1 - side])
    return _low(own) - (others - _low(others) >> 32)


@inlined
def _low(pair: int) -> int:
    """The first of two numbers, from the first plus 2**32 times the second."""
    return ((pair & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


@inlined
def place_of_kind(board: PatternBoard, side: int, kind: int) -> int:
    """The first cell of a kind for a side; there is one."""
    for cell in range(board.cells):
        place = integer(board.at[cell])
        if board.kinds[place, side] == kind:
            return place
    return -1


@inlined
def completing_near(board: PatternBoard, place: int, side: int) -> int:
    """The cell that completes the line in which this mark of the side has made a four; -1 if there is none."""
    for direction in range(4):
        step = integer(board.steps[direction])
        for back in range(2):
            other = place
            for _ in range(board.length - 1):
                other += -step if back else step
                if board.marks[other] == _OUTSIDE:
                    break
                if board.kinds[other, side] == COMPLETING:
                    return other
    return -1
