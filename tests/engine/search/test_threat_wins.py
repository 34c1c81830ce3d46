"""Wins by threats on Qubic as lines of moves, played out under the rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from unittest.mock import Mock

import pytest

from engine.kernels import qubic_threats
from engine.kernels.qubic_threats import Threats
from engine.rules.flat import FlatPosition
from engine.rules.position import Position
from engine.search import threat_wins
from tests.support.engine import forced_wins
from tests.support.engine.games import flat_rules

GAME = flat_rules("qubic")


def running(random: Random) -> FlatPosition:
    while True:
        position: Position = GAME.initial
        for move in random.sample(range(64), random.randrange(8, 26)):
            position = position.play(move) if position.outcome is None else position
        if position.outcome is None:
            assert isinstance(position, FlatPosition)
            return position


def won(random: Random, threats: Threats) -> Iterator[tuple[FlatPosition, int, int]]:
    """Positions that the side to move wins by threats, as `threats` was just told, its marks and the other's."""
    while True:
        position = running(random)
        own, others = forced_wins.sides(position)
        if threat_wins.search(threats, own, others, 20_000) == qubic_threats.WON:
            yield position, own, others


def test_cells_that_complete_a_line_are_those_of_the_rules() -> None:
    random = Random(1)
    for _ in range(60):
        position = running(random)
        own, others = forced_wins.sides(position)
        assert threat_wins.completing(own, others) == forced_wins.completing(position, own, others)


def test_a_line_is_a_game_in_which_every_reply_is_forced_and_none_is_shorter() -> None:
    random, threats = Random(2), qubic_threats.threats(GAME.lines, 1 << 12)
    lengths: set[int] = set()
    for position, own, others in islice(won(random, threats), 60):
        first = int(threats.counters[1])
        line, _ = threat_wins.shortest(threats, own, others, 100_000)
        assert len(line) <= 2 * first + 1
        wins(position, line)
        assert len(line) > 7 or not forced_wins.wins_by_fours(position, len(line) // 2)
        lengths.add(len(line))
    assert lengths >= {1, 3, 5, 7}


@pytest.mark.parametrize("budget", [0, 1, 20, 200])
def test_all_searches_for_a_shorter_win_together_keep_the_budget(budget: int) -> None:
    random, threats = Random(2), qubic_threats.threats(GAME.lines, 1 << 12)
    searches = []
    for position, own, others in islice(won(random, threats), 20):
        first = int(threats.counters[1])
        asked = Mock()
        line, nodes = threat_wins.shortest(threats, own, others, budget, asked)
        assert nodes <= budget
        assert len(line) <= 2 * first + 1
        wins(position, line)
        searches.append(asked.call_count)
    assert max(searches) > 1


def wins(position: FlatPosition, line: tuple[int, ...]) -> None:
    """The side to move completes a line with the last move; each reply stops one, and after the last but one there is
    another."""
    after: Position = position
    for number, move in enumerate(line):
        assert isinstance(after, FlatPosition)
        if number % 2:
            own, others = forced_wins.sides(after)
            stops = forced_wins.completing(after, others, own)
            assert move in stops
            assert len(stops) == 1 or number == len(line) - 2
            assert not forced_wins.completing(after, own, others)
        after = after.play(move)
    assert after.outcome is not None
    assert after.outcome.winner == position.to_move


def test_without_nodes_it_is_the_win_that_was_found() -> None:
    threats = qubic_threats.threats(GAME.lines, 1 << 12)
    for _, own, others in islice(won(Random(3), threats), 200):
        before = threats.moves[: int(threats.counters[1])].tolist()
        if len(before) > 1:
            line, nodes = threat_wins.shortest(threats, own, others, 0)
            assert [*line[::2]][: len(before)] == before
            assert nodes == 0


def test_whoever_is_asked_between_searches_may_end_them() -> None:
    def enough() -> None:
        raise InterruptedError

    threats = qubic_threats.threats(GAME.lines, 1 << 12)
    for _, own, others in won(Random(3), threats):
        if threats.counters[1] > 2:
            with pytest.raises(InterruptedError):
                threat_wins.shortest(threats, own, others, 100_000, enough)
            return
