"""Depth-first proof-number search on nine-board: can one side, the *attacker*, force a line?

The other side, the *defender*, reaches its goal with a line of its own or a full board. Every position has two numbers,
seen from the side to move: `phi`, how hard it seems that the mover reaches its goal, and `delta`, how hard that the
opponent does; 0 is reached, INFINITY is out of reach. (A. Nagai 2002; thresholds 1+epsilon: J. Pawlewicz et al. 2007.)

A move is *unsafe* if the opponent completes a line in the board to which it leads. Unsafe moves are never made: whoever
has no other loses. Boards in which a side can complete a line are its *threats*.

There are two tables. A subtree is searched within the small one, which the processor's cache holds, until it has
cost `patience` positions; only then are its positions kept in the large one, one by one (compare PN2, D. Breuker
1998). Both hold 64-bit hashes, so a result is certain only after its proof was written out and checked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest
from engine.kernels.hashing import random_words
from engine.kernels.jit import inlined, jit
from engine.kernels.nested import CODES, marks_of_codes
from engine.rules import lines
from engine.rules.nested import ALL_BOARDS, LINE_MASKS

ATTACKER: Final = 0
DEFENDER: Final = 1
INFINITY: Final = 1 << 31
NODES: Final = 0
UNTIL: Final = 1
COUNTERS: Final = 2
ENTRY_BYTES: Final = 20
WAYS: Final = 4
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_SEAL: Final = np.uint64(0x9E3779B97F4A7C15)
_PLIES: Final = 83
_SYMMETRIC_MARKS: Final = 12
"""Positions with more marks are not turned: after that many nearly no two are images of each other."""
EVEN: Final = 512
"""The index in `guess` of a position whose boards are worth nothing on balance."""
_CODES: Final = tuple(sum(3**square for square in lines.cells_of(marks)) for marks in range(512))
"""Code of a board with these squares of one side; those of side 1 count twice."""


class Table(NamedTuple):
    """What is known of positions; an entry whose work is 0 is empty.

    Several threads may use one without locks: a key is kept with a seal of its numbers, so an entry of which one thread
    has written a part, and another the rest, is not found (R. Hyatt and T. Mann 2002).
    """

    keys: Any
    """uint64[entries]: each with the seal of its numbers in the low half."""
    numbers: Any
    """uint32[entries, 2]: phi and delta."""
    work: Any
    """float32[entries]: positions visited below it; those with the least make room."""


class Search(NamedTuple):
    """A position under search: sides are ATTACKER and DEFENDER, arrays begin with the plies since the root."""

    steps: Any
    """int64[2, 9]: what a mark of a side on a square adds to a board's code."""
    empty: Any
    """int16[CODES]: the empty squares of a board without a line."""
    winning: Any
    """int16[2, CODES]: the squares on which a side completes a line."""
    leaves: Any
    """int16[2, CODES]: the squares on which a mark of a side leaves the other side a winning square."""
    words: Any
    """uint64[9, CODES]: what a board adds to the key, the same for boards that play alike."""
    forced_words: Any
    """uint64[2, 10]: by the side to move, and forced board + 1."""
    turns: Any
    """int64[8, 9]: where a symmetry takes a board."""
    images: Any
    """int16[8, CODES]: what it makes of a board's code."""
    values: Any
    """int16[CODES]: what a board is worth to the attacker."""
    guess: Any
    """int64[2, 2, 2 * EVEN]: [side, whose, EVEN + what the boards are worth to the attacker]: how hard a goal seems
    after a move of `side`."""
    codes: Any
    """int64[9]."""
    first: Any
    """int64[2]: the side to move at the root; the marks on it."""
    worth: Any
    """int64[plies]: EVEN + what the boards are worth to the attacker."""
    threats: Any
    """int64[plies, 2]: boards."""
    full: Any
    """int64[plies]: boards."""
    forced: Any
    """int64[plies]: -1 for a free choice."""
    keys: Any
    """uint64[plies]: of the boards alone."""
    limits: Any
    """int64[plies, 2]: thresholds of phi and delta."""
    begun: Any
    """int64[plies, 2]: nodes made before the position, and its work until then."""
    chosen: Any
    """int64[plies]: which child is searched."""
    former: Any
    """int64[plies]: the code of the board in which it was played."""
    count: Any
    """int64[plies]: safe moves."""
    moves: Any
    """int64[plies, 81]."""
    numbers: Any
    """int64[plies, 81, 2]: phi and delta after each, seen from the opponent."""
    work: Any
    """float64[plies, 81]: already done on each that the large table knows."""
    counters: Any
    """int64[COUNTERS]."""


class Plan(NamedTuple):
    """The parameters of a search."""

    epsilon: float = 0.8
    """A child is searched until its number exceeds that of the next best by this part."""
    patience: int = 1_000
    """Positions that a subtree may cost before the large table holds its parts; 0: no small table."""


def table(entries: int) -> Table:
    """An empty table of at least WAYS entries; `entries` is rounded down to a multiple of WAYS."""
    entries -= entries % WAYS
    return Table(np.zeros(entries, np.uint64), np.zeros((entries, 2), np.uint32), np.zeros(entries, np.float32))


def search(values: Any, guess: Any) -> Search:
    """Room for a search. `values`, `guess`: see Search."""
    room = [
        np.ascontiguousarray(values, np.int16),
        np.ascontiguousarray(guess, np.int64),
        np.zeros(9, np.int64),
        np.zeros(2, np.int64),
        np.zeros(_PLIES, np.int64),
        np.zeros((_PLIES, 2), np.int64),
        np.zeros(_PLIES, np.int64),
        np.zeros(_PLIES, np.int64),
        np.zeros(_PLIES, np.uint64),
        np.zeros((_PLIES, 2), np.int64),
        np.zeros((_PLIES, 2), np.int64),
        np.zeros(_PLIES, np.int64),
        np.zeros(_PLIES, np.int64),
        np.zeros(_PLIES, np.int64),
        np.zeros((_PLIES, 81), np.int64),
        np.zeros((_PLIES, 81, 2), np.int64),
        np.zeros((_PLIES, 81)),
        np.zeros(COUNTERS, np.int64),
    ]
    return Search(*_tables(), *room)


def set_up(search: Search, attacker: int, defender: int, forced: int | None, attacking: bool) -> None:
    """Make a position that is not over the root: 81-bit marks, and whether the attacker is to move."""
    for board in range(9):
        shift = 9 * board
        search.codes[board] = _CODES[attacker >> shift & ALL_BOARDS] + 2 * _CODES[defender >> shift & ALL_BOARDS]
    search.first[:] = (ATTACKER if attacking else DEFENDER), (attacker | defender).bit_count()
    search.forced[0] = -1 if forced is None else forced


@lru_cache(maxsize=1)
def _tables() -> Any:
    """The constant arrays of a Search, up to `images`."""
    powers = 3 ** np.arange(9)
    steps = np.stack((powers, 2 * powers)).astype(np.int64)
    marks = marks_of_codes()
    empty = ALL_BOARDS & ~(marks[0] | marks[1])
    winning = np.zeros((2, CODES), np.int64)
    alive = np.zeros((2, CODES), np.int64)
    for side in range(2):
        for number, line in enumerate(LINE_MASKS):
            missing = line & ~marks[side]
            winning[side] |= np.where(missing & (missing - 1) == 0, missing & empty, 0)
            alive[side] |= (line & marks[1 - side] == 0).astype(np.int64) << number
    leaves = np.zeros((2, CODES), np.int64)
    for square in range(9):
        codes = np.flatnonzero(empty >> square & 1)
        for side in range(2):
            leaves[side, codes] |= (winning[1 - side, codes + steps[side, square]] != 0) << square
    # Marks matter only on lines that their side can still complete.
    kinds = (empty | alive[0] << 9 | alive[1] << 17).astype(np.uint64)
    words = _mixed(kinds + (np.arange(1, 10, dtype=np.uint64) << np.uint64(25))[:, None])
    turns = np.array(lines.flat_symmetries(3, 3), np.int64)
    digits = np.arange(CODES)[:, None] // powers % 3
    images = np.stack([digits @ powers[turn] for turn in turns])
    made = (
        steps,
        empty.astype(np.int16),
        winning.astype(np.int16),
        leaves.astype(np.int16),
        words,
        random_words(20, 11).reshape(2, 10),
        turns,
        images.astype(np.int16),
    )
    for array in made:
        array.flags.writeable = False
    return made


def _mixed(words: Any) -> Any:
    """Well-mixed 64-bit words, different for different ones (the finalizer of splitmix64)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))


@inlined
def _key(search: Search, keys: Any, side: int, marks: int, target: int) -> Any:
    """Key of the position in `codes`, whose boards add up to `keys`; early in a game, the least key of its images."""
    key = keys ^ search.forced_words[side, target + 1]
    if marks <= _SYMMETRIC_MARKS:
        for turn in range(1, 8):
            image = search.forced_words[side, search.turns[turn, target] + 1 if target >= 0 else 0]
            for board in range(9):
                image ^= search.words[search.turns[turn, board], search.images[turn, search.codes[board]]]
            key = min(key, image)
    return key


def seals(numbers: Any) -> Any:
    """uint64[entries]: what the keys of these numbers, uint32[entries, 2], are sealed with; lifts a seal, too."""
    phi, delta = numbers[:, 0].astype(np.uint64), numbers[:, 1].astype(np.uint64)
    return (delta << _HALF | phi) * _SEAL >> _HALF


@inlined
def _seal(phi: Any, delta: Any) -> Any:
    # The high half of the product, which every bit of both reaches: 0 and INFINITY are not sealed as INFINITY and 0.
    return (np.uint64(delta) << _HALF | np.uint64(phi)) * _SEAL >> _HALF


@inlined
def _read(table: Table, entry: int, key: Any) -> tuple[Any, int, int]:
    """Work, phi and delta of a key; work is 0 if the entry is another's.

    All are read once: another thread may replace the entry at any time, also after its seal was found right.
    """
    seal = table.keys[entry] ^ key
    if seal <= _LOW:
        phi = table.numbers[entry, 0]
        delta = table.numbers[entry, 1]
        if seal == _seal(phi, delta):
            return table.work[entry], integer(phi), integer(delta)
    return np.float32(0), 0, 0


@inlined
def _find(table: Table, key: Any) -> tuple[Any, int, int]:
    """Work, phi and delta of a key; work is 0 if it is not there."""
    # The high bits choose the bucket, by multiplication instead of division.
    place = WAYS * integer((key >> _HALF) * np.uint64(len(table.keys) // WAYS) >> _HALF)
    for entry in range(place, place + WAYS):
        work, phi, delta = _read(table, entry, key)
        if work > 0:
            return work, phi, delta
    return np.float32(0), 0, 0


@inlined
def _keep(table: Table, key: Any, phi: int, delta: int, work: float, fading: bool) -> None:
    """Write an entry over that with the least work. If `fading`, others lose weight, so that old ones go."""
    place = WAYS * integer((key >> _HALF) * np.uint64(len(table.keys) // WAYS) >> _HALF)
    chosen = place
    for entry in range(place, place + WAYS):
        if _read(table, entry, key)[0] > 0:
            chosen = entry
            break
        if table.work[entry] < table.work[chosen]:
            chosen = entry
        if fading:
            table.work[entry] *= np.float32(0.9)
    table.keys[chosen] = key ^ _seal(phi, delta)
    table.numbers[chosen, 0] = phi
    table.numbers[chosen, 1] = delta
    table.work[chosen] = max(work, 1.0)


@inlined
def _judge(search: Search, side: int, target: int, worth: int, others: int, full: int) -> tuple[int, int]:
    """phi and delta of a position that `side` cannot win at once, from all of its safe moves; `others`: threats."""
    if target >= 0:
        code = search.codes[target]
        squares = integer(search.empty[code])
        here = 1 << target
        if squares & full == 0 and squares != here:
            safe = squares & ~(others & ~here) & ~(here & integer(search.leaves[side, code]))
            phi = INFINITY
            delta = 0
            rest = worth - search.values[code]
            while safe:
                after = code + search.steps[side, lowest(safe)]
                safe &= safe - 1
                leads_to = rest + search.values[after]
                phi = min(phi, search.guess[side, side, leads_to])
                delta += search.guess[side, 1 - side, leads_to]
            return phi, delta
    return _judge_one_by_one(search, side, target, worth, others, full)


@inlined
def _judge_one_by_one(search: Search, side: int, target: int, worth: int, others: int, full: int) -> tuple[int, int]:
    """Like `_judge`, where boards are full or become so."""
    boards = 1 << target if target >= 0 else ALL_BOARDS & ~full
    if boards == 0:
        return (0, INFINITY) if side == DEFENDER else (INFINITY, 0)
    phi = INFINITY
    delta = 0
    while boards:
        board = lowest(boards)
        here = 1 << board
        boards &= boards - 1
        code = search.codes[board]
        squares = integer(search.empty[code])
        while squares:
            square = lowest(squares)
            squares &= squares - 1
            after = code + search.steps[side, square]
            theirs = others | here if search.winning[1 - side, after] else others & ~here
            filled = full | here if search.empty[after] == 0 else full
            if theirs if filled >> square & 1 else theirs >> square & 1:
                continue
            if filled == ALL_BOARDS:
                if side == DEFENDER:
                    return 0, INFINITY
                continue
            leads_to = worth - search.values[code] + search.values[after]
            phi = min(phi, search.guess[side, side, leads_to])
            delta += search.guess[side, 1 - side, leads_to]
    return phi, delta


@inlined
def _expand(search: Search, large: Table, small: Table, ply: int, is_small: bool) -> None:
    """Write a position's safe moves and what is known of each."""
    side = (search.first[0] + ply) & 1
    marks = search.first[1] + ply + 1
    full = search.full[ply]
    forced = search.forced[ply]
    boards = 1 << forced if forced >= 0 else ALL_BOARDS & ~full
    own, others = search.threats[ply, side], search.threats[ply, 1 - side]
    count = 0
    while boards:
        board = lowest(boards)
        here = 1 << board
        boards &= boards - 1
        code = search.codes[board]
        squares = integer(search.empty[code])
        keys = search.keys[ply] ^ search.words[board, code]
        while squares:
            square = lowest(squares)
            squares &= squares - 1
            after = code + search.steps[side, square]
            theirs = others | here if search.winning[1 - side, after] else others & ~here
            filled = full | here if search.empty[after] == 0 else full
            target = square
            if filled >> square & 1:
                target = -1
                if theirs:
                    continue
            elif theirs >> square & 1:
                continue
            search.codes[board] = after
            key = _key(search, keys ^ search.words[board, after], 1 - side, marks, target)
            search.moves[ply, count] = 9 * board + square
            search.work[ply, count] = 0
            work, phi, delta = np.float32(0), 0, 0
            if not is_small:
                work, phi, delta = _find(large, key)
                search.work[ply, count] = work
            if work == 0:
                work, phi, delta = _find(small, key)
            if work == 0:
                ours = own | here if search.winning[side, after] else own & ~here
                worth = search.worth[ply] - search.values[code] + search.values[after]
                phi, delta = _judge(search, 1 - side, target, worth, ours, filled)
            search.numbers[ply, count, 0] = phi
            search.numbers[ply, count, 1] = delta
            count += 1
        search.codes[board] = code
    search.count[ply] = count


@inlined
def _make(search: Search, ply: int, move: int) -> None:
    side = (search.first[0] + ply) & 1
    board = move // 9
    square = move - 9 * board
    here = 1 << board
    code = search.codes[board]
    after = code + search.steps[side, square]
    search.former[ply] = code
    search.codes[board] = after
    for whose in range(2):
        threats = search.threats[ply, whose]
        search.threats[ply + 1, whose] = threats | here if search.winning[whose, after] else threats & ~here
    full = search.full[ply] | here if search.empty[after] == 0 else search.full[ply]
    search.full[ply + 1] = full
    search.worth[ply + 1] = search.worth[ply] - search.values[code] + search.values[after]
    search.forced[ply + 1] = -1 if full >> square & 1 else square
    search.keys[ply + 1] = search.keys[ply] ^ search.words[board, code] ^ search.words[board, after]


@inlined
def _begin(search: Search) -> None:
    """Derive from the codes what the root needs."""
    search.threats[0, :] = 0
    search.full[0] = 0
    search.worth[0] = EVEN
    search.keys[0] = np.uint64(0)
    for board in range(9):
        code = search.codes[board]
        search.worth[0] += search.values[code]
        for side in range(2):
            if search.winning[side, code]:
                search.threats[0, side] |= 1 << board
        if search.empty[code] == 0:
            search.full[0] |= 1 << board
        search.keys[0] ^= search.words[board, code]


@jit
def grow(search: Search, large: Table, small: Table, plan: Plan) -> tuple[int, int]:
    """Search the root, which the mover cannot win at once, until it is decided or UNTIL nodes are made: phi and delta.

    What was found lies in the tables, so that the next call goes on.
    """
    counters = search.counters
    _begin(search)
    ply = 0
    search.limits[0, :] = INFINITY
    search.begun[0, 0] = counters[NODES]
    search.begun[0, 1] = 0
    small_from = -1
    small_until = 0
    counters[NODES] += 1
    _expand(search, large, small, 0, False)
    while True:
        phi, second, delta, best = INFINITY, INFINITY, 0, 0
        for child in range(search.count[ply]):
            delta += search.numbers[ply, child, 0]
            number = search.numbers[ply, child, 1]
            if number < phi:
                second = phi
                phi = number
                best = child
            elif number < second:
                second = number
        # A sum of what is open is not out of reach, however large.
        delta = INFINITY if phi == 0 else min(delta, INFINITY - 1)
        search.chosen[ply] = best
        is_small = small_from >= 0
        if (
            phi >= search.limits[ply, 0]
            or delta >= search.limits[ply, 1]
            or counters[NODES] >= counters[UNTIL]
            or (is_small and counters[NODES] >= small_until)
        ):
            side = (search.first[0] + ply) & 1
            key = _key(search, search.keys[ply], side, search.first[1] + ply, search.forced[ply])
            work = search.begun[ply, 1] + counters[NODES] - search.begun[ply, 0]
            if is_small:
                _keep(small, key, phi, delta, work, True)
            if not is_small or small_from == ply:
                _keep(large, key, phi, delta, work, False)
                small_from = -1
            if ply == 0:
                return phi, delta
            ply -= 1
            child = search.chosen[ply]
            search.codes[search.moves[ply, child] // 9] = search.former[ply]
            search.numbers[ply, child, 0] = phi
            search.numbers[ply, child, 1] = delta
            search.work[ply, child] = work
            continue
        done = search.work[ply, best]
        bound = second + integer(second * plan.epsilon) + 1
        number = search.numbers[ply, best, 0]
        search.limits[ply + 1, 0] = max(search.limits[ply, 1] - (delta - number), number + 1)
        search.limits[ply + 1, 1] = min(search.limits[ply, 0], bound)
        _make(search, ply, search.moves[ply, best])
        ply += 1
        search.begun[ply, 0] = counters[NODES]
        search.begun[ply, 1] = integer(done)
        counters[NODES] += 1
        if not is_small and done < plan.patience:
            small_from = ply
            small_until = counters[NODES] + plan.patience - integer(done)
        _expand(search, large, small, ply, small_from >= 0)


@jit
def learn(search: Search, table: Table, phi: int, delta: int, work: float) -> None:
    """Write what is known of the root into a table."""
    _begin(search)
    _keep(
        table, _key(search, search.keys[0], search.first[0], search.first[1], search.forced[0]), phi, delta, work, False
    )


@jit
def recall(table: Table, keys: Any, numbers: Any, work: Any) -> None:
    """Write entries into a table."""
    for entry in range(len(keys)):
        _keep(table, keys[entry], integer(numbers[entry, 0]), integer(numbers[entry, 1]), work[entry], False)
