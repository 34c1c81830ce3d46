"""Monte Carlo tree search on the nine boards with learned weights, with proofs.

A *playout* goes down from the root to a node without children, makes all of them at once, each judged by the weights,
and carries a value back up. On the way down it takes the child with the greatest

    (total + explore * prior * sqrt(visits of the parent)) / (visits + 1)

(PUCT, Rosin 2011). `total` begins with the chance to win that the weights give the child, so that a child which was
never visited has a value; priors stand to each other as the odds of the children do. The value that is carried up is
that of the best new child, the result of random moves to the end of the game, or a mixture of both.

A node whose result is forced is *proven* and never visited again (MCTS-Solver, Winands et al. 2008): a win once a child
wins, a loss once all of them lose, a draw once one draws and no other can do better. Where one draws and another may do
better, no value below that of a draw is carried up (Cazenave & Saffidine 2010).

Nodes lie in two halves of the same arrays. When one is full, the tree is copied to the other without the children of
nodes that were seldom visited, breadth first (Cheney 1970), and the search goes on there. The copy is made in pieces,
and until it is complete the tree stands where it was.

What a node holds is meant for the side that moved there. All numbers are the same on every machine: of floating-point
operations only those are used that IEEE 754 rounds exactly.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.boards import count, drawn, make, unmake
from engine.kernels.jit import inlined, jit
from engine.kernels.nested import open_boards, place, settled, status_after
from engine.kernels.random_numbers import next_random
from engine.kernels.weighted import LOSES_NEXT, WeightedBoard, foresee

# What `run` returns, as in `engine.kernels.negamax`.
PAUSED, FINISHED, OUT_OF_NODES = 0, 1, 2

# Where a search's numbers lie in `counters`.
PLAYOUTS, NODES, ROOT, FREE, SCAN, COPIED, LEAST, RANDOM = range(8)
COUNTERS = 8

UNKNOWN = 0
DRAW = 1000
"""A proof. A positive number below is a win within that many plies of the parent, a negative one a loss."""
NO_WIN = 1001
"""No proof: the other side can at least draw."""

REACH = 4096
"""Evaluations beyond count as this much."""
_NEVER = -1e30
"""The total of a child that is not visited again."""
_MOST_MOVES = 81
_PLIES = 83
_PIECE = 256
"""Nodes that are read or copied at once, 6 kB."""
_PIECE_PLAYOUTS = 8
"""Playouts that take as long, where the system has to find the memory first."""


class Scale(NamedTuple):
    """What an evaluation is worth, indexed by evaluation + REACH."""

    chance: Any
    """float32[2 * REACH + 1]: the chance to win."""
    weight: Any
    """float32[2 * REACH + 1]: what the prior is in proportion to."""


class Options(NamedTuple):
    """What a search does."""

    explore: float
    trust: float
    """The part of a playout's value that the weights give; random moves give the rest."""
    node_limit: int


class Tree(NamedTuple):
    """All nodes of a search, and what it has counted. The first fields have an element for each node."""

    total: Any
    """float64: the values of the visits, and the chance before the first."""
    visits: Any
    """int32."""
    prior: Any
    """float32."""
    first: Any
    """int32: where its children lie, one after the other."""
    proof: Any
    """int16: UNKNOWN, NO_WIN, DRAW or plies."""
    children: Any
    """uint8: how many; 0 before they are made."""
    move: Any
    """uint8: that led here."""
    path: Any
    """int64[plies]: the nodes of the playout, from the root on."""
    counters: Any
    """int64[COUNTERS]."""


_NODE = np.dtype(
    [("total", "f8"), ("visits", "i4"), ("prior", "f4"), ("first", "i4"), ("proof", "i2"), ("children", "u1"),
     ("move", "u1")]
)  # fmt: skip
NODE_BYTES = _NODE.itemsize
NODE_FIELDS = tuple(_NODE.names or ())
_TOUCHED_BYTES = 1 << 26


def tree(nodes: int) -> Tree:
    """Room for this many nodes, both halves together."""
    block = np.zeros(nodes, _NODE)
    # Touches the pages that come first: to find a large one took the system 4 ms of a search. All those of a tree of a
    # gigabyte take it seconds, which a move may not have, and what comes later is seldom reached.
    block.view(np.uint8)[:_TOUCHED_BYTES].fill(0)
    fields = {name: block[name] for name in NODE_FIELDS}
    return Tree(**fields, path=np.zeros(_PLIES, np.int64), counters=np.zeros(COUNTERS, np.int64))


def begin(tree: Tree, seed: int) -> None:
    """Make ready to search from a root without children; `seed` > 0 is for the random moves."""
    tree.counters[:] = 0
    tree.counters[FREE] = 1
    tree.counters[RANDOM] = seed
    tree.counters[LEAST] = 1
    _clear(tree, 0)


def go_on(tree: Tree, root: int, seed: int) -> None:
    """Make ready to search from a node of the tree; what is not below it is forgotten."""
    counters = tree.counters
    counters[NODES] = counters[PLAYOUTS] = 0
    counters[RANDOM] = seed
    counters[ROOT], counters[LEAST] = root, 1
    if not tree.children[root]:
        # Nothing below it is known that could be played.
        tree.proof[root] = UNKNOWN
    begin_copy(tree)


def _clear(tree: Tree, node: int) -> None:
    tree.total[node], tree.visits[node], tree.prior[node] = 0.5, 0, 1
    tree.first[node], tree.proof[node], tree.children[node], tree.move[node] = 0, UNKNOWN, 0, 0


@jit
def run(board: WeightedBoard, tree: Tree, scale: Scale, options: Options, until: int) -> int:
    """Search on until the root is proven, the nodes are used up, or there are `until` playouts.

    While the tree is copied, pieces of it stand for playouts.
    """
    counters = tree.counters
    half = tree.total.shape[0] // 2
    while True:
        if counters[COPIED]:
            _copy_on(tree, half)
            until -= _PIECE_PLAYOUTS
            if counters[PLAYOUTS] >= until:
                return PAUSED
            continue
        root = counters[ROOT]
        if is_proven(tree.proof[root]):
            return FINISHED
        if counters[PLAYOUTS] >= until:
            return PAUSED
        if counters[FREE] + _MOST_MOVES > (half if root < half else 2 * half):
            # All nodes that have children were visited once.
            counters[LEAST] = max(counters[LEAST], 2)
            begin_copy(tree)
        elif not _play_out(board, tree, scale, options):
            return OUT_OF_NODES


@jit
def is_proven(proof: int) -> bool:
    """Whether the result of best play is known."""
    return proof != UNKNOWN and proof != NO_WIN


@inlined
def _play_out(board: WeightedBoard, tree: Tree, scale: Scale, options: Options) -> bool:
    """One playout; False if there are too few nodes left for it."""
    counters = tree.counters
    node = counters[ROOT]
    ply = 0
    tree.path[0] = node
    while tree.children[node]:
        node = _chosen(tree, node, options.explore)
        make(board, ply, integer(tree.move[node]))
        ply += 1
        tree.path[ply] = node
    needed = count(board, ply)
    if options.trust < 1:
        needed += _MOST_MOVES
    if counters[NODES] + needed > options.node_limit:
        for at in range(ply, 0, -1):
            unmake(board, at - 1, integer(tree.move[tree.path[at]]))
        return False
    counters[PLAYOUTS] += 1
    value = _expand(board, tree, scale, ply, node)
    if options.trust < 1 and not is_proven(tree.proof[node]):
        value = options.trust * value + (1 - options.trust) * _random_result(board, tree, ply)
    _go_up(board, tree, ply, value)
    return True


@inlined
def _chosen(tree: Tree, node: int, explore: float) -> int:
    """The child that a playout goes down to, the first of the best."""
    first = integer(tree.first[node])
    factor = explore * sqrt(float(tree.visits[node]))
    best, best_score = first, -1e300
    for child in range(first, first + integer(tree.children[node])):
        at = np.uint64(child)
        score = (tree.total[at] + factor * tree.prior[at]) / (tree.visits[at] + 1)
        if score > best_score:
            best, best_score = child, score
    return best


@inlined
def _expand(board: WeightedBoard, tree: Tree, scale: Scale, ply: int, node: int) -> float:
    """Make the children of a node; the value of the best, for the side to move."""
    counters = tree.counters
    first = counters[FREE]
    child = first
    best = 0.0
    weights = 0.0
    tried = 0
    boards = open_boards(board, ply)
    while boards:
        number = lowest(boards)
        boards &= boards - 1
        squares = integer(board.empty[board.codes[number]])
        while squares:
            square = lowest(squares)
            squares &= squares - 1
            status, judged = foresee(board, ply, number, square)
            tried += 1
            if status == 1:
                # No other child matters.
                child = first
                boards = 0
                squares = 0
            at = np.uint64(REACH + min(max(judged if ply & 1 == 0 else -judged, -REACH), REACH))
            chance = float(scale.chance[at])
            weight = float(scale.weight[at])
            proof = UNKNOWN
            if status == 0:
                best = max(best, chance)
            else:
                proof = _proof_of(status)
                chance, weight = _NEVER, 0.0
            new = np.uint64(child)
            tree.total[new] = chance
            tree.visits[new] = 0
            tree.prior[new] = weight
            tree.first[new] = 0
            tree.proof[new] = proof
            tree.children[new] = 0
            tree.move[new] = 9 * number + square
            weights += weight
            child += 1
    tree.first[node] = first
    tree.children[node] = child - first
    counters[FREE] = child
    counters[NODES] += tried
    if weights > 0:
        for each in range(first, child):
            at = np.uint64(each)
            tree.prior[at] = tree.prior[at] / weights
    if drawn(board, ply):
        tree.proof[node] = DRAW
    else:
        tree.proof[node] = _proof(tree, node)
    return best


@inlined
def _proof_of(status: int) -> int:
    """What `foresee` proves."""
    if status == 1:
        return 1
    if status == 2:
        return DRAW
    return -2 if status == LOSES_NEXT else -1


@inlined
def _proof(tree: Tree, node: int) -> int:
    """What a node's children prove about it."""
    first = integer(tree.first[node])
    shortest = DRAW
    longest = 0
    may_win = False
    may_draw = False
    draws = False
    for child in range(first, first + integer(tree.children[node])):
        proof = integer(tree.proof[np.uint64(child)])
        if proof == UNKNOWN:
            may_win = True
        elif proof == NO_WIN:
            may_draw = True
        elif proof == DRAW:
            draws = True
        elif proof > 0:
            shortest = min(shortest, proof)
        else:
            longest = min(longest, proof)
    if shortest < DRAW:
        return -(shortest + 1)
    if draws:
        return NO_WIN if may_win else DRAW
    return UNKNOWN if may_win or may_draw else 1 - longest


@inlined
def _go_up(board: WeightedBoard, tree: Tree, ply: int, value: float) -> None:
    """Carry a value, of the side to move at the last node, up to the root, and with it what is proven."""
    changed = True
    for at in range(ply, -1, -1):
        node = np.uint64(tree.path[np.uint64(at)])
        if at < ply and changed:
            before = tree.proof[node]
            tree.proof[node] = _proof(tree, integer(node))
            changed = tree.proof[node] != before
        proof = integer(tree.proof[node])
        if proof == DRAW or (proof == NO_WIN and value < 0.5):
            value = 0.5
        value = 1 - value
        tree.visits[node] += 1
        if not is_proven(proof):
            tree.total[node] += value
        else:
            tree.total[node] = _NEVER
            if proof != DRAW:
                value = 1.0 if proof > 0 else 0.0
        if at > 0:
            unmake(board, at - 1, integer(tree.move[node]))


@inlined
def _random_result(board: WeightedBoard, tree: Tree, ply: int) -> float:
    """The result of random moves from here to the end, for the side to move."""
    counters = tree.counters
    state = counters[RANDOM]
    at = ply
    status = 0
    while status == 0:
        state = next_random(state)
        skipped = (state >> 8) % count(board, at)
        boards = open_boards(board, at)
        number = lowest(boards)
        while skipped >= popcount(board.empty[board.codes[number]]):
            skipped -= popcount(board.empty[board.codes[number]])
            boards &= boards - 1
            number = lowest(boards)
        squares = integer(board.empty[board.codes[number]])
        while skipped:
            squares &= squares - 1
            skipped -= 1
        move = 9 * number + lowest(squares)
        code = board.codes[number] + board.steps[at & 1, move - 9 * number]
        states, closed = board.states[at], board.closed[at]
        counters[NODES] += 1
        if board.events[code]:
            states, closed = settled(board, at, number, code)
            status = status_after(board, at, states, closed)
        if status == 0:
            place(board, at, move, code, states, closed)
            tree.path[at + 1] = move
            at += 1
    counters[RANDOM] = state
    value = 0.5
    if status != 2:
        value = 1.0 if (status == 1) == ((at - ply) & 1 == 0) else 0.0
    while at > ply:
        at -= 1
        unmake(board, at, tree.path[at + 1])
    return value


@jit
def begin_copy(tree: Tree) -> None:
    """Copy the root to the other half; `run` does the rest."""
    counters = tree.counters
    to = tree.total.shape[0] // 2 if counters[ROOT] < tree.total.shape[0] // 2 else 0
    _copy_node(tree, counters[ROOT], to)
    counters[SCAN] = to
    counters[COPIED] = to + 1


@inlined
def _copy_on(tree: Tree, half: int) -> None:
    """Copy some nodes more; once that is all, the search goes on with the copy."""
    counters = tree.counters
    scan, free, least = counters[SCAN], counters[COPIED], counters[LEAST]
    root = 0 if scan < half else half
    end, most = scan + _PIECE, free + _PIECE
    while scan < min(free, end) and free < most:
        if tree.visits[scan] >= least or scan == root:
            first = integer(tree.first[scan])
            tree.first[scan] = free
            for child in range(first, first + integer(tree.children[scan])):
                _copy_node(tree, child, free)
                free += 1
        else:
            tree.children[scan] = 0
        scan += 1
    counters[SCAN], counters[COPIED] = scan, free
    if scan == free:
        counters[ROOT], counters[FREE], counters[COPIED] = root, free, 0
        if free - root > half // 2:
            # Too little was left out.
            counters[LEAST] = 2 * least
            begin_copy(tree)


@inlined
def _copy_node(tree: Tree, node: int, to: int) -> None:
    tree.total[to] = tree.total[node]
    tree.visits[to] = tree.visits[node]
    tree.prior[to] = tree.prior[node]
    tree.first[to] = tree.first[node]
    tree.proof[to] = tree.proof[node]
    tree.children[to] = tree.children[node]
    tree.move[to] = tree.move[node]
