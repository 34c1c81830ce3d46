"""Which of equal moves is played, what is told of the search, and how deep it looks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.bots.literature.answer import Scale, coin, decision, depth_of, first, last, win_in
from engine.bots.player import NO_LIMIT, Decision, Limit
from engine.rules.registry import rules
from engine.search.fixed import Searched
from tests.support.engine.plain_minimax import position_after


def searched(*values: int, finished: bool = True) -> Searched:
    moves = tuple(range(10, 10 + len(values)))
    return Searched(moves, values, nodes=9, leaves=5, pruned=1, interior=2, pv=(10, 40), finished=finished)


class Coins(Random):
    """A generator whose bits are given."""

    def __init__(self, bits: str) -> None:
        super().__init__(0)
        self._bits: Iterator[str] = iter(bits)

    def getrandbits(self, k: int) -> int:
        assert k == 1
        return int(next(self._bits))


def test_first_last_and_coin_among_equals() -> None:
    found = searched(3, 7, 1, 7, 6, 7)
    assert first(found) == 1
    assert last(found) == 5
    # Each later equal replaces the choice with probability 1/2: the last has 1/2, the two before it 1/4 each.
    assert [coin(found, Coins(bits)) for bits in ("00", "01", "10", "11")] == [1, 5, 3, 5]
    assert coin(searched(3), Coins("")) == 0
    assert first(searched()) is last(searched()) is coin(searched(), Coins("")) is None


def test_a_search_cut_short_proves_no_more_than_it_saw() -> None:
    position = rules("mnk:4,4,4").initial
    whole = decision(position, searched(-1, -1), 0, 2, Scale())
    assert (whole.value, whole.win_in, whole.proven) == (-1.0, -2, True)
    part = decision(position, searched(-1, -1, finished=False), 0, 2, Scale())
    assert (part.value, part.win_in, part.proven, part.depth) == (-1.0, None, False, 2)
    won = decision(position, searched(1, finished=False), 0, 3, Scale())
    assert (won.win_in, won.proven) == (3, True)
    assert decision(position, searched(), None, 3, Scale()) == Decision(0, nodes=9, leaves=5, pruned=1, interior=2)


def test_a_draw_is_proven_only_at_the_end_of_the_board() -> None:
    position = position_after("mnk:4,4,4", 14, 0)
    assert not decision(position, searched(0), 0, 1, Scale()).proven
    assert decision(position, searched(0), 0, 2, Scale()).proven
    assert not decision(position, searched(0), 0, 2, Scale(draws=False)).proven
    assert not decision(position, searched(0, finished=False), 0, 2, Scale()).proven


def test_the_line_is_that_of_the_move_played() -> None:
    position = rules("mnk:4,4,4").initial
    assert decision(position, searched(5, 5), 0, 2, Scale(win=9)).pv == (10, 40)
    assert decision(position, searched(5, 5), 1, 2, Scale(win=9)).pv == (11,)


def test_plies_to_the_end_are_told_only_if_they_are_certain() -> None:
    position = rules("tictactoe").initial
    for move in (0, 3, 1, 4):
        position = position.play(move)  # X wins at 2
    assert win_in(position, 2, 1, 5, Scale()) == 1
    assert [win_in(position, 8, 1, depth, Scale()) for depth in (3, 4, 5)] == [3, 3, None]
    assert [win_in(position, 8, -1, depth, Scale()) for depth in (2, 3, 4)] == [-2, -2, None]
    quick = Scale(win=100_000, faster=True)
    assert [win_in(position, 8, 100_000 + left, 6, quick) for left in (5, 3, 1)] == [1, 3, 5]
    assert [win_in(position, 8, -100_000 - left, 6, quick) for left in (4, 2, 0)] == [-2, -4, -6]


def test_depth_is_bounded_by_the_bot_the_limit_and_the_board() -> None:
    position = position_after("tictactoe", 5, 0)
    assert depth_of(position, 3, NO_LIMIT) == 3
    assert depth_of(position, 3, Limit(depth=2)) == 2
    assert depth_of(position, 10, Limit(depth=9)) == 4
    assert depth_of(position, 2, Limit(nodes=1)) == 2
