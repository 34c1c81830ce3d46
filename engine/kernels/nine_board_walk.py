"""All positions of nine-board that a strategy can meet, each once, and its move in each: what a proof is made of.

The strategy is that of the *prover*, which is to move in every position here and can reach its goal in it; the search
of `nine_board_proof` finds the move. The order is that of the checker (client/lab/verify/nine_board_checker.py): the
last position found is next, and replies are found in the order of their cells.

A position is three words: the codes of three boards each, 16 bits a board, and in the first word the forced board + 2
above them, so that no position begins with a word of 0.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer, popcount
from engine.kernels.jit import inlined, jit
from engine.kernels.nine_board_proof import NODES, UNTIL, Plan, Search, Table, grow

SEEN: Final = 0
PENDING: Final = 1
_WORDS: Final = 3
_CODE_BITS: Final = 16
_CODE: Final = (1 << _CODE_BITS) - 1
_FORCED_AT: Final = 3 * _CODE_BITS
_MOST_REPLIES: Final = 81
_MOST_PENDING: Final = 41 * _MOST_REPLIES
"""The last position found is next, so those pending are replies to the prover's moves in a single game."""
_FACTOR: Final = 0x9E3779B97F4A7C15


class Walk(NamedTuple):
    """Where it stands."""

    seen: Any
    """int64[a power of two, 3]: positions, each at the first free place from that of its hash."""
    pending: Any
    """int64[places, 3]: positions that have no move yet."""
    counts: Any
    """int64[2]: positions SEEN and PENDING."""


def walk(places: int) -> Walk:
    """A walk before its first position; `places` for those seen: a power of two, at least 256. Raises MemoryError."""
    return Walk(
        np.zeros((places, _WORDS), np.int64), np.zeros((_MOST_PENDING, _WORDS), np.int64), np.zeros(2, np.int64)
    )


def larger(walk: Walk) -> Walk:
    """The same with twice the places. Raises MemoryError."""
    seen = np.zeros((2 * len(walk.seen), _WORDS), np.int64)
    _copy(walk.seen, seen)
    return walk._replace(seen=seen)


@jit
def has_places(walk: Walk) -> bool:
    """Whether all replies to one more move have a place, with a quarter of them free so that one is found quickly."""
    return walk.counts[SEEN] + _MOST_REPLIES <= len(walk.seen) // 4 * 3


@inlined
def _place(seen: Any, first: int, second: int, third: int) -> int:
    """Where a position stands, or a free place for it."""
    word = np.uint64(first) * np.uint64(_FACTOR)
    word = (word ^ (word >> np.uint64(32)) ^ np.uint64(second)) * np.uint64(_FACTOR)
    word = (word ^ (word >> np.uint64(32)) ^ np.uint64(third)) * np.uint64(_FACTOR)
    place = integer(word >> np.uint64(32)) & (len(seen) - 1)
    while seen[place, 0] != 0 and (seen[place, 0] != first or seen[place, 1] != second or seen[place, 2] != third):
        place = (place + 1) & (len(seen) - 1)
    return place


@jit
def _copy(seen: Any, larger: Any) -> None:
    for old in range(len(seen)):
        if seen[old, 0] != 0:
            place = _place(larger, seen[old, 0], seen[old, 1], seen[old, 2])
            for word in range(_WORDS):
                larger[place, word] = seen[old, word]


@inlined
def _word(search: Search, number: int) -> int:
    """The codes of three boards."""
    codes = search.codes
    board = 3 * number
    return codes[board] | codes[board + 1] << _CODE_BITS | codes[board + 2] << 2 * _CODE_BITS


@inlined
def _take(search: Search, walk: Walk, prover: int) -> None:
    """Make the last pending position the root."""
    last = walk.counts[PENDING] - 1
    marks = 81
    for board in range(9):
        code = walk.pending[last, board // 3] >> _CODE_BITS * (board % 3) & _CODE
        search.codes[board] = code
        marks -= popcount(np.uint64(search.empty[code]))
    search.first[0] = prover
    search.first[1] = marks
    search.forced[0] = (walk.pending[last, 0] >> _FORCED_AT) - 2


@inlined
def _boards(forced: int) -> range:
    """Boards in which a move may be made, full ones among them."""
    return range(9) if forced < 0 else range(forced, forced + 1)


@inlined
def _wins_at_once(search: Search, side: int, forced: int) -> bool:
    squares = 0
    for board in _boards(forced):
        squares |= search.winning[side, search.codes[board]]
    return squares != 0


@inlined
def _reach(search: Search, walk: Walk, prover: int, forced: int) -> None:
    """The position in `codes` can arise, with the prover to move."""
    if _wins_at_once(search, prover, forced):
        return
    first = _word(search, 0) | (forced + 2) << _FORCED_AT
    second = _word(search, 1)
    third = _word(search, 2)
    place = _place(walk.seen, first, second, third)
    if walk.seen[place, 0] != 0:
        return
    for positions, index in ((walk.seen, place), (walk.pending, walk.counts[PENDING])):
        positions[index, 0] = first
        positions[index, 1] = second
        positions[index, 2] = third
    walk.counts[SEEN] += 1
    walk.counts[PENDING] += 1


@inlined
def _target(search: Search, square: int) -> int:
    """The board that a move on this square leads to, or -1 for a free choice."""
    return square if search.empty[search.codes[square]] != 0 else -1


@inlined
def _spread(search: Search, walk: Walk, prover: int, forced: int, marks: int) -> None:
    """All replies of the other side to the position in `codes`, which it cannot win at once."""
    if marks + 1 >= 81:
        return
    for board in _boards(forced):
        code = search.codes[board]
        for square in range(9):
            if search.empty[code] >> square & 1:
                search.codes[board] = code + search.steps[1 - prover, square]
                _reach(search, walk, prover, _target(search, square))
        search.codes[board] = code


def unpacked(words: list[int]) -> tuple[int, list[int]]:
    """The forced board, negative for none, and the codes of the nine boards."""
    codes = [words[board // 3] >> _CODE_BITS * (board % 3) & _CODE for board in range(9)]
    return (words[0] >> _FORCED_AT) - 2, codes


@jit
def begin(search: Search, walk: Walk, prover: int) -> None:
    """Find the first positions: the root, or those after each reply to it."""
    if search.first[0] == prover:
        _reach(search, walk, prover, search.forced[0])
    else:
        _spread(search, walk, prover, search.forced[0], search.first[1])


@jit
def go_on(
    search: Search,
    large: Table,
    small: Table,
    plan: Plan,
    walk: Walk,
    prover: int,
    most_nodes: int,
    slice_nodes: int,
    chosen: Any,
) -> tuple[int, int]:
    """Write the next moves into `chosen`, uint8[most], as the file has them. Returns their number and a phi.

    It ends when no position is pending, `chosen` is full, `larger` is needed, `slice_nodes` or in all `most_nodes` are
    made, or the prover is not found to reach its goal from a position, which then stays pending: only then is phi, its
    own, not 0. One position may take `slice_nodes` by itself.
    """
    counters = search.counters
    enough = min(counters[NODES] + slice_nodes, most_nodes)
    made = 0
    while walk.counts[PENDING] and has_places(walk) and made < len(chosen) and counters[NODES] < enough:
        _take(search, walk, prover)
        counters[UNTIL] = min(counters[NODES] + slice_nodes, most_nodes)
        phi, _ = grow(search, large, small, plan)
        if phi != 0:
            return made, phi
        walk.counts[PENDING] -= 1
        cell = search.moves[0, search.chosen[0]]
        square = cell % 9
        chosen[made] = cell if search.forced[0] < 0 else square
        made += 1
        search.codes[cell // 9] += search.steps[prover, square]
        _spread(search, walk, prover, _target(search, square), search.first[1] + 1)
    return made, 0
