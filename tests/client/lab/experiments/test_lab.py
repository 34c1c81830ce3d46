"""Games of an experiment, in groups and pairs, and their results."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from client.lab.experiments import lab
from client.lab.experiments.estimates import share
from client.lab.experiments.lab import (
    ExperimentError,
    Lab,
    Search,
    a_move,
    by_bot,
    by_side,
    gain,
    measured,
    move_ms,
    node_count,
    of_cut,
    points,
    results,
    times_us,
    unless_random,
    won,
)
from engine.bots import match
from engine.bots.literature import bragstad
from engine.bots.match import MoveWatch, Played, Task
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import O, Position, X, other
from engine.rules.registry import rules
from engine.search.fixed import Cut, Searched
from tests.support.lab.experiment import Silent, searched
from tests.support.lab.matches import timed


def test_a_search_takes_the_processors_time_not_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where other programs run, a long search is interrupted in each of its runs."""
    monkeypatch.setattr(lab, "time", SimpleNamespace(thread_time_ns=count(0, 5_000).__next__))
    (found,) = lab._searches(
        rules("tictactoe").initial, [Cut.NONE], lambda position, cut: bragstad.searched(position, 1, cut)
    )
    assert found.us == 5


def test_fixed_and_swapped_games() -> None:
    at = some_lab(6)
    fixed = at.fixed("tictactoe", "random", "alphabeta:1", a_side="o")
    assert [(task.x.name, task.o.name, task.a_side, task.start) for task in fixed] == [
        ("random", "alphabeta:1", "o", ())
    ] * 6
    assert len({task.seed for task in fixed}) == 6
    swapped = at.swapped("qubic", "random", "alphabeta:1", plies=2)
    assert [task.x.name for task in swapped] == ["random", "alphabeta:1"] * 3
    assert [len(task.start) for task in swapped] == [2] * 6
    assert {task.seed for task in fixed}.isdisjoint(task.seed for task in swapped)


def test_games_come_back_in_their_groups_and_in_order_whenever_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(tasks: Sequence[Task], *_: object) -> Generator[Played]:
        yield from (match.forfeited(task, (), X, "crash", "died") for task in reversed(tasks))

    monkeypatch.setattr(lab, "played_anywhere", lambda *given: (unfaulted(game) for game in backwards(*given)))
    groups = {x: some_lab().fixed("tictactoe", x, "random") for x in ("random", "alphabeta:1")}
    found = some_lab().play("games", groups)
    assert {x: [game.task.seed for game in games] for x, games in found.items()} == {
        x: [task.seed for task in tasks] for x, tasks in groups.items()
    }
    monkeypatch.setattr(lab, "played_anywhere", backwards)
    with pytest.raises(ExperimentError, match="died"):
        some_lab().play("games", groups)


def unfaulted(game: Played) -> Played:
    return replace(game, fault=None)


def test_a_limit_is_not_for_the_random_bot() -> None:
    for task in some_lab().swapped("tictactoe", "random", "alphabeta:1", limit=Limit(nodes=9)):
        limits = {task.x.name: task.x_limit, task.o.name: task.o_limit}
        assert limits == {"random": NO_LIMIT, "alphabeta:1": Limit(nodes=9)}


class Still(MoveWatch):
    """A watch that stands still."""

    def elapsed_us(self) -> int:
        return 0


def test_a_position_is_searched_in_every_way_and_all_must_choose_the_same_move() -> None:
    task = some_lab().fixed("tictactoe", "alphabeta:1", "random")[0]

    def search(position: Position, values: tuple[Any, ...], cut: Cut) -> Searched:
        assert values == (1,)  # the bot's plies
        chosen = position.legal_moves()[-1 if cut == liar else 0]
        return Searched((chosen,), (0,), 10 * cut + position.ply, 1, 2, 3, (), True)

    liar: Cut | None = None
    game = measured(task, lambda moves: Still(), (Cut.NONE, Cut.LOOSE), unless_random(search))
    assert game.fault is None
    assert [one.ply for one in game.of(Cut.LOOSE)] == list(range(0, len(game.record.cells()), 2))
    assert [one.nodes for one in game.of(Cut.LOOSE)] == [10 * Cut.LOOSE + one.ply for one in game.of(Cut.NONE)]
    liar = Cut.LOOSE
    with pytest.raises(ExperimentError, match="different moves were chosen at ply 0"):
        measured(task, lambda moves: Still(), (Cut.NONE, Cut.LOOSE), unless_random(search))


def test_what_cuts_gain_is_all_nodes_to_all_nodes() -> None:
    one = searched(nodes(Cut.NONE, 60), nodes(Cut.NONE, 30), nodes(Cut.LOOSE, 8), nodes(Cut.LOOSE, 2))
    two = searched(nodes(Cut.NONE, 10), nodes(Cut.LOOSE, 10))
    found = gain([one, two], node_count)
    assert found is not None
    assert found.value == 5
    average = a_move(of_cut([one, two], Cut.LOOSE), node_count)
    assert average is not None
    assert average.value == pytest.approx(20 / 3)


def nodes(cut: Cut, number: int) -> Search:
    return Search(0, cut, number, 0, 0, 0, 1.0)


WON_BY_X, WON_BY_O = timed("a1 a2 b1 b2 c1"), timed("a1 b2 a3 b1 c2 b3", 1)
"""Both won by the pairing's first bot, which is X in one and O in the other."""


def test_results_are_told_by_side_by_bot_and_as_points() -> None:
    games = [WON_BY_X] * 5 + [WON_BY_O] * 2 + [timed("a1 b1 c1 b2 a2 c2 b3 a3 c3")]
    assert [one and one.value for one in by_side(games)] == [62.5, 25, 12.5]
    assert [one and one.value for one in by_bot(games)] == [87.5, 0, 12.5]
    assert (won(games, X), won(games, O), won(games, None)) == (5, 2, 1)
    pairs = {("one", "two"): games}
    assert points(pairs, "one", "two") == [100] * 7 + [50]
    assert points(pairs, "two", "one") == [0] * 7 + [50]
    bars = {series.name: series.y for series in results([games, []])}
    assert bars == {"won": [87.5, 0], "drawn": [12.5, 0], "lost": [0, 0]}


def test_a_bots_time_is_that_of_its_own_moves_after_the_opening() -> None:
    """Move n takes n + 1 ms."""
    assert times_us(WON_BY_X, "alphabeta:2") == [1_000, 3_000, 5_000]
    assert times_us(WON_BY_O, "alphabeta:2") == [2_000, 4_000, 6_000]
    opened = replace(WON_BY_X, task=replace(WON_BY_X.task, start=(4,)))  # O makes the first recorded move
    assert times_us(opened, "alphabeta:2") == [2_000, 4_000]
    found = move_ms([WON_BY_X, WON_BY_O], "random")
    assert found is not None
    assert found.value == pytest.approx((2 + 4 + 1 + 3 + 5) / 5)


def some_lab(games: int = 4) -> Lab:
    return Lab(games, 1, 1, Silent(), "lab")


def test_pairs_that_share_an_opening_count_once() -> None:
    """Where the games of a pair always end alike, 200 games say no more than 100."""
    at = some_lab(200)
    for plies, number in ((2, 100), (0, 200)):
        tasks = at.swapped("tictactoe", "random", "random", plies=plies)
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
