"""Learning to play gomoku and its like: what patterns are worth, and which moves are tried first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final

from client.lab.learn.pattern_fit import fit
from client.lab.learn.pattern_positions import studied
from client.lab.learn.records import Games, Scale
from client.lab.learn.subject import Found
from engine.kernels.patterns import Judgement
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.limit import Limit
from engine.rules.lines import cells_of
from engine.rules.openings import Opening
from engine.rules.position import Move, Position, play_all
from engine.search import pattern_evaluation, patterned
from engine.search.decision import Decision
from engine.search.watch import NO_WATCH
from server.console.progress import Progress

STUDIED_NODES: Final = 4_000
"""Nodes of a search that is learned from."""
_NEAR: Final = 2
"""Most cells from a mark, in any direction, to a random move."""
_MIDDLE: Final = 4
"""Most cells from the middle of the board, in any direction, to a move of an opening."""
_OPENING_PLIES: Final = 5
_EVEN: Final = 200
"""Most that a search of `_EVEN_NODES` sees for either side in an even opening."""
_EVEN_NODES: Final = 2_000
_TRIES: Final = 1_000


@dataclass(frozen=True, slots=True)
class PatternSubject:
    """See Subject."""

    rules: FlatRules
    scale: ClassVar[Scale] = Scale(pattern_evaluation.UNIT, since_version=8)
    random_moves: ClassVar = 0.02
    mixes: ClassVar = False

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        return patterned.choose(position, Limit(nodes=nodes), NO_WATCH)

    def random_move(self, position: Position, random: Random) -> Move:
        """A move near a mark."""
        assert isinstance(position, FlatPosition)
        marked, empty = cells_of(position.x | position.o), position.legal_moves()
        near = [move for move in empty if any(self._distance(move, mark) <= _NEAR for mark in marked)]
        return random.choice(near or empty)

    def opening(self, random: Random) -> Opening:
        """Marks in the middle where a search sees neither side much better, or any if it finds none."""
        middle = self._middle()
        drawn = (tuple(random.sample(middle, _OPENING_PLIES)) for _ in range(_TRIES))
        return next(filter(self._is_even, drawn), None) or tuple(random.sample(middle, _OPENING_PLIES))

    def openings(self, seed: int, number: int) -> Iterator[Opening]:
        random = Random(f"{self.rules.id}/{seed}/openings")
        return (self.opening(random) for _ in range(number))

    def fitted(self, games: Games, seed: int, passes: int, mix: float, shows: Progress) -> Found:
        with shows.step("positions", len(games.moves)) as step:
            judged, choices = studied(
                self.rules, games, seed, lambda position: self.decided(position, STUDIED_NODES, 0), step.advance
            )
        with shows.step("passes", passes) as step:
            made = fit(judged, choices, passes, lambda error: step.advance(note=f"error {error:.4f}"))

        def to_bytes(how: dict[str, Any]) -> bytes:
            more = {
                "studied_nodes": STUDIED_NODES,
                "choices": len(choices.begins),
                "among_ten": round(made.among_ten, 4),
            }
            return pattern_evaluation.to_bytes(made.numbers, how | more)

        return Found(to_bytes, pattern_evaluation.judgement(made.numbers), *made[2:])

    def judging(self, candidate: Judgement) -> AbstractContextManager[None]:
        return pattern_evaluation.instead(candidate)

    def _distance(self, one: Move, other: Move) -> int:
        """The distance in cells, the larger of the two along the sides of the board."""
        columns = self.rules.dimensions[0]
        return max(abs(one % columns - other % columns), abs(one // columns - other // columns))

    def _middle(self) -> list[Move]:
        columns, rows = self.rules.dimensions
        x, y = (columns - 1) / 2, (rows - 1) / 2
        cells = range(self.rules.cells)
        return [cell for cell in cells if max(abs(cell % columns - x), abs(cell // columns - y)) <= _MIDDLE]

    def _is_even(self, opening: Sequence[Move]) -> bool:
        position = play_all(self.rules.initial, opening)
        value = self.decided(position, _EVEN_NODES, 0).value
        return value is not None and abs(value) <= _EVEN
