"""Whether one side can force a line within a number of plies: exact, for flat boards and cubes of at most 62 cells.

The side that wants a line is the *attacker*, the other the *defender*, whoever of them is X. The attacker fails when
the defender has a line first, or when the plies or the cells run out. So a position's answer depends on the marks of
both, on who is to move and on the plies: none of it changes between questions, so the table serves them all.

An additional mark never hurts its side. What cannot be of use is therefore left out:

- A line with marks of both is dead; cells on dead lines alone are not tried.
- A line that needs more moves than the attacker has left counts as dead for it.
- *Weights*: a line with r cells to fill weighs 2**-r. While the attacker's lines weigh less than 1 with the defender to
  move, or less than 1/2 with the attacker, the defender can hold (Erdős & Selfridge 1973).
- *Pairing*: if each of the attacker's lines has a pair of empty cells of its own, the defender holds by answering in
  the other cell of a pair.
- Threats: a line that lacks one cell is completed, or blocked, without search; two such cells are a win. With two
  moves left only cells that make two threats are tried.

The table holds positions themselves and no hashes of them, so two different ones are never taken for the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.jit import inlined, jit
from engine.kernels.pairing import paired

MOST_CELLS: Final = 62
ALWAYS: Final = 127
"""A number of plies that lasts until the board is full."""
YES: Final = 1
NO: Final = 0
PAUSED: Final = -1

NODES: Final = 0
UNTIL: Final = 1
HELD_BY_WEIGHT: Final = 2
HELD_BY_PAIRS: Final = 3
REMEMBERED: Final = 4
COUNTERS: Final = 5

SYMMETRY: Final = 1
TABLE: Final = 2
DEAD_LINES: Final = 4
WEIGHTS: Final = 8
PAIRING: Final = 16
THREATS: Final = 32
ALL: Final = 63

ENTRY_BYTES: Final = 20
_WAYS: Final = 4
_MIX: Final = 1_000_003
_TURN: Final = 63


class Puzzle(NamedTuple):
    """A board, a position under search, and what is known."""

    length: int
    options: int
    full: Any
    """uint64[1]: every cell."""
    lines: Any
    """uint64[lines]."""
    images: Any
    """uint8[symmetries, cells]: where a symmetry takes a cell."""
    origins: Any
    """uint8[symmetries, cells]: the inverse."""
    marks: Any
    """uint64[plies, 2, symmetries]: the attacker's and the defender's marks, and their images."""
    moves: Any
    """uint8[plies, cells]."""
    scores: Any
    """int32[plies, cells]."""
    known: Any
    """uint64[entries, 2]: positions, the attacker's and the defender's marks, the latter with bit 63 when the attacker
    is to move."""
    facts: Any
    """uint8[entries, 4]: the fewest plies in which the attacker wins for certain (0: none), the most in which it does
    not, the move that showed it (+ 1), and how many cells were empty."""
    lacking: Any
    """uint64[lines]: scratch, the cells that each of the attacker's lines still needs."""
    pairs: Any
    """uint64[lines]: scratch, what a pairing gives them."""
    counters: Any
    """int64[COUNTERS]."""


def puzzle(
    cells: int, lines: Sequence[int], symmetries: Sequence[Sequence[int]], entries: int, options: int = ALL
) -> Puzzle:
    """An empty board whose lines are bit masks. `entries` positions are remembered."""
    length = lines[0].bit_count()
    kept = symmetries if options & SYMMETRY else symmetries[:1]
    images = np.array(kept, np.uint8).reshape(-1, cells)
    return Puzzle(
        length,
        options,
        np.array([(1 << cells) - 1], np.uint64),
        np.array(lines, np.uint64),
        images,
        np.argsort(images, axis=1).astype(np.uint8),
        np.zeros((cells + 2, 2, len(kept)), np.uint64),
        np.zeros((cells + 2, cells), np.uint8),
        np.zeros((cells + 2, cells), np.int32),
        np.zeros((entries + _WAYS, 2), np.uint64),
        np.zeros((entries + _WAYS, 4), np.uint8),
        np.zeros(len(lines), np.uint64),
        np.zeros(len(lines), np.uint64),
        np.zeros(COUNTERS, np.int64),
    )


def set_up(puzzle: Puzzle, attacker: Sequence[int], defender: Sequence[int]) -> None:
    """Put marks on the board at the root. What is known stays."""
    for side, cells in enumerate((attacker, defender)):
        for symmetry, images in enumerate(puzzle.images.tolist()):
            puzzle.marks[0, side, symmetry] = sum(1 << images[cell] for cell in cells)


@jit
def can_win(puzzle: Puzzle, ply: int, attacking: bool, plies: int) -> int:
    """YES or NO, whether the attacker forces a line within `plies` plies, or PAUSED once `UNTIL` nodes are made.

    The game must not be over. `attacking`: the attacker is to move. Called again after a pause with a later UNTIL it
    goes on with the help of the table.
    """
    counters = puzzle.counters
    if counters[NODES] >= counters[UNTIL]:
        return PAUSED
    counters[NODES] += 1
    one = np.uint64(1)
    none = np.uint64(0)
    options = puzzle.options
    length = puzzle.length
    marks = puzzle.marks
    attacker = marks[ply, 0, 0]
    defender = marks[ply, 1, 0]
    empty = puzzle.full[0] & ~(attacker | defender)
    left = popcount(empty)
    if plies >= left:
        plies = ALWAYS
        turns = (left + 1) >> 1 if attacking else left >> 1
    else:
        turns = (plies + 1) >> 1 if attacking else plies >> 1
    if turns == 0:
        return NO
    wins = none
    blocks = none
    useful = none
    open_lines = 0
    weight = 0
    once = none
    twice = none
    lines = puzzle.lines
    for i in range(lines.shape[0]):
        line = lines[i]
        ours = line & attacker
        theirs = line & defender
        if theirs == none:
            missing = length - popcount(ours)
            if missing <= turns:
                useful |= line
                weight += 1 << (length - missing)
                puzzle.lacking[open_lines] = line & empty
                open_lines += 1
                if missing == 1:
                    wins |= line & empty
                elif missing == 2:
                    twice |= once & line
                    once |= line
        elif ours == none:
            useful |= line
            if length - popcount(theirs) == 1:
                blocks |= line & empty
    forced = none
    if options & THREATS:
        if attacking:
            if wins != none:
                return YES
            if blocks != none and blocks & (blocks - one):
                return NO
            forced = blocks
            if turns == 1:
                return NO
        else:
            if blocks != none:
                return NO
            if wins != none and wins & (wins - one):
                return YES
            forced = wins
    if options & DEAD_LINES and open_lines == 0:
        return NO
    if options & WEIGHTS and weight < (1 << (length - 1) if attacking else 1 << length):
        counters[HELD_BY_WEIGHT] += 1
        return NO
    # The position in the table is its least image.
    best_symmetry = 0
    key_attacker = attacker
    key_defender = defender
    for symmetry in range(1, marks.shape[2]):
        image = marks[ply, 0, symmetry]
        if image < key_attacker or (image == key_attacker and marks[ply, 1, symmetry] < key_defender):
            key_attacker = image
            key_defender = marks[ply, 1, symmetry]
            best_symmetry = symmetry
    place = _place(puzzle, key_attacker, key_defender)
    if attacking:
        key_defender |= one << np.uint64(_TURN)
    first = -1
    if options & TABLE:
        for slot in range(place, place + _WAYS):
            if puzzle.known[slot, 0] == key_attacker and puzzle.known[slot, 1] == key_defender:
                won = integer(puzzle.facts[slot, 0])
                if won != 0 and won <= plies:
                    counters[REMEMBERED] += 1
                    return YES
                if integer(puzzle.facts[slot, 1]) >= plies:
                    counters[REMEMBERED] += 1
                    return NO
                if puzzle.facts[slot, 2]:
                    first = integer(puzzle.origins[best_symmetry, integer(puzzle.facts[slot, 2]) - 1])
                break
    result = NO
    best = -1
    if options & PAIRING and attacking and _is_held_by_pairs(puzzle, integer(open_lines), empty):
        counters[HELD_BY_PAIRS] += 1
    else:
        tried = empty
        if forced != none:
            tried = forced
        elif options & DEAD_LINES:
            tried = empty & useful
        if options & THREATS and attacking and turns == 2 and forced == none:
            # Two moves before the end only a double threat wins: a cell on two lines that lack it and one more.
            tried &= twice
        count = _order(puzzle, ply, tried, attacker, defender, first)
        result = NO if attacking else YES
        for i in range(count):
            move = integer(puzzle.moves[ply, i])
            mine = 0 if attacking else 1
            for symmetry in range(marks.shape[2]):
                bit = one << np.uint64(puzzle.images[symmetry, move])
                marks[ply + 1, mine, symmetry] = marks[ply, mine, symmetry] | bit
                marks[ply + 1, 1 - mine, symmetry] = marks[ply, 1 - mine, symmetry]
            answer = _ended(puzzle, ply + 1, mine, move)
            if answer == 0:
                answer = can_win(puzzle, ply + 1, not attacking, plies if plies == ALWAYS else plies - 1)
                if answer == PAUSED:
                    return PAUSED
            else:
                answer = YES if attacking else NO
            if attacking and answer == YES:
                result = YES
                best = move
                break
            if not attacking and answer == NO:
                result = NO
                best = move
                break
    if options & TABLE:
        image_of_best = integer(puzzle.images[best_symmetry, best]) + 1 if best >= 0 else 0
        _remember(puzzle, place, key_attacker, key_defender, result, plies, left, image_of_best)
    return result


@inlined
def _place(puzzle: Puzzle, key_attacker: Any, key_defender: Any) -> int:
    """The first of the slots in which a position is kept, whoever is to move."""
    entries = np.uint64(puzzle.known.shape[0] - _WAYS)
    return integer((key_attacker % entries * np.uint64(_MIX) + key_defender % entries) % entries)


@jit
def known_move(puzzle: Puzzle, attacking: bool) -> int:
    """The move that showed the best that is known of the position at the root for the side to move, or -1."""
    marks = puzzle.marks
    key_attacker = marks[0, 0, 0]
    key_defender = marks[0, 1, 0]
    best_symmetry = 0
    for symmetry in range(1, marks.shape[2]):
        image = marks[0, 0, symmetry]
        if image < key_attacker or (image == key_attacker and marks[0, 1, symmetry] < key_defender):
            key_attacker = image
            key_defender = marks[0, 1, symmetry]
            best_symmetry = symmetry
    place = _place(puzzle, key_attacker, key_defender)
    if attacking:
        key_defender |= np.uint64(1) << np.uint64(_TURN)
    for slot in range(place, place + _WAYS):
        if puzzle.known[slot, 0] == key_attacker and puzzle.known[slot, 1] == key_defender and puzzle.facts[slot, 2]:
            return integer(puzzle.origins[best_symmetry, integer(puzzle.facts[slot, 2]) - 1])
    return -1


@jit
def recall(puzzle: Puzzle, known: Any, facts: Any) -> None:
    """Take over what a search of the same board knew: rows of its `known` and `facts`, for a table of any size."""
    turn = np.uint64(1) << np.uint64(_TURN)
    for i in range(known.shape[0]):
        place = _place(puzzle, known[i, 0], known[i, 1] & ~turn)
        chosen = place
        for slot in range(place, place + _WAYS):
            if puzzle.facts[slot, 3] < puzzle.facts[chosen, 3]:
                chosen = slot
        if puzzle.facts[chosen, 3] <= facts[i, 3]:
            for part in range(2):
                puzzle.known[chosen, part] = known[i, part]
            for part in range(4):
                puzzle.facts[chosen, part] = facts[i, part]


@inlined
def _ended(puzzle: Puzzle, ply: int, side: int, move: int) -> int:
    """1 if a mark just made completes a line. With threats on, that cannot be."""
    if puzzle.options & THREATS:
        return 0
    own = puzzle.marks[ply, side, 0]
    bit = np.uint64(1) << np.uint64(move)
    for i in range(puzzle.lines.shape[0]):
        line = puzzle.lines[i]
        if line & bit and own & line == line:
            return 1
    return 0


@inlined
def _order(puzzle: Puzzle, ply: int, tried: Any, attacker: Any, defender: Any, first: int) -> int:
    """Write the moves, the most promising first: cells by the lines of either side through them."""
    one = np.uint64(1)
    none = np.uint64(0)
    moves = puzzle.moves[ply]
    scores = puzzle.scores[ply]
    count = 0
    word = tried
    while word:
        cell = lowest(word)
        word &= word - one
        scores[cell] = 0
        moves[count] = cell
        count += 1
    if count > 1:
        for i in range(puzzle.lines.shape[0]):
            line = puzzle.lines[i]
            ours = line & attacker
            theirs = line & defender
            if ours == none or theirs == none:
                score = 1 << 2 * popcount(ours | theirs)
                word = line & tried
                while word:
                    scores[lowest(word)] += score
                    word &= word - one
        if first >= 0 and tried >> np.uint64(first) & one:
            scores[first] = 1 << 30
        for i in range(1, count):
            move = moves[i]
            score = scores[move]
            j = i
            while j > 0 and scores[moves[j - 1]] < score:
                moves[j] = moves[j - 1]
                j -= 1
            moves[j] = move
    return count


@inlined
def _is_held_by_pairs(puzzle: Puzzle, lines: int, empty: Any) -> bool:
    return lines <= popcount(empty) and paired(puzzle.lacking, lines, puzzle.pairs) >= 0


@inlined
def _remember(
    puzzle: Puzzle, place: int, key_attacker: Any, key_defender: Any, result: int, plies: int, left: int, move: int
) -> None:
    """Keep a result. The entry with the fewest empty cells makes room, so that those that cost most stay."""
    chosen = place
    fewest = 1000
    found = False
    for slot in range(place, place + _WAYS):
        if puzzle.known[slot, 0] == key_attacker and puzzle.known[slot, 1] == key_defender:
            chosen = slot
            found = True
            break
        if puzzle.facts[slot, 3] < fewest:
            fewest = integer(puzzle.facts[slot, 3])
            chosen = slot
    facts = puzzle.facts[chosen]
    if not found:
        puzzle.known[chosen, 0] = key_attacker
        puzzle.known[chosen, 1] = key_defender
        facts[0] = 0
        facts[1] = 0
        facts[2] = 0
        facts[3] = left
    if result == YES:
        if facts[0] == 0 or plies < integer(facts[0]):
            facts[0] = plies
    elif plies > integer(facts[1]):
        facts[1] = plies
    if move:
        facts[2] = move
