from __future__ import annotations

from fractions import Fraction

from engine.rules.position import O, X
from engine.rules.registry import rules
from engine.stats.exact import always, average_plies, ends, mixed, uniform, winners
from tests.support.engine.plain_minimax import position_after

START = rules("tictactoe").initial


def test_random_against_random() -> None:
    """Known for 3x3: 58.5, 28.8 and 12.7 percent."""
    chances = ends(START, uniform, uniform)
    assert sum(chances.values()) == 1
    assert winners(chances) == {X: Fraction(737, 1260), O: Fraction(121, 420), None: Fraction(8, 63)}
    assert average_plies(chances, (None,)) == 9
    assert {plies for _, plies in chances} == {5, 6, 7, 8, 9}


def test_one_line_of_play_is_certain() -> None:
    lowest = always(lambda position: position.legal_moves()[0])
    assert ends(START, lowest, lowest) == {(X, 7): 1}  # 0, 2, 4 and 6 meet 1, 3 and 5
    assert average_plies({(X, 7): Fraction(1)}, (O,)) is None


def test_a_mixed_player_draws_anew_for_each_move() -> None:
    lowest = always(lambda position: position.legal_moves()[0])
    highest = always(lambda position: position.legal_moves()[-1])
    policy = mixed((lowest, highest, highest))
    assert policy(START) == {0: Fraction(1, 3), 8: Fraction(2, 3)}
    chances = ends(position_after("tictactoe", 8, 0), policy, policy)
    assert sum(chances.values()) == 1


def test_averages_weigh_by_chance() -> None:
    chances = {(X, 5): Fraction(1, 2), (X, 7): Fraction(1, 4), (None, 9): Fraction(1, 4)}
    assert average_plies(chances, (X,)) == Fraction(17, 3)
    assert average_plies(chances) == Fraction(13, 2)
