"""Judging Qubic: wins by threats and by the book of X's win, which follow one another to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.rules.flat import FlatPosition
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from engine.search.assess import qubic, searched
from engine.search.finding import Finding, Stopped
from engine.search.perfect import qubic_memory
from engine.search.watch import NO_WATCH
from tests.support.engine.games import replay_texts
from tests.support.engine.watches import Stop, StopsAfter

GUESS = Finding(False, -0.3, best=(5,), line=(5, 6), nodes=30)
FIRST = rules("qubic").initial


@pytest.fixture(autouse=True)
def _search(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, GUESS)
    monkeypatch.setattr(qubic, "LEAVES", 20)


def says(monkeypatch: pytest.MonkeyPatch, found: Finding) -> None:
    monkeypatch.setattr(searched, "assess", lambda position, watch: found)


def along_the_book(seed: int) -> Iterator[Position]:
    """A game in which X plays by the book, as far as that goes, and O at random."""
    random, position = Random(seed), FIRST
    while True:
        yield position
        assert isinstance(position, FlatPosition)
        entry = qubic_memory.entry(position.x, position.o)
        if entry is None:
            return
        position = position.play(entry.move)
        yield position
        position = position.play(random.choice(position.legal_moves()))


@pytest.mark.parametrize("seed", range(3))
def test_along_the_book_x_has_won_and_no_bound_is_later_than_the_one_before(seed: int) -> None:
    most = 31
    for position in along_the_book(seed):
        found = qubic.assess(position, NO_WATCH)
        sign = -1 if position.ply % 2 else 1
        assert (found.exact, found.value) == (True, sign)
        assert found.win_in is not None
        assert 0 < sign * found.win_in <= most
        assert (found.best, found.bound) == (found.line[:1], sign * found.win_in > 3)
        end = play_all(position, found.line)
        assert len(found.line) <= sign * found.win_in
        assert end.outcome is None or end.outcome.winner == "x"
        most = sign * found.win_in - 1


def test_a_three_is_completed() -> None:
    three = replay_texts("qubic", "a1.1 a1.3 d1.1 b1.3 a4.1 c1.3")
    wins = qubic.assess(three.play(three.rules.parse_move("d4.4")), NO_WATCH)
    assert (wins.value, wins.win_in, wins.bound, wins.line) == (1.0, 1, False, (three.rules.parse_move("d1.3"),))


def test_a_strategy_that_a_short_search_finds_has_won_in_some_number_of_plies() -> None:
    x_to_move = replay_texts("qubic", "a1.1 a4.1 d1.4 a2.4 c3.4 b4.4")
    o_to_move = replay_texts("qubic", "a1.1 a4.1 c3.2 a2.4 d1.4 b4.4 c3.4")
    won, lost = qubic.assess(x_to_move, NO_WATCH), qubic.assess(o_to_move, NO_WATCH)
    assert (won.exact, won.value, won.win_in, len(won.best)) == (True, 1.0, None, 1)
    assert (lost.exact, lost.value, lost.win_in, lost.best) == (True, -1.0, None, GUESS.best)
    assert qubic.assess(x_to_move.play(won.best[0]), NO_WATCH).value == -1.0


def test_of_two_ways_the_shorter_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    proven = qubic.assess(FIRST, NO_WATCH)
    assert proven.win_in == 31
    shorter = Finding(True, 1.0, 29, True, (9,), (9,), nodes=30)
    says(monkeypatch, shorter)
    kept = qubic.assess(FIRST, NO_WATCH)
    assert replace(kept, nodes=30) == shorter
    says(monkeypatch, replace(shorter, win_in=33))
    assert qubic.assess(FIRST, NO_WATCH).win_in == 31


def test_where_nothing_is_proven_the_search_judges_and_all_nodes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qubic, "LEAVES", 0)
    found = qubic.assess(replay_texts("qubic", "a1.1 a4.1 c3.2 a2.4 d1.4 b4.4 c3.4"), NO_WATCH)
    assert replace(found, nodes=30) == GUESS
    assert found.nodes > 30


def test_a_position_is_judged_alike_whatever_came_before() -> None:
    position = replay_texts("qubic", "b1.1 a1.1 c1.1")
    before = qubic.assess(position, NO_WATCH)
    assert qubic.assess(position, NO_WATCH) == before
    qubic.assess(FIRST.play(0), NO_WATCH)
    assert qubic.assess(position, NO_WATCH) == before


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_it_stops_when_told_to(looks: int) -> None:
    with pytest.raises(Stopped):
        qubic.assess(FIRST, StopsAfter(looks) if looks else Stop())
