"""Solving Qubic from the empty board: runs the kernels, and makes a book of what they prove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine.kernels import qubic_proof as kernel
from engine.kernels import qubic_threats
from engine.kernels.qubic_proof import Plan
from engine.rules.flat import FlatRules
from engine.rules.lines import cells_of
from engine.rules.registry import rules
from engine.search.perfect.qubic_book import Book, Entry, Marks, least_image

_FAILURES: Final = 1 << 22
_NODES: Final = 1 << 21
_LINKS: Final = 1 << 22
"""The proof from the empty board takes three quarters of the nodes and less than half of the links."""
SHORT: Final = Plan(width=30, quiet=10, marks=16)
"""The plan of the shipped proof, that X wins in at most 31 plies: of 20 moves too few win in time."""
EXPANSIONS: Final = 196_417
"""Leaves that the proof from the empty board expands by that plan: the same on every machine."""


class Unproven(Exception):
    """The search ended without a win; the text says how."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is. The proof number is the least number of positions that must still turn out to be won."""

    proof_number: int
    nodes: int
    expanded: int
    searches: int
    threat_nodes: int


def threats(entries: int = _FAILURES) -> qubic_threats.Threats:
    """The tables and the memory of threat searches on Qubic."""
    game = rules("qubic")
    assert isinstance(game, FlatRules)
    return qubic_threats.threats(game.lines, entries)


class Solver:
    """The search for X's win from one position, of equally many marks of both sides or one more of X's."""

    def __init__(self, x: int = 1, o: int = 0, plan: Plan = Plan(), nodes: int = _NODES) -> None:  # noqa: B008
        self._root = (x, o)
        self._plan = plan
        self._threats = threats()
        self._proof = kernel.proof(rules("qubic").symmetries, nodes, _LINKS * nodes // _NODES)
        kernel.begin(self._proof, np.uint64(x), np.uint64(o))

    def grow(self, leaves: int) -> bool:
        """Expand `leaves` leaves; whether the win is proven now. Raises Unproven."""
        status = kernel.grow(self._proof, self._threats, self._plan, leaves)
        if status == kernel.GIVEN_UP:
            raise Unproven("None of the moves of X that were tried wins.")
        if status == kernel.FULL:
            raise Unproven("The memory set aside for positions is full.")
        return bool(self._proof.proof[0] == 0)

    def progress(self) -> Progress:
        counters = self._proof.counters.tolist()
        return Progress(
            int(self._proof.proof[0]),
            counters[kernel.NODES],
            counters[kernel.EXPANDED_X] + counters[kernel.EXPANDED_O],
            counters[kernel.SEARCHES],
            counters[kernel.THREAT_NODES],
        )

    def winning_move(self) -> int:
        """X's at the root, X being to move, after a proof."""
        return self._win(0).move

    def kept(self) -> list[Any]:
        """The state of the search, as the arrays that `go_on` takes: views of what the search changes."""
        proof = self._proof
        nodes, children = int(proof.counters[kernel.NODES]), int(proof.counters[kernel.CHILDREN])
        occupied = np.flatnonzero(proof.index >= 0)
        places = np.zeros(nodes, np.uint32)
        places[proof.index[occupied]] = occupied
        return [
            proof.counters,
            *(column[:nodes] for column in _columns(proof)),
            *(column[:children] for column in (proof.links, proof.moves)),
            places,
            self._threats.failed,
        ]

    def go_on(self, kept: Sequence[Any]) -> None:
        """Continue from arrays kept by a solver of the same position and plan."""
        proof = self._proof
        counters, *columns, links, moves, places, failed = kept
        proof.counters[:] = counters
        for column, filled in zip((*_columns(proof), proof.links, proof.moves), (*columns, links, moves), strict=True):
            column[: len(filled)] = filled
        proof.index[:] = -1
        proof.index[places] = np.arange(len(places), dtype=np.int32)
        self._threats.failed[:] = failed

    def book(self) -> Book:
        """X's moves in all positions with X to move that the proof needs, after a proof."""
        wins: dict[Marks, _Win] = {}
        pending = [self._after(*self._root)] if self._o_to_move(0) else [_Win(0, 0, (0,))]
        first = pending[0]
        while pending:
            for node in pending.pop().nodes:
                key, symmetry = least_image(*self._marks(node))
                if key not in wins:
                    win = self._win(node)
                    wins[key] = _Win(symmetry[win.move], win.plies, win.nodes, win.following)
                    pending.append(win)
        book: dict[Marks, Entry] = {}
        for key in sorted(wins, key=lambda marks: -marks[0].bit_count()):
            win = wins[key]
            plies = max([win.plies, *(book[after].plies + 2 for after in win.following)])
            book[key] = Entry(win.move, plies)
        if self._root == (1, 0):
            plies = max([first.plies, *(book[after].plies + 2 for after in first.following)])
            book[0, 0] = Entry(0, plies)
        return book

    def _marks(self, node: int) -> Marks:
        return int(self._proof.x[node]), int(self._proof.o[node])

    def _o_to_move(self, node: int) -> bool:
        x, o = self._marks(node)
        return x.bit_count() > o.bit_count()

    def _win(self, node: int) -> _Win:
        """X's move at a proven node, and where it leads."""
        proof = self._proof
        first = int(proof.first[node])
        for place in range(first, first + int(proof.count[node])):
            if proof.proof[proof.links[place]] == 0:
                move = int(proof.moves[place])
                x, o = self._marks(node)
                after = self._after(x | 1 << move, o)
                return _Win(move, after.plies, after.nodes, after.following)
        raise AssertionError("A proven node with X to move has a proven child.")

    def _after(self, x: int, o: int) -> _Win:
        """What is left to prove after X's move, and in how many plies X wins otherwise, the move among them."""
        proof, plan = self._proof, self._plan
        left = int(kernel.answer(proof, self._threats, plan.cap, plan.marks, np.uint64(x), np.uint64(o)))
        nodes = [int(kernel.node_of(proof, np.uint64(x), np.uint64(o | 1 << reply))) for reply in cells_of(left)]
        if not all(node >= 0 and proof.proof[node] == 0 for node in nodes):
            raise Unproven(f"A reply to X {x:#x}, O {o:#x} was taken for refuted, and the win is not found again.")
        following = tuple({least_image(*self._marks(node))[0] for node in nodes})
        return _Win(-1, 1 + 2 * int(proof.answers.max()), tuple(nodes), following)


def _columns(proof: kernel.Proof) -> tuple[Any, ...]:
    """What is kept of each node."""
    return proof.x, proof.o, proof.key, proof.proof, proof.disproof, proof.first, proof.count


@dataclass(frozen=True, slots=True)
class _Win:
    move: int
    plies: int
    """Plies to X's win, unless O leads to one of `following`."""
    nodes: tuple[int, ...]
    following: tuple[Marks, ...] = ()


def solve(solver: Solver | None = None, leaves: int = 500) -> Iterator[Progress | Book]:
    """Solve from the empty board: how far it is after each slice, and at the end the book. Raises Unproven.

    `solver` is one by the plan `SHORT` if it is left out. It may have begun before; between two slices it may be kept.
    """
    solver = solver or Solver(plan=SHORT)
    while not solver.grow(leaves):
        yield solver.progress()
    yield solver.progress()
    yield solver.book()
