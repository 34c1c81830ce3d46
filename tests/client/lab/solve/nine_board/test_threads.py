"""Threads with one table: the answer is that of the solver alone, and they end when they are told to."""

from __future__ import annotations

from contextlib import closing

import pytest

from client.lab.solve.nine_board import search as nine_board_search
from client.lab.solve.nine_board.search import Leaf, Looked, TreeSearch
from client.lab.solve.nine_board.threads import Threads
from client.lab.verify import nine_board_checker
from engine.search.solve.nine_board_solver import FREE, Solver
from tests.support.engine.nine_board_positions import played
from tests.support.lab.nine_board_proofs import proof

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"


@pytest.mark.parametrize("number", [1, 3])
def test_the_answer_is_the_solvers_and_its_proof_holds(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 1_000)
    solver = Solver(entries=1 << 14)
    seen: list[Looked] = []
    with closing(Threads(solver, number)) as workers:
        assert workers.free == number
        solution = TreeSearch(solver, workers, played(O_WINS), seen.append).solve()
    assert solution == Solver().solve(played(O_WINS))
    assert len(seen) > 10
    assert sum(looked.nodes_elsewhere for looked in seen) > 10 * len(seen)
    assert sum(looked.cpu_elsewhere_s for looked in seen) == 0
    assert (
        nine_board_checker.check(proof(solver, played(O_WINS), solution.value))[0]
        == "on nine-board after 26 plies O wins"
    )


def test_a_search_ends_when_they_are_closed() -> None:
    workers = Threads(Solver(entries=1 << 14), 2)
    workers.begin(Leaf("x", (0, 0, FREE), True, 1 << 60))
    assert workers.free == 1
    workers.close()
    assert workers.free == 1


def test_what_a_search_raises_is_raised_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(solver: Solver, leaf: Leaf) -> Looked:
        raise MemoryError

    monkeypatch.setattr("client.lab.solve.nine_board.threads.look", fails)
    with closing(Threads(Solver(entries=64), 1)) as workers:
        workers.begin(Leaf("x", (0, 0, FREE), True, 1))
        with pytest.raises(MemoryError):
            list(iter(workers.next, "never"))
