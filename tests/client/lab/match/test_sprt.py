"""The sequential test of a match: whole pairs, in their order, to a bound."""

from __future__ import annotations

from client.lab.match.sprt import SequentialTest
from engine.bots import match
from engine.bots.match import Pairing, Played, tasks
from engine.bots.roster import bot
from engine.record.model import GameRecord
from engine.rules.position import Side, other
from engine.rules.termination import Termination
from engine.stats.sprt import Sprt

BY_CHANCE = Pairing("tictactoe", bot("random"), bot("random"), 50)


def ending(number: int, points: float | None) -> Played:
    """A game that brought bot A so much, or none that had no result."""
    task = tasks(BY_CHANCE)[number]
    winner: Side | None = None if points in (None, 0.5) else task.a_side if points else other(task.a_side)
    termination: Termination = "aborted" if points is None else "resignation" if winner else "agreement"
    player = match._player(task.x)
    record = GameRecord("tictactoe", x=player, o=player, moves=(), winner=winner, termination=termination)
    return Played(task, record)


def test_a_test_counts_whole_pairs_in_their_order() -> None:
    test = SequentialTest(Sprt(0, 10))
    for number, points, counted in [
        (1, 1.0, 0), (4, 0.5, 0), (5, 0.5, 0), (6, 1.0, 0), (0, 0.5, 1), (2, None, 1), (3, 1.0, 2), (7, 1.0, 3),
        (8, 1.0, 3), (9, None, 3),
    ]:  # fmt: skip
        test.add(ending(number, points))
        assert test.result.pairs == counted
    assert test.result.llr == Sprt(0, 10).llr((0, 0, 1, 1, 1))
    assert (test.result.verdict, test.last_pair) == (None, None)


def test_a_test_counts_no_more_after_its_verdict() -> None:
    points = [0.0, 1.0] + 60 * [1.0]
    in_order, backwards = SequentialTest(Sprt(0, 100)), SequentialTest(Sprt(0, 100))
    for number in range(len(points)):
        in_order.add(ending(number, points[number]))
        backwards.add(ending(len(points) - 1 - number, points[-1 - number]))
    assert in_order.result == backwards.result
    assert in_order.result.verdict == "H1"
    assert in_order.last_pair == backwards.last_pair == in_order.result.pairs - 1 < len(points) // 2 - 1
