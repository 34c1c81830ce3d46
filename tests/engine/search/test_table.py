"""Tables of a process: lent to one search at a time, and what one search leaves is not what another finds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.rules.limit import Limit
from engine.rules.registry import rules
from engine.search import negamax, skill, strongest, table
from engine.search.decision import Decision
from engine.search.negamax import FULL
from tests.support.engine.watches import Clock

GAMES = ["mnk:5,5,4", "qubic", "nine-board", "ultimate"]


def found(game: str, limit: Limit, opening: int = 0, elapsed_ms: int = 0) -> Decision:
    position = rules(game).initial.play(opening)
    return negamax.choose(position, 99, limit, Random(0), Clock(elapsed_ms), FULL)


def test_a_table_comes_back_and_serves_again() -> None:
    with table.lent() as first, table.lent() as second:
        assert first is not second
    with table.lent() as again:
        assert again in (first, second)


def test_searches_that_begin_empty_never_share_a_mark() -> None:
    with table.lent() as memory:
        assert len({memory.mark(None) for _ in range(1000)}) == 1000


def test_what_is_kept_has_one_mark() -> None:
    with table.lent() as first, table.lent() as second:
        assert first.mark(("qubic", 0)) == second.mark(("qubic", 0))
        assert len({first.mark(("qubic", 0)), first.mark(("qubic", 1)), first.mark(None)}) == 3


@pytest.mark.parametrize("game", GAMES)
def test_a_limit_of_nodes_gives_the_same_whatever_was_searched_before(game: str) -> None:
    limit = Limit(nodes=20_000)
    alone = found(game, limit)
    for opening in (0, 1, 2):
        negamax.choose(rules(game).initial.play(opening), 3, Limit(move_ms=10_000), Random(0), Clock(), FULL)
        found(game, limit, opening)
    assert found(game, limit) == alone


@pytest.mark.parametrize("game", GAMES)
def test_a_limit_of_time_goes_on_with_what_was_found(game: str) -> None:
    position, limit = rules(game).initial.play(0), Limit(move_ms=10_000)
    first = negamax.choose(position, 6, limit, Random(0), Clock(), FULL)
    second = negamax.choose(position, 6, limit, Random(0), Clock(), FULL)
    assert second.nodes < first.nodes / 2
    assert (second.depth, second.value) == (first.depth, first.value)


def test_what_another_plan_found_is_not_used() -> None:
    position, limit = rules("qubic").initial.play(0), Limit(move_ms=10_000)
    narrow = replace(FULL, width=5)
    alone = negamax.choose(position, 4, limit, Random(0), Clock(), replace(FULL, width=6))
    negamax.choose(position, 4, limit, Random(0), Clock(), narrow)
    assert negamax.choose(position, 4, limit, Random(0), Clock(), narrow).nodes < alone.nodes / 2
    assert negamax.choose(position, 4, limit, Random(0), Clock(), replace(FULL, width=7)).nodes > alone.nodes / 2


def test_a_player_of_few_nodes_does_not_profit_from_long_searches() -> None:
    """A level with a limit of time has its own bound of nodes, and begins empty."""
    position, weak = rules("qubic").initial.play(0), skill.Skill(sees=1, depth=99, nodes=3000, width=12)
    alone = strongest.think(weak, position, Limit(move_ms=10_000), Random(0), Clock())
    strongest.think(replace(weak, nodes=skill.BOUNDLESS, depth=6), position, Limit(move_ms=10_000), Random(0), Clock())
    assert strongest.think(weak, position, Limit(move_ms=10_000), Random(0), Clock()) == alone


@pytest.mark.parametrize("game", [*GAMES, "gomoku"])
def test_no_answer_comes_without_a_search(game: str) -> None:
    decision = found(game, Limit(move_ms=1), elapsed_ms=10**6)
    assert decision.nodes >= 2000
    assert decision.depth >= 1
    assert decision.value is not None
