"""The tree of the Monte Carlo kernel: its numbers after every search, its bounds, and its copies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from engine.kernels import mcts as kernel
from engine.kernels.mcts import _PIECE, DRAW, FINISHED, NO_WIN, OUT_OF_NODES, PAUSED, UNKNOWN, Options, Tree
from engine.rules.nested import NestedPosition
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import weights
from engine.search.boards import weighted_board
from engine.search.mcts import scale
from engine.search.skill import LEARNED

ROOM = 1 << 17
GAMES = list(LEARNED)


def after(game: str, plies: int, seed: int = 0) -> NestedPosition:
    """A position of a game of random moves that is not over."""
    random, position = Random(seed), rules(game).initial
    while position.ply < plies or position.outcome is not None:
        if position.outcome is not None:
            position = rules(game).initial
        position = position.play(random.choice(position.legal_moves()))
    assert isinstance(position, NestedPosition)
    return position


def search(position: NestedPosition, tree: Tree, nodes: int, trust: float = 1, until: int | None = None) -> int:
    """Goes on, as far as `until` playouts."""
    board = weighted_board(position, weights.of(position.rules.id), 82 - position.ply)
    options = Options(0.6, float(trust), nodes)
    status = PAUSED
    while status == PAUSED and (until is None or tree.counters[kernel.PLAYOUTS] < until):
        status = kernel.run(board, tree, scale(False), options, until or nodes + 1)
    assert int(board.static[0]) == int(weighted_board(position, weights.of(position.rules.id), 1).static[0])
    assert board.codes.tolist() == weighted_board(position, weights.of(position.rules.id), 1).codes.tolist()
    return status


def searched(position: NestedPosition, nodes: int, room: int = ROOM, trust: float = 1) -> Tree:
    tree = kernel.tree(room)
    kernel.begin(tree, 1)
    search(position, tree, nodes, trust)
    return tree


def children(tree: Tree, node: int) -> range:
    first = int(tree.first[node])
    return range(first, first + int(tree.children[node]))


def check(tree: Tree, position: Position, node: int) -> None:
    """Below a node: moves are those of the rules, visits add up, and proofs follow from those of the children."""
    below = children(tree, node)
    if not below:
        return
    moves = [int(tree.move[child]) for child in below]
    proof = int(tree.proof[node])
    if proof == -2:
        assert set(moves) <= set(position.legal_moves())
    else:
        assert tuple(moves) == position.legal_moves()
    proofs = [int(tree.proof[child]) for child in below]
    wins = [each for each in proofs if 0 < each < DRAW]
    if wins:
        assert proof == -min(wins) - 1
    elif DRAW in proofs:
        assert proof in (NO_WIN, DRAW) if UNKNOWN in proofs else proof == DRAW
    elif UNKNOWN in proofs or NO_WIN in proofs:
        assert proof in (UNKNOWN, NO_WIN, DRAW)
    else:
        assert proof in (1 - min(proofs), DRAW)
    assert sum(int(tree.visits[child]) for child in below) <= int(tree.visits[node])
    for child, move, each in zip(below, moves, proofs, strict=True):
        following = position.play(move)
        if following.outcome is not None:
            winner = following.outcome.winner
            assert each == (DRAW if winner is None else 1 if winner == position.to_move else -1)
            assert not tree.children[child]
        elif each == UNKNOWN:
            assert 0 <= tree.total[child] <= tree.visits[child] + 1
            assert 0 <= tree.prior[child] <= 1
        check(tree, following, child)


@pytest.mark.parametrize("trust", [1, 0.5, 0])
@pytest.mark.parametrize(
    ("game", "plies"),
    [("nine-board", 0), ("nine-board", 6), ("ultimate", 0), ("ultimate", 15), ("ultimate", 35), ("ultimate:count", 45)],
)
def test_a_tree_is_one_of_the_game(game: str, plies: int, trust: float) -> None:
    position = after(game, plies)
    tree = searched(position, 5_000, trust=trust)
    assert tree.counters[kernel.PLAYOUTS] > 10
    check(tree, position, int(tree.counters[kernel.ROOT]))


@pytest.mark.parametrize("game", GAMES)
def test_all_playouts_reach_the_root(game: str) -> None:
    tree = searched(after(game, 4), 20_000)
    assert tree.visits[0] == tree.counters[kernel.PLAYOUTS]


@pytest.mark.parametrize("trust", [1, 0.5])
def test_pauses_change_nothing(trust: float) -> None:
    position, whole = after("ultimate", 12), searched(after("ultimate", 12), 30_000, trust=trust)
    tree = kernel.tree(ROOM)
    kernel.begin(tree, 1)
    for until in range(100, 5_000, 100):
        search(position, tree, 30_000, trust, until)
    assert all(np.array_equal(one, other) for one, other in zip(tree[:-2], whole[:-2], strict=True))


@pytest.mark.parametrize("nodes", [1, 2, 100, 999, 30_000])
@pytest.mark.parametrize("trust", [1, 0])
def test_a_limit_of_nodes_is_kept(nodes: int, trust: float) -> None:
    tree = kernel.tree(ROOM)
    kernel.begin(tree, 1)
    assert search(after("ultimate", 12), tree, nodes, trust) == OUT_OF_NODES
    assert nodes - 200 < tree.counters[kernel.NODES] <= nodes


def test_most_ends_are_proven_soon() -> None:
    tree = kernel.tree(ROOM)
    statuses = []
    for seed in range(40):
        kernel.begin(tree, 1)
        position = after("ultimate", 55, seed)
        statuses.append(search(position, tree, 50_000))
        check(tree, position, 0)
    assert statuses.count(FINISHED) > 36
    assert set(statuses) <= {FINISHED, OUT_OF_NODES}


@pytest.mark.parametrize("room", [1 << 10, 5_000])
def test_memory_is_used_up_and_never_passed(room: int) -> None:
    """Beyond the nodes that a tree may have, nothing is written, and the search goes on."""
    whole = kernel.tree(room + 200)
    for field in whole[:-2]:
        field[room:] = 123
    tree = whole._replace(**{name: getattr(whole, name)[:room] for name in kernel.NODE_FIELDS})
    kernel.begin(tree, 1)
    position = after("ultimate", 12)
    most = 0
    for until in range(10, 7_000, 10):
        search(position, tree, 60_000, until=until)
        root, free = int(tree.counters[kernel.ROOT]), int(tree.counters[kernel.FREE])
        assert root in (0, room // 2)
        assert root < free <= root + room // 2
        most = max(most, free - root)
        if until % 100 == 0:
            check(tree, position, root)
    assert most > room // 2 - 2 * 81
    assert tree.counters[kernel.LEAST] > 1
    assert all((field[room:] == 123).all() for field in whole[:-2])
    assert tree.visits[int(tree.counters[kernel.ROOT])] >= tree.counters[kernel.PLAYOUTS]


def test_a_search_goes_on_from_a_node_of_its_tree() -> None:
    position = after("ultimate", 12)
    tree = searched(position, 30_000)
    child = max(children(tree, 0), key=lambda each: int(tree.visits[each]))
    node = max(children(tree, child), key=lambda each: int(tree.visits[each]))
    later = position.play(int(tree.move[child])).play(int(tree.move[node]))
    before = [(int(tree.move[each]), int(tree.visits[each]), float(tree.total[each])) for each in children(tree, node)]
    visits = int(tree.visits[node])
    kernel.go_on(tree, node, 1)
    search(later, tree, 1)
    root = int(tree.counters[kernel.ROOT])
    assert root != 0
    assert [
        (int(tree.move[each]), int(tree.visits[each]), float(tree.total[each])) for each in children(tree, root)
    ] == before
    assert tree.visits[root] == visits
    check(tree, later, root)
    search(later, tree, 30_000)
    assert tree.visits[int(tree.counters[kernel.ROOT])] > visits
    check(tree, later, int(tree.counters[kernel.ROOT]))


def copied() -> Iterator[Tree]:
    """A tree that was full, before every piece of its copy and after the last."""
    position, tree = after("ultimate", 12), kernel.tree(1 << 14)
    board = weighted_board(position, weights.of(position.rules.id), 82 - position.ply)
    kernel.begin(tree, 1)
    was_full = False
    while not was_full or tree.counters[kernel.COPIED]:
        kernel.run(board, tree, scale(False), Options(0.6, 1.0, 60_000), int(tree.counters[kernel.PLAYOUTS]) + 1)
        was_full |= bool(tree.counters[kernel.COPIED])
        if was_full:
            yield tree


def test_a_piece_of_a_copy_is_bounded() -> None:
    """By what is read and by what is written: near the root a node has many children, and leaves have none."""
    marks = [(int(tree.counters[kernel.SCAN]), int(tree.counters[kernel.COPIED])) for tree in copied()][:-1]
    read = [after[0] - before[0] for before, after in pairwise(marks)]
    written = [after[1] - before[1] for before, after in pairwise(marks)]
    assert len(marks) > 5
    assert max(read) <= _PIECE
    assert max(written) < _PIECE + 81


def test_a_full_tree_is_copied_without_what_was_visited_once() -> None:
    """A copy of all would be as large as the tree."""
    assert {int(tree.counters[kernel.LEAST]) for tree in copied()} == {2}
