"""Comparing weights: the score is the candidate's, whichever side it plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from client.lab.learn.comparison import compare
from client.lab.learn.subject import AnyOpening
from engine.rules.openings import Opening
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.decision import Decision

GOOD, BAD = (0, 1, 2, 5, 6, 7, 3, 8, 4), (8, 3, 7, 5, 6, 4, 2, 1, 0)
"""Which cells are played, the first of them that is free."""


class Wishes(AnyOpening):
    """Tic-tac-toe by such an order of the cells."""

    rules = rules("tictactoe")

    def __init__(self) -> None:
        self.order = BAD

    def openings(self, seed: int, number: int) -> tuple[Opening, ...]:
        return (), (4,)

    @contextmanager
    def judging(self, candidate: Any) -> Iterator[None]:
        self.order = candidate
        yield
        self.order = BAD

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        return Decision(next(cell for cell in self.order if cell in position.legal_moves()))


def test_a_candidate_that_wins_with_either_side_has_all_points() -> None:
    """After openings of an even and of an odd number of plies."""
    found = compare(Wishes(), GOOD, 2, 1, 0, lambda: None)  # type: ignore[arg-type]
    assert (found.won, found.drawn, found.lost) == (4, 0, 0)
