"""Whole games of random moves."""

from __future__ import annotations

from random import Random

from engine.rules.position import Position, Rules


def random_games(rules: Rules, number: int) -> list[list[int]]:
    """The moves of `number` games, each to its end; the same every time."""
    found = []
    for seed in range(number):
        random, moves = Random(seed), list[int]()
        position: Position = rules.initial
        while position.outcome is None:
            moves.append(random.choice(position.legal_moves()))
            position = position.play(moves[-1])
        found.append(moves)
    return found
