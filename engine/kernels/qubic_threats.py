"""Wins by continuous threats on Qubic: the attacker makes a three with every move, so each reply is forced.

An attack builds on its own marks, so it is first looked for where few of them wait at once for a later threat to use
them.

The 64 cells are the bits of a word, the 76 lines the bits of two. How many marks a side has on each line is kept in
unary: the set of lines with at least one, with two, with three. A mark on a cell then moves the lines through it up by
one with three operations for each word, and the attacker's *pair-lines*, two marks and two empty cells, are what two of
the sets leave. A *row* is one position: its marks and these sets.

The attacker is called X here, whoever that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import lowest, popcount
from engine.kernels.jit import inlined, jit

WON = 1
FAILED = 0
"""There is no win by threats."""
CAPPED = -1
"""Undecided: the nodes ran out."""

X, O = 0, 1  # noqa: E741 - the game's own letter
_X_LINES, _O_LINES = 2, 8
"""Where the sets of lines begin in a row: at least one mark, two and three, each of two words."""
_WIDTH = 14
DEPTH = 40
"""No attack has more moves than half of the cells."""
FEW_WAITING = 2
"""How many marks of an attack may wait at once for a later threat to use them. Nearly all wins get by with two, and
looking for these alone takes half of the nodes."""
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_MIX_X = np.uint64(0x9E3779B97F4A7C15)
_MIX_O = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_MIX_WAITING = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(29)


class Threats(NamedTuple):
    """The tables of the board, and the search's memory."""

    bits: Any
    """uint64[64]: the word of each cell."""
    through: Any
    """uint64[64, 2]: the lines through each cell."""
    lines: Any
    """uint64[76]: the cells of each line."""
    rows: Any
    """uint64[40, 14]: the positions of the attack that is being tried; the first is the root."""
    left: Any
    """uint64[40, 2]: the pair-lines not yet tried at each of them."""
    waiting: Any
    """uint64[40]: X's marks of the attack that no threat has used yet, where their number is bounded; those that block
    a three need no use."""
    turned: Any
    """int64[40]: 1 where the first cell of the next pair-line has been tried as X's."""
    moves: Any
    """int64[40]: X's moves of the attack. After a win the last one makes two threes, or a four."""
    failed: Any
    """uint64[..]: keys of positions without a win, each at a place given by its key."""
    counters: Any
    """int64[2]: the nodes of the last search, the moves of its win."""


def threats(lines: Sequence[Sequence[int]], entries: int) -> Threats:
    """The tables of Qubic, and room for `entries` failures, a power of two."""
    through = np.zeros((64, 2), np.uint64)
    words = np.zeros(len(lines), np.uint64)
    for number, line in enumerate(lines):
        for cell in line:
            through[cell, number // 64] |= np.uint64(1 << number % 64)
            words[number] |= np.uint64(1 << cell)
    return Threats(
        np.array([1 << cell for cell in range(64)], np.uint64),
        through,
        words,
        np.zeros((DEPTH, _WIDTH), np.uint64),
        np.zeros((DEPTH, 2), np.uint64),
        np.zeros(DEPTH, np.uint64),
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros(entries, np.uint64),
        np.zeros(2, np.int64),
    )


def emptied(threats: Threats, entries: int) -> Threats:
    """The same tables with a memory of its own, without anything in it."""
    return threats._replace(
        rows=np.zeros_like(threats.rows),
        left=np.zeros_like(threats.left),
        waiting=np.zeros_like(threats.waiting),
        turned=np.zeros_like(threats.turned),
        moves=np.zeros_like(threats.moves),
        failed=np.zeros(entries, np.uint64),
        counters=np.zeros_like(threats.counters),
    )


@inlined
def copy_row(source: Any, target: Any) -> None:
    for word in range(_WIDTH):
        target[word] = source[word]


@inlined
def mark_x(threats: Threats, row: Any, cell: int) -> None:
    row[X] |= threats.bits[cell]
    for word in range(2):
        lines = threats.through[cell, word]
        row[_X_LINES + 4 + word] |= row[_X_LINES + 2 + word] & lines
        row[_X_LINES + 2 + word] |= row[_X_LINES + word] & lines
        row[_X_LINES + word] |= lines


@inlined
def mark_o(threats: Threats, row: Any, cell: int) -> None:
    row[O] |= threats.bits[cell]
    for word in range(2):
        lines = threats.through[cell, word]
        row[_O_LINES + 4 + word] |= row[_O_LINES + 2 + word] & lines
        row[_O_LINES + 2 + word] |= row[_O_LINES + word] & lines
        row[_O_LINES + word] |= lines


@jit
def set_row(threats: Threats, row: Any, x: Any, o: Any) -> None:
    """Write the position with these marks into a row."""
    row[:] = _NONE
    while x:
        mark_x(threats, row, lowest(x))
        x &= x - _ONE
    while o:
        mark_o(threats, row, lowest(o))
        o &= o - _ONE


@inlined
def _cells_left(threats: Threats, row: Any, low: Any, high: Any) -> Any:
    """The empty cells of these lines."""
    cells = _NONE
    while low:
        cells |= threats.lines[lowest(low)]
        low &= low - _ONE
    while high:
        cells |= threats.lines[64 + lowest(high)]
        high &= high - _ONE
    return cells & ~(row[X] | row[O])


@inlined
def completing_x(threats: Threats, row: Any) -> Any:
    """Where X completes a line."""
    return _cells_left(threats, row, row[_X_LINES + 4] & ~row[_O_LINES], row[_X_LINES + 5] & ~row[_O_LINES + 1])


@inlined
def completing_o(threats: Threats, row: Any) -> Any:
    """Where O completes a line."""
    return _cells_left(threats, row, row[_O_LINES + 4] & ~row[_X_LINES], row[_O_LINES + 5] & ~row[_X_LINES + 1])


@inlined
def position_key(x: Any, o: Any) -> Any:
    key = x * _MIX_X + o * _MIX_O
    key ^= key >> _SHIFT
    key *= _MIX
    return key ^ key >> _SHIFT


@inlined
def _key(x: Any, o: Any, waiting: Any) -> Any:
    """Not 0, which stands for an empty place."""
    return position_key(x, o) ^ waiting * _MIX_WAITING | _ONE


@inlined
def _leave_using(threats: Threats, depth: int) -> None:
    """Leaves only those pair-lines that use a waiting mark."""
    low = high = _NONE
    cells = threats.waiting[depth]
    while cells:
        low |= threats.through[lowest(cells), 0]
        high |= threats.through[lowest(cells), 1]
        cells &= cells - _ONE
    threats.left[depth, 0] &= low
    threats.left[depth, 1] &= high


def search(threats: Threats, cap: int) -> int:
    """Whether X, to move in `rows[0]`, wins by threats, within `cap` nodes: moves of X with their forced replies.

    X does not have a line yet. After a win `moves` holds X's moves and `counters[1]` their number. Only the last one
    depends on nothing: to each of the others the reply is the one cell that completes X's three.
    """
    found = search_within(threats, cap, DEPTH, FEW_WAITING)
    if found == FAILED:
        nodes = int(threats.counters[0])
        found = search_within(threats, cap - nodes, DEPTH, DEPTH)
        threats.counters[0] += nodes
    return found


@jit
def search_within(threats: Threats, cap: int, most: int, most_waiting: int) -> int:
    """The same with at most `most` moves in `moves`, of whose marks at most `most_waiting` wait at once.

    It fails where all of X's wins by threats are longer or have more that wait.
    """
    counters = threats.counters
    # The marks on the board and the most that X may have at the end say how many moves are left.
    salt = _NONE
    if most < DEPTH:
        salt = np.uint64(popcount(threats.rows[0, X]) + most) * _MIX
    places = np.uint64(len(threats.failed) - 1)
    depth = 0
    nodes = 0
    counters[0] = 0
    counters[1] = 1
    threats.waiting[0] = _NONE
    at_once = completing_x(threats, threats.rows[0])
    if at_once:
        threats.moves[0] = lowest(at_once)
        return WON
    is_new = True
    while True:
        row = threats.rows[depth]
        taken = row[X] | row[O]
        forced = _NONE
        if is_new:
            forced = completing_o(threats, row)
            low = row[_X_LINES + 2] & ~row[_X_LINES + 4] & ~row[_O_LINES]
            high = row[_X_LINES + 3] & ~row[_X_LINES + 5] & ~row[_O_LINES + 1]
            if forced:
                if forced & (forced - _ONE):
                    low = high = _NONE
                else:
                    low &= threats.through[lowest(forced), 0]
                    high &= threats.through[lowest(forced), 1]
            threats.left[depth, 0] = low
            threats.left[depth, 1] = high
            threats.turned[depth] = 0
            seen = twice = _NONE
            while low:
                cells = threats.lines[lowest(low)] & ~taken
                twice |= seen & cells
                seen |= cells
                low &= low - _ONE
            while high:
                cells = threats.lines[64 + lowest(high)] & ~taken
                twice |= seen & cells
                seen |= cells
                high &= high - _ONE
            if twice:
                threats.moves[depth] = lowest(twice)
                counters[0] = nodes
                counters[1] = depth + 1
                return WON
            if forced & seen & (seen - _ONE):
                # One line is left, and X's cell in it is known: the higher one.
                threats.turned[depth] = 1
            if not forced and popcount(threats.waiting[depth]) == most_waiting:
                _leave_using(threats, depth)
        low = threats.left[depth, 0]
        high = threats.left[depth, 1]
        if low or high:
            word = 0 if low else 1
            line = lowest(low) if low else 64 + lowest(high)
            cells = threats.lines[line] & ~taken
            first = cells & ~(cells - _ONE)
            if threats.turned[depth]:
                mine = cells ^ first
                theirs = first
            else:
                mine = first
                theirs = cells ^ first
            if threats.turned[depth] or forced:
                threats.left[depth, word] &= threats.left[depth, word] - _ONE
                threats.turned[depth] = 0
            else:
                threats.turned[depth] = 1
            waiting = _NONE
            if most_waiting < DEPTH:
                waiting = threats.waiting[depth] & ~threats.lines[line]
                if not forced:
                    waiting |= mine
            key = _key(row[X] | mine, (row[O] | theirs) + salt, waiting)
            is_new = False
            if depth + 1 >= most or threats.failed[key & places] == key:
                continue
            if nodes >= cap:
                counters[0] = nodes
                return CAPPED
            nodes += 1
            threats.moves[depth] = lowest(mine)
            following = threats.rows[depth + 1]
            copy_row(row, following)
            mark_x(threats, following, lowest(mine))
            mark_o(threats, following, lowest(theirs))
            depth += 1
            threats.waiting[depth] = waiting
            is_new = True
        else:
            key = _key(row[X], row[O] + salt, threats.waiting[depth])
            threats.failed[key & places] = key
            depth -= 1
            is_new = False
            if depth < 0:
                counters[0] = nodes
                return FAILED


@jit
def replay(threats: Threats, row: Any, moves: Any, count: int) -> int:
    """The moves in which X, to move in `row`, wins by these, each a threat with one reply; 0 if not. Changes `row`."""
    for place in range(count):
        cell = moves[place]
        bit = threats.bits[cell]
        if (row[X] | row[O]) & bit:
            return 0
        if completing_x(threats, row):
            return place + 1
        theirs = completing_o(threats, row)
        if theirs & ~bit:
            return 0
        mark_x(threats, row, cell)
        mine = completing_x(threats, row)
        if mine & (mine - _ONE):
            return place + 2
        if not mine:
            return 0
        mark_o(threats, row, lowest(mine))
    return 0
