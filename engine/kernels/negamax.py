"""One search over every board: negamax on a stack of its own, from plain minimax to deepening with a table.

Options say what a search does; arrays hold where it is, so that it can pause after a number of nodes and continue.
Values are whole numbers from the view of the side to move. A game won `n` plies below the root is worth `win - faster *
n`; in the searches that use the table, `faster` is 1.

Bounds are fail-soft: a value inside (alpha, beta) is exact, one at or below alpha is an upper bound, one at or above
beta a lower bound. Only STRICT cuts are fail-hard: a node without a move above alpha returns alpha, which is not beyond
its parent's beta, so that only parents of leaves are ever cut.

Nodes are moves made, leaves the nodes that ended the game or were evaluated, pruned the branches that a cut left
untried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer
from engine.kernels.boards import (
    Board,
    count,
    drawn,
    following,
    frontier,
    key,
    legal,
    look,
    make,
    promise,
    threats,
    unmake,
)
from engine.kernels.jit import inlined, jit
from engine.kernels.random_numbers import next_random

INFINITY = 1 << 60

# How a cut is decided.
NO_CUT, LOOSE, STRICT, STRICT_SOFT = 0, 1, 2, 3
# How moves are ordered.
BY_INDEX, SHUFFLED, BY_PROMISE = 0, 1, 2
# What `run` returns.
PAUSED, FINISHED, OUT_OF_NODES = 0, 1, 2
# The bounds that a table entry holds.
_EXACT, _LOWER, _UPPER = 0, 1, 2

# Where a search's numbers lie in `counters`.
NODES, LEAVES, PRUNED, INTERIOR, GUESSES, PLY, RANDOM, MARK = range(8)
COUNTERS = 8


class Options(NamedTuple):
    """What a search does. The flags are 0 or 1."""

    cut: int = LOOSE
    order: int = BY_INDEX
    margin: int = 0
    """How far below the best value so far the root's windows open: 1 tells a move that equals the best from a worse
    one, 0 finds the first best only."""
    win: int = 1
    faster: int = 0
    """What each ply from the root takes from the value of a won game."""
    win_adds: int = 0
    """A won end is worth its evaluation."""
    draw_adds: int = 0
    """A drawn end is worth its evaluation."""
    tactics: int = 0
    """Wins are taken and the other side's wins blocked without trying anything else; lost causes are seen as such."""
    extend: int = 0
    """A forced block costs no depth."""
    width: int = 0
    """The most promising moves tried below the root, at most this number; 0 for all."""
    scout: int = 0
    """Moves after the first are tried with a null window; what comes out better is searched again. A single legal move
    costs no depth."""
    late: int = 0
    """Below the root, scouted moves from this place on are searched a ply less deep; 0 for none."""
    very_late: int = 0
    """And from this place on two plies less."""
    node_limit: int = INFINITY


# The columns of a search's `frames`, a row for each ply.
(
    COUNT,  # moves listed
    INDEX,  # of them tried; -1 before the node is opened
    ALPHA,
    BETA,
    BEST,
    BEST_MOVE,
    REMAINING,  # plies still to search
    COST,  # what a move takes of them: 1, or 0 for a forced block
    GUESSES_BEFORE,  # evaluated leaves met before this node
    SYMMETRY,
    LINE_LENGTH,
    LISTED,  # 1 when the moves are in `moves`, 0 when they are found one by one, in the order of their cells
    MOVE,  # the one tried last
    SCOUTED,  # 1 while the node is searched with a null window
    REDUCED,  # the plies that it is searched less deep
) = range(15)
_COLUMNS = 16


class Stack(NamedTuple):
    """Where a search stands, a row for each ply from the root, and what it has counted and found."""

    frames: Any
    """int64[plies, columns]."""
    moves: Any
    """uint16[plies, cells]; row 0 holds the root's moves in the order to be tried."""
    promises: Any
    """int64[plies, cells]."""
    keys: Any
    """uint64[plies]."""
    line: Any
    """uint16[plies, plies]: principal variations."""
    root_values: Any
    """int64[cells]: of the root's moves, as far as they are tried."""
    root_lines: Any
    """uint16[cells, plies]: the principal variation of each that was as good as those before it."""
    root_line_lengths: Any
    """int64[cells]."""
    killers: Any
    """int16[plies, 2]."""
    history: Any
    """int64[2, cells]."""
    table: Any
    """uint64[entries, 2], entries a power of two: key and packed bound; or without entries. Keys are combined with the
    search's mark, so that it does not see what others have left there."""
    counters: Any
    """int64[COUNTERS]."""


def stack(plies: int, cells: int, table: Any = None, mark: int = 0, seed: int = 1) -> Stack:
    """Room for a search `plies` deep; its `table` with its `mark` (63 bits), if any; `seed` > 0 for its shuffles."""
    rows = plies + 2
    made = Stack(
        np.zeros((rows, _COLUMNS), np.int64),
        np.zeros((rows, cells), np.uint16),
        np.zeros((rows, cells), np.int64),
        np.zeros(rows, np.uint64),
        np.zeros((rows, rows), np.uint16),
        np.zeros(cells, np.int64),
        np.zeros((cells, rows), np.uint16),
        np.zeros(cells, np.int64),
        np.full((rows, 2), -1, np.int16),
        np.zeros((2, cells), np.int64),
        np.zeros((0, 2), np.uint64) if table is None else table,
        np.zeros(COUNTERS, np.int64),
    )
    made.counters[RANDOM], made.counters[MARK] = seed, mark
    return made


def begin(stack: Stack, moves: Any, depth: int) -> None:
    """Make ready to search the root's `moves` (uint16[..], in the order to be tried) to `depth` plies."""
    root = stack.frames[0]
    root[:] = 0
    stack.moves[0, : len(moves)] = moves
    root[COUNT] = len(moves)
    root[ALPHA], root[BETA], root[BEST] = -INFINITY, INFINITY, -INFINITY
    root[BEST_MOVE] = -1
    root[REMAINING], root[COST], root[LISTED] = depth, 1, 1
    stack.counters[PLY] = 0
    stack.counters[GUESSES] = 0


def tried_at_root(stack: Stack) -> int:
    """How many of the root's moves have been searched completely."""
    return int(stack.frames[0, INDEX]) - (stack.counters[PLY] > 0)


def line(stack: Stack, place: int) -> tuple[int, ...]:
    """The principal variation that begins with the root's move of this place, as good as those tried before it."""
    return tuple(stack.root_lines[place, : stack.root_line_lengths[place]].tolist())


# A table entry's second word: value + 2**31 in the low 32 bits, then depth (8), bound (2), guessed (1), move + 1 (10).
_LOW = np.uint64(0xFFFFFFFF)
_DEEPEST = 0xFF


@jit
def survey(board: Board, moves: Any, promises: Any, statuses: Any, row: Any) -> tuple[int, int]:
    """Find the promise of each of the root's `moves` (uint16[..]), and its status as `look` says it.

    Returns the kind of `threats` and how many cells it has put into `row`.
    """
    for i in range(moves.shape[0]):
        move = integer(moves[i])
        promises[i] = promise(board, 0, move)
        statuses[i], _ = look(board, 0, move)
    kind, _, count = threats(board, 0, row)
    return kind, count


@inlined
def _packed(value: int, depth: int, bound: int, guessed: int, move: int) -> Any:
    return np.uint64((value + (1 << 31)) | depth << 32 | bound << 40 | guessed << 42 | (move + 1) << 43)


@inlined
def _list_shuffled(board: Board, stack: Stack, ply: int) -> None:
    legal(board, ply, stack.moves[ply])
    stack.frames[ply, LISTED] = 1
    state = stack.counters[RANDOM]
    for last in range(stack.frames[ply, COUNT] - 1, 0, -1):
        state = next_random(state)
        other = (state >> 8) % (last + 1)
        move = stack.moves[ply, last]
        stack.moves[ply, last] = stack.moves[ply, other]
        stack.moves[ply, other] = move
    stack.counters[RANDOM] = state


@inlined
def _end_value(status: int, after: int, ply: int, options: Options) -> int:
    """The value, for its mover, of a move at `ply` that ends the game; `after` is from the mover's view."""
    if status == 2:
        return after if options.draw_adds else 0
    if options.win_adds:
        return after
    won = options.win - options.faster * (ply + 1)
    return won if status == 1 else -won


@inlined
def _judge_moves(board: Board, stack: Stack, ply: int, hash_move: int) -> None:
    killers = stack.killers[ply]
    for i in range(stack.frames[ply, COUNT]):
        move = integer(stack.moves[ply, i])
        judged = 16 * promise(board, ply, move) + stack.history[ply & 1, move]
        if move == hash_move:
            judged = INFINITY
        elif move == killers[0] or move == killers[1]:
            judged += 1 << 12
        stack.promises[ply, i] = judged


@inlined
def _bring_forward(stack: Stack, ply: int, place: int) -> None:
    """Put the most promising of the moves from `place` on there."""
    promises, moves = stack.promises[ply], stack.moves[ply]
    best = place
    for i in range(place + 1, stack.frames[ply, COUNT]):
        if promises[i] > promises[best] or (promises[i] == promises[best] and moves[i] < moves[best]):
            best = i
    if best != place:
        promises[place], promises[best] = promises[best], promises[place]
        moves[place], moves[best] = moves[best], moves[place]


@inlined
def _reward(stack: Stack, ply: int, move: int) -> None:
    """Remember a move that cut."""
    if stack.killers[ply, 0] != move:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move
    history = stack.history[ply & 1]
    history[move] += stack.frames[ply, REMAINING] * stack.frames[ply, REMAINING]
    if history[move] > 1 << 16:
        for cell in range(history.shape[0]):
            history[cell] >>= 1


@inlined
def _extend_line(stack: Stack, ply: int, move: int) -> None:
    """The principal variation of this node: the move, and the line of the node below."""
    length = stack.frames[ply + 1, LINE_LENGTH]
    stack.line[ply, 0] = move
    for i in range(length):
        stack.line[ply, i + 1] = stack.line[ply + 1, i]
    stack.frames[ply, LINE_LENGTH] = length + 1


@inlined
def _above(options: Options, beta: int) -> int:
    """The value above which a node is cut."""
    if options.cut == LOOSE:
        return beta - 1
    return INFINITY if options.cut == NO_CUT else beta


@inlined
def _frontier(board: Board, stack: Stack, ply: int, options: Options, alpha: int, beta: int, moves: int) -> int:
    """The value of a node one ply above the leaves, whose moves are tried in the order of their cells."""
    best = alpha if options.cut == STRICT else -INFINITY
    won = options.win - options.faster * (ply + 1)
    best, best_move, tried, ends = frontier(
        board, ply, best, _above(options, beta), won, options.win_adds, options.draw_adds
    )
    _count_leaves(stack, ply, moves, tried, ends, best_move)
    return best


@inlined
def _listed_frontier(board: Board, stack: Stack, ply: int, options: Options) -> int:
    """The value of a node one ply above the leaves whose moves are listed."""
    best, bound = stack.frames[ply, BEST], _above(options, stack.frames[ply, BETA])
    tried, ends = 0, 0
    best_move = -1
    sign = 1 if ply & 1 == 0 else -1
    for i in range(stack.frames[ply, COUNT]):
        move = integer(stack.moves[ply, i])
        tried += 1
        status, after = look(board, ply, move)
        value = after * sign
        if status != 0:
            ends += 1
            value = _end_value(status, value, ply, options)
        if value > best:
            best, best_move = value, move
            if best > bound:
                break
    _count_leaves(stack, ply, stack.frames[ply, COUNT], tried, ends, best_move)
    return best


@inlined
def _count_leaves(stack: Stack, ply: int, moves: int, tried: int, ends: int, best_move: int) -> None:
    """Count what was tried of a node's moves, all of them leaves, and note the best as its principal variation."""
    stack.counters[INTERIOR] += 1
    stack.counters[PRUNED] += moves - tried
    stack.counters[NODES] += tried
    stack.counters[LEAVES] += tried
    stack.counters[GUESSES] += tried - ends
    stack.frames[ply, LINE_LENGTH] = 0
    if best_move >= 0:
        stack.line[ply, 0] = best_move
        stack.frames[ply, LINE_LENGTH] = 1


@inlined
def _probe(board: Board, stack: Stack, ply: int, options: Options) -> tuple[bool, int, int]:
    """(found, value, move to try first) of the table for this node; found when the value settles it."""
    position, symmetry = key(board, ply)
    stack.keys[ply], stack.frames[ply, SYMMETRY] = position, symmetry
    slot = integer(position & np.uint64(stack.table.shape[0] - 1))
    if stack.table[slot, 0] != position ^ np.uint64(stack.counters[MARK]):
        return False, 0, -1
    word = stack.table[slot, 1]
    packed = integer(word >> np.uint64(32))
    value = integer(word & _LOW) - (1 << 31)
    move = (packed >> 11) - 1
    if move >= 0:
        move = integer(board.origins[symmetry, move])
    if packed & _DEEPEST < min(stack.frames[ply, REMAINING], _DEEPEST):
        return False, 0, move
    if value > options.win >> 1:
        value -= ply
    elif value < -(options.win >> 1):
        value += ply
    bound = packed >> 8 & 3
    if (
        bound == _EXACT
        or (bound == _LOWER and value >= stack.frames[ply, BETA])
        or (bound == _UPPER and value <= stack.frames[ply, ALPHA])
    ):
        stack.counters[GUESSES] += packed >> 10 & 1
        return True, value, move
    return False, 0, move


@inlined
def _store(board: Board, stack: Stack, ply: int, options: Options) -> None:
    """Keep the node's result, unless the table's place holds the same position searched deeper."""
    position = stack.keys[ply]
    slot = integer(position & np.uint64(stack.table.shape[0] - 1))
    marked = position ^ np.uint64(stack.counters[MARK])
    remaining = min(stack.frames[ply, REMAINING], _DEEPEST)
    if stack.table[slot, 0] == marked and integer(stack.table[slot, 1] >> np.uint64(32)) & _DEEPEST > remaining:
        return
    value = stack.frames[ply, BEST]
    bound = _EXACT
    if value >= stack.frames[ply, BETA]:
        bound = _LOWER
    elif value <= stack.frames[ply, ALPHA]:
        bound = _UPPER
    if value > options.win >> 1:
        value += ply
    elif value < -(options.win >> 1):
        value -= ply
    guessed = 1 if stack.counters[GUESSES] > stack.frames[ply, GUESSES_BEFORE] else 0
    move = stack.frames[ply, BEST_MOVE]
    if move >= 0:
        move = integer(board.images[stack.frames[ply, SYMMETRY], move])
    stack.table[slot, 0] = marked
    stack.table[slot, 1] = _packed(value, remaining, bound, guessed, move)


@inlined
def _enter(board: Board, stack: Stack, ply: int, options: Options) -> tuple[int, int]:
    """Open a node below the root: (1, value) when that settles it, (0, _) when its moves are to be tried, (2, _) when
    there are too few nodes left to try them."""
    stack.frames[ply, LINE_LENGTH] = 0
    stack.frames[ply, COST] = 1
    stack.frames[ply, GUESSES_BEFORE] = stack.counters[GUESSES]
    stack.frames[ply, BEST] = stack.frames[ply, ALPHA] if options.cut == STRICT else -INFINITY
    stack.frames[ply, BEST_MOVE] = -1
    stack.frames[ply, INDEX] = 0
    stack.frames[ply, MOVE] = -1
    stack.frames[ply, LISTED] = 0
    moves = 0
    if options.tactics:
        if drawn(board, ply):
            return 1, 0
        kind, move, moves = threats(board, ply, stack.moves[ply])
        if kind == 1:
            if stack.counters[NODES] >= options.node_limit:
                return 2, 0
            stack.counters[NODES] += 1
            stack.counters[LEAVES] += 1
            stack.line[ply, 0] = move
            stack.frames[ply, LINE_LENGTH] = 1
            return 1, options.win - options.faster * (ply + 1)
        if moves > 1:
            # The other side wins with its next move, whatever is played.
            return 1, -(options.win - options.faster * (ply + 2))
        if moves == 1:
            stack.frames[ply, LISTED] = 1
            # One block may force the next, without end: as long as there are rows for the plies still to search.
            if options.extend and ply + stack.frames[ply, REMAINING] + 3 <= stack.frames.shape[0]:
                stack.frames[ply, COST] = 0
    forced = moves == 1
    if not forced:
        moves = count(board, ply)
        if moves == 1 and options.scout and ply + stack.frames[ply, REMAINING] + 3 <= stack.frames.shape[0]:
            stack.frames[ply, COST] = 0
    if stack.counters[NODES] + moves > options.node_limit:
        return 2, 0
    stack.frames[ply, COUNT] = moves
    if stack.frames[ply, REMAINING] <= stack.frames[ply, COST]:
        if options.order == SHUFFLED:
            _list_shuffled(board, stack, ply)
        if stack.frames[ply, LISTED]:
            return 1, _listed_frontier(board, stack, ply, options)
        return 1, _frontier(board, stack, ply, options, stack.frames[ply, ALPHA], stack.frames[ply, BETA], moves)
    hash_move = -1
    if stack.table.shape[0]:
        found, value, hash_move = _probe(board, stack, ply, options)
        if found:
            return 1, value
    stack.counters[INTERIOR] += 1
    if forced:
        return 0, 0
    if options.order == BY_PROMISE:
        legal(board, ply, stack.moves[ply])
        stack.frames[ply, LISTED] = 1
        _judge_moves(board, stack, ply, hash_move)
        if 0 < options.width < moves:
            for place in range(options.width):
                _bring_forward(stack, ply, place)
            stack.frames[ply, COUNT] = options.width
            stack.counters[GUESSES] += 1
    elif options.order == SHUFFLED:
        _list_shuffled(board, stack, ply)
    return 0, 0


@inlined
def _narrow(stack: Stack, ply: int, place: int, options: Options) -> None:
    """Have a node searched with a null window and less deep, as its move's place among its parent's allows."""
    frame = stack.frames[ply]
    frame[SCOUTED], frame[REDUCED] = 0, 0
    if place == 0:
        return
    frame[SCOUTED], frame[ALPHA] = 1, frame[BETA] - 1
    depth = frame[REMAINING]
    if ply > 1 and 0 < options.late <= place and depth >= 2:
        frame[REDUCED] = 2 if place >= options.very_late and depth >= _DEEP else 1
        frame[REMAINING] -= frame[REDUCED]


_DEEP = 5
"""Plies still to search from which on very late moves lose two."""


@inlined
def _to_be_searched_again(stack: Stack, ply: int, value: int) -> bool:
    """Whether a node that was searched less came out better than expected; `value` is from its parent's view."""
    frame = stack.frames[ply]
    if frame[SCOUTED] == 0 or value <= -frame[BETA]:
        return False
    if frame[REDUCED]:
        frame[REMAINING] += frame[REDUCED]
        frame[REDUCED] = 0
    elif value < stack.frames[ply - 1, BETA]:
        frame[SCOUTED], frame[ALPHA] = 0, -stack.frames[ply - 1, BETA]
    else:
        return False
    frame[INDEX] = -1
    return True


@inlined
def _note_root_move(stack: Stack, move: int, value: int) -> None:
    place = stack.frames[0, INDEX] - 1
    stack.root_values[place] = value
    if value >= stack.frames[0, BEST]:
        length = stack.frames[1, LINE_LENGTH]
        stack.root_lines[place, 0] = move
        for i in range(length):
            stack.root_lines[place, i + 1] = stack.line[1, i]
        stack.root_line_lengths[place] = length + 1


@jit
def run(board: Board, stack: Stack, options: Options, until_nodes: int) -> int:
    """Search on until it is finished, out of nodes, or has made `until_nodes` nodes in all.

    Begin with `begin`, or continue where it paused; nothing else may touch the board and the stack meanwhile. The
    root's moves tried so far are the first `stack.frames[0, INDEX]`, less one while the search is below them.
    """
    counters = stack.counters
    ply = counters[PLY]
    is_plain = options.order != SHUFFLED and not options.tactics
    most_nodes = min(options.node_limit, until_nodes)
    returning = False
    value = 0
    while True:
        if not returning:
            if ply > 0 and stack.frames[ply, INDEX] == -1:
                if counters[NODES] >= until_nodes:
                    counters[PLY] = ply
                    return PAUSED
                settled, value = _enter(board, stack, ply, options)
                if settled == 2:
                    counters[PLY] = ply
                    return OUT_OF_NODES
                if settled == 1:
                    returning = True
                    continue
            place = stack.frames[ply, INDEX]
            if place == stack.frames[ply, COUNT]:
                if ply == 0:
                    counters[PLY] = 0
                    return FINISHED
                value = stack.frames[ply, BEST]
                left_out = stack.frames[ply, COUNT] == options.width and count(board, ply) > options.width
                if left_out and value < -(options.win >> 1):
                    # Untried moves may hold: a loss in every tried one is a bad value, not a proof.
                    value = -(options.win >> 1) + 1
                    stack.frames[ply, BEST] = value
                if stack.table.shape[0]:
                    _store(board, stack, ply, options)
                returning = True
                continue
            if ply > 0 and options.order == BY_PROMISE and stack.frames[ply, COUNT] > 1:
                _bring_forward(stack, ply, place)
            if counters[NODES] >= options.node_limit:
                counters[PLY] = ply
                return OUT_OF_NODES
            if stack.frames[ply, LISTED]:
                move = integer(stack.moves[ply, place])
            else:
                move = following(board, ply, stack.frames[ply, MOVE])
            stack.frames[ply, INDEX], stack.frames[ply, MOVE] = place + 1, move
            counters[NODES] += 1
            status, after = look(board, ply, move)
            alpha = stack.frames[ply, ALPHA]
            if stack.frames[ply, BEST] > alpha:
                alpha = stack.frames[ply, BEST] - (options.margin if ply == 0 else 0)
            depth = stack.frames[ply, REMAINING] - stack.frames[ply, COST]
            if status != 0 or depth == 0:
                counters[LEAVES] += 1
                after = after if ply & 1 == 0 else -after
                stack.frames[ply + 1, LINE_LENGTH] = 0
                if status == 0:
                    counters[GUESSES] += 1
                    value = after
                else:
                    value = _end_value(status, after, ply, options)
            else:
                make(board, ply, move)
                moves = count(board, ply + 1)
                if depth > 1 or not is_plain or counters[NODES] + moves > most_nodes:
                    ply += 1
                    stack.frames[ply, ALPHA] = -stack.frames[ply - 1, BETA]
                    stack.frames[ply, BETA] = -alpha
                    stack.frames[ply, REMAINING] = depth
                    stack.frames[ply, INDEX] = -1
                    if options.scout:
                        _narrow(stack, ply, place, options)
                    continue
                # Most nodes that have moves are of this kind: one ply above the leaves. They need no frame.
                value = -_frontier(board, stack, ply + 1, options, -stack.frames[ply, BETA], -alpha, moves)
                unmake(board, ply, move)
        else:
            returning = False
            if options.scout and _to_be_searched_again(stack, ply, -value):
                continue
            ply -= 1
            move = stack.frames[ply, MOVE]
            unmake(board, ply, move)
            value = -value
        # `value` is that of the move tried last at `ply`.
        if ply == 0:
            _note_root_move(stack, move, value)
        if value > stack.frames[ply, BEST]:
            stack.frames[ply, BEST] = value
            stack.frames[ply, BEST_MOVE] = move
            if ply > 0 and value > stack.frames[ply, ALPHA]:
                _extend_line(stack, ply, move)
                if value > _above(options, stack.frames[ply, BETA]):
                    counters[PRUNED] += stack.frames[ply, COUNT] - stack.frames[ply, INDEX]
                    if options.order == BY_PROMISE:
                        _reward(stack, ply, move)
                    if stack.table.shape[0]:
                        _store(board, stack, ply, options)
                    value = stack.frames[ply, BEST]
                    returning = True
                    continue
