"""Two sets of weights against each other: pairs of games at equal nodes, which depend on the seed alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from client.lab.learn.subject import Subject
from engine.rules.position import Position, X, play_all
from engine.stats.score import Score, score


def compare(subject: Subject, candidate: Any, pairs: int, nodes: int, seed: int, report: Callable[[], None]) -> Score:
    """The score of a candidate against today's weights; `report` is called after each pair."""
    played = []
    for opening in subject.openings(seed, pairs):
        start = play_all(subject.rules.initial, opening)
        first = _points(subject, start, (candidate, None), nodes)
        played.append([first, 1 - _points(subject, start, (None, candidate), nodes)])
        report()
    return score(played)


def _points(subject: Subject, position: Position, sides: tuple[Any, Any], nodes: int) -> float:
    """Points of the side to move, which is the first of `sides`; None plays with today's weights."""
    first = position.ply
    while position.outcome is None:
        candidate = sides[(position.ply - first) % 2]
        with nullcontext() if candidate is None else subject.judging(candidate):
            position = position.play(subject.decided(position, nodes, 0).move)
    winner = position.outcome.winner
    return 0.5 if winner is None else float((winner == X) == (first % 2 == 0))
