"""Solving Qubic: positions from the middle of the proof, and once, slowly, the whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from itertools import chain
from random import Random

import pytest

from client.lab.verify import qubic_checker
from engine.kernels.qubic_proof import CAPPED, Plan
from engine.search.perfect.qubic_book import Book, Entry, shipped, to_bytes
from engine.search.perfect.qubic_solver import EXPANSIONS, SHORT, Progress, Solver, Unproven, solve

ROOM = 1 << 16


LATE = [marks for marks in sorted(shipped()) if marks[0].bit_count() >= 6]


def finish(solver: Solver) -> None:
    while not solver.grow(50):
        pass


def solved(x: int, o: int, plan: Plan = Plan()) -> Book:  # noqa: B008
    solver = Solver(x, o, plan, nodes=ROOM)
    finish(solver)
    return solver.book()


def shortened(x: int, o: int, entry: Entry) -> Iterator[tuple[int, Book]]:
    """Proofs of ever shorter wins with the most marks that X may have, until there is none by the moves tried."""
    with suppress(Unproven):
        while True:
            marks = x.bit_count() + entry.moves - 1
            book = solved(x, o, SHORT._replace(marks=marks))
            entry = book[x, o]
            yield marks, book


@pytest.mark.parametrize("seed", range(6))
def test_a_position_of_the_proof_is_proven_anew(seed: int) -> None:
    x, o = Random(seed).choice(LATE)
    book = solved(x, o)
    assert (x, o) in book
    assert all(entry.plies <= 64 - 2 * marks[0].bit_count() for marks, entry in book.items())


def test_the_same_position_makes_the_same_book() -> None:
    for plan in (Plan(), SHORT):
        assert to_bytes(solved(*LATE[0], plan)) == to_bytes(solved(*LATE[0], plan))


@pytest.mark.parametrize("seed", range(4))
def test_every_entry_keeps_within_a_bound(seed: int) -> None:
    x, o = Random(seed).choice(LATE)
    unbounded = solved(x, o)[x, o]
    shorter = list(shortened(x, o, unbounded))
    assert shorter
    for marks, book in shorter:
        assert all(key[0].bit_count() + entry.moves <= marks for key, entry in book.items())
    assert shorter[-1][1][x, o].plies <= shipped()[x, o].plies


def test_the_checker_accepts_a_proof_within_a_bound() -> None:
    book = solved(*LATE[0], SHORT)
    records = {marks: (entry.move, entry.plies) for marks, entry in book.items()}
    leads = {marks: qubic_checker.following(*marks, records) for marks in records}
    assert {LATE[0], *chain.from_iterable(leads.values())} == records.keys()


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
@pytest.mark.timeout(600)
def test_without_a_bound_the_search_is_short_and_the_win_long() -> None:
    *progress, book = solve(Solver())
    assert isinstance(book, dict)
    assert (len(book), book[0, 0].plies) == (9_134, 57)
    assert isinstance(progress[-1], Progress)
    assert progress[-1].expanded == 106_032


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_shipped_book_is_made_again_byte_for_byte() -> None:
    solver = Solver(plan=SHORT)
    *progress, book = solve(solver)
    assert isinstance(book, dict)
    assert to_bytes(book) == files("engine.search.perfect").joinpath("qubic.book").read_bytes()
    last = progress[-1]
    assert isinstance(last, Progress)
    assert last.expanded == EXPANSIONS
    assert solver._proof.counters[CAPPED] == 0
