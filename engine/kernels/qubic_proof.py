"""Proof-number search for X's win on Qubic, over positions up to symmetry.

A graph is grown in memory, a leaf at a time, the most-proving leaf (Allis 1994). Nodes with
X to move and nodes with O to move take turns. Threat searches keep it small: a node with X to move is there only if
no win by threats was found, and a node with O to move has as its children only the replies that break every win by
threats that X has if O passes.

A plan may bound X's marks at the end, and so the plies of the win. How many moves are left then follows from the
position alone, so it does not matter how it was reached.

Only wins are certain: X's moves that are tried are a choice, and searches for threats are capped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.kernels.bits import integer, lowest, popcount
from engine.kernels.hashing import random_words
from engine.kernels.jit import inlined, jit
from engine.kernels.qubic_threats import (
    DEPTH,
    FAILED,
    FEW_WAITING,
    WON,
    O,
    Threats,
    X,
    completing_o,
    completing_x,
    copy_row,
    mark_o,
    mark_x,
    replay,
    search_within,
    set_row,
)

INFINITY = 1 << 40
# What `grow` returns.
GROWING, PROVEN, GIVEN_UP, FULL = range(4)
# Where a proof's numbers lie in `counters`.
NODES, CHILDREN, EXPANDED_X, EXPANDED_O, SEARCHES, THREAT_NODES, REPLAYS, CAPPED = range(8)
NO_BOUND = 2 * DEPTH
"""More marks than X can have."""
_SEQUENCES = 64
_LONGEST = 40
_PATH = 72
_MAXIMUM = np.uint64(0xFFFFFFFFFFFFFFFF)
_NONE = np.uint64(0)
_ONE = np.uint64(1)


class Plan(NamedTuple):
    """The parameters of a proof."""

    cap: int = 2_000
    """Nodes of a threat search; none of the shipped proof takes so many."""
    width: int = 20
    """The most promising moves of X that are tried."""
    quiet: int = 4
    """The most of these that may threaten nothing."""
    quiet_number: int = 12
    """The proof number that such a move begins with; one that threatens begins with 1."""
    marks: int = NO_BOUND
    """The most that X may have on the board when it has won: `2 * marks - 1` plies from the empty board."""


class Proof(NamedTuple):
    """The graph. Node 0 is the root; `nodes` is the room for nodes and `links` that for their children."""

    x: Any
    """uint64[nodes]."""
    o: Any
    """uint64[nodes]."""
    key: Any
    """uint64[nodes]: the least hash over the symmetries."""
    proof: Any
    """int64[nodes]: proof numbers, 0 once X's win is proven."""
    disproof: Any
    """int64[nodes]: disproof numbers."""
    first: Any
    """int32[nodes]: where the node's children begin in `links`; -1 for a leaf."""
    count: Any
    """int16[nodes]."""
    links: Any
    """int32[links]."""
    moves: Any
    """int8[links]: the moves that lead to them, on the node's own board."""
    index: Any
    """int32[..]: node numbers by key, -1 where there is none."""
    hashes: Any
    """uint64[2, 64, 192]: what a mark adds to the hash of every image of a position."""
    here: Any
    """uint64[192]: the hashes of the images of the position at hand."""
    sequences: Any
    """int64[64, 40]: X's moves of the wins by threats that are known at a node."""
    lengths: Any
    """int64[64]."""
    rows: Any
    """uint64[3, 14]: room for positions."""
    path: Any
    """int32[72]: the nodes from the root to the leaf that is expanded."""
    answers: Any
    """int64[64]: in how many moves X wins by threats after each reply of O's; 0 where it does not, or none is made."""
    scores: Any
    """int64[64]: what each cell promises X."""
    counters: Any
    """int64[8]."""


def proof(symmetries: Sequence[Sequence[int]], nodes: int, links: int) -> Proof:
    """An empty graph with room for `nodes` nodes and `links` links to children."""
    images = np.array(symmetries, np.int64)
    words = random_words(2 * 64, 7).reshape(2, 64)
    return Proof(
        np.zeros(nodes, np.uint64),
        np.zeros(nodes, np.uint64),
        np.zeros(nodes, np.uint64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.full(nodes, -1, np.int32),
        np.zeros(nodes, np.int16),
        np.zeros(links, np.int32),
        np.zeros(links, np.int8),
        np.full(4 << (nodes - 1).bit_length(), -1, np.int32),
        np.ascontiguousarray(words[:, images.T]),
        np.zeros(len(images), np.uint64),
        np.zeros((_SEQUENCES, _LONGEST), np.int64),
        np.zeros(_SEQUENCES, np.int64),
        np.zeros((3, 14), np.uint64),
        np.zeros(_PATH, np.int32),
        np.zeros(64, np.int64),
        np.zeros(64, np.int64),
        np.zeros(8, np.int64),
    )


@inlined
def hash_images(proof: Proof, x: Any, o: Any) -> None:
    """Write the hash of every image of a position into `here`."""
    here = proof.here
    here[:] = _NONE
    while x:
        words = proof.hashes[0, lowest(x)]
        for image in range(len(here)):
            here[image] ^= words[image]
        x &= x - _ONE
    while o:
        words = proof.hashes[1, lowest(o)]
        for image in range(len(here)):
            here[image] ^= words[image]
        o &= o - _ONE


@inlined
def least(proof: Proof, words: Any) -> Any:
    """The least hash over the symmetries after one more mark."""
    here = proof.here
    best = _MAXIMUM
    for image in range(len(here)):
        best = min(best, here[image] ^ words[image])
    return best


@inlined
def _find(proof: Proof, key: Any) -> int:
    """The place in `index` of a key, or where it belongs."""
    last = np.uint64(len(proof.index) - 1)
    place = key & last
    while proof.index[place] >= 0 and proof.key[proof.index[place]] != key:
        place = (place + _ONE) & last
    return integer(place)


@inlined
def _add(proof: Proof, place: int, key: Any, x: Any, o: Any, number: int) -> int:
    node = proof.counters[NODES]
    proof.counters[NODES] = node + 1
    proof.index[place] = node
    proof.key[node] = key
    proof.x[node] = x
    proof.o[node] = o
    proof.proof[node] = number
    proof.disproof[node] = 1
    proof.first[node] = -1
    return integer(node)


@jit
def begin(proof: Proof, x: Any, o: Any) -> None:
    """Make the position the root of an empty graph."""
    hash_images(proof, x, o)
    key = _MAXIMUM
    for image in range(len(proof.here)):
        key = min(key, proof.here[image])
    _add(proof, _find(proof, key), key, x, o, 1)


@inlined
def _seek(proof: Proof, threats: Threats, row: Any, cap: int, marks: int) -> int:
    # The last move of a win by threats makes two threes, and one more completes a line.
    most = min(marks - 1 - popcount(row[X]), DEPTH)
    if most < 1:
        return FAILED
    copy_row(row, threats.rows[0])
    found = search_within(threats, cap, most, FEW_WAITING)
    proof.counters[SEARCHES] += 1
    proof.counters[THREAT_NODES] += threats.counters[0]
    if found < 0:
        proof.counters[CAPPED] += 1
    return found


@inlined
def _keep(proof: Proof, threats: Threats, known: int) -> int:
    """Put the win found last with the known sequences."""
    if known == _SEQUENCES:
        return known
    length = threats.counters[1]
    proof.lengths[known] = length
    for place in range(length):
        proof.sequences[known, place] = threats.moves[place]
    return known + 1


@inlined
def _link(proof: Proof, node: int, child: int, move: int) -> None:
    place = proof.counters[CHILDREN]
    for earlier in range(proof.first[node], place):
        if proof.links[earlier] == child:
            return
    proof.links[place] = child
    proof.moves[place] = move
    proof.counters[CHILDREN] = place + 1


@inlined
def expand_o(proof: Proof, threats: Threats, plan: Plan, node: int) -> None:
    """Give a node with O to move its children: the replies that break every win known."""
    x = proof.x[node]
    o = proof.o[node]
    base, row, scratch = proof.rows[0], proof.rows[1], proof.rows[2]
    set_row(threats, base, x, o)
    proof.counters[EXPANDED_O] += 1
    proof.first[node] = proof.counters[CHILDREN]
    replies = ~(x | o)
    known = 0
    forced = completing_x(threats, base)
    if forced:
        replies = forced if not forced & (forced - _ONE) else _NONE
    elif _seek(proof, threats, base, plan.cap, plan.marks) == WON:
        known = _keep(proof, threats, known)
    hash_images(proof, x, o)
    while replies:
        cell = lowest(replies)
        replies &= replies - _ONE
        copy_row(base, row)
        mark_o(threats, row, cell)
        refuted = False
        for earlier in range(known - 1, -1, -1):
            copy_row(row, scratch)
            proof.counters[REPLAYS] += 1
            moves = replay(threats, scratch, proof.sequences[earlier], proof.lengths[earlier])
            if moves and popcount(x) + moves <= plan.marks:
                refuted = True
                break
        if refuted:
            continue
        key = least(proof, proof.hashes[O, cell])
        place = _find(proof, key)
        child = integer(proof.index[place])
        if child < 0:
            if _seek(proof, threats, row, plan.cap, plan.marks) == WON:
                known = _keep(proof, threats, known)
                continue
            child = _add(proof, place, key, x, o | threats.bits[cell], 1)
        _link(proof, node, child, cell)
    proof.count[node] = proof.counters[CHILDREN] - proof.first[node]


@inlined
def _score(threats: Threats, row: Any, cell: int) -> int:
    """How much a cell promises X: the open lines through it, those with marks for more."""
    score = 0
    for word in range(2):
        lines = threats.through[cell, word]
        mine = lines & ~row[8 + word]
        theirs = lines & ~row[2 + word]
        score += 2 * popcount(mine) + 6 * popcount(mine & row[2 + word]) + 12 * popcount(mine & row[4 + word])
        score += 1 * popcount(theirs & row[8 + word]) + 3 * popcount(theirs & row[10 + word])
    return score


@inlined
def expand_x(proof: Proof, threats: Threats, plan: Plan, node: int) -> None:
    """Give a node with X to move its children: the moves that threaten, and some quiet ones."""
    x = proof.x[node]
    o = proof.o[node]
    base, row = proof.rows[0], proof.rows[1]
    set_row(threats, base, x, o)
    proof.counters[EXPANDED_X] += 1
    proof.first[node] = proof.counters[CHILDREN]
    hash_images(proof, x, o)
    forced = completing_o(threats, base)
    empty = ~(x | o)
    moves = empty
    if forced:
        moves = forced if not forced & (forced - _ONE) else _NONE
    if popcount(x) + 1 >= plan.marks:
        moves = _NONE
    scores = proof.scores
    for cell in range(64):
        scores[cell] = -1
        if moves & threats.bits[cell]:
            scores[cell] = _score(threats, base, cell)
    quiet = 0
    for _ in range(plan.width):
        cell = 0
        for other in range(1, 64):
            if scores[other] > scores[cell]:
                cell = other
        if scores[cell] < 0:
            break
        scores[cell] = -1
        key = least(proof, proof.hashes[X, cell])
        place = _find(proof, key)
        child = integer(proof.index[place])
        if child < 0:
            copy_row(base, row)
            mark_x(threats, row, cell)
            number = 1
            if not completing_x(threats, row):
                if _seek(proof, threats, row, plan.cap, plan.marks) != WON:
                    if quiet == plan.quiet:
                        continue
                    quiet += 1
                    number = plan.quiet_number
            elif not forced:
                continue
            child = _add(proof, place, key, x | threats.bits[cell], o, number)
        if proof.disproof[child] > 0:
            _link(proof, node, child, cell)
    proof.count[node] = proof.counters[CHILDREN] - proof.first[node]


@inlined
def x_moves(proof: Proof, node: int) -> bool:
    return bool(popcount(proof.x[node]) == popcount(proof.o[node]))


@inlined
def _judge(proof: Proof, node: int) -> int:
    """Calculate the numbers of a node from its children's. Returns the child to follow."""
    first = proof.first[node]
    total = 0
    fewest = INFINITY
    best = -1
    x_to_move = x_moves(proof, node)
    for place in range(first, first + proof.count[node]):
        child = proof.links[place]
        if x_to_move:
            mine, theirs = proof.proof[child], proof.disproof[child]
        else:
            mine, theirs = proof.disproof[child], proof.proof[child]
        total += theirs
        if mine < fewest:
            fewest = mine
            best = child
    total = min(total, INFINITY)
    if x_to_move:
        proof.proof[node], proof.disproof[node] = fewest, total
    else:
        proof.proof[node], proof.disproof[node] = total, fewest
    return best


@jit
def grow(proof: Proof, threats: Threats, plan: Plan, leaves: int) -> int:
    """Expand `leaves` leaves, or until the root is decided."""
    path = proof.path
    for _ in range(leaves):
        if proof.proof[0] == 0:
            return PROVEN
        if proof.proof[0] >= INFINITY:
            return GIVEN_UP
        if proof.counters[NODES] + 64 > len(proof.x) or proof.counters[CHILDREN] + 64 > len(proof.links):
            return FULL
        depth = 0
        node = 0
        path[0] = 0
        while proof.first[node] >= 0:
            best = _judge(proof, node)
            if proof.proof[node] == 0 or proof.disproof[node] == 0:
                break
            node = integer(best)
            depth += 1
            path[depth] = node
        if proof.first[node] < 0 and proof.proof[node] > 0 and proof.disproof[node] > 0:
            if x_moves(proof, node):
                expand_x(proof, threats, plan, node)
            else:
                expand_o(proof, threats, plan, node)
        while depth >= 0:
            _judge(proof, integer(path[depth]))
            depth -= 1
    return GROWING


@jit
def node_of(proof: Proof, x: Any, o: Any) -> int:
    """The node of a position or of a symmetric one, -1 if there is none."""
    hash_images(proof, x, o)
    key = _MAXIMUM
    for image in range(len(proof.here)):
        key = min(key, proof.here[image])
    return integer(proof.index[_find(proof, key)])


@jit
def answer(proof: Proof, threats: Threats, cap: int, marks: int, x: Any, o: Any) -> Any:
    """Write into `answers` how X beats O's replies by threats. Returns the cells of the replies it does not beat.

    X has at most `marks` marks at the end, and fewer here.
    """
    base, row, scratch = proof.rows[0], proof.rows[1], proof.rows[2]
    proof.answers[:] = 0
    set_row(threats, base, x, o)
    replies = ~(x | o)
    left = _NONE
    known = 0
    forced = completing_x(threats, base)
    if forced:
        replies = forced
        if forced & (forced - _ONE):
            for cell in range(64):
                proof.answers[cell] = integer(forced >> np.uint64(cell) & _ONE)
            return _NONE
    elif _seek(proof, threats, base, cap, marks) == WON:
        known = _keep(proof, threats, known)
    while replies:
        cell = lowest(replies)
        replies &= replies - _ONE
        copy_row(base, row)
        mark_o(threats, row, cell)
        fewest = 0
        for earlier in range(known):
            copy_row(row, scratch)
            moves = replay(threats, scratch, proof.sequences[earlier], proof.lengths[earlier])
            if moves and popcount(x) + moves <= marks and (fewest == 0 or moves < fewest):
                fewest = moves
        if fewest == 0:
            if _seek(proof, threats, row, cap, marks) == WON:
                copy_row(row, scratch)
                known = _keep(proof, threats, known)
                fewest = replay(threats, scratch, threats.moves, threats.counters[1])
            else:
                left |= threats.bits[cell]
        proof.answers[cell] = fewest
    return left
