"""Alpha-beta over boards of patterns, for many in a row on large boards.

Where the other side threatens to complete a line there is one reply, and where it threatens a winning move there are a
few: own fours, and the cells at which it makes a four itself. Those lists are complete, so what they prove is proven.
Elsewhere the most promising cells are tried, and that all of them lose proves nothing. Below the last ply the side to
move looks for a win by continuous fours.

A principal variation search (Marsland & Campbell 1982) with late-move reductions and a table, on a stack of its own, so
that it can pause after a number of nodes and continue. Values are from the side to move, wins at `n` plies below the
root worth `WIN - n`, bounds fail-soft. Nodes are moves made.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer
from engine.kernels.fours import MOVES, Fours, attack
from engine.kernels.jit import inlined, jit
from engine.kernels.patterns import (
    COMPLETING,
    FORCING,
    FOUR_THREE,
    FOURS,
    NEAR,
    STRONG,
    USEFUL,
    WINNING,
    PatternBoard,
    kind_of,
    leaves_out,
    listed,
    make,
    number_of,
    place_of_kind,
    promise_of,
    static,
    unmake,
)

INFINITY: Final = 1 << 60
WIN: Final = 1_000_000_000
HALF_WIN: Final = WIN >> 1
"""Values beyond are proven."""
PAUSED, FINISHED, OUT_OF_NODES = 0, 1, 2
_EXACT, _LOWER, _UPPER = 0, 1, 2
# How the move tried last is searched: narrowly and less deep, narrowly, with the whole window.
_REDUCED, _NARROW, _WHOLE = 0, 1, 2

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
) = range(14)
_COLUMNS: Final = 16


class Options(NamedTuple):
    """What a search does."""

    width: int
    """The most promising moves tried where nothing is forced."""
    last_width: int
    """The same in the last ply."""
    cap: int
    """Moves of a search for fours below the last ply."""
    below: int
    """Plies below the last one in which winning threats are still answered."""
    root_cap: int
    """The same after each of the root's moves."""
    node_limit: int = INFINITY


class Stack(NamedTuple):
    """Where a search stands, a row for each ply from the root, and what it has counted and found."""

    frames: Any
    """int64[plies, columns]."""
    moves: Any
    """int64[plies, cells]; row 0 holds the root's moves in the order to be tried."""
    promises: Any
    """int64[plies, cells]."""
    places: Any
    """int64[cells]: those being listed."""
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
        np.zeros(cells, np.int64),
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


def begin(stack: Stack, moves: Any, depth: int) -> None:
    """Make ready to search the root's `moves` (int64[..], in the order to be tried) to `depth` plies."""
    root = stack.frames[0]
    root[:] = 0
    stack.moves[0, : len(moves)] = moves
    root[COUNT] = len(moves)
    root[ALPHA], root[BETA], root[BEST] = -INFINITY, INFINITY, -INFINITY
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


@jit
def list_root(board: PatternBoard, stack: Stack, side: int, width: int) -> int:
    """List the root's moves, at most `width` where nothing is forced: 1 if others might hold or win as well, else 0.

    `stack.moves` and the first frame's COUNT tell them, the most promising first.
    """
    return _list(board, stack, 0, side, -1, width)


@inlined
def _list(board: PatternBoard, stack: Stack, ply: int, side: int, hash_move: int, width: int) -> int:
    """List a node's moves in the order to be tried: 1 if others might hold or win as well, else 0."""
    other = 1 - side
    moves, promises = stack.moves[ply], stack.promises[ply]
    if number_of(board, other, COMPLETING) == 1:
        moves[0] = place_of_kind(board, other, COMPLETING)
        stack.frames[ply, COUNT] = 1
        return 0
    left_out = 0
    if number_of(board, other, WINNING):
        found = listed(board, STRONG, stack.places)
        width = found
    else:
        found = listed(board, NEAR, stack.places)
        if found == 0:
            found = listed(board, USEFUL, stack.places)
        elif found > width or leaves_out(board):
            left_out = 1
    count = 0
    history, killer, other_killer = stack.history[side], stack.killers[ply, 0], stack.killers[ply, 1]
    for i in range(found):
        place = integer(stack.places[i])
        promise = promise_of(board, place, side) + (history[np.uint64(place)] >> 6)
        if place in (killer, other_killer):
            promise += 1 << 9
        if place == hash_move:
            promise = INFINITY
        at = count
        if count < width:
            count += 1
        elif promise <= promises[count - 1]:
            continue
        else:
            at -= 1
        while at > 0 and promises[at - 1] < promise:
            moves[at], promises[at] = moves[at - 1], promises[at - 1]
            at -= 1
        moves[at], promises[at] = place, promise
    stack.frames[ply, COUNT] = count
    return left_out


@inlined
def _reward(stack: Stack, ply: int, side: int, move: int) -> None:
    """Remember a move that cut."""
    if stack.killers[ply, 0] != move:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move
    history = stack.history[side]
    remaining = max(integer(stack.frames[ply, REMAINING]), 1)
    history[move] += remaining * remaining
    if history[move] > 1 << 16:
        for place in range(history.shape[0]):
            history[place] >>= 1


@inlined
def _extend_line(stack: Stack, ply: int, move: int) -> None:
    length = stack.frames[ply + 1, LINE_LENGTH]
    stack.line[ply, 0] = move
    for i in range(length):
        stack.line[ply, i + 1] = stack.line[ply + 1, i]
    stack.frames[ply, LINE_LENGTH] = length + 1


@inlined
def _probe(board: PatternBoard, stack: Stack, ply: int) -> tuple[bool, int, int]:
    """(found, value, move to try first) of the table for this node; found when the value settles it."""
    key = board.key[0] ^ np.uint64(stack.counters[MARK])
    stack.keys[ply] = key
    slot = integer(key & np.uint64(stack.table.shape[0] - 1))
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
def _store(stack: Stack, ply: int) -> None:
    """Keep the node's result, unless the table's place holds the same position searched deeper."""
    key = stack.keys[ply]
    slot = integer(key & np.uint64(stack.table.shape[0] - 1))
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


@inlined
def _enter(board: PatternBoard, stack: Stack, fours: Fours, ply: int, side: int, options: Options) -> tuple[bool, int]:
    """Open a node below the root: (True, value) when that settles it, (False, _) when its moves are to be tried."""
    frame = stack.frames[ply]
    frame[LINE_LENGTH] = 0
    frame[COST] = 1
    frame[BEST] = -INFINITY
    frame[BEST_MOVE] = -1
    frame[INDEX] = 0
    frame[PARTIAL] = 0
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[GUESSES_BEFORE] = stack.counters[GUESSES]
    if board.numbers[0] == board.cells:
        stack.counters[LEAVES] += 1
        return True, 0
    if number_of(board, side, COMPLETING):
        stack.counters[LEAVES] += 1
        stack.line[ply, 0] = place_of_kind(board, side, COMPLETING)
        frame[LINE_LENGTH] = 1
        return True, WIN - ply - 1
    blocks = number_of(board, 1 - side, COMPLETING)
    if blocks > 1:
        stack.counters[LEAVES] += 1
        return True, ply + 2 - WIN
    if blocks == 0 and number_of(board, side, WINNING):
        stack.counters[LEAVES] += 1
        stack.line[ply, 0] = place_of_kind(board, side, WINNING)
        frame[LINE_LENGTH] = 1
        return True, WIN - ply - 3
    attacks = blocks == 0 and (number_of(board, side, FOURS) > 1 or number_of(board, side, FOUR_THREE) > 0)
    threatened = number_of(board, 1 - side, WINNING) > 0
    if frame[REMAINING] <= 0 and ply > 1 and not (blocks or attacks or threatened):
        stack.counters[LEAVES] += 1
        stack.counters[GUESSES] += 1
        return True, static(board, side)
    found, value, hash_move = _probe(board, stack, ply)
    if found:
        return True, value
    if blocks:
        if ply + 2 * frame[REMAINING] + 20 < stack.frames.shape[0]:
            frame[COST] = 0
    elif frame[REMAINING] <= 0 or ply == 1:
        if attacks:
            before = fours.counters[MOVES]
            plies = attack(
                board,
                fours,
                side,
                min(options.root_cap if ply == 1 else options.cap, options.node_limit - stack.counters[NODES]),
            )
            stack.counters[NODES] += fours.counters[MOVES] - before
            if plies > 0:
                stack.counters[LEAVES] += 1
                stack.line[ply, 0] = fours.moves[0]
                frame[LINE_LENGTH] = 1
                frame[BEST], frame[BEST_MOVE] = WIN - ply - plies, fours.moves[0]
                _store(stack, ply)
                return True, WIN - ply - plies
        if frame[REMAINING] <= (-options.below if threatened else 0):
            stack.counters[LEAVES] += 1
            stack.counters[GUESSES] += 1
            return True, static(board, side)
    if ply + 2 >= stack.frames.shape[0]:
        stack.counters[LEAVES] += 1
        stack.counters[GUESSES] += 1
        return True, static(board, side)
    width = options.width if frame[REMAINING] > 1 else options.last_width
    left_out = _list(board, stack, ply, side, hash_move, width)
    frame[PARTIAL] = left_out
    stack.counters[GUESSES] += left_out
    if frame[COUNT] == 0:
        # Either nobody can complete a line any more, or nothing holds against the threat.
        stack.counters[LEAVES] += 1
        return True, ply + 4 - WIN if number_of(board, 1 - side, WINNING) else 0
    stack.counters[INTERIOR] += 1
    return False, 0


@inlined
def _reduction(board: PatternBoard, stack: Stack, ply: int, side: int, move: int, place: int) -> int:
    """By how many plies a late move is searched less deep at first."""
    remaining = stack.frames[ply, REMAINING]
    if place < 3 or remaining < 3 or stack.frames[ply, COST] == 0:
        return 0
    if kind_of(board, move, side) >= FORCING or kind_of(board, move, 1 - side) >= FORCING:
        return 0
    return 2 if place >= 8 and remaining >= 5 else 1


@jit
def run(board: PatternBoard, stack: Stack, fours: Fours, options: Options, until_nodes: int) -> int:
    """Search on until it is finished, out of nodes, or has made `until_nodes` nodes in all.

    Begin with `begin`, or continue where it paused; nothing else may touch the board and the stack meanwhile.
    """
    counters = stack.counters
    ply = counters[PLY]
    returning = False
    value = 0
    while True:
        side = board.numbers[0] & 1
        if not returning:
            if ply > 0 and stack.frames[ply, INDEX] == -1:
                if counters[NODES] >= options.node_limit or counters[NODES] >= until_nodes:
                    counters[PLY] = ply
                    return OUT_OF_NODES if counters[NODES] >= options.node_limit else PAUSED
                settled, value = _enter(board, stack, fours, ply, side, options)
                if settled:
                    returning = True
                    continue
            place = stack.frames[ply, INDEX]
            if place == stack.frames[ply, COUNT]:
                if ply == 0:
                    counters[PLY] = 0
                    return FINISHED
                value = stack.frames[ply, BEST]
                if stack.frames[ply, PARTIAL] and value < -HALF_WIN:
                    # Untried moves may hold: a loss in every tried one is a bad value, not a proof.
                    value = 1 - HALF_WIN
                    stack.frames[ply, BEST] = value
                _store(stack, ply)
                returning = True
                continue
            if counters[NODES] >= options.node_limit:
                counters[PLY] = ply
                return OUT_OF_NODES
            move = stack.moves[ply, place]
            stack.frames[ply, INDEX], stack.frames[ply, MOVE] = place + 1, move
            counters[NODES] += 1
            alpha = max(stack.frames[ply, ALPHA], stack.frames[ply, BEST])
            depth = stack.frames[ply, REMAINING] - stack.frames[ply, COST]
            mode = _WHOLE
            low = -stack.frames[ply, BETA]
            if place > 0:
                low = -alpha - 1
                less = _reduction(board, stack, ply, side, move, place)
                mode = _REDUCED if less else _NARROW
                depth -= less
            stack.frames[ply, MODE] = mode
            make(board, move, side)
            ply += 1
            stack.frames[ply, ALPHA], stack.frames[ply, BETA] = low, -alpha
            stack.frames[ply, REMAINING] = depth
            stack.frames[ply, INDEX] = -1
            continue
        returning = False
        ply -= 1
        side = 1 - side
        value = -value
        frame = stack.frames[ply]
        move = frame[MOVE]
        alpha = max(frame[ALPHA], frame[BEST])
        if value > alpha and (frame[MODE] == _REDUCED or (frame[MODE] == _NARROW and value < frame[BETA])):
            # Better than was to be shown: search it again, deeper or with the whole window.
            stack.frames[ply + 1, ALPHA] = -alpha - 1 if frame[MODE] == _REDUCED else -frame[BETA]
            stack.frames[ply + 1, BETA] = -alpha
            stack.frames[ply + 1, REMAINING] = frame[REMAINING] - frame[COST]
            stack.frames[ply + 1, INDEX] = -1
            frame[MODE] += 1
            ply += 1
            continue
        unmake(board, move, side)
        if ply == 0:
            stack.root_values[frame[INDEX] - 1] = value
        if value > frame[BEST]:
            frame[BEST] = value
            frame[BEST_MOVE] = move
            if value > frame[ALPHA]:
                _extend_line(stack, ply, move)
                if value >= frame[BETA]:
                    counters[PRUNED] += frame[COUNT] - frame[INDEX]
                    _reward(stack, ply, side, move)
                    _store(stack, ply)
                    value = frame[BEST]
                    returning = True
                    continue
