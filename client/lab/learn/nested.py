"""Learning to judge the games on nine boards."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from client.lab.learn.fit import fit
from client.lab.learn.positions import positions
from client.lab.learn.records import Games, Scale
from client.lab.learn.subject import AnyOpening, Found
from engine.rules.limit import Limit
from engine.rules.nested import NestedRules
from engine.rules.position import Position
from engine.search import negamax, weights
from engine.search.decision import Decision
from engine.search.skill import ENDLESS
from engine.search.watch import NO_WATCH
from server.console.progress import Progress

_FIRST_PLY: Final = 2


@dataclass(frozen=True, slots=True)
class NestedSubject(AnyOpening):
    """See Subject."""

    rules: NestedRules
    scale: ClassVar[Scale] = Scale(weights.UNIT, since_version=2)
    opening_plies: ClassVar = tuple(range(2, 13))
    random_moves: ClassVar = 0.03

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        return negamax.choose(position, ENDLESS, Limit(nodes=nodes), Random(seed), NO_WATCH, negamax.LEARNED)

    def fitted(self, games: Games, seed: int, passes: int, mix: float, shows: Progress) -> Found:
        found = positions(self.rules, games.moves, games.results, games.values, _FIRST_PLY)
        with shows.step("passes", passes) as step:
            made = fit(self.rules, found, seed, passes, lambda error: step.advance(note=f"error {error:.4f}"), mix)
        return Found(partial(weights.to_bytes, made.learned), weights.expanded(made.learned), *made[1:])

    def judging(self, candidate: Any) -> AbstractContextManager[None]:
        return weights.instead(candidate)
