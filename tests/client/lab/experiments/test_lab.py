"""Games of an experiment, in groups and pairs, and their results."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from client.lab.experiments import lab
from client.lab.experiments.estimates import share
from client.lab.experiments.lab import Lab, by_bot
from engine.bots import match
from engine.bots.literature import bragstad
from engine.bots.match import Played
from engine.rules.position import other
from engine.rules.registry import rules
from engine.search.fixed import Cut
from tests.support.lab.experiment import Silent


def test_a_search_takes_the_processors_time_not_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where other programs run, a long search is interrupted in each of its runs."""
    monkeypatch.setattr(lab, "time", SimpleNamespace(thread_time_ns=count(0, 5_000).__next__))
    (found,) = lab._searches(
        rules("tictactoe").initial, [Cut.NONE], lambda position, cut: bragstad.searched(position, 1, cut)
    )
    assert found.us == 5


def test_fixed_and_swapped_games() -> None:
    lab = Lab(6, 1, 1, Silent(), "lab")
    fixed = lab.fixed("tictactoe", "random", "alphabeta:1", a_side="o")
    assert [(task.x.name, task.o.name, task.a_side, task.start) for task in fixed] == [
        ("random", "alphabeta:1", "o", ())
    ] * 6
    assert len({task.seed for task in fixed}) == 6
    swapped = lab.swapped("qubic", "random", "alphabeta:1", plies=2)
    assert [task.x.name for task in swapped] == ["random", "alphabeta:1"] * 3
    assert [len(task.start) for task in swapped] == [2] * 6
    assert {task.seed for task in fixed}.isdisjoint(task.seed for task in swapped)


def test_games_come_back_in_their_groups_and_in_order() -> None:
    lab = Lab(4, 1, 2, Silent(), "lab")
    groups = {x: lab.fixed("tictactoe", x, "random") for x in ("random", "alphabeta:1")}
    found = lab.play("games", groups)
    for x, games in found.items():
        assert [game.task.seed for game in games] == [task.seed for task in groups[x]]
        assert all(game.record.x.name == x for game in games)
        assert all(isinstance(game, Played) for game in games)
        won, lost, drawn = by_bot(games)
        assert won is not None
        assert lost is not None
        assert drawn is not None
        assert won.value + lost.value + drawn.value == pytest.approx(100)
    assert rules("tictactoe").cells == 9


def test_pairs_that_share_an_opening_count_once() -> None:
    """Where the games of a pair always end alike, 200 games say no more than 100."""
    lab = Lab(200, 1, 1, Silent(), "lab")
    for plies, number in ((2, 100), (0, 200)):
        tasks = lab.swapped("tictactoe", "random", "random", plies=plies)
        losers = [task.a_side if task.pair % 2 else other(task.a_side) for task in tasks]
        alike = [match.forfeited(task, (), loser, "crash", "died") for task, loser in zip(tasks, losers, strict=True)]
        won, lost, drawn = by_bot(alike)
        expected = share(number // 2, number)
        assert won is not None
        assert expected is not None
        assert won.value == 50
        assert (won.low, won.high) == pytest.approx((expected.low, expected.high), abs=0.5)
        assert lost is not None
        assert (lost.value, drawn and drawn.value) == (50, 0)
