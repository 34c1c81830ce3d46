"""Games of the search against itself: short searches, random openings, and a random move now and then."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from client.lab.learn.records import Games, expected, to_line
from client.lab.learn.subject import Subject
from engine.rules.position import X, play_all
from engine.search.decision import Decision


def play(games: Games, subject: Subject, number: int, nodes: int, seed: int, report: Callable[[str], None]) -> None:
    """Add `number` games, which depend on the arguments alone; each is reported as a line of JSON, its record."""
    for game in range(number):
        random = Random(f"{subject.rules.id}/{seed}/{game}")
        moves = list(subject.opening(random))
        decisions: list[Decision | None] = [None] * len(moves)
        position = play_all(subject.rules.initial, moves)
        while position.outcome is None:
            found = None if random.random() < subject.random_moves else subject.decided(position, nodes, seed)
            moves.append(found.move if found else subject.random_move(position, random))
            decisions.append(found)
            position = position.play(moves[-1])
        winner = position.outcome.winner
        games.moves.append(tuple(moves))
        games.results.append(0.5 if winner is None else float(winner == X))
        games.values.append(
            tuple(
                expected(found.value, ply & 1, subject.scale.unit) if found else math.nan
                for ply, found in enumerate(decisions)
            )
        )
        report(to_line(moves, decisions, position, seed))
