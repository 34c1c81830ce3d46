"""First numbers on nine-board: fair to both sides, the same however a board is turned, and ordered by the odds."""

from __future__ import annotations

import numpy as np

from engine.kernels.nested import CODES
from engine.kernels.nine_board_proof import EVEN
from engine.rules import lines
from engine.search.solve.nine_board_outlook import board_values, guesses

ATTACKER, DEFENDER = 0, 1


def value(attacker: str, defender: str) -> int:
    """Of a board with marks on these squares, 1 to 9."""
    code = sum(3 ** (int(square) - 1) for square in attacker) + sum(2 * 3 ** (int(square) - 1) for square in defender)
    return int(board_values()[code])


def test_what_one_side_gains_the_other_loses() -> None:
    digits = np.arange(CODES)[:, None] // 3 ** np.arange(9) % 3
    swapped = ((3 - digits) % 3 @ 3 ** np.arange(9)).astype(int)
    assert (board_values()[swapped] == -board_values()).all()


def test_turning_a_board_changes_nothing() -> None:
    digits = np.arange(CODES)[:, None] // 3 ** np.arange(9) % 3
    for turn in lines.flat_symmetries(3, 3):
        turned = digits @ 3 ** np.array(turn)
        assert (board_values()[turned] == board_values()).all()


def test_threats_are_worth_more_than_begun_lines() -> None:
    assert value("", "") == 0
    assert 0 < value("2", "") < value("5", "") < value("12", "")
    assert abs(value("12", "45")) < value("2", "")
    assert 0 < value("12", "6") < value("12", "")


def test_nine_boards_stay_within_the_table() -> None:
    assert 9 * int(np.abs(board_values()).max()) < EVEN


def test_a_goal_seems_harder_as_the_odds_fall() -> None:
    for mover in (ATTACKER, DEFENDER):
        assert (np.diff(guesses()[mover, ATTACKER]) <= 0).all()
        assert (np.diff(guesses()[mover, DEFENDER]) >= 0).all()
        assert guesses()[mover].min() >= 1


def test_the_move_is_worth_something() -> None:
    attacker, defender = (guesses()[mover, :, EVEN] for mover in (ATTACKER, DEFENDER))
    assert attacker[ATTACKER] > defender[ATTACKER]
    assert attacker[DEFENDER] < defender[DEFENDER]
    assert (attacker == defender[::-1]).all()
