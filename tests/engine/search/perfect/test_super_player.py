"""`perfect` in Super: it never loses a won game, holds out as O, and takes what X gives away."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import bot
from engine.rules.nested import NestedPosition
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.perfect import super_player, super_policy
from tests.support.engine.games import replay, replay_texts
from tests.support.engine.watches import Stop

PERFECT = bot("perfect")


@pytest.mark.parametrize("seed", range(12))
def test_as_x_it_wins_within_what_it_says(seed: int) -> None:
    random = Random(seed)
    position = rules("super").initial
    bound = 44
    while position.outcome is None:
        if position.ply % 2 == 0:
            decision = decide(PERFECT, position)
            assert decision.win_in is not None
            assert decision.proven
            assert 0 < decision.win_in <= bound - 1
            bound = decision.win_in
            assert legal_line(position, decision.pv)
            position = position.play(decision.move)
        else:
            bound -= 1
            position = position.play(random.choice(position.legal_moves()))
    assert position.outcome.winner == "x"
    assert position.ply <= 43


def test_as_o_it_holds_out_for_all_of_the_43_plies() -> None:
    position = rules("super").initial
    while position.outcome is None:
        decision = decide(PERFECT, position)
        left = 43 - position.ply
        assert decision.win_in == (left if position.ply % 2 == 0 else -left)
        position = position.play(decision.move)
    assert (position.ply, position.outcome.winner) == (43, "x")


def test_as_o_it_takes_a_win_that_x_gives_away() -> None:
    """Followed to its end, with X passing over its way home: O then completes a line of boards."""
    position = replay_texts("super", "5/1 1/5 5/5 5/2")
    decision = decide(PERFECT, position, Limit(nodes=2_000))
    assert decision.win_in is None
    assert position.is_legal(decision.move)
    o_wins = lost_by_x()
    decision = decide(PERFECT, o_wins, Limit(nodes=2_000))
    assert decision.win_in == 1
    outcome = o_wins.play(decision.move).outcome
    assert outcome is not None
    assert outcome.winner == "o"


def lost_by_x() -> Position:
    """A position in which O can complete its third board in a line at once, X having played at random."""
    for seed in range(200):
        random = Random(seed)
        position = rules("super").initial
        while position.outcome is None:
            winning = [move for move in position.legal_moves() if _winner(position.play(move)) == "o"]
            if winning:
                return position
            position = position.play(random.choice(position.legal_moves()))
    raise AssertionError("No such position in 200 games.")


def _winner(position: Position) -> str | None:
    return position.outcome.winner if position.outcome is not None else None


@pytest.mark.parametrize("limit", [NO_LIMIT, Limit(move_ms=1), Limit(nodes=1), Limit(depth=1)])
@pytest.mark.parametrize("plies", [0, 1, 8, 16, 17, 22, 23])
def test_stopped_at_once_it_still_moves_legally(limit: Limit, plies: int) -> None:
    position = rules("super").initial
    random = Random(plies)
    while position.ply < plies:
        if position.ply % 2 == 0:
            position = position.play(decide(PERFECT, position).move)
        else:
            position = position.play(random.choice(position.legal_moves()))
    super_player._check_from.cache_clear()
    decision = decide(PERFECT, position, limit, watch=Stop())
    assert position.is_legal(decision.move)
    assert decision.pv[0] == decision.move


def test_away_from_the_policy_it_plays_as_the_strongest() -> None:
    position = replay("super", [0, 1, 9, 2, 18])
    limit = Limit(nodes=500)
    assert decide(PERFECT, position, limit) == decide(bot("strongest"), position, limit)


def legal_line(position: Position, line: tuple[int, ...]) -> bool:
    for move in line:
        position = position.play(move)
    return position.outcome is not None or position.ply == 17


@pytest.mark.parametrize("games", [10, pytest.param(30, marks=pytest.mark.slow)])
def test_as_o_it_takes_the_wins_that_it_sees_after_x_has_left_its_way(games: int) -> None:
    """X keeps to the policy up to some move, and then plays at random: what O says it wins, it wins in time."""
    limit = Limit(nodes=3_000)
    won = 0
    for seed in range(games):
        random = Random(seed)
        position = rules("super").initial
        leaves = 2 * random.randrange(1, 14)
        left: int | None = None
        while position.outcome is None:
            if position.to_move == "x":
                legal = position.legal_moves()
                policy = decide(PERFECT, position, limit).move if position.ply < leaves else None
                position = position.play(policy if policy is not None else random.choice(legal))
                continue
            decision = decide(PERFECT, position, limit, seed)
            if left is not None:
                assert decision.win_in is not None
                assert 0 < decision.win_in <= left
            if (decision.win_in or 0) > 0:
                assert decision.proven
                left = (decision.win_in or 0) - 2
            assert left is not None or not any(_winner(position.play(move)) == "o" for move in position.legal_moves())
            position = position.play(decision.move)
        if left is not None:
            assert _winner(position) == "o"
            won += 1
    assert won >= games // 3


@pytest.mark.parametrize("seed", range(20))
def test_as_o_it_plays_after_a_deviation_what_the_strongest_plays(seed: int) -> None:
    random = Random(seed)
    position = rules("super").initial
    leaves = 2 * random.randrange(1, 14)
    while position.ply < leaves and position.outcome is None:
        move = decide(PERFECT, position).move if position.to_move == "x" else random.choice(position.legal_moves())
        position = position.play(move)
    policy = super_policy.policy_move(position) if isinstance(position, NestedPosition) else None
    others = [move for move in position.legal_moves() if move != policy]
    after = position.play(random.choice(others)) if others and position.outcome is None else position
    if after.outcome is not None or after.to_move == "x":
        return
    limit = Limit(nodes=500)
    decision = decide(PERFECT, after, limit, seed)
    known = decision.win_in is not None and decision.win_in < 0 and decision.nodes == 0
    assert known or decision == decide(bot("strongest"), after, limit, seed)
