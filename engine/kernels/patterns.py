"""Flat boards by patterns: what a mark on each empty cell would make in each of the four directions, for both sides.

A *window* is `length` cells in a line, so whoever marks all of it wins. What a mark makes in one direction depends on
the windows through its cell alone, so on `length - 1` cells to either side; their contents, two bits a cell, are the
*code* of a cell and a direction, and a table says the *class* of every code for both sides. In the words of gomoku,
whatever the length: a four lacks one mark, an open four lacks one at two places and cannot be stopped, a three becomes
a four by one more mark, an open three an open four, and so on down.

The classes of a cell in the four directions, four bits each, are its *pattern* for a side, and the pattern says the
*kind* of the move. Each row, column and diagonal is a number that holds its cells, so that a move finds the codes of
the cells around it by shifts. What changes is written into a *log*, from which the move is taken back. Sets of cells
by kind save a search from looking at the whole board.

Side 0 is X and side 1 is O. Cells are numbered with a border here: `board.at` and `board.cell` translate.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest
from engine.kernels.hashing import random_words
from engine.kernels.jit import inlined, jit

# The classes of a mark in one direction, what it makes there: nothing that can still become a line, something, open
# two, three, open three, four, open four, five.
CLASSES: Final = 8
NONE, SOME, OPEN_TWO, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = 0, 1, 2, 4, 5, 6, 7
# The kinds of a mark, by all directions. IDLE is on no line that can still be completed, APART not near other marks of
# its side. WINNING makes two ways to complete a line: it wins unless the other side completes one first.
IDLE, APART, QUIET, FORCING, TWO_THREES = range(5)
FOURS, FOUR_THREE, WINNING, COMPLETING = range(8, 12)
KINDS: Final = 12
SHORTEST, LONGEST = 4, 6
"""Lengths of a line for which there are tables."""

_OUTSIDE: Final = 3
PATTERNS: Final = 1 << 12
"""Number of patterns of one side: a class in each of four directions."""
_PATTERN: Final = PATTERNS - 1
_BOTH: Final = 7 << 12 | 7
"""The classes of one direction in the patterns of both sides."""
_STRONG_CLASSES: Final = OPEN_THREE << 12 | OPEN_THREE
"""The bit that only classes from OPEN_THREE on have, of both sides. No others make kinds from FOURS on."""
_TOTALS: Final = 6
"""Entries of the log that are written once a mark."""
# Eight cells at a time: the bits of the kinds of either side that say that a cell is of a kind from APART, from QUIET
# or from FOURS on.
USEFUL, NEAR, STRONG = (np.uint64(0x11 * bits * 0x0101010101010101) for bits in (15, 14, 8))
_LOW_SEVEN: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGHEST: Final = np.uint64(0x8080808080808080)
_ONE: Final = np.uint64(1)


_CENTRE: Final = 23
"""Part of a promise for each half cell nearer the centre: fitted as `promise` is."""


class Judgement(NamedTuple):
    """What patterns are worth; each number is that of a pattern of the side to move plus 2**32 times that of one of the
    other side."""

    worth: Any
    """int64[patterns]: what a pattern on an empty cell adds to the evaluation, and what the other side's takes away."""
    promise: Any
    """int64[patterns]: how early a move there is worth trying."""
    tempo: int
    """Worth of having the move."""


class PatternBoard(NamedTuple):
    """A position under search. The arrays down to `zobrist` are constant for a game, the others change."""

    cells: int
    reach: int
    """Cells to either side that matter to a mark: one less than a line is long."""
    at: Any
    """int64[cells]: where a cell lies here, ascending."""
    cell: Any
    """int64[places]: the inverse; -1 on the border."""
    steps: Any
    """int64[4]: from a cell to the next in each direction."""
    line: Any
    """int64[places, 4]: the line of a cell in each direction."""
    shift: Any
    """int64[places, 4]: where the cell lies in it."""
    classes: Any
    """uint16[codes]: of a code, the class for side 0 and 2**12 times that for side 1."""
    touched: Any
    """uint16[codes]: of a cell's code, the cells whose classes a mark on it may change, bit `reach` for itself: to
    either side the empty ones up to the border, or to the farther of the nearest marks of both sides."""
    kind: Any
    """uint8[patterns]."""
    worth: Any
    """int64[patterns], see Judgement."""
    promise: Any
    """int64[patterns], see Judgement."""
    tempo: int
    """See Judgement."""
    centre: Any
    """int64[places]: what nearness to the centre adds to the promise of a move."""
    zobrist: Any
    """uint64[2, places]."""
    lines: Any
    """int64[lines]: two bits a cell: 0 empty, 1 X, 2 O, 3 outside."""
    patterns: Any
    """int64[places]: of an empty cell, side 0's pattern and 2**12 times that of side 1; of a marked one as it was."""
    kinds: Any
    """uint8[places]: of an empty cell, its kind for side 0 and 16 times that for side 1; 0 elsewhere."""
    eights: Any
    """uint64[words]: the same memory, eight places to a word."""
    tallies: Any
    """int64[2]: for each side how many cells are of the four kinds from FOURS on, 16 bits each."""
    sums: Any
    """int64[2]: of the worth of each side's patterns on empty cells."""
    log: Any
    """int64[..]: of each mark that can be taken back the cells that it changed, each as 2**32 times its place plus
    2**24 times its kinds plus its patterns before, then their number, and the tallies and sums before."""
    numbers: Any
    """int64[2]: marks on the board, and the length of the log."""
    key: Any
    """uint64[1]: of the marks."""


def plays(dimensions: Sequence[int], length: int) -> bool:
    """Whether there are tables for such a board."""
    return len(dimensions) == 2 and SHORTEST <= length <= LONGEST


@lru_cache(maxsize=4)
def _classes_of_codes(length: int) -> Any:
    """uint16[4 ** neighbours], see PatternBoard.classes."""
    neighbours = 2 * (length - 1)
    by_sets = _classes_of_sets(length)
    codes = np.arange(4**neighbours)
    own, blocked = [np.zeros_like(codes) for _ in range(2)], [np.zeros_like(codes) for _ in range(2)]
    for place in range(neighbours):
        content = codes >> 2 * place & 3
        for side in range(2):
            own[side] |= (content == side + 1).astype(codes.dtype) << place
            blocked[side] |= ((content == 2 - side) | (content == _OUTSIDE)).astype(codes.dtype) << place
    return by_sets[own[0], blocked[0]] | by_sets[own[1], blocked[1]] << np.uint16(12)


@lru_cache(maxsize=4)
def _touched_by_codes(length: int) -> Any:
    """uint16[4 ** neighbours], see PatternBoard.touched."""
    reach = length - 1
    codes = np.arange(4 ** (2 * reach))
    touched = np.zeros(len(codes), np.uint16)
    for towards in (-1, 1):
        seen = np.zeros_like(codes)
        for distance in range(1, length):
            place = reach + towards * distance
            content = codes >> 2 * (place - (towards > 0)) & 3
            seen |= content
            # Beyond marks of both sides, or the border, no line changes that is still open.
            touched |= ((content == 0) & (seen != _OUTSIDE)).astype(np.uint16) << np.uint16(place)
    return touched


# The scale while classes are found, on which a mark more is two steps: none, one, open one, two, open two, and so on to
# five; and the class of each step.
_OPEN_THREE_STEP, _FOUR_STEP, _OPEN_FOUR_STEP, _FIVE_STEP = 6, 7, 8, 9
_CLASS_OF_STEP: Final = np.array([NONE, SOME, SOME, SOME, OPEN_TWO, 3, OPEN_THREE, FOUR, OPEN_FOUR, FIVE], np.uint16)


def _classes_of_sets(length: int) -> Any:
    """uint16[sets, sets]: the class by the neighbours with own marks and those that are blocked, disjoint."""
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
        best = np.minimum(best, _OPEN_THREE_STEP)
        best = np.where(completing > 0, np.where(completing & (completing - 1), _OPEN_FOUR_STEP, _FOUR_STEP), best)
        found[own] = np.where(five, _FIVE_STEP, best)
    return _CLASS_OF_STEP[found]


def _without_middle(cells: int, length: int) -> int:
    low = cells & (1 << length - 1) - 1
    return low | cells >> length << length - 1


def _kinds_of_patterns() -> Any:
    by_direction = [np.arange(PATTERNS) >> 3 * direction & 7 for direction in range(4)]
    number = {made: sum((classes == made).astype(int) for classes in by_direction) for made in range(CLASSES)}
    most = np.maximum.reduce(by_direction)
    kind = np.select([most >= OPEN_TWO, most > NONE], [QUIET, APART], IDLE)
    kind = np.where(number[OPEN_THREE] == 1, FORCING, kind)
    kind = np.where(number[OPEN_THREE] > 1, TWO_THREES, kind)
    kind = np.where(number[FOUR] == 1, np.where(number[OPEN_THREE] > 0, FOUR_THREE, FOURS), kind)
    kind = np.where((number[FOUR] > 1) | (number[OPEN_FOUR] > 0), WINNING, kind)
    return np.where(number[FIVE] > 0, COMPLETING, kind).astype(np.uint8)


_KINDS_OF_PATTERNS: Final = _kinds_of_patterns()


SETS: Final = 330
"""Number of sets of four classes, in any order."""


def _sets_of_patterns() -> Any:
    classes = np.sort(np.arange(PATTERNS)[:, None] >> 3 * np.arange(4) & 7, axis=1)
    return np.unique(classes, axis=0, return_inverse=True)[1].ravel()


_SETS_OF_PATTERNS: Final = _sets_of_patterns()


def by_sets(values: Any) -> Any:
    """int64[patterns]: for each pattern the value of its set of classes, from those of all sets (int[SETS]).

    Sets are in the order of `itertools.combinations_with_replacement(range(CLASSES), 4)`.
    """
    return np.asarray(values, np.int64)[_SETS_OF_PATTERNS]


def sets_of(patterns: Any) -> Any:
    """int64[n]: the set of classes of each pattern (int[n]), in the order of `by_sets`."""
    return _SETS_OF_PATTERNS[patterns]


def kinds_of(patterns: Any) -> Any:
    """uint8[n]: the kind of each pattern (int[n])."""
    return _KINDS_OF_PATTERNS[patterns]


class _Geometry(NamedTuple):
    at: Any
    cell: Any
    steps: Any
    line: Any
    shift: Any
    centre: Any
    zobrist: Any
    lines: Any


@lru_cache(maxsize=16)
def _geometry(columns: int, rows: int, reach: int) -> _Geometry:
    stride = columns + 1
    places = stride * (rows + 2) + 1
    y, x = np.divmod(np.arange(columns * rows), columns)
    at = (y + 1) * stride + x + 1
    cell = np.full(places, -1, np.int64)
    cell[at] = np.arange(columns * rows)
    centre = np.zeros(places, np.int64)
    centre[at] = _CENTRE * (max(columns, rows) - np.maximum(abs(2 * x - columns + 1), abs(2 * y - rows + 1)))
    # Rows, columns and both kinds of diagonals; a cell lies in its line at its column, or in a column at its row.
    line, shift = np.zeros((places, 4), np.int64), np.zeros((places, 4), np.int64)
    line[at] = np.stack([y, rows + x, rows + columns + x - y + rows - 1, 2 * (rows + columns) + x + y], 1)
    shift[at] = 2 * (np.stack([x, y, x, x], 1) + reach)
    lines = np.full(3 * (rows + columns), (1 << 2 * (max(columns, rows) + 2 * reach)) - 1, np.int64)
    for direction in range(4):
        np.bitwise_xor.at(lines, line[at, direction], _OUTSIDE << shift[at, direction])
    steps = np.array([1, stride, stride + 1, 1 - stride], np.int64)
    zobrist = random_words(2 * places).reshape(2, places)
    return _Geometry(at, cell, steps, line, shift, centre, zobrist, lines)


def board(
    columns: int, rows: int, length: int, judgement: Judgement, x: Sequence[int], o: Sequence[int]
) -> PatternBoard:
    """A position with these marks."""
    reach = length - 1
    geometry = _geometry(columns, rows, reach)
    cells, places = columns * rows, len(geometry.cell)
    eights = np.zeros(places // 8 + 1, np.uint64)
    made = PatternBoard(
        cells=cells,
        reach=reach,
        at=geometry.at,
        cell=geometry.cell,
        steps=geometry.steps,
        line=geometry.line,
        shift=geometry.shift,
        classes=_classes_of_codes(length),
        touched=_touched_by_codes(length),
        kind=_KINDS_OF_PATTERNS,
        worth=judgement.worth,
        promise=judgement.promise,
        tempo=judgement.tempo,
        centre=geometry.centre,
        zobrist=geometry.zobrist,
        lines=geometry.lines.copy(),
        patterns=np.zeros(places, np.int64),
        kinds=eights.view(np.uint8),
        eights=eights,
        tallies=np.zeros(2, np.int64),
        sums=np.zeros(2, np.int64),
        log=np.empty(cells * (8 * reach + _TOTALS), np.int64),
        numbers=np.zeros(2, np.int64),
        key=np.zeros(1, np.uint64),
    )
    _set_up(made, geometry.at[np.array(x, np.int64)], geometry.at[np.array(o, np.int64)])
    return made


@jit
def _set_up(board: PatternBoard, x: Any, o: Any) -> None:
    for side in range(2):
        for place in x if side == 0 else o:
            for direction in range(4):
                board.lines[board.line[place, direction]] |= side + 1 << board.shift[place, direction]
            board.numbers[0] += 1
            board.key[0] ^= board.zobrist[side, place]
    for cell in range(board.cells):
        place = integer(board.at[cell])
        if board.lines[board.line[place, 0]] >> board.shift[place, 0] & 3:
            continue
        pattern = 0
        for direction in range(4):
            line = integer(board.lines[board.line[place, direction]])
            pattern |= _classes(board, line, integer(board.shift[place, direction])) << 3 * direction
        board.patterns[place] = pattern
        board.kinds[place] = _kinds(board, pattern)
        for side in range(2):
            board.sums[side] += board.worth[pattern >> 12 * side & _PATTERN]
            board.tallies[side] += _tally(integer(board.kinds[place]) >> 4 * side & 15)


@inlined
def _code(board: PatternBoard, line: int, shift: int) -> int:
    """The code of a cell in a line."""
    bits = 2 * board.reach
    around = line >> shift - bits
    low = (1 << bits) - 1
    return around & low | around >> 2 & low << bits


@inlined
def _classes(board: PatternBoard, line: int, shift: int) -> int:
    """The classes of a cell in a line, for both sides."""
    return integer(board.classes[np.uint64(_code(board, line, shift))])


@inlined
def _kinds(board: PatternBoard, patterns: int) -> int:
    """Kinds of the patterns of both sides."""
    return integer(board.kind[patterns & _PATTERN]) | integer(board.kind[patterns >> 12 & _PATTERN]) << 4


@inlined
def _tally(kind: int) -> int:
    """What a cell of a kind adds to the tallies of a side."""
    return (kind >> 3) << 16 * (kind & 3)


@inlined
def make(board: PatternBoard, place: int, side: int, strong_only: bool) -> None:
    """Mark an empty cell, whether or not that completes a line.

    With `strong_only` the board tells which cells are of the kinds from FOURS on, and nothing else of kinds and sums,
    until the mark is taken back.
    """
    top = first = integer(board.numbers[1])
    was, is_kind = integer(board.patterns[place]), integer(board.kinds[place])
    board.kinds[place] = 0
    sums_x, sums_o = integer(board.sums[0]), integer(board.sums[1])
    tally_x, tally_o = integer(board.tallies[0]), integer(board.tallies[1])
    after_x, after_o = sums_x - board.worth[was & _PATTERN], sums_o - board.worth[was >> 12]
    more_x, more_o = tally_x - _tally(is_kind & 15), tally_o - _tally(is_kind >> 4)
    for direction in range(4):
        shift = integer(board.shift[place, direction])
        line = integer(board.lines[board.line[place, direction]])
        touched = np.uint64(board.touched[np.uint64(_code(board, line, shift))])
        line |= side + 1 << shift
        board.lines[board.line[place, direction]] = line
        step = integer(board.steps[direction])
        start, begin = place - board.reach * step, shift - 2 * board.reach
        while touched:
            number = lowest(touched)
            touched &= touched - _ONE
            other = start + number * step
            at = np.uint64(other)  # an index without a sign needs no check
            before = integer(board.patterns[at])
            classes = _classes(board, line, begin + 2 * number)
            if strong_only and not (classes | before >> 3 * direction) & _STRONG_CLASSES:
                continue
            after = before & ~(_BOTH << 3 * direction) | classes << 3 * direction
            kinds_before, kinds = integer(board.kinds[at]), _kinds(board, after)
            board.log[np.uint64(top)] = other << 32 | kinds_before << 24 | before
            top += 1
            board.patterns[at] = after
            board.kinds[at] = kinds
            if not strong_only:
                after_x += board.worth[after & _PATTERN] - board.worth[before & _PATTERN]
                after_o += board.worth[after >> 12 & _PATTERN] - board.worth[before >> 12 & _PATTERN]
            if (kinds | kinds_before) & 0x88:
                more_x += _tally(kinds & 15) - _tally(kinds_before & 15)
                more_o += _tally(kinds >> 4) - _tally(kinds_before >> 4)
    board.sums[0], board.sums[1] = after_x, after_o
    board.tallies[0], board.tallies[1] = more_x, more_o
    board.log[top] = is_kind
    board.log[top + 1], board.log[top + 2] = sums_x, sums_o
    board.log[top + 3], board.log[top + 4] = tally_x, tally_o
    board.log[top + 5] = top - first
    board.numbers[0] += 1
    board.numbers[1] = top + _TOTALS
    board.key[0] ^= board.zobrist[side, place]


@inlined
def unmake(board: PatternBoard, place: int, side: int) -> None:
    """Take back the last mark."""
    for direction in range(4):
        board.lines[board.line[place, direction]] ^= side + 1 << board.shift[place, direction]
    top = integer(board.numbers[1]) - _TOTALS
    board.kinds[place] = board.log[top]
    board.sums[0], board.sums[1] = board.log[top + 1], board.log[top + 2]
    board.tallies[0], board.tallies[1] = board.log[top + 3], board.log[top + 4]
    first = top - integer(board.log[top + 5])
    for entry in range(first, top):
        change = integer(board.log[np.uint64(entry)])
        at = np.uint64(change >> 32)
        board.patterns[at] = change & 0xFFFFFF
        board.kinds[at] = change >> 24 & 0xFF
    board.numbers[0] -= 1
    board.numbers[1] = first
    board.key[0] ^= board.zobrist[side, place]


@inlined
def static(board: PatternBoard, side: int) -> int:
    """The evaluation for the side to move."""
    own, others = integer(board.sums[side]), integer(board.sums[1 - side])
    return board.tempo + _low(own) - (others - _low(others) >> 32)


@inlined
def _low(pair: int) -> int:
    """The first of two numbers, from the first plus 2**32 times the second."""
    return ((pair & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


@inlined
def kind_of(board: PatternBoard, place: int, side: int) -> int:
    """The kind of a cell for a side; a marked one is idle."""
    return integer(board.kinds[np.uint64(place)]) >> 4 * side & 15


@inlined
def kind_after(board: PatternBoard, place: int, side: int, other: int) -> int:
    """The kind that an empty cell will be of for a side, once the other side has marked the `other` cell."""
    for direction in range(4):
        if board.line[place, direction] == board.line[other, direction]:
            line = integer(board.lines[board.line[place, direction]]) | 2 - side << board.shift[other, direction]
            classes = _classes(board, line, integer(board.shift[place, direction])) >> 12 * side & 7
            own = board.patterns[place] >> 12 * side & _PATTERN & ~(7 << 3 * direction)
            return integer(board.kind[own | classes << 3 * direction])
    return kind_of(board, place, side)


@inlined
def number_of(board: PatternBoard, side: int, kind: int) -> int:
    """How many cells are of a kind from FOURS on for a side."""
    return integer(board.tallies[side]) >> 16 * (kind & 3) & 0xFFFF


@inlined
def promise_of(board: PatternBoard, place: int, side: int) -> int:
    """How early a move of a side is worth trying."""
    at = np.uint64(place)
    patterns = integer(board.patterns[at])
    x, o = integer(board.promise[patterns & _PATTERN]), integer(board.promise[patterns >> 12 & _PATTERN])
    own, others = (o, x) if side else (x, o)
    return _low(own) + (others - _low(others) >> 32) + integer(board.centre[at])


@inlined
def those(eight: Any, bits: Any) -> Any:
    """uint64: the highest bit of each byte for those of eight cells whose kinds have any of the `bits`."""
    return ((eight & bits & _LOW_SEVEN) + _LOW_SEVEN | eight & bits) & _HIGHEST


@inlined
def listed(board: PatternBoard, bits: Any, places: Any) -> int:
    """Write the places of the cells whose kinds have any of the `bits` (USEFUL and so on), and return how many."""
    count = 0
    for word in range(board.eights.shape[0]):
        left = those(board.eights[word], bits)
        while left:
            places[count] = 8 * word + (lowest(left) >> 3)
            count += 1
            left &= left - _ONE
    return count


@inlined
def leaves_out(board: PatternBoard) -> bool:
    """Whether cells that are not NEAR are USEFUL."""
    for word in range(board.eights.shape[0]):
        if those(board.eights[word], USEFUL) & ~those(board.eights[word], NEAR):
            return True
    return False


@inlined
def place_of_kind(board: PatternBoard, side: int, kind: int) -> int:
    """The first cell of a kind from FOURS on for a side; there is one."""
    for word in range(board.eights.shape[0]):
        if board.eights[word] & STRONG:
            for place in range(8 * word, 8 * word + 8):
                if kind_of(board, place, side) == kind:
                    return place
    return -1


def of_kind(board: PatternBoard, side: int, kind: int) -> list[int]:
    """All cells of a kind for a side, as places."""
    return [int(place) for place in np.flatnonzero(board.kinds >> np.uint8(4 * side) & np.uint8(15) == kind)]


def promises(board: PatternBoard, places: Any, side: int) -> Any:
    """int64[n]: `promise_of` each of these places."""
    x, o = (board.promise[board.patterns[places] >> shift & _PATTERN] for shift in (0, 12))
    own, others = (o, x) if side else (x, o)
    return (own << 32 >> 32) + (others - (others << 32 >> 32) >> 32) + board.centre[places]
