"""Wins by continuous fours on a flat board: each move of the attacker makes a four, so each reply is forced.

A move that would win is tried only while the other side cannot complete a line; where it can at one cell, the attacker
must make its four there. So a win that is found holds against every defence.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, prefetch
from engine.kernels.jit import inlined, jit
from engine.kernels.patterns import (
    COMPLETING,
    FOUR_THREE,
    FOURS,
    STRONG,
    WINNING,
    PatternBoard,
    kind_of,
    listed,
    make,
    number_of,
    place_of_kind,
    unmake,
)

FAILED, CAPPED = 0, -1
MOVES, LENGTH, PLACE = range(3)
DEPTH = 48
"""The most moves of an attack."""
FAILURES = 1 << 16
"""Positions remembered."""
_SIDE = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = np.uint64(32)


class Fours(NamedTuple):
    """Where a search for fours stands, and what it remembers."""

    moves: Any
    """int64[DEPTH]: after a win the attacker's moves, `counters[1]` of them. To the last there may be a reply, which
    leaves a cell that completes a line."""
    replies: Any
    """int64[DEPTH]: the forced replies to all of them but the last."""
    listed: Any
    """int64[DEPTH, cells]: what is to be tried."""
    count: Any
    """int64[DEPTH]."""
    index: Any
    """int64[DEPTH]: how many of it have been tried."""
    failed: Any
    """uint64[FAILURES]: keys of positions without a win, each at a place given by its key."""
    strong: Any
    """int64[cells]."""
    counters: Any
    """int64[3]: moves made in all searches; the attacker's moves of the last win; of them, those that a search which
    has paused stands after, -1 where none has."""


def fours(cells: int) -> Fours:
    """Room for searches on a board of this many cells, which remember nothing yet."""
    return Fours(
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros((DEPTH, cells), np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros(FAILURES, np.uint64),
        np.zeros(cells, np.int64),
        np.array([0, 0, -1], np.int64),
    )


@inlined
def _key(board: PatternBoard, side: int) -> Any:
    key = board.key[0]
    if side:
        key ^= _SIDE
    return key


@inlined
def _slot(key: Any) -> int:
    return integer(key >> _SHIFT) & (FAILURES - 1)


@inlined
def _open(board: PatternBoard, fours: Fours, side: int, depth: int) -> int:
    """List the attacker's fours: 0. Or the plies of a win that is at hand, with its move in `moves`."""
    fours.index[depth] = 0
    fours.count[depth] = 0
    if number_of(board, side, COMPLETING):
        fours.moves[depth] = place_of_kind(board, side, COMPLETING)
        return 1
    blocks = number_of(board, 1 - side, COMPLETING)
    if blocks > 1 or depth == DEPTH - 1:
        return 0
    if blocks == 1:
        place = place_of_kind(board, 1 - side, COMPLETING)
        kind = kind_of(board, place, side)
        if kind == WINNING:
            fours.moves[depth] = place
            return 3
        if FOURS <= kind <= FOUR_THREE:
            fours.listed[depth, 0] = place
            fours.count[depth] = 1
        return 0
    if number_of(board, side, WINNING):
        fours.moves[depth] = place_of_kind(board, side, WINNING)
        return 3
    wanted = number_of(board, side, FOUR_THREE) + number_of(board, side, FOURS)
    if wanted == 0:
        return 0
    key = _key(board, side)
    if fours.failed[_slot(key)] == key:
        return 0
    front, back = 0, number_of(board, side, FOUR_THREE)
    for place in fours.strong[: listed(board, STRONG, fours.strong)]:
        kind = kind_of(board, place, side)
        if kind == FOUR_THREE:
            fours.listed[depth, front] = place
            front += 1
        elif kind == FOURS:
            fours.listed[depth, back] = place
            back += 1
    fours.count[depth] = wanted
    return 0


@inlined
def _go_on(board: PatternBoard, fours: Fours, side: int, depth: int, until: int) -> int:
    """Search on from where `depth` of the attacker's moves are made, until there are `until` moves in all, or one more:
    they are made by twos, each with its reply.

    The plies of a win, FAILED or CAPPED; PLACE tells after how many moves.
    """
    result = 0
    while result == 0:
        if fours.index[depth] < fours.count[depth]:
            if fours.counters[MOVES] >= until:
                result = CAPPED
                break
            place = fours.listed[depth, fours.index[depth]]
            fours.index[depth] += 1
            make(board, place, side, strong_only=True)
            reply = place_of_kind(board, side, COMPLETING)
            # On its way while the reply is made.
            prefetch(fours.failed, _slot(_key(board, side) ^ board.zobrist[1 - side, reply]))
            make(board, reply, 1 - side, strong_only=True)
            fours.counters[MOVES] += 2
            fours.moves[depth] = place
            fours.replies[depth] = reply
            depth += 1
            result = _open(board, fours, side, depth)
            if result:
                result += 2 * depth
        else:
            if fours.count[depth]:
                key = _key(board, side)
                fours.failed[_slot(key)] = key
            if depth == 0:
                break
            depth -= 1
            unmake(board, fours.replies[depth], 1 - side)
            unmake(board, fours.moves[depth], side)
    fours.counters[PLACE] = depth
    return result


@inlined
def _take_back(board: PatternBoard, fours: Fours, side: int) -> None:
    """All moves of a search, which is over then."""
    depth = fours.counters[PLACE]
    fours.counters[LENGTH] = depth + 1
    while depth > 0:
        depth -= 1
        unmake(board, fours.replies[depth], 1 - side)
        unmake(board, fours.moves[depth], side)
    fours.counters[PLACE] = -1


@inlined
def attack(board: PatternBoard, fours: Fours, side: int, cap: int) -> int:
    """Most plies in which the side to move wins by fours; FAILED; or CAPPED after `cap` moves, or one less."""
    until = fours.counters[MOVES] + cap // 2 * 2
    fours.counters[PLACE] = 0
    result = _open(board, fours, side, 0)
    if result == 0:
        result = _go_on(board, fours, side, 0, until)
    _take_back(board, fours, side)
    return result


@jit
def search(board: PatternBoard, fours: Fours, side: int, cap: int) -> int:
    """`attack` for callers in Python."""
    return attack(board, fours, side, cap)


@jit
def run(board: PatternBoard, fours: Fours, side: int, until: int) -> int:
    """Like `attack`, until there are `until` moves in all, one more if odd: then CAPPED, and the next call goes on from
    there.

    Meanwhile nothing else may touch the board; `leave` ends a search that is not to go on.
    """
    result = 0
    if fours.counters[PLACE] < 0:
        fours.counters[PLACE] = 0
        result = _open(board, fours, side, 0)
    if result == 0:
        result = _go_on(board, fours, side, integer(fours.counters[PLACE]), until)
    if result != CAPPED:
        _take_back(board, fours, side)
    return result


@jit
def leave(board: PatternBoard, fours: Fours, side: int) -> None:
    """End a search that has paused, if there is one: the board is as before it."""
    if fours.counters[PLACE] >= 0:
        _take_back(board, fours, side)
