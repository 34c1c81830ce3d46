"""Checking claims by the rules alone: true ones hold, false ones do not."""

from __future__ import annotations

import pytest

from client.lab.bench.strength import claims
from client.lab.bench.strength.claim_checker import Checker, TooLarge
from engine.rules.position import Move, Position
from tests.support.engine.games import replay_texts


def nothing(position: Position, plies: int) -> Move | None:
    return None


def last(position: Position, plies: int) -> Move | None:
    return position.legal_moves()[-1]


WON = replay_texts("tictactoe", "b2 a2 a1 c3")
"""X wins in three: c1 makes two threats."""


def test_a_true_claim_holds_whatever_is_replied() -> None:
    checker = Checker(claims._witness, 100)
    assert checker.holds(WON, 3)
    assert checker.holds(WON, 5)
    assert checker.holds(WON.play(WON.rules.parse_move("c1")), -2)
    assert checker.holds(replay_texts("tictactoe", "b2 a1 c1 a3 a2 c2"), None)


def test_a_loss_is_not_nearer_than_it_is() -> None:
    checker = Checker(claims._witness, 3_000)
    lost = replay_texts("tictactoe", "a1 b1 b2 c3 a3")  # X threatens twice
    assert not checker.holds(lost, -1)
    assert checker.holds(lost, -2)


def test_a_longer_win_found_first_is_no_end_of_the_search() -> None:
    position = replay_texts("mnk:5,5,4", "a5 d2 e3 b4 e5 c5 c2")
    assert Checker(claims._witness, 3_000).holds(position, 9)


def test_a_false_claim_does_not_hold() -> None:
    checker = Checker(claims._witness, 1_000)
    assert not checker.holds(WON, 1)
    assert not checker.holds(WON, -2)
    assert not checker.holds(WON, None)
    assert not checker.holds(replay_texts("tictactoe", "b2 a2 a1"), -2)
    assert not checker.holds(replay_texts("tictactoe", "b2"), -8)


@pytest.mark.parametrize("witness", [nothing, last])
def test_a_bad_witness_confirms_nothing(witness: object) -> None:
    assert not Checker(witness, 100).holds(WON, 3)  # type: ignore[arg-type]


def test_a_claim_may_be_too_large() -> None:
    with pytest.raises(TooLarge):
        Checker(claims._witness, 3).holds(replay_texts("tictactoe", "b2"), None)


@pytest.mark.parametrize(
    ("moves", "win_in", "kept", "given_away"),
    [
        ("b2 a2 a1 c3", 3, "b1 c1", "c2 a3 b3"),
        ("a1 c3 c1", -4, "b1 a2", ""),
        ("b2 a1 c1", None, "a3", "c3"),
        ("b2 a1 c1 a3 a2 c2 b3 b1", None, "c3", ""),
    ],
)
def test_the_move_is_to_keep_what_is_claimed(moves: str, win_in: int | None, kept: str, given_away: str) -> None:
    position = replay_texts("tictactoe", moves)
    checker = Checker(claims._witness, 3_000)
    for text in kept.split():
        assert checker.keeps(position, win_in, position.rules.parse_move(text))
    for text in given_away.split():
        assert not checker.keeps(position, win_in, position.rules.parse_move(text))


LAST = replay_texts("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1")
"""The only move left draws."""


@pytest.mark.parametrize("win_in", [1, -1])
def test_a_draw_is_neither_a_win_nor_a_loss(win_in: int) -> None:
    assert not Checker(claims._witness, 100).holds(LAST, win_in)
    assert Checker(claims._witness, 100).holds(LAST, None)


def test_a_loss_is_no_draw() -> None:
    lost = replay_texts("tictactoe", "a1 b1 b2 c3 a3")  # X threatens twice
    assert not Checker(claims._witness, 3_000).holds(lost, None)


def test_a_win_that_comes_later_than_asked_for_does_not_hold() -> None:
    position = replay_texts("tictactoe", "b2 a2")
    assert Checker(claims._witness, 3_000).holds(position, 5)
    assert not Checker(lambda position, plies: claims._witness(position, 5), 3_000).holds(position, 3)


def test_every_claim_may_look_at_as_many_positions() -> None:
    checker = Checker(claims._witness, 100)
    with pytest.raises(TooLarge):
        checker.holds(replay_texts("tictactoe", "b2"), None)
    assert checker.holds(WON, 3)
