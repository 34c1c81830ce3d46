"""Alpha-beta over boards of patterns, for many in a row on large boards.

Where the other side threatens to complete a line there is one reply, and where it threatens a winning move there are a
few: own fours, and the cells at which it makes a four itself. Those lists are complete, so what they prove is proven.
Elsewhere the most promising cells are tried, and that all of them lose proves nothing. Where nothing is forced, the
side to move first looks for a win by continuous fours, and near the leaves the evaluation alone settles what is far
outside the window.
"""

from __future__ import annotations

from typing import Final, NamedTuple

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
    kind_after,
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
from engine.kernels.pv_stack import (
    ALPHA,
    BEST,
    BEST_MOVE,
    BETA,
    COST,
    COUNT,
    FIRST_ALPHA,
    GUESSES,
    GUESSES_BEFORE,
    HALF_WIN,
    INDEX,
    INFINITY,
    INTERIOR,
    LEAVES,
    LINE_LENGTH,
    LISTED,
    NODES,
    PARTIAL,
    REMAINING,
    WIN,
    Stack,
    expect,
    order,
    probe,
    store,
)

_PLACE_BITS: Final = 10
"""Bits of a place, as in the table."""
_ROWS: Final = 64
_REDUCTIONS: Final = (np.outer(*2 * [np.log(np.maximum(np.arange(_ROWS), 1))]) / 2).astype(np.int64)
"""Half the product of the logarithms of the plies left and of the moves tried before, as chess engines reduce."""


class Options(NamedTuple):
    """What a search does."""

    width: int
    """The most promising moves tried where nothing is forced."""
    last_width: int
    """The same in the last ply."""
    cap: int
    """Moves of a search for fours below the last ply, and as many more for each ply that is left."""
    below: int
    """Plies below the last one in which winning threats are still answered."""
    root_cap: int
    """The same after each of the root's moves."""
    margin: int
    """How far the evaluation must miss the window, for each ply that is left, to settle a quiet node."""
    margin_plies: int
    """Most plies left with which a quiet node is settled so."""
    node_limit: int = INFINITY


@jit
def list_root(board: PatternBoard, stack: Stack, side: int, width: int) -> int:
    """List the root's moves, at most `width` where nothing is forced: 1 if others might hold or win as well, else 0.

    `stack.moves` and the first frame's COUNT tell them, the most promising first.
    """
    left_out = _list(board, stack, 0, side, -1, width)
    order(stack, 0)
    return left_out


@inlined
def _list(board: PatternBoard, stack: Stack, ply: int, side: int, hash_move: int, width: int) -> int:
    """List a node's moves, of which at most `width` are to be tried: 1 if others might hold or win as well, else 0."""
    other = 1 - side
    moves, promises = stack.moves[ply], stack.promises[ply]
    if number_of(board, other, COMPLETING) == 1:
        moves[0] = place_of_kind(board, other, COMPLETING)
        stack.frames[ply, COUNT], stack.frames[ply, LISTED] = 1, 0
        return 0
    left_out = 0
    if number_of(board, other, WINNING):
        found = listed(board, STRONG, moves)
        width = found
    else:
        found = listed(board, NEAR, moves)
        if found == 0:
            found = listed(board, USEFUL, moves)
        elif found > width or leaves_out(board):
            left_out = 1
    history, killer, other_killer = stack.history[ply & 1], stack.killers[ply, 0], stack.killers[ply, 1]
    best = 0
    for i in range(found):
        place = integer(moves[i])
        promise = promise_of(board, place, side) + (history[np.uint64(place)] >> 6)
        if place in (killer, other_killer):
            promise += 1 << 9
        if place == hash_move:
            promise = INFINITY >> _PLACE_BITS
        # Of cells that promise the same the first is tried first.
        promises[i] = (promise << _PLACE_BITS) - place
        if promises[i] > promises[best]:
            best = i
    moves[0], moves[best] = moves[best], moves[0]
    promises[0], promises[best] = promises[best], promises[0]
    stack.frames[ply, COUNT], stack.frames[ply, LISTED] = min(found, width), found
    return left_out


@inlined
def enter(board: PatternBoard, stack: Stack, fours: Fours, ply: int, options: Options) -> tuple[bool, int]:
    """Open a node below the root: (True, value) when that settles it, (False, _) when its moves are to be tried."""
    side = board.numbers[0] & 1
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
    found, value, hash_move = probe(stack, ply, board.key[0])
    if found:
        return True, value
    remaining = integer(frame[REMAINING])
    if remaining <= options.margin_plies and ply > 1 and not (blocks or threatened):
        judged, margin = static(board, side), options.margin * max(remaining, 0)
        is_above = judged - margin >= frame[BETA] > -HALF_WIN
        is_below = judged + margin <= frame[ALPHA] < HALF_WIN and remaining > 0 and not attacks
        if is_above or is_below:
            stack.counters[LEAVES] += 1
            stack.counters[GUESSES] += 1
            return True, judged
    if blocks:
        if ply + 2 * remaining + 20 < stack.frames.shape[0]:
            frame[COST] = 0
    else:
        if attacks:
            before = fours.counters[MOVES]
            cap = options.root_cap if ply == 1 else options.cap * (1 + max(remaining, 0))
            plies = attack(board, fours, side, min(cap, options.node_limit - stack.counters[NODES]))
            stack.counters[NODES] += fours.counters[MOVES] - before
            if plies > 0:
                stack.counters[LEAVES] += 1
                stack.line[ply, 0] = fours.moves[0]
                frame[LINE_LENGTH] = 1
                frame[BEST], frame[BEST_MOVE] = WIN - ply - plies, fours.moves[0]
                store(stack, ply)
                return True, WIN - ply - plies
        if remaining <= (-options.below if threatened else 0):
            stack.counters[LEAVES] += 1
            stack.counters[GUESSES] += 1
            return True, static(board, side)
    if ply + 2 >= stack.frames.shape[0]:
        stack.counters[LEAVES] += 1
        stack.counters[GUESSES] += 1
        return True, static(board, side)
    width = options.width if remaining > 1 else options.last_width
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
def foreseen(board: PatternBoard, stack: Stack, ply: int, move: int) -> int:
    """The value of a move below the root that leaves the other side a winning one, as shows before it is made; or 0."""
    side = integer(board.numbers[0]) & 1
    other = 1 - side
    if ply == 0 or not number_of(board, other, WINNING) or number_of(board, other, COMPLETING):
        return 0
    if kind_of(board, move, side) >= FOURS:
        return 0
    # All cells at which the other side would win are among the moves.
    for at in range(stack.frames[ply, COUNT]):
        place = integer(stack.moves[ply, at])
        if place == move or kind_of(board, place, other) != WINNING:
            continue
        if kind_after(board, place, other, move) == WINNING:
            return ply + 4 - WIN
    return 0


@inlined
def reduction(board: PatternBoard, stack: Stack, fours: Fours, ply: int, move: int, place: int) -> int:
    """How many plies less deep a late move is searched at first."""
    side = board.numbers[0] & 1
    remaining = integer(stack.frames[ply, REMAINING])
    if place < 2 or remaining < 2 or stack.frames[ply, COST] == 0:
        return 0
    if kind_of(board, move, side) >= FORCING or kind_of(board, move, 1 - side) >= FORCING:
        return 0
    return min(integer(_REDUCTIONS[min(remaining, _ROWS - 1), min(place, _ROWS - 1)]), remaining - 1)


@inlined
def make_at(board: PatternBoard, stack: Stack, fours: Fours, ply: int, move: int) -> None:
    side = integer(board.numbers[0]) & 1
    expect(stack, board.key[0] ^ board.zobrist[side, move])
    make(board, move, side, strong_only=False)


@inlined
def unmake_at(board: PatternBoard, ply: int, move: int) -> None:
    unmake(board, move, 1 - (board.numbers[0] & 1))
