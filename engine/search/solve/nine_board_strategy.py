"""A side's strategy on nine-board, a part at a time: what a proof is made of.

A part has moves for all positions that can follow from some, until it remembers as many as it may. What it has reached
by then and has no move for is left to other parts. So a part takes little memory however long the proof is, parts can
be found side by side, and each can be checked by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from engine.kernels import nine_board_proof as kernel
from engine.kernels import nine_board_walk as walks
from engine.kernels.nested import marks_of_codes
from engine.rules.nested import NestedPosition
from engine.rules.position import O, Side, X, marks_of
from engine.search.solve.nine_board_solver import FREE, Place, Solver
from engine.search.solve.solver import Value

MOST_POSITIONS: Final = 1 << 20
"""Positions that a part remembers, in 50 MB; once it has them, it ends within a slice."""
_FIRST_PLACES: Final = 1 << 16
"""Places for them at first."""


class Claim(NamedTuple):
    """What a strategy is to reach."""

    prover: Side
    """The side whose moves it has."""
    needs_line: bool
    """A line; or that the other side gets none."""

    @property
    def side(self) -> int:
        """The prover, as the kernel has it."""
        return kernel.ATTACKER if self.needs_line else kernel.DEFENDER


class Part(NamedTuple):
    """Moves of a strategy. Its positions have the prover's cells first, and the prover is to move in them."""

    begun: tuple[Place, ...]
    """Positions it starts from."""
    moves: bytes
    """Moves as the file has them (client/lab/verify/nine_board_checker.py)."""
    left: tuple[Place, ...]
    """Positions it has reached and has no moves for, in the order found."""
    nodes: int
    """Positions visited for it."""


def claims(value: Value) -> tuple[Claim, ...]:
    """What proves a result."""
    return (Claim(X, False), Claim(O, False)) if value == "draw" else (Claim(value, True),)


def first_places(solver: Solver, position: NestedPosition, claim: Claim) -> list[Place]:
    """Where the prover moves first: the position itself, or what follows each reply; not where it wins at once."""
    walk = walks.walk(_FIRST_PLACES)
    own, others = marks_of(position, claim.prover)
    forced = FREE if position.forced is None else position.forced
    _find(solver, walk, claim, (own, others, forced), position.to_move == claim.prover)
    return list(_pending(walk, claim.side))


def part(
    solver: Solver, claim: Claim, places: Iterable[Place], told: Callable[[int], None] = lambda moves: None
) -> Part:
    """Moves from the first of `places` on, and from as many more as there is room for.

    `told` is called now and then with the number of moves. Raises Stopped and Unsound.
    """
    walk, begun, moves, before = walks.walk(_FIRST_PLACES), list[Place](), bytearray(), solver.nodes
    for place in places:
        begun.append(place)
        before_it = len(moves)
        _find(solver, walk, claim, place, True)
        # The first move is made however full it is: a part that left what it begins with would leave it to nobody.
        while walk.counts[walks.PENDING] and (len(moves) == before_it or walk.counts[walks.SEEN] < MOST_POSITIONS):
            walk = walk if walks.has_places(walk) else walks.larger(walk)
            moves += solver.next_moves(walk, claim.side)
            told(len(moves))
        if walk.counts[walks.SEEN] >= MOST_POSITIONS:
            break
    return Part(tuple(begun), bytes(moves), tuple(_pending(walk, claim.side)), solver.nodes - before)


def _find(solver: Solver, walk: walks.Walk, claim: Claim, place: Place, to_move: bool) -> None:
    """The walk finds a position, or what follows the other side's replies to it."""
    own, others, forced = place
    marks = (own, others) if claim.needs_line else (others, own)
    kernel.set_up(solver.search, *marks, None if forced == FREE else forced, to_move == claim.needs_line)
    walks.begin(solver.search, walk, claim.side)


def _pending(walk: walks.Walk, side: int) -> Iterator[Place]:
    marks = marks_of_codes()
    for words in walk.pending[: walk.counts[walks.PENDING]].tolist():
        forced, codes = walks.unpacked(words)
        yield _cells(marks[side], codes), _cells(marks[1 - side], codes), FREE if forced < 0 else forced


def _cells(marks: Any, codes: list[int]) -> int:
    return sum(int(marks[code]) << 9 * board for board, code in enumerate(codes))
