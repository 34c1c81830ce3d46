"""Checking claims by the rules alone: the true ones hold, as a plain minimax has it, and no others."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from client.lab.bench.strength.claim_checker import Checker, TooLarge
from engine.rules.position import Move, Position
from tests.support.engine.games import replay_texts

WON = replay_texts("tictactoe", "b2 a2 a1 c3")
"""X wins in three: c1 makes two threats."""
CLAIMS = (None, *range(-9, 0), *range(1, 10))


@cache
def truth(position: Position) -> int | None:
    """In how many plies the side to move wins, or loses if negative, with best play; None for a draw, 0 at the end."""
    if position.outcome is not None:
        return None if position.outcome.winner is None else 0
    after = [truth(position.play(move)) for move in position.legal_moves()]
    wins = [1 - plies for plies in after if plies is not None and plies <= 0]
    if wins:
        return min(wins)
    return None if None in after else -1 - max(plies for plies in after if plies is not None)


def is_true(plies: int | None, claim: int | None) -> bool:
    if plies is None or claim is None:
        return plies is claim
    return 0 < plies <= claim if claim > 0 else claim <= plies <= 0


def witness(position: Position, plies: int) -> Move | None:
    return next((move for move in position.legal_moves() if is_true(truth(position.play(move)), 1 - plies)), None)


def nothing(position: Position, plies: int) -> Move | None:
    return None


def last(position: Position, plies: int) -> Move | None:
    return position.legal_moves()[-1]


def positions() -> list[Position]:
    """Of random games, not over; any two plies and more."""
    found = []
    for seed in range(60):
        random = Random(seed)
        position: Position = replay_texts("tictactoe", "b2" if seed % 2 else "a1 b3")
        while position.outcome is None:
            found.append(position)
            position = position.play(random.choice(position.legal_moves()))
    return found


def test_claims_hold_that_are_true() -> None:
    checker = Checker(witness, 3_000)
    for position in positions():
        plies = truth(position)
        assert [checker.holds(position, claim) for claim in CLAIMS] == [is_true(plies, claim) for claim in CLAIMS]


def test_a_move_keeps_what_is_claimed_if_it_is_still_true_after_it() -> None:
    """Of a lost position, any does."""
    checker = Checker(witness, 3_000)
    for position in positions():
        claim = truth(position)
        for move in position.legal_moves():
            after = truth(position.play(move))
            kept = is_true(after, None if claim is None else 1 - claim)
            assert checker.keeps(position, claim, move) == (kept or (claim is not None and claim < 0))


@pytest.mark.parametrize("bad", [nothing, last])
def test_a_bad_witness_confirms_nothing(bad: object) -> None:
    assert Checker(witness, 100).holds(WON, 3)
    assert not Checker(bad, 100).holds(WON, 3)  # type: ignore[arg-type]


def test_a_witness_of_a_longer_win_than_asked_for_confirms_nothing() -> None:
    position = replay_texts("tictactoe", "b2 a2")
    assert truth(position) == 5
    assert not Checker(lambda position, plies: witness(position, 5), 3_000).holds(position, 3)


def test_every_claim_may_look_at_as_many_positions() -> None:
    checker = Checker(witness, 100)
    with pytest.raises(TooLarge):
        checker.holds(replay_texts("tictactoe", "b2"), None)
    assert checker.holds(WON, 3)
