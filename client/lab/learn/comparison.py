"""Two sets of weights against each other: pairs of games at equal nodes, which depend on the seed alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.kernels.weighted import Weights
from engine.rules.limit import Limit
from engine.rules.nested import NestedRules
from engine.rules.openings import openings
from engine.rules.position import Position, X
from engine.search import negamax, weights
from engine.search.decision import Decision
from engine.search.negamax import LEARNED
from engine.search.skill import ENDLESS
from engine.search.watch import NO_WATCH
from engine.stats.score import Score, score

_OPENING_PLIES = 4


def compare(
    rules: NestedRules, new: Weights, old: Weights, pairs: int, nodes: int, seed: int, report: Callable[[], None]
) -> Score:
    """The score of `new`; `report` is called after each pair."""
    played = []
    for opening in openings(rules, seed, pairs, _OPENING_PLIES):
        start: Position = rules.initial
        for move in opening:
            start = start.play(move)
        played.append([_points(start, (new, old), nodes), 1 - _points(start, (old, new), nodes)])
        report()
    return score(played)


def _points(position: Position, sides: tuple[Weights, Weights], nodes: int) -> float:
    """Of the side to move, which is the first of `sides`."""
    first = position.ply
    while position.outcome is None:
        with weights.instead(sides[(position.ply - first) % 2]):
            position = position.play(decided(position, nodes, 0).move)
    winner = position.outcome.winner
    return 0.5 if winner is None else float((winner == X) == (first % 2 == 0))


def decided(position: Position, nodes: int, seed: int) -> Decision:
    """What a search like that of `strongest` finds."""
    return negamax.choose(position, ENDLESS, Limit(nodes=nodes), Random(seed), NO_WATCH, LEARNED)
