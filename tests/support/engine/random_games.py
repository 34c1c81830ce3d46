"""Games of random moves: whole ones, and positions in them."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from engine.rules.position import Position, Rules

P = TypeVar("P", bound=Position)


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


def running_after(initial: P, plies: int, random: Random) -> P:
    """A running position after so many plies, or fewer where every move would end the game."""
    position = initial
    while position.ply < plies:
        running = [move for move in position.legal_moves() if position.play(move).outcome is None]
        if not running:
            break
        position = position.play(random.choice(running))
    return position
