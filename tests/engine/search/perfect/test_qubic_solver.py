"""Solving Qubic: positions from the middle of the proof, and once, slowly, the whole."""

from __future__ import annotations

from importlib.resources import files
from random import Random

import pytest

from engine.kernels.qubic_proof import Plan
from engine.search.perfect.qubic_book import Book, shipped, to_bytes
from engine.search.perfect.qubic_solver import EXPANSIONS, Progress, Solver, Unproven, solve

ROOM = 1 << 16


def finish(solver: Solver) -> None:
    while not solver.grow(50):
        pass


def solved(x: int, o: int) -> Book:
    solver = Solver(x, o, nodes=ROOM)
    finish(solver)
    return solver.book()


@pytest.mark.parametrize("seed", range(6))
def test_a_position_of_the_proof_is_proven_anew(seed: int) -> None:
    late = [(marks, entry) for marks, entry in sorted(shipped().items()) if marks[0].bit_count() >= 6]
    (x, o), _ = Random(seed).choice(late)
    book = solved(x, o)
    assert (x, o) in book
    assert all(entry.plies <= 64 - 2 * marks[0].bit_count() for marks, entry in book.items())


def test_the_same_position_makes_the_same_book() -> None:
    late = [marks for marks in sorted(shipped()) if marks[0].bit_count() >= 7]
    assert to_bytes(solved(*late[0])) == to_bytes(solved(*late[0]))


def test_full_memory_is_said() -> None:
    solver = Solver(nodes=1 << 9)
    with pytest.raises(Unproven, match="full"):
        finish(solver)


def test_a_position_that_x_does_not_win_is_given_up() -> None:
    """Here as no move is tried: the first ones threaten nothing."""
    solver = Solver(1, 2, Plan(width=4, quiet=0), nodes=ROOM)
    with pytest.raises(Unproven, match="None of the moves"):
        finish(solver)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_shipped_book_is_made_again_byte_for_byte() -> None:
    *progress, book = solve()
    assert isinstance(book, dict)
    assert to_bytes(book) == files("engine.search.perfect").joinpath("qubic.book").read_bytes()
    last = progress[-1]
    assert isinstance(last, Progress)
    assert last.expanded == EXPANSIONS
