"""The nine boards with learned weights: `nested` with another evaluation.

A small board that nobody has won is worth a weight by its code, by whether it lies in a corner, on an edge or in the
middle, and by its *context*: how much each side's best big line through it lacks. The big board has a weight for its
states (nine-board, which has none: for the boards in which each side threatens a line). The side to move adds a weight
for the board that it must move in, or for its free choice.

What the rest of a search asks of a board does not depend on its evaluation, and is that of `nested`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.jit import inlined
from engine.kernels.nested import (
    CODES,
    STATES,
    WON,
    NestedBoard,
    boards_of_states,
    count,
    drawn,
    following,
    key,
    legal,
    open_boards,
    place,
    settled,
    status_after,
    tables,
    threats,
    unmake,
)
from engine.rules.nested import ALL_BOARDS, BOARD_LINES

__all__ = [
    "count", "drawn", "following", "frontier", "key", "legal", "look", "make", "promise", "threats", "unmake",
]  # fmt: skip

CONTEXTS = 16
"""4 * level of side 0 + level of side 1: the level of a side is 0 without a living big line through the board, else 1
and the boards that it owns on the best one."""
PLACES = (0, 1, 0, 1, 2, 1, 0, 1, 0)
"""Whether each board is a corner (0), an edge (1) or the middle (2)."""
FREE_CHOICES = 10
"""Number of weights for a free choice: one for each number of closed boards."""
SAFE_SQUARES = 11
"""Number of weights for the squares that do not send the other side where it wins; the last is for a free choice."""

LOSES_NEXT = 4
"""What `foresee` says besides the statuses of `look`: the game goes on, and the other side wins with its next move."""
_LOST = 16_000
"""Worse than any sum of weights that is seen in play, and no proof."""


class WeightedBoard(NamedTuple):
    """A position under search, as `NestedBoard` has it, with weights instead of values."""

    first_line_wins: bool
    closes_won_boards: bool
    counts_boards: bool
    steps: Any
    events: Any
    empty: Any
    winning: Any
    completing: Any
    has_line: Any
    blocked: Any
    images: Any
    origins: Any
    zobrist: Any
    fate_words: Any
    forced_words: Any
    codes: Any
    former: Any
    states: Any
    closed: Any
    forced: Any
    static: Any
    hashes: Any
    small: Any
    """int16[3 * CONTEXTS * CODES]: of a small board, by place, context and code."""
    big: Any
    """int16[STATES]."""
    sent: Any
    """int16[2, CONTEXTS * CODES]: for each side to move, of the board it must move in."""
    free: Any
    """int16[2, FREE_CHOICES]."""
    safe: Any
    """int16[2, SAFE_SQUARES]: nine-board only."""
    rows: Any
    """int64[9]: where the weights of a board's place begin in `small`."""
    contexts: Any
    """int64[STATES]: 4 bits for each board."""
    threatened: Any
    """int32[CODES]: bit 0 where side 0 can complete a line, bit 9 where side 1 can."""
    threat_sets: Any
    """int64[plies]: the boards in which side 0 (9 bits) and side 1 (9 more) can complete a line; nine-board only."""


class Weights(NamedTuple):
    """The weights of a game; see WeightedBoard for each."""

    small: Any
    big: Any
    sent: Any
    free: Any
    safe: Any


def board(base: NestedBoard, weights: Weights) -> WeightedBoard:
    """The same position, which is set up, with other values; arrays that change are shared."""
    shared = base._asdict()
    del shared["values"], shared["big_values"]
    made = WeightedBoard(
        **shared,
        **weights._asdict(),
        rows=_ROWS,
        contexts=contexts(),
        threatened=threatened(),
        threat_sets=np.zeros(len(base.static), np.int64),
    )
    states = int(made.states[0])
    undecided = [number for number in range(9) if made.codes[number] < WON]
    made.threat_sets[0] = sum(int(made.threatened[made.codes[number]]) << number for number in undecided)
    in_context = int(made.contexts[states])
    total = sum(
        int(made.small[_ROWS[number] + (in_context >> 4 * number & 15) * CODES + made.codes[number]])
        for number in undecided
    )
    made.static[0] = total + int(made.big[made.threat_sets[0] if made.first_line_wins else states])
    return made


_ROWS = np.array(PLACES, np.int64) * CONTEXTS * CODES


@lru_cache(maxsize=1)
def contexts() -> Any:
    """int64[STATES]: the context of each undecided board, 4 bits for each; 0 for the others."""
    states = np.arange(STATES)
    own, others, dead = boards_of_states()
    made = np.zeros(STATES, np.int64)
    for number in range(9):
        level = [np.zeros(STATES, np.int64), np.zeros(STATES, np.int64)]
        for line in BOARD_LINES:
            if number in line:
                rest = sum(1 << other for other in line if other != number)
                for side, (ours, theirs) in enumerate(((own, others), (others, own))):
                    count_of_own = sum(ours >> other & 1 for other in line if other != number)
                    lives = (theirs | dead) & rest == 0
                    level[side] = np.maximum(level[side], np.where(lives, 1 + count_of_own, 0))
        undecided = (states | states >> 9) >> number & 1 == 0
        made |= np.where(undecided, 4 * level[0] + level[1], 0) << 4 * number
    made.flags.writeable = False
    return made


@lru_cache(maxsize=1)
def threatened() -> Any:
    """int32[CODES]; see WeightedBoard."""
    winning = tables().winning[:, :CODES] != 0
    made = (winning[0] | winning[1] << 9).astype(np.int32)
    made.flags.writeable = False
    return made


@inlined
def _small(board: WeightedBoard, number: int, in_context: int, code: int) -> int:
    """The weight of an undecided board; `in_context` as in `contexts`."""
    return integer(board.small[board.rows[number] + (in_context >> 4 * number & 15) * CODES + code])


@inlined
def _moved_static(board: WeightedBoard, ply: int, number: int, code: int, states: int, sets: int) -> int:
    """`static` after a move by which a board came to a code."""
    in_context = board.contexts[board.states[ply]]
    static = board.static[ply] - _small(board, number, in_context, board.codes[number])
    if board.first_line_wins:
        return static + _small(board, number, in_context, code) + board.big[sets] - board.big[board.threat_sets[ply]]
    if states == board.states[ply]:
        return static + _small(board, number, in_context, code)
    static += integer(board.big[states]) - board.big[board.states[ply]]
    after = board.contexts[states]
    changed = in_context ^ after
    for other in range(9):
        if changed >> 4 * other & 15 and other != number and board.codes[other] < WON:
            static += _small(board, other, after, board.codes[other])
            static -= _small(board, other, in_context, board.codes[other])
    return static


@inlined
def _moved_sets(board: WeightedBoard, ply: int, number: int, code: int) -> int:
    sets = board.threat_sets[ply]
    if not board.first_line_wins:
        return sets
    return sets & ~(0x201 << number) | integer(board.threatened[code]) << number


@inlined
def foresee(board: WeightedBoard, ply: int, number: int, square: int) -> tuple[int, int]:
    """Like `look`, with one status more: LOSES_NEXT."""
    side = ply & 1
    code = board.codes[number] + board.steps[side, square]
    states, closed = board.states[ply], board.closed[ply]
    if board.events[code]:
        states, closed = settled(board, ply, number, code)
        status = status_after(board, ply, states, closed)
        if status != 0:
            return status, board.static[ply]
    sets = _moved_sets(board, ply, number, code)
    static = _moved_static(board, ply, number, code, states, sets)
    mover = 1 - side
    is_free = closed >> square & 1
    if board.first_line_wins:
        dangers = sets >> 9 * mover & ALL_BOARDS
        if dangers if is_free else dangers >> square & 1:
            return LOSES_NEXT, static
        if is_free:
            return 0, static + board.free[mover, popcount(closed)] + board.safe[mover, 10]
        target = code if square == number else board.codes[square]
        kept = popcount(board.empty[target] & ~(sets >> 9 * side & ALL_BOARDS))
        return 0, static + board.sent[mover, target] + board.safe[mover, kept]
    if is_free:
        return 0, static + board.free[mover, popcount(closed)]
    target = code if square == number else board.codes[square]
    in_context = board.contexts[states] >> 4 * square & 15
    level = in_context & 3 if mover else in_context >> 2
    if level == 3 and board.winning[mover, target]:
        return LOSES_NEXT, static
    return 0, static + board.sent[mover, in_context * CODES + target]


@inlined
def look(board: WeightedBoard, ply: int, move: int) -> tuple[int, int]:
    """See `nested.look`; the evaluation counts whose move it is."""
    status, after = foresee(board, ply, move // 9, move % 9)
    if status == LOSES_NEXT:
        return 0, after - _LOST if ply & 1 == 0 else after + _LOST
    return status, after


@inlined
def frontier(
    board: WeightedBoard, ply: int, best: int, bound: int, won: int, win_adds: int, draw_adds: int
) -> tuple[int, int, int, int]:
    """See `flat.frontier`. A move after which the other side wins at once is an end too, one ply later."""
    boards = open_boards(board, ply)
    best_move = -1
    tried = 0
    ends = 0
    while boards:
        number = lowest(boards)
        boards &= boards - 1
        squares = integer(board.empty[board.codes[number]])
        while squares:
            square = lowest(squares)
            squares &= squares - 1
            tried += 1
            status, after = foresee(board, ply, number, square)
            value = after if ply & 1 == 0 else -after
            if status != 0:
                ends += 1
                if status == 2:
                    value = value if draw_adds else 0
                elif status == LOSES_NEXT:
                    value = 1 - won
                elif not win_adds:
                    value = won if status == 1 else -won
            if value > best:
                best, best_move = value, 9 * number + square
                if best > bound:
                    return best, best_move, tried, ends
    return best, best_move, tried, ends


@inlined
def make(board: WeightedBoard, ply: int, move: int) -> None:
    """See `nested.make`."""
    number = move // 9
    code = board.codes[number] + board.steps[ply & 1, move - 9 * number]
    states, closed = board.states[ply], board.closed[ply]
    if board.events[code]:
        states, closed = settled(board, ply, number, code)
    sets = _moved_sets(board, ply, number, code)
    static = _moved_static(board, ply, number, code, states, sets)
    place(board, ply, move, code, states, closed)
    board.static[ply + 1] = static
    board.threat_sets[ply + 1] = sets


@inlined
def promise(board: WeightedBoard, ply: int, move: int) -> int:
    """How early a move is worth trying: what it adds for the mover, and where it sends the other side."""
    after = (look(board, ply, move)[1] - board.static[ply]) // _PROMISE_UNIT
    return after if ply & 1 == 0 else -after


_PROMISE_UNIT = 4
