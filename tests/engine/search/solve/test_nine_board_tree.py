"""The tree near the root: the same answers as plain minimax, whoever searches its leaves and however often it stops."""

from __future__ import annotations

import random

import pytest

from engine.rules.nested import NestedPosition
from engine.rules.position import O, X
from engine.rules.registry import rules
from engine.search.solve.nine_board_solver import FREE, INFINITY, Place, Solver
from engine.search.solve.nine_board_tree import Row, Tree, images, safe_places, turned
from tests.support.engine.nine_board_positions import can_win, completing, nearly_full, played

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"


def place_of(position: NestedPosition, attacker: str) -> Place:
    cells = (position.x, position.o) if attacker == X else (position.o, position.x)
    return *cells, FREE if position.forced is None else position.forced


def tree_of(position: NestedPosition, attacker: str, solver: Solver) -> Tree:
    def guess(place: Place, attacks: bool) -> tuple[int, int]:
        return solver.look(place, attacks, 1)

    return Tree(place_of(position, attacker), attacker == position.to_move, guess)


def searched(tree: Tree, solver: Solver, place: Place, nodes: int) -> Row:
    return Row(place, *solver.look(place, tree.attacks(place), nodes), nodes)


def grown(tree: Tree, solver: Solver, nodes: int, at_once: int = 1, most: int = 1 << 20) -> int:
    """Search leaves, so many under way at once, the last begun first; how many."""
    under_way: list[Place] = []
    count = 0
    while not tree.is_decided and count < most:
        while len(under_way) < at_once and (place := tree.next()) is not None:
            assert place not in under_way
            under_way.append(place)
        tree.found(searched(tree, solver, under_way.pop(), nodes))
        count += 1
    return count


@pytest.mark.parametrize("at_once", [1, 3])
def test_values_are_those_of_minimax(at_once: int) -> None:
    rng = random.Random(at_once)
    seen = set()
    for _ in range(12):
        position = nearly_full(rng, rng.choice((5, 7, 9)))
        for attacker in (X, O):
            solver = Solver(entries=64)
            tree = tree_of(position, attacker, solver)
            grown(tree, solver, 2, at_once)
            wins = can_win(position, attacker, {})
            assert tree.numbers == ((0, INFINITY) if wins else (INFINITY, 0))
            seen.add(wins)
    assert seen == {True, False}


@pytest.mark.parametrize("at_once", [1, 4])
def test_leaves_under_way_change_no_answer(at_once: int) -> None:
    solver = Solver(entries=1 << 14)
    tree = tree_of(played(O_WINS), O, solver)
    assert grown(tree, solver, 300, at_once) > 10
    assert tree.numbers == (0, INFINITY)


def test_a_search_goes_on_from_its_rows() -> None:
    whole = tree_of(played(O_WINS), O, Solver(entries=64))
    count = grown(whole, Solver(entries=64), 300)
    first = tree_of(played(O_WINS), O, Solver(entries=64))
    begun = grown(first, Solver(entries=64), 300, most=count // 2)
    second = tree_of(played(O_WINS), O, Solver(entries=64))
    second.recall(list(first.rows()))
    assert second.numbers == first.numbers
    assert second.numbers != tree_of(played(O_WINS), O, Solver(entries=64)).numbers
    place = first.next()
    assert place is not None
    assert second.next() == place
    second.give_back(place)
    left = grown(second, Solver(entries=64), 300)
    assert 0 < left < count
    assert begun + left < 2 * count
    third = tree_of(played(O_WINS), O, Solver(entries=64))
    third.recall(list(second.rows()))
    assert third.is_decided


def test_a_leaf_that_is_given_back_is_there_again() -> None:
    tree = tree_of(played(O_WINS), O, Solver(entries=64))
    place = tree.next()
    assert place is not None
    assert tree.next() is None
    tree.give_back(place)
    assert tree.next() == place


def test_a_row_of_a_position_that_is_lost_at_once_is_refused() -> None:
    """All of the defender's moves lead to boards in which the attacker completes a line."""
    attacker = sum(0b11 << 9 * board for board in range(9))
    lost = attacker, 0, 0
    assert not safe_places(lost, False)
    tree = Tree(lost, False, lambda *_: (1, 1))
    with pytest.raises(ValueError, match="safe moves"):
        tree.recall([Row(turned(lost), 1, 1, 5)])


def test_safe_moves_are_those_after_which_nobody_completes_a_line() -> None:
    rng = random.Random(1)
    for _ in range(20):
        position = nearly_full(rng, 9)
        safe = {
            turned(place_of(after, X))
            for after in (position.play(move) for move in position.legal_moves())
            if after.outcome is None and not completing(after)
        }
        full = {
            turned(place_of(after, X))
            for after in (position.play(move) for move in position.legal_moves())
            if after.outcome is not None and after.outcome.winner is None
        }
        found = safe_places(place_of(position, X), position.to_move == X)
        assert {turned(place) for place in found} == safe | full
        assert len(found) == len(safe | full)


def test_of_positions_that_are_images_one_is_searched() -> None:
    assert len(safe_places(place_of(played("5/5"), X), False)) == 2
    tree = tree_of(played("5/5"), X, Solver(entries=64))
    searched: list[Place] = []
    while len(searched) < 40:
        place = tree.next()
        assert place is not None
        searched.append(place)
        tree.found(Row(place, 1, 1, 1))
    assert len({turned(place) for place in searched}) == 40


def test_positions_are_searched_as_play_leads_to_them() -> None:
    """Turned, a solver would not find again below a leaf what it knows of the leaf's parent."""
    root = place_of(played(O_WINS), O)
    assert root != turned(root)
    tree, solver = tree_of(played(O_WINS), O, Solver(entries=64)), Solver(entries=64)
    for _ in range(30):
        place = tree.next()
        assert place is not None
        assert [place[side] & root[side] for side in range(2)] == [*root[:2]]
        tree.found(searched(tree, solver, place, 300))
    assert all(row.place[0] & root[0] == root[0] for row in tree.rows())


def test_images_are_one() -> None:
    found = set()
    for symmetry in rules("nine-board").symmetries:
        image = rules("nine-board").initial
        for text in O_WINS.split():
            image = image.play(symmetry[image.rules.parse_move(text)])
        assert isinstance(image, NestedPosition)
        found.add(place_of(image, X))
    place = place_of(played(O_WINS), X)
    assert next(images(place)) == place
    assert set(images(place)) == found
    assert len(found) == 8
    assert {turned(image) for image in found} == {min(found)}
