"""What `noughts learn` needs to know of a game whose evaluation can be learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from random import Random
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from client.lab.learn.records import Games, Scale
from engine.rules.openings import Opening, openings
from engine.rules.position import Move, Position, Rules
from engine.search.decision import Decision
from server.console.progress import Progress

_OPENING_PLIES: Final = 4


class Found(NamedTuple):
    """What fitting found."""

    to_bytes: Callable[[dict[str, Any]], bytes]
    """The file of weights; the argument says how they were made."""
    candidate: Any
    """What `Subject.judging` takes."""
    error: float
    """Mean cross-entropy of what is to be predicted for the held-out positions, in nats."""
    guessing: float
    """The same where every position is given the mean."""
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
        """The scale of the values in its records."""

    def opening(self, random: Random) -> Sequence[Move]:
        """The opening of a game of the search against itself."""

    @property
    def random_moves(self) -> float:
        """The share of random moves after that."""

    @property
    def mixes(self) -> bool:
        """Whether the results of games are predicted, mixed as asked with what searches said; otherwise only the
        latter."""

    def random_move(self, position: Position, random: Random) -> Move:
        """A move that a search need not have chosen."""

    def openings(self, seed: int, number: int) -> Iterable[Opening]:
        """Openings of games in which weights are compared."""

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        """What a search like that of `strongest` finds."""

    def fitted(self, games: Games, seed: int, passes: int, mix: float, shows: Progress) -> Found:
        """Weights for positions of the games, or near them; every tenth game is held out."""

    def judging(self, candidate: Any) -> AbstractContextManager[None]:
        """Has searches judge by a candidate instead of today's weights."""


class AnyOpening:
    """Openings of random moves, their number one of `opening_plies`, that leave a game to be played."""

    rules: Any
    opening_plies: ClassVar[Sequence[int]]
    mixes: ClassVar = True

    def opening(self, random: Random) -> Sequence[Move]:
        plies = random.choice(self.opening_plies)
        while True:
            position: Position = self.rules.initial
            moves: list[Move] = []
            while len(moves) < plies and position.outcome is None:
                moves.append(self.random_move(position, random))
                position = position.play(moves[-1])
            if position.outcome is None:
                return moves

    def random_move(self, position: Position, random: Random) -> Move:
        return random.choice(position.legal_moves())

    def openings(self, seed: int, number: int) -> Iterable[Opening]:
        return openings(self.rules, seed, number, _OPENING_PLIES)
