"""Alpha-beta on Qubic in which every node looks for wins by continuous threats, of either side.

A node at which the side to move has such a win is won. Where the other side would have one if the move were passed, the
moves are tried that break it, and all others lose to it: so what these lists prove is proven. Elsewhere the most
promising cells are tried, and that all of them lose proves nothing.

Rows are those of `qubic_threats`, each from the view of the side to move there, which is X in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.jit import inlined, jit
from engine.kernels.pv_stack import (
    ALPHA,
    BEST,
    BEST_MOVE,
    COST,
    COUNT,
    FIRST_ALPHA,
    GUESSES,
    GUESSES_BEFORE,
    INDEX,
    INFINITY,
    INTERIOR,
    LEAVES,
    LINE_LENGTH,
    NODES,
    PARTIAL,
    REMAINING,
    WIN,
    Stack,
    probe,
    store,
)
from engine.kernels.qubic_threats import (
    DEPTH,
    FEW_WAITING,
    WON,
    O,
    Threats,
    X,
    completing_o,
    completing_x,
    copy_row,
    mark_o,
    position_key,
    replay,
    search_within,
    set_row,
)

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_LINES = np.array([(1 << 64) - 1, (1 << 12) - 1], np.uint64)
"""All lines, as the bits of two words."""
_WORDS = 2
_X_LINES, _O_LINES = 2, 8
_LATE, _VERY_LATE, _DEEP = 3, 8, 5
"""Moves from these places on lose one ply and, with this many to go, two."""
_KILLER = 256


class Options(NamedTuple):
    """What a search does."""

    width: int
    """The most promising moves tried where the other side threatens nothing."""
    cap: int
    """Nodes of a search for a win by threats at a leaf; with each ply that is still to be searched `growth` times."""
    growth: int
    most_cap: int
    """Nodes of the largest of these searches."""
    root_cap: int
    """Nodes of the smallest after each of the root's moves."""
    node_limit: int = INFINITY


class QubicBoard(NamedTuple):
    """The positions from the root to the node that is searched."""

    rows: Any
    """uint64[plies, 14]."""
    attack: Any
    """int64[40]: the other side's moves of the last win by threats that was found for it."""
    length: Any
    """int64[1]: their number."""
    scratch: Any
    """uint64[14]: room for a position."""
    weights: Any
    """int64[7]: what the first, second and third mark on an open line are worth to the side to move, what those of the
    other side are worth to that, and what the move is."""


def board(plies: int, weights: Sequence[int]) -> QubicBoard:
    """Room for a search `plies` deep."""
    return QubicBoard(
        np.zeros((plies + 3, 14), np.uint64),
        np.zeros(DEPTH, np.int64),
        np.zeros(1, np.int64),
        np.zeros(14, np.uint64),
        np.array(weights, np.int64),
    )


@inlined
def _turn(source: Any, target: Any) -> None:
    """Write a position into a row as the other side sees it."""
    target[X], target[O] = source[O], source[X]
    for word in range(_O_LINES - _X_LINES):
        target[_X_LINES + word] = source[_O_LINES + word]
        target[_O_LINES + word] = source[_X_LINES + word]


@inlined
def _static(board: QubicBoard, row: Any) -> int:
    """The evaluation, for the side to move."""
    weights = board.weights
    value = weights[6]
    for word in range(_WORDS):
        mine, theirs = ~row[_O_LINES + word], ~row[_X_LINES + word]
        for number in range(3):
            value += weights[number] * popcount(row[_X_LINES + _WORDS * number + word] & mine)
            value -= weights[3 + number] * popcount(row[_O_LINES + _WORDS * number + word] & theirs)
    return integer(value)


@inlined
def _wins(board: QubicBoard, stack: Stack, threats: Threats, ply: int, cap: int) -> bool:
    """Whether the side to move wins by threats."""
    copy_row(board.rows[ply], threats.rows[0])
    return _sought(stack, threats, cap)


@inlined
def _is_threatened(board: QubicBoard, stack: Stack, threats: Threats, ply: int, cap: int) -> bool:
    """Whether the other side would win by threats if it were to move; then `attack` has its moves."""
    _turn(board.rows[ply], threats.rows[0])
    if not _sought(stack, threats, cap):
        return False
    board.length[0] = threats.counters[1]
    for place in range(threats.counters[1]):
        board.attack[place] = threats.moves[place]
    return True


@inlined
def _sought(stack: Stack, threats: Threats, cap: int) -> bool:
    found = search_within(threats, cap, DEPTH, FEW_WAITING)
    stack.counters[NODES] += threats.counters[0]
    return found == WON


@inlined
def _list(
    board: QubicBoard, stack: Stack, threats: Threats, ply: int, hash_move: int, width: int, threatened: bool
) -> int:
    """List a node's moves in the order to be tried, and return how many are not among them.

    If it is threatened, these are the moves after which the attack still wins.
    """
    row = board.rows[ply]
    moves, promises, history = stack.moves[ply], stack.promises[ply], stack.history[ply & 1]
    killer, other_killer = stack.killers[ply, 0], stack.killers[ply, 1]
    count = 0
    left_out = 0
    empty = ~(row[X] | row[O])
    while empty:
        cell = lowest(empty)
        empty &= empty - _ONE
        if threatened:
            _turn(row, board.scratch)
            mark_o(threats, board.scratch, cell)
            if replay(threats, board.scratch, board.attack, board.length[0]):
                left_out += 1
                continue
        promise = _promise(threats, row, cell) + (history[cell] >> 4)
        if cell in (killer, other_killer):
            promise += _KILLER
        if cell == hash_move:
            promise = INFINITY
        at = count
        if count < width:
            count += 1
        else:
            left_out += 1
            if promise <= promises[count - 1]:
                continue
            at -= 1
        while at > 0 and promises[at - 1] < promise:
            moves[at], promises[at] = moves[at - 1], promises[at - 1]
            at -= 1
        moves[at], promises[at] = cell, promise
    stack.frames[ply, COUNT] = count
    return left_out


@inlined
def _promise(threats: Threats, row: Any, cell: int) -> int:
    """How early a move is worth trying: the open lines that it takes part in or closes."""
    promise = 0
    for word in range(_WORDS):
        lines = threats.through[cell, word]
        mine = lines & row[_X_LINES + word] & ~row[_O_LINES + word]
        theirs = lines & row[_O_LINES + word] & ~row[_X_LINES + word]
        promise += 64 * popcount(lines & ~row[_X_LINES + word] & ~row[_O_LINES + word])
        promise += 128 * popcount(mine) + 256 * popcount(mine & row[_X_LINES + _WORDS + word])
        promise += 96 * popcount(theirs) + 128 * popcount(theirs & row[_O_LINES + _WORDS + word])
    return promise


@inlined
def _cap(cap: int, options: Options, stack: Stack, ply: int) -> int:
    """Nodes of a search for a win by threats at a node."""
    for _ in range(stack.frames[ply, REMAINING]):
        cap = min(cap * options.growth, options.most_cap)
    if ply == 1:
        cap = max(cap, options.root_cap)
    return min(cap, max(options.node_limit - stack.counters[NODES], 0))


@inlined
def _guessed(board: QubicBoard, stack: Stack, ply: int) -> int:
    """The value of a leaf that does not end the game."""
    stack.counters[LEAVES] += 1
    stack.counters[GUESSES] += 1
    return _static(board, board.rows[ply])


@inlined
def enter(board: QubicBoard, stack: Stack, threats: Threats, ply: int, options: Options) -> tuple[bool, int]:
    """Open a node below the root: (True, value) when that settles it, (False, _) when its moves are to be tried."""
    frame, row = stack.frames[ply], board.rows[ply]
    frame[LINE_LENGTH] = 0
    frame[COST] = 1
    frame[BEST] = -INFINITY
    frame[BEST_MOVE] = -1
    frame[INDEX] = 0
    frame[PARTIAL] = 0
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[GUESSES_BEFORE] = stack.counters[GUESSES]
    winning = completing_x(threats, row)
    if winning:
        stack.counters[LEAVES] += 1
        stack.line[ply, 0] = lowest(winning)
        frame[LINE_LENGTH] = 1
        return True, WIN - ply - 1
    forced = completing_o(threats, row)
    if forced and forced & (forced - _ONE):
        stack.counters[LEAVES] += 1
        return True, ply + 2 - WIN
    if row[_X_LINES] & row[_O_LINES] == _LINES[0] and row[_X_LINES + 1] & row[_O_LINES + 1] == _LINES[1]:
        stack.counters[LEAVES] += 1
        return True, 0
    remaining = integer(frame[REMAINING])
    hash_move = -1
    if forced or remaining > 0 or ply == 1:
        found, value, hash_move = probe(stack, ply, position_key(row[X], row[O]))
        if found:
            return True, value
    if forced:
        if ply + remaining + 3 < stack.frames.shape[0]:
            frame[COST] = 0
        elif remaining <= 0:
            return True, _guessed(board, stack, ply)
        stack.moves[ply, 0] = lowest(forced)
        frame[COUNT] = 1
        stack.counters[INTERIOR] += 1
        return False, 0
    if _wins(board, stack, threats, ply, _cap(options.cap, options, stack, ply)):
        stack.counters[LEAVES] += 1
        stack.line[ply, 0] = threats.moves[0]
        frame[LINE_LENGTH] = 1
        # The last of its moves makes two threes: another ply for the reply, and one for the line.
        frame[BEST], frame[BEST_MOVE] = WIN - ply - 1 - 2 * threats.counters[1], threats.moves[0]
        if remaining > 0 or ply == 1:
            store(stack, ply)
        return True, integer(frame[BEST])
    if remaining <= 0 or ply + 2 >= stack.frames.shape[0]:
        return True, _guessed(board, stack, ply)
    threatened = _is_threatened(board, stack, threats, ply, _cap(options.cap, options, stack, ply))
    left_out = _list(board, stack, threats, ply, hash_move, 64 if threatened else options.width, threatened)
    if not threatened:
        frame[PARTIAL] = left_out > 0
        stack.counters[GUESSES] += left_out > 0
    elif left_out:
        frame[BEST] = ply + 2 + 2 * board.length[0] - WIN
        if frame[COUNT] == 0:
            stack.counters[LEAVES] += 1
            store(stack, ply)
            return True, integer(frame[BEST])
    stack.counters[INTERIOR] += 1
    return False, 0


@inlined
def foreseen(board: QubicBoard, stack: Stack, ply: int, move: int) -> int:
    """Nothing: a move that loses by threats is not listed."""
    return 0


@inlined
def reduction(board: QubicBoard, stack: Stack, threats: Threats, ply: int, move: int, place: int) -> int:
    """How many plies less deep a late move that does not make a three is searched at first."""
    remaining = stack.frames[ply, REMAINING]
    if ply == 0 or place < _LATE or remaining < 3 or stack.frames[ply, COST] == 0:
        return 0
    row = board.rows[ply]
    for word in range(_WORDS):
        if threats.through[move, word] & row[_X_LINES + _WORDS + word] & ~row[_O_LINES + word]:
            return 0
    return 2 if place >= _VERY_LATE and remaining >= _DEEP else 1


@inlined
def make_at(board: QubicBoard, stack: Stack, threats: Threats, ply: int, move: int) -> None:
    _turn(board.rows[ply], board.rows[ply + 1])
    mark_o(threats, board.rows[ply + 1], move)


@inlined
def unmake_at(board: QubicBoard, ply: int, move: int) -> None:
    """Each ply has a row of its own."""


@jit
def list_root(board: QubicBoard, stack: Stack, threats: Threats, own: Any, others: Any, cap: int) -> int:
    """Set up the root and list its moves, as the first frame's COUNT and `stack.moves` tell: the most promising first,
    those that lose to a win by threats of the other side left out. Returns in how many plies these lose, or 0."""
    set_row(threats, board.rows[0], own, others)
    threatened = _is_threatened(board, stack, threats, 0, cap)
    left_out = _list(board, stack, threats, 0, -1, 64, threatened)
    return 2 + 2 * integer(board.length[0]) if left_out else 0
