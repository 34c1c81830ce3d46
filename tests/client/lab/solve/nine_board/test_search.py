"""A search over a tree: whoever looks at its leaves, the answer is that of the solver alone."""

from __future__ import annotations

import pytest

from client.lab.solve.nine_board import search as nine_board_search
from client.lab.solve.nine_board.search import Here, Leaf, Looked, TreeSearch, Workers, look
from client.lab.verify import nine_board_checker
from engine.rules.position import Side
from engine.search.solve.nine_board_solver import INFINITY, Place, Solver
from engine.search.solve.nine_board_tree import Row, Tree, images
from tests.support.engine.nine_board_positions import played
from tests.support.lab.nine_board_proofs import proof

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"


@pytest.fixture(autouse=True)
def small_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1_000)


class Fickle:
    """Three workers without a memory; each third leaf is lost."""

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.asked = 0

    @property
    def free(self) -> int:
        return 3 - len(self.leaves)

    def begin(self, leaf: Leaf) -> None:
        self.leaves.append(leaf)

    def next(self) -> Looked | Leaf | None:
        self.asked += 1
        if not self.leaves or self.asked % 4 == 1:
            return None
        leaf = self.leaves.pop(0)
        return leaf if self.asked % 4 == 2 else Looked(leaf, look(Solver(entries=1 << 10), leaf), cpu_elsewhere_s=0.5)


@pytest.mark.parametrize("kind", ["here", "fickle"])
def test_the_answer_is_the_solvers_and_its_proof_holds(kind: str) -> None:
    solver = Solver(entries=1 << 14)
    workers: Workers = Here(solver) if kind == "here" else Fickle()
    seen: list[Looked] = []
    search = TreeSearch(solver, workers, played(O_WINS), seen.append)
    solution = search.solve()
    assert solution == Solver().solve(played(O_WINS))
    assert len(seen) > 10
    assert (
        nine_board_checker.check(proof(solver, played(O_WINS), solution.value))[0]
        == "on nine-board after 26 plies O wins"
    )


def test_a_line_is_completed_without_a_search() -> None:
    position = played("5/5 5/1 1/5 5/2 2/5")
    solver = Solver(entries=64)
    search = TreeSearch(solver, Here(solver), position, lambda _: None)
    search.recall({"x": []})
    assert (search.solve(), solver.nodes) == (Solver(entries=64).solve(position), 0)


def test_the_solver_learns_what_is_decided_in_every_image(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [Row((1 << cell, 2 << cell, 3), 0, INFINITY, 5) for cell in (0, 40)]
    learned = list[tuple[Place, bool, bool]]()
    solver = Solver(entries=1 << 10)
    monkeypatch.setattr(solver, "learn", lambda place, attacks, wins, work: learned.append((place, attacks, wins)))
    search = TreeSearch(solver, Here(solver), played("5/5 5/1"), lambda _: None, {"x": rows})
    search.recall({"x": []})
    assert set(learned) == {(image, True, True) for row in rows for image in images(row.place)}
    assert len(set(learned)) == 12


def test_a_recall_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(entries=1 << 10)
    search = TreeSearch(solver, Here(solver), played(O_WINS), lambda _: None)

    def refused(tree: Tree, rows: list[Row]) -> None:
        if rows:
            raise ValueError("no")

    monkeypatch.setattr(Tree, "recall", refused)
    with pytest.raises(ValueError, match="no"):
        search.recall({"x": [], "o": [Row((0, 0, 0), 1, 1, 1)]})
    assert not search.trees


def test_a_decided_position_beats_an_open_one_of_an_earlier_search() -> None:
    position = played(O_WINS)
    assert position.forced is not None
    place = position.o, position.x, position.forced
    x_place = position.x, position.o, position.forced
    decided: dict[Side, list[Row]] = {"x": [Row(x_place, INFINITY, 0, 1)], "o": [Row(place, 0, INFINITY, 1)]}
    seen: list[Looked] = []
    solver = Solver(entries=1 << 14)
    search = TreeSearch(solver, Here(solver), position, seen.append, decided)
    search.recall({"x": [Row(x_place, 1, 1, 0)], "o": [Row(place, 1, 1, 0)]})
    assert search.solve().value == "o"
    assert not seen
