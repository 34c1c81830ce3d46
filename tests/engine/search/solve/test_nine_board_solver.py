"""Positions of nine-board solved: the same values as plain minimax, the same however they are turned."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from engine.kernels.nine_board_proof import Plan
from engine.rules.nested import NestedPosition
from engine.rules.position import O, Position, X
from engine.rules.registry import rules
from engine.search.solve import nine_board_solver
from engine.search.solve.nine_board_solver import Solver, Stopped
from tests.support.engine.nine_board_positions import can_win, cells, completing, nearly_full, played

OPENING = "3/8 8/1 1/8 8/9 9/6 6/1 1/7 7/9 9/3 3/6 6/5 5/4 4/9 9/7 7/1 1/3 3/2 2/8 8/3 3/4"
"""X wins in some thousand positions."""
O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"
"""It takes a hundred thousand."""
WON = "6/4 4/1 1/8 8/1 1/3 3/4 4/3 3/5 5/9 9/6 6/7 7/7 7/6 6/3 3/7 7/1 1/6 6/8 8/5 5/2 2/5 5/3 3/2 2/4 4/9 9/8"
"""X wins in two hundred."""


def value_by_minimax(position: NestedPosition) -> str:
    for side in (X, O):
        if can_win(position, side, {}):
            return side
    return "draw"


@pytest.mark.parametrize("number", [16, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("patience", [0, 3, 1_000])
def test_values_are_those_of_minimax(patience: int, number: int) -> None:
    rng = random.Random(patience)
    values = []
    for _ in range(number):
        position = nearly_full(rng, rng.choice((3, 6, 9)))
        solver = Solver(entries=64, plan=Plan(patience=patience))
        solution = solver.solve(position)
        values.append(solution.value)
        assert solution.value == value_by_minimax(position)
        if solution.best is not None:
            after = position.play(solution.best)
            value = value_by_minimax(after) if after.outcome is None else after.outcome.winner or "draw"
            assert value == solution.value
    assert set(values) == {"x", "o", "draw"}


def test_a_line_is_completed_without_a_search() -> None:
    position = played("5/5 5/1 1/5 5/2 2/5")
    assert completing(position)
    solver = Solver(entries=64)
    solution = solver.solve(position)
    assert (solution.value, solution.best, solver.nodes) == ("o", completing(position)[0], 0)


def test_symmetric_positions_are_one() -> None:
    roots = set()
    game = rules("nine-board")
    for symmetry in game.symmetries:
        turned: Position = game.initial
        for cell in cells("5/5 5/1 1/1 1/9 9/9 9/2"):
            turned = turned.play(symmetry[cell])
        assert isinstance(turned, NestedPosition)
        solver = Solver(entries=64, most_nodes=1)
        with pytest.raises(Stopped):
            solver.can_win(turned, X)
        keys, numbers, _ = solver.remembered(10)
        roots.add((keys.tobytes(), numbers.tobytes()))
    assert len(roots) == 1
    assert len(keys) == 1


def test_a_tiny_table_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_solver, "_SMALL_ENTRIES", 64)
    large, tiny = (Solver(entries=entries) for entries in (1 << 14, 4))
    assert large.solve(played(O_WINS)) == tiny.solve(played(O_WINS))
    assert tiny.nodes > 2 * large.nodes


def test_the_same_search_visits_the_same_positions() -> None:
    first, second = (Solver(entries=1 << 12) for _ in range(2))
    assert first.solve(played(OPENING)) == second.solve(played(OPENING))
    assert first.nodes == second.nodes


@pytest.mark.parametrize("part", [1 << 22, 100])
def test_what_is_remembered_shortens_the_next_search(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_solver, "_PART", part)
    stopped = Solver(entries=1 << 14, most_nodes=60_000)
    with pytest.raises(Stopped):
        stopped.solve(played(O_WINS))
    assert (stopped.known.proof, stopped.known.disproof) != (1, 1)
    assert stopped.nodes <= 60_000 + 1
    keys, numbers, work = stopped.remembered(50)
    assert len(keys) == len(numbers) == len(work) == 50
    everything = stopped.remembered(1 << 20)[2]
    assert everything.min() > 0
    assert work.min() >= sorted(everything)[-50]
    resumed, fresh = Solver(entries=1 << 14), Solver(entries=1 << 14)
    resumed.recall(keys, numbers, work)
    assert resumed.solve(played(O_WINS)) == fresh.solve(played(O_WINS))
    assert resumed.nodes < fresh.nodes


def test_an_entry_of_which_two_threads_wrote_a_part_each_is_not_found() -> None:
    fresh, torn = Solver(entries=1 << 14), Solver(entries=1 << 14)
    fresh.solve(played(O_WINS))
    torn.recall(*fresh.remembered(1 << 14))
    numbers = torn._large.numbers
    numbers[:] = np.roll(numbers, 1, axis=0)[:, ::-1]
    begun = fresh.nodes
    assert torn.solve(played(O_WINS)) == fresh.solve(played(O_WINS))
    assert torn.nodes > begun / 2 > 10 * (fresh.nodes - begun)


def test_an_entry_that_another_thread_replaces_after_its_seal_was_read_is_read_once() -> None:
    script = """
import numpy as np
from engine.kernels.nine_board_proof import INFINITY
from engine.search.solve.nine_board_solver import Solver
from engine.search.solve.nine_board_tree import safe_places
from tests.support.engine.nine_board_positions import played

class Replaced(np.ndarray):
    def __getitem__(self, at):
        number = super().__getitem__(at)
        if at[1] == 1:
            self.view(np.ndarray)[at[0]] = 0, INFINITY
        return number

position = played("5/5 5/1")
place = position.x, position.o, position.forced
solver = Solver(entries=4)
solver.learn(safe_places(place, True)[0], False, True, 1)
numbers = solver._large.numbers.view(Replaced)
solver._large = solver._large._replace(numbers=numbers)
print(solver.look(place, True, 1) == (0, INFINITY))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=110,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_solvers_beside_each_other_know_what_either_has_found() -> None:
    first = Solver(entries=1 << 14)
    second = first.beside(lambda: None)
    found = first.solve(played(O_WINS))
    assert second.solve(played(O_WINS)) == found
    assert second.nodes < first.nodes / 10


def test_a_solve_can_be_given_up() -> None:
    def enough() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        Solver(entries=64, between=enough).solve(played("5/5"))
