"""Games of the search against itself: short searches, random openings, and a random move now and then."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from client.lab.learn.comparison import decided
from client.lab.learn.records import Games
from engine.rules.nested import NestedRules
from engine.rules.position import Position, X

_OPENING_PLIES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
_RANDOM_MOVES = 0.03


def play(games: Games, rules: NestedRules, number: int, nodes: int, seed: int, report: Callable[[], None]) -> None:
    """Add `number` games, which depend on the arguments alone; `report` is called after each."""
    for game in range(number):
        random = Random(f"{rules.id}/{seed}/{game}")
        opening = random.choice(_OPENING_PLIES)
        position: Position = rules.initial
        moves: list[int] = []
        while position.outcome is None:
            is_random = len(moves) < opening or random.random() < _RANDOM_MOVES
            moves.append(random.choice(position.legal_moves()) if is_random else decided(position, nodes, seed))
            position = position.play(moves[-1])
        winner = position.outcome.winner
        games.moves.append(tuple(moves))
        games.results.append(0.5 if winner is None else float(winner == X))
        report()
