"""What `noughts learn` needs to know of a game whose evaluation can be learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from client.lab.learn.records import Games, Scale
from engine.rules.position import Position, Rules
from engine.search.decision import Decision


class Found(NamedTuple):
    """What fitting found."""

    to_bytes: Callable[[dict[str, Any]], bytes]
    """The file of weights; the argument says how they were made."""
    candidate: Any
    """What `Subject.judging` takes."""
    error: float
    """Mean cross-entropy of the held-out positions, in nats."""
    guessing: float
    """The same where every position is given the mean result."""
    trained: int
    """Positions."""
    held_out: int
    """Positions."""


class Subject(Protocol):
    """A game, the search that plays it, and how its weights are fitted."""

    @property
    def rules(self) -> Rules: ...

    @property
    def scale(self) -> Scale:
        """Of the values in its records."""

    @property
    def opening_plies(self) -> Sequence[int]:
        """Games of the search against itself begin with one of these numbers of random moves."""

    @property
    def random_moves(self) -> float:
        """The share of random moves after that."""

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        """What a search like that of `strongest` finds."""

    def fitted(self, games: Games, seed: int, passes: int, mix: float, report: Callable[[float], None]) -> Found:
        """Weights for the games' positions; every tenth game is held out. `report(held-out error)` after each pass."""

    def judging(self, candidate: Any) -> AbstractContextManager[None]:
        """Has searches judge by a candidate instead of today's weights."""
