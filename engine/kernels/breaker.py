"""Whether one side can hold the other for good if its own lines do not count: Maker wants a line, Breaker stops all.

A side that holds as Breaker holds in the game itself, where its own lines only help; a Maker that wins may still fail
in the game. Without Breaker's lines a position is no more than the *sets* of cells that Maker lacks of each line that
is still open, so positions with different marks are often the same, and hashes of the sets tell them apart.

The search is a depth-first proof-number search (df-pn). A proof number counts what is left to show that Breaker holds,
a disproof number that Maker wins; a node passes on the largest number of its open moves plus one for each other, as
most moves transpose. What makes it quick:

- *Zones*: with each result comes the set of cells on which it rests. Breaker holds even if Maker has all other cells,
  so a move of Maker's outside is refuted by the same replies; and the other way round. Only moves in the zones of all
  moves refuted so far are searched.
- *Simpler sets*: sets that contain others are left out. Two cells that lie in the same sets are a pair, which costs
  Breaker nothing: their sets are left out. Nobody needs a cell whose sets all contain another cell. Of two cells that
  complete a line, one of which lies in no other set, Maker takes the other at once.
- *Threats*: a set of one cell is answered at once, and two sets of two cells that share one win.
- *Pairs and weights* end the search, as in `solving`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.jit import inlined, jit
from engine.kernels.pairing import paired

OPEN: Final = 0
HELD: Final = 1
"""Breaker holds."""
WON: Final = 2
"""Maker wins."""

NODES: Final = 0
UNTIL: Final = 1
MOVE: Final = 2
"""The move that showed the last result, if it was the mover's."""
TWINS: Final = 3
"""How many pairs of cells lay in the same sets when these were left out last."""
COUNTERS: Final = 4

ENTRY_BYTES: Final = 24
_MAKER: Final = 1
_BREAKER: Final = 0
_BYTES: Final = 8
_CELLS: Final = 64
_INFINITE: Final = 1 << 28
_ONE_CELL: Final = 1 << 16
"""The weight of a set without cells; each cell halves it."""
_FIRST_NUMBER: Final = 4.0


class Search(NamedTuple):
    """A board, a position under search, and what is known."""

    images: Any
    """uint64[symmetries, bytes, 256]: where a symmetry takes the cells of a byte of a word."""
    inverses: Any
    """int64[symmetries]: which symmetry undoes another."""
    sets: Any
    """uint64[plies, lines]: what Maker lacks of each open line."""
    counts: Any
    """int64[plies]: how many sets."""
    turns: Any
    """int64[plies]: whose move it is."""
    moves: Any
    """int64[plies, cells]."""
    keys: Any
    """uint64[plies, cells]: the hash of the position after each move."""
    symmetries: Any
    """int64[plies, cells]: which symmetry takes that position to its representative."""
    numbers: Any
    """int64[plies, cells, 2]: proof and disproof number after each move."""
    numbers_of_moves: Any
    """int64[plies]."""
    chosen: Any
    """int64[plies]: the move that is being searched."""
    tried: Any
    """uint64[plies]: the moves that are not refuted."""
    rests: Any
    """uint64[plies]: the cells on which it rests that the others are."""
    limits: Any
    """int64[plies, 2]: the numbers up to which a position is searched."""
    zones: Any
    """uint64[plies, cells]: on which the result of each move rests."""
    paths: Any
    """uint64[plies, 3]: what the last move adds to a zone, for Breaker and for Maker, and the zone of a result."""
    through: Any
    """uint64[64, words]: the sets through each cell."""
    scratch: Any
    """uint64[lines]."""
    twins: Any
    """uint64[cells]: pairs of cells that lay in the same sets."""
    known: Any
    """uint64[entries, 2]: hashes, and zones of what is decided."""
    known_numbers: Any
    """int32[entries, 2]."""
    result: Any
    """int64[2]: the numbers of the position searched last."""
    counters: Any
    """int64[COUNTERS]."""


def search(cells: int, lines: int, symmetries: Sequence[Sequence[int]], entries: int) -> Search:
    """`entries` positions are remembered."""
    plies = cells + 3
    bits = np.zeros((len(symmetries), _CELLS), np.uint64)
    for symmetry, image in enumerate(symmetries):
        bits[symmetry, :cells] = [1 << cell for cell in image]
    chosen = np.arange(256, dtype=np.uint64)[:, None] >> np.arange(8, dtype=np.uint64) & np.uint64(1)
    images = (chosen * bits.reshape(len(symmetries), _BYTES, 1, 8)).sum(axis=-1, dtype=np.uint64)
    order = [tuple(image) for image in symmetries]
    inverses = [order.index(tuple(image.index(cell) for cell in range(cells))) for image in order]
    return Search(
        images,
        np.array(inverses, np.int64),
        np.zeros((plies, lines), np.uint64),
        np.zeros(plies, np.int64),
        np.zeros(plies, np.int64),
        np.zeros((plies, _CELLS), np.int64),
        np.zeros((plies, _CELLS), np.uint64),
        np.zeros((plies, _CELLS), np.int64),
        np.zeros((plies, _CELLS, 2), np.int64),
        np.zeros(plies, np.int64),
        np.zeros(plies, np.int64),
        np.zeros(plies, np.uint64),
        np.zeros(plies, np.uint64),
        np.zeros((plies, 2), np.int64),
        np.zeros((plies, _CELLS), np.uint64),
        np.zeros((plies, 3), np.uint64),
        np.zeros((_CELLS, (lines + 63) // 64), np.uint64),
        np.zeros(lines, np.uint64),
        np.zeros(_CELLS, np.uint64),
        np.zeros((entries, 2), np.uint64),
        np.ones((entries, 2), np.int32),
        np.zeros(2, np.int64),
        np.zeros(COUNTERS, np.int64),
    )


@jit
def answer(search: Search, count: int, attacking: bool) -> int:
    """HELD or WON for the first `count` sets of ply 0, Maker to move if `attacking`; OPEN once `UNTIL` nodes are made.

    Each set has a cell. Called again with a later UNTIL it goes on with the help of the table. MOVE is the move that
    shows the result if it is the mover's, and -1 if that takes none.
    """
    search.counters[MOVE] = -1
    sets = search.sets[0]
    count = _unpaired(search, sets, _minimal(search, sets, count), 0)
    for i in range(count):
        if popcount(sets[i]) == 1:
            if attacking:
                search.counters[MOVE] = lowest(sets[i])
                return WON
            for j in range(i):
                if popcount(sets[j]) == 1:
                    return WON
    if count == 0:
        return HELD
    search.counts[0] = count
    search.turns[0] = _MAKER if attacking else _BREAKER
    _run(search)
    if search.result[0] == 0:
        return HELD
    return WON if search.result[1] == 0 else OPEN


@jit
def pairs(search: Search, count: int, found: Any) -> int:
    """Pairs of cells, no cell in two of them, are written to `found`: one for each of the first `count` sets of ply 0
    if that is seen to be possible, else those that cost nothing. How many they are.
    """
    sets = search.sets[0]
    count = _minimal(search, sets, count)
    number = 0
    while True:
        count = _unpaired(search, sets, integer(count), 0)
        for i in range(search.counters[TWINS]):
            found[number] = search.twins[i]
            number += 1
        cell, pair = _free_move(search, sets, integer(count))
        if not cell:
            break
        found[number] = pair
        number += 1
        count = _without(sets, _taken(sets, integer(count), cell, search.scratch), pair & ~cell)
    return number + _paired(search, sets, count, found[number:])


@jit
def _run(search: Search) -> None:
    """Search the position of ply 0 until it is decided or the nodes are made. Its numbers are left in `result`."""
    ply = 0
    search.limits[0, 0] = _INFINITE
    search.limits[0, 1] = _INFINITE
    decided = _expand(search, 0)
    while True:
        if not decided and _descend(search, ply):
            ply += 1
            decided = _expand(search, ply)
        elif ply == 0:
            return
        else:
            ply -= 1
            decided = _absorb(search, ply)


@inlined
def _own(search: Search, ply: int) -> int:
    """The number that a single move brings down to 0: for Maker the disproof number, for Breaker the proof number."""
    return 1 if search.turns[ply] == _MAKER else 0


@jit
def _expand(search: Search, ply: int) -> bool:
    """Look at the moves of a position. Whether that decides it."""
    search.counters[NODES] += 1
    one = np.uint64(1)
    tried, zone = _candidates(search, ply)
    search.tried[ply] = tried
    search.rests[ply] = zone
    search.numbers_of_moves[ply] = 0
    word = tried
    while word:
        move = lowest(word)
        word &= word - one
        if search.tried[ply] >> np.uint64(move) & one:
            chosen = integer(search.numbers_of_moves[ply])
            search.numbers_of_moves[ply] += 1
            search.moves[ply, chosen] = move
            _look_up(search, ply, chosen)
            if _settled(search, ply, chosen):
                return True
    return False


@inlined
def _settled(search: Search, ply: int, chosen: int) -> bool:
    """Draw the conclusions from a move whose numbers are new. Whether they decide the position."""
    own = _own(search, ply)
    move = integer(search.moves[ply, chosen])
    if search.numbers[ply, chosen, own] == 0:
        _decide(search, ply, own, search.zones[ply, chosen], move)
        return True
    if search.numbers[ply, chosen, 1 - own] == 0:
        search.rests[ply] |= search.zones[ply, chosen]
        search.tried[ply] &= search.zones[ply, chosen] & ~(np.uint64(1) << np.uint64(move))
    return False


@jit
def _descend(search: Search, ply: int) -> bool:
    """Play the most promising move, unless a number has reached its limit, or no move is left."""
    own = _own(search, ply)
    numbers = search.numbers[ply]
    chosen = -1
    least = second = _INFINITE
    largest = 0
    others = -1
    for i in range(search.numbers_of_moves[ply]):
        if search.tried[ply] >> np.uint64(search.moves[ply, i]) & np.uint64(1):
            others += 1
            number = integer(numbers[i, own])
            largest = max(largest, integer(numbers[i, 1 - own]))
            if chosen < 0 or number < least or (number == least and numbers[i, 1 - own] < numbers[chosen, 1 - own]):
                second = least
                least = number
                chosen = i
            elif number < second:
                second = number
    if chosen < 0:
        _decide(search, ply, 1 - own, search.rests[ply], -1)
        return False
    search.result[own] = least
    search.result[1 - own] = min(_INFINITE - 1, largest + others)
    limits = search.limits[ply]
    if search.result[0] >= limits[0] or search.result[1] >= limits[1]:
        return False
    if search.counters[NODES] >= search.counters[UNTIL]:
        return False
    # A quarter more than the second best, so that the search does not return to the same place too often.
    search.limits[ply + 1, own] = min(integer(limits[own]), second + 1 + (second >> 2))
    search.limits[ply + 1, 1 - own] = limits[1 - own] - others
    search.chosen[ply] = chosen
    _play(search, ply, chosen)
    return True


@jit
def _absorb(search: Search, ply: int) -> bool:
    """Take over the numbers of the move that was searched. Whether they decide the position."""
    chosen = integer(search.chosen[ply])
    _remember(search, ply, chosen)
    for side in range(2):
        search.numbers[ply, chosen, side] = search.result[side]
        if search.result[side] == 0:
            search.zones[ply, chosen] = search.paths[ply + 1, 2] | search.paths[ply + 1, side]
    return _settled(search, ply, chosen)


@inlined
def _play(search: Search, ply: int, chosen: int) -> int:
    for i in range(search.counts[ply]):
        search.sets[ply + 1, i] = search.sets[ply, i]
    return _advance(search, ply, integer(search.moves[ply, chosen]))


@inlined
def _decide(search: Search, ply: int, side: int, zone: Any, move: int) -> None:
    search.paths[ply, 2] = zone
    search.result[side] = 0
    search.result[1 - side] = _INFINITE
    search.counters[MOVE] = move


@inlined
def _candidates(search: Search, ply: int) -> Any:
    """The moves that are worth a search, and the cells on which it rests that no others are."""
    one = np.uint64(1)
    none = np.uint64(0)
    sets = search.sets[ply]
    count = search.counts[ply]
    through = search.through
    _index(search, sets, count)
    cells = none
    for i in range(count):
        cells |= sets[i]
    zone = none
    for i in range(count):
        word = sets[i] & cells
        while word:
            cell = lowest(word)
            word &= word - one
            rest = sets[i] & cells & ~(one << np.uint64(cell))
            while rest:
                better = lowest(rest)
                rest &= rest - one
                worse = True
                for part in range(through.shape[1]):
                    if through[cell, part] & ~through[better, part]:
                        worse = False
                if worse:
                    cells &= ~(one << np.uint64(cell))
                    zone |= one << np.uint64(better)
                    break
    return cells, zone


@inlined
def _look_up(search: Search, ply: int, chosen: int) -> None:
    """The numbers and the zone after a move, as far as they are known."""
    numbers = search.numbers[ply]
    status = _play(search, ply, chosen)
    paths = search.paths[ply + 1]
    if status != OPEN:
        numbers[chosen, 0] = 0 if status == HELD else _INFINITE
        numbers[chosen, 1] = _INFINITE if status == HELD else 0
        search.zones[ply, chosen] = paths[0] if status == HELD else paths[1]
        return
    attacking = search.turns[ply + 1] == _MAKER
    key, symmetry = _key(search, ply + 1, attacking)
    search.keys[ply, chosen] = key
    search.symmetries[ply, chosen] = symmetry
    place = key % np.uint64(search.known.shape[0])
    if search.known[place, 0] == key:
        for side in range(2):
            numbers[chosen, side] = search.known_numbers[place, side]
            if numbers[chosen, side] == 0:
                zone = _image(search, search.inverses[symmetry], search.known[place, 1])
                search.zones[ply, chosen] = zone | paths[side]
        return
    weight = _weight(search.sets[ply + 1], search.counts[ply + 1])
    part = weight / (_ONE_CELL / 2 if attacking else _ONE_CELL)
    numbers[chosen, 0] = max(1, int(part * part * _FIRST_NUMBER))
    numbers[chosen, 1] = max(1, int(_FIRST_NUMBER / part))


@inlined
def _remember(search: Search, ply: int, chosen: int) -> None:
    """Keep `result`, unless it is open and what has its place is not."""
    key = search.keys[ply, chosen]
    place = key % np.uint64(search.known.shape[0])
    result = search.result
    decided = result[0] == 0 or result[1] == 0
    kept = search.known_numbers[place, 0] == 0 or search.known_numbers[place, 1] == 0
    if search.known[place, 0] != key and kept and not decided:
        return
    search.known[place, 0] = key
    search.known_numbers[place, 0] = result[0]
    search.known_numbers[place, 1] = result[1]
    if decided:
        search.known[place, 1] = _image(search, search.symmetries[ply, chosen], search.paths[ply + 1, 2])


@jit
def _advance(search: Search, ply: int, move: int) -> int:
    """Play on the sets of the next ply, a copy of this one's, with all that is forced, and judge what is left."""
    none = np.uint64(0)
    attacking = search.turns[ply] == _MAKER
    sets = search.sets[ply + 1]
    count = search.counts[ply]
    paths = search.paths[ply + 1]
    paths[0] = none
    paths[1] = none
    cell = np.uint64(1) << np.uint64(move)
    while cell:
        if attacking:
            paths[1] |= cell
            count = _taken(sets, integer(count), cell, search.scratch)
            single = _singles(sets, integer(count))
            paths[1] |= single
            if single & (single - np.uint64(1)):
                return WON
            attacking = single != none
            cell = single
        else:
            attacking = True
        if cell and attacking:
            paths[0] |= cell
            count = _without(sets, integer(count), cell)
        count = _unpaired(search, sets, integer(count), ply + 1)
        if count == 0:
            return HELD
        cell = none
        if attacking:
            fork = _fork(sets, integer(count))
            if fork:
                paths[1] |= fork
                return WON
            cell, pair = _free_move(search, sets, integer(count))
            paths[0] |= pair
    search.counts[ply + 1] = count
    search.turns[ply + 1] = _MAKER if attacking else _BREAKER
    cells = none
    for i in range(count):
        cells |= sets[i]
    if _weight(sets, integer(count)) < (_ONE_CELL // 2 if attacking else _ONE_CELL):
        paths[0] |= cells
        return HELD
    if attacking and count <= popcount(cells):
        number = _paired(search, sets, integer(count), search.twins)
        if number:
            for i in range(number):
                paths[0] |= search.twins[i]
            return HELD
    return OPEN


@inlined
def _taken(sets: Any, count: int, cell: Any, scratch: Any) -> int:
    """Maker takes a cell: the sets without it, and without those that contain another."""
    smaller = 0
    for i in range(count):
        if sets[i] & cell:
            left = sets[i] & ~cell
            sets[i] = sets[smaller]
            sets[smaller] = left
            smaller += 1
    for i in range(count):
        scratch[i] = sets[i]
    kept = 0
    for i in range(count):
        if not _superfluous(scratch, smaller, i):
            sets[kept] = scratch[i]
            kept += 1
    return kept


@inlined
def _minimal(search: Search, sets: Any, count: int) -> int:
    """Leave out the sets that contain another."""
    for i in range(count):
        search.scratch[i] = sets[i]
    kept = 0
    for i in range(count):
        if not _superfluous(search.scratch, count, i):
            sets[kept] = search.scratch[i]
            kept += 1
    return kept


@inlined
def _superfluous(sets: Any, count: int, chosen: int) -> bool:
    """Whether a set contains another of the first `count`; of equal ones the first stays."""
    for i in range(count):
        if i != chosen and not sets[i] & ~sets[chosen] and (sets[i] != sets[chosen] or i < chosen):
            return True
    return False


@inlined
def _without(sets: Any, count: int, cells: Any) -> int:
    """Leave out the sets with one of these cells."""
    kept = 0
    for i in range(count):
        if not sets[i] & cells:
            sets[kept] = sets[i]
            kept += 1
    return kept


@inlined
def _singles(sets: Any, count: int) -> Any:
    """The cells that complete a line."""
    cells = np.uint64(0)
    for i in range(count):
        if popcount(sets[i]) == 1:
            cells |= sets[i]
    return cells


@inlined
def _index(search: Search, sets: Any, count: int) -> None:
    one = np.uint64(1)
    through = search.through
    for cell in range(_CELLS):
        for part in range(through.shape[1]):
            through[cell, part] = np.uint64(0)
    for i in range(count):
        word = sets[i]
        while word:
            through[lowest(word), i >> 6] |= one << np.uint64(i & 63)
            word &= word - one


@inlined
def _unpaired(search: Search, sets: Any, count: int, ply: int) -> int:
    """Leave out the sets through two cells that lie in the same sets, again and again. `through` is left in order."""
    one = np.uint64(1)
    none = np.uint64(0)
    through = search.through
    search.counters[TWINS] = 0
    pair = one
    while pair:
        _index(search, sets, count)
        pair = none
        for i in range(count):
            word = sets[i]
            while word and not pair:
                cell = lowest(word)
                word &= word - one
                rest = word
                while rest and not pair:
                    other = lowest(rest)
                    rest &= rest - one
                    same = True
                    for part in range(through.shape[1]):
                        if through[cell, part] != through[other, part]:
                            same = False
                    if same:
                        pair = one << np.uint64(cell) | one << np.uint64(other)
            if pair:
                break
        if pair:
            search.paths[ply, 0] |= pair
            search.twins[search.counters[TWINS]] = pair
            search.counters[TWINS] += 1
            count = _without(sets, count, pair)
    return count


@inlined
def _fork(sets: Any, count: int) -> Any:
    """Two sets of two cells that share one, with which Maker wins: their cells, or nothing."""
    once = np.uint64(0)
    for i in range(count):
        if popcount(sets[i]) == 2:
            if sets[i] & once:
                for j in range(i):
                    if popcount(sets[j]) == 2 and sets[i] & sets[j]:
                        return sets[i] | sets[j]
            once |= sets[i]
    return np.uint64(0)


@inlined
def _free_move(search: Search, sets: Any, count: int) -> Any:
    """A cell that Maker takes at no cost, as the answer to its threat is in no other set; and both cells."""
    one = np.uint64(1)
    through = search.through
    for i in range(count):
        if popcount(sets[i]) == 2:
            first = sets[i] & (~sets[i] + one)
            for answer in (first, sets[i] & ~first):
                number = 0
                for part in range(through.shape[1]):
                    number += popcount(through[lowest(answer), part])
                if number == 1:
                    return sets[i] & ~answer, sets[i]
    return np.uint64(0), np.uint64(0)


@inlined
def _weight(sets: Any, count: int) -> int:
    weight = 0
    for i in range(count):
        weight += _ONE_CELL >> popcount(sets[i])
    return weight


@jit
def _paired(search: Search, sets: Any, count: int, found: Any) -> int:
    """Like `paired`, but leaves `sets` alone, and finds none where it fails."""
    for i in range(count):
        search.scratch[i] = sets[i]
    return max(0, paired(search.scratch, count, found))


@inlined
def _image(search: Search, symmetry: int, cells: Any) -> Any:
    image = np.uint64(0)
    for byte in range(_BYTES):
        image |= search.images[symmetry, byte, cells >> np.uint64(8 * byte) & np.uint64(255)]
    return image


@inlined
def _mixed(word: Any) -> Any:
    """The end of splitmix64."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ word >> np.uint64(31)


@inlined
def _key(search: Search, ply: int, attacking: bool) -> Any:
    """The least hash of all images of a position, and the symmetry that leads there."""
    least = ~np.uint64(0)
    best = 0
    for symmetry in range(search.images.shape[0]):
        total = np.uint64(0)
        for i in range(search.counts[ply]):
            total += _mixed(_image(search, symmetry, search.sets[ply, i]))
        if total < least:
            least = total
            best = symmetry
    return _mixed(least + np.uint64(1)) if attacking else least, best
