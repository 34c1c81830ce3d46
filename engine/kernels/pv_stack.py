"""What principal variation searches share: where one stands, the table, and the lines that it finds.

A principal variation search (Marsland & Campbell 1982) with late-move reductions and a table, on a stack of its own, so
that it can pause after a number of nodes and continue. Values are from the side to move, wins at `n` plies below the
root worth `WIN - n`, bounds fail-soft. Nodes are moves made.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer, prefetch
from engine.kernels.jit import inlined

INFINITY: Final = 1 << 60
WIN: Final = 1_000_000_000
HALF_WIN: Final = WIN >> 1
"""Values beyond are proven."""
PAUSED, FINISHED, OUT_OF_NODES = 0, 1, 2
_EXACT, _LOWER, _UPPER = 0, 1, 2
# How the move tried last is searched: narrowly and less deep, narrowly, with the whole window.
REDUCED, NARROW, WHOLE = 0, 1, 2

NODES, LEAVES, PRUNED, INTERIOR, GUESSES, PLY, MARK = range(7)
COUNTERS: Final = 8

(
    COUNT,
    INDEX,  # moves tried; -1 before the node is opened
    ALPHA,
    BETA,
    BEST,
    BEST_MOVE,
    REMAINING,  # plies still to search
    COST,  # what a move takes of them: 1, or 0 for a forced block
    MODE,
    FIRST_ALPHA,
    LINE_LENGTH,
    PARTIAL,  # 1 where not every move that might hold is listed
    MOVE,
    GUESSES_BEFORE,
    LISTED,  # moves of which only the first is in its place; 0 where those to be tried are in order
) = range(15)
_COLUMNS: Final = 16


class Stack(NamedTuple):
    """Where a search stands, a row for each ply from the root, and what it has counted and found."""

    frames: Any
    """int64[plies, columns]."""
    moves: Any
    """int64[plies, cells]: see LISTED for their order; row 0 holds the root's moves in the order to be tried."""
    promises: Any
    """int64[plies, cells]."""
    keys: Any
    """uint64[plies]."""
    line: Any
    """int64[plies, plies]: principal variations."""
    root_values: Any
    """int64[cells]: of the root's moves, as far as they are tried; of those that are not the best, bounds."""
    killers: Any
    """int64[plies, 2]."""
    history: Any
    """int64[2, places]."""
    table: Any
    """uint64[entries, 2], entries a power of two: key and packed bound."""
    counters: Any
    """int64[COUNTERS]."""


def stack(plies: int, cells: int, places: int, table: Any, mark: int) -> Stack:
    """Room for a search `plies` deep; keys of its `table` are combined with its `mark` (63 bits)."""
    rows = plies + 2
    made = Stack(
        np.zeros((rows, _COLUMNS), np.int64),
        np.zeros((rows, cells), np.int64),
        np.zeros((rows, cells), np.int64),
        np.zeros(rows, np.uint64),
        np.zeros((rows, rows), np.int64),
        np.zeros(cells, np.int64),
        np.full((rows, 2), -1, np.int64),
        np.zeros((2, places), np.int64),
        table,
        np.zeros(COUNTERS, np.int64),
    )
    made.counters[MARK] = mark
    return made


def begin(stack: Stack, moves: Any, depth: int, alpha: int = -INFINITY) -> None:
    """Make ready to search the root's `moves` (int64[..], in the order to be tried) to `depth` plies.

    Only a move worth more than `alpha` gets its value and its line.
    """
    root = stack.frames[0]
    root[:] = 0
    stack.moves[0, : len(moves)] = moves
    root[COUNT] = len(moves)
    root[ALPHA], root[BETA], root[BEST] = alpha, INFINITY, -INFINITY
    root[BEST_MOVE] = -1
    root[REMAINING], root[COST] = depth, 1
    stack.counters[PLY] = 0
    stack.counters[GUESSES] = 0


def tried_at_root(stack: Stack) -> int:
    """How many of the root's moves have been searched completely."""
    return int(stack.frames[0, INDEX]) - (stack.counters[PLY] > 0)


# A table entry's second word: value + 2**31 in the low 32 bits, then depth (8), bound (2), guessed (1), move + 1 (10).
_LOW = np.uint64(0xFFFFFFFF)
_DEEPEST: Final = 0xFF


@inlined
def reward(stack: Stack, ply: int, move: int) -> None:
    """Remember a move that cut."""
    if stack.killers[ply, 0] != move:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move
    history = stack.history[ply & 1]
    remaining = max(integer(stack.frames[ply, REMAINING]), 1)
    history[move] += remaining * remaining
    if history[move] > 1 << 16:
        for place in range(history.shape[0]):
            history[place] >>= 1


@inlined
def order(stack: Stack, ply: int) -> None:
    """Put the listed moves from the second on in order, as many as are to be tried; no two promise the same."""
    moves, promises = stack.moves[ply], stack.promises[ply]
    count, most = 1, stack.frames[ply, COUNT]
    for i in range(1, stack.frames[ply, LISTED]):
        move, promise = moves[i], promises[i]
        at = count
        if count < most:
            count += 1
        elif promise < promises[count - 1]:
            continue
        else:
            at -= 1
        while at > 1 and promises[at - 1] < promise:
            moves[at], promises[at] = moves[at - 1], promises[at - 1]
            at -= 1
        moves[at], promises[at] = move, promise
    stack.frames[ply, LISTED] = 0


@inlined
def extend_line(stack: Stack, ply: int, move: int) -> None:
    length = stack.frames[ply + 1, LINE_LENGTH]
    stack.line[ply, 0] = move
    for i in range(length):
        stack.line[ply, i + 1] = stack.line[ply + 1, i]
    stack.frames[ply, LINE_LENGTH] = length + 1


@inlined
def _key(stack: Stack, position: Any) -> Any:
    return position ^ np.uint64(stack.counters[MARK])


@inlined
def _slot(stack: Stack, key: Any) -> int:
    return integer(key & np.uint64(stack.table.shape[0] - 1))


@inlined
def expect(stack: Stack, position: Any) -> None:
    """Have the entry of a node with this key on its way: `probe` waits longer for memory than a move takes."""
    prefetch(stack.table, _slot(stack, _key(stack, position)))


@inlined
def probe(stack: Stack, ply: int, position: Any) -> tuple[bool, int, int]:
    """(found, value, move to try first) of the table for a node with this key; found when the value settles it."""
    key = _key(stack, position)
    stack.keys[ply] = key
    slot = _slot(stack, key)
    if stack.table[slot, 0] != key:
        return False, 0, -1
    word = stack.table[slot, 1]
    packed = integer(word >> np.uint64(32))
    value = integer(word & _LOW) - (1 << 31)
    move = (packed >> 11) - 1
    if value > HALF_WIN:
        value -= ply
    elif value < -HALF_WIN:
        value += ply
    bound = packed >> 8 & 3
    # What is proven is proven at any depth.
    deep_enough = packed & _DEEPEST >= min(max(integer(stack.frames[ply, REMAINING]), 0), _DEEPEST)
    above = value >= stack.frames[ply, BETA] and bound != _UPPER and (deep_enough or value > HALF_WIN)
    below = value <= stack.frames[ply, ALPHA] and bound != _LOWER and (deep_enough or value < -HALF_WIN)
    if above or below or (bound == _EXACT and deep_enough):
        stack.counters[GUESSES] += packed >> 10 & 1
        return True, value, move
    return False, 0, move


@inlined
def store(stack: Stack, ply: int) -> None:
    """Keep the node's result, unless the table's place holds the same position searched deeper."""
    key = stack.keys[ply]
    slot = _slot(stack, key)
    remaining = min(max(integer(stack.frames[ply, REMAINING]), 0), _DEEPEST)
    value = stack.frames[ply, BEST]
    is_proven = value > HALF_WIN or value < -HALF_WIN
    deeper = integer(stack.table[slot, 1] >> np.uint64(32)) & _DEEPEST > remaining
    if stack.table[slot, 0] == key and deeper and not is_proven:
        return
    bound = _EXACT
    if value >= stack.frames[ply, BETA]:
        bound = _LOWER
    elif value <= stack.frames[ply, FIRST_ALPHA]:
        bound = _UPPER
    if value > HALF_WIN:
        value += ply
    elif value < -HALF_WIN:
        value -= ply
    guessed = 1 if stack.counters[GUESSES] > stack.frames[ply, GUESSES_BEFORE] else 0
    move = integer(stack.frames[ply, BEST_MOVE])
    stack.table[slot, 0] = key
    stack.table[slot, 1] = np.uint64(
        (value + (1 << 31)) | remaining << 32 | bound << 40 | guessed << 42 | (move + 1) << 43
    )
