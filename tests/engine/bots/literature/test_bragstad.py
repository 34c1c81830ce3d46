"""Bragstad's programs: which reading of his description gives his results, and the whole first tree."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from engine.bots.literature import bragstad
from engine.bots.literature.answer import depth_of, first
from engine.bots.player import NO_LIMIT, NO_WATCH, decide
from engine.bots.roster import bot
from engine.rules.position import Move, O, Position, Side, X
from engine.rules.registry import rules
from engine.search.fixed import Cut
from engine.stats.exact import Ends, Policy, always, ends, mixed, uniform, winners
from tests.support.engine.bot_games import play_game

START = rules("tictactoe").initial


@cache
def move_of(position: Position, ply: int, cut: Cut) -> Move:
    found = bragstad.searched(position, depth_of(position, ply, NO_LIMIT), cut)
    index = first(found)
    assert index is not None
    return found.moves[index]


def minimax(ply: int) -> Policy:
    return always(lambda position: move_of(position, ply, Cut.NONE))


def alphabeta(ply: int) -> Policy:
    return always(lambda position: move_of(position, ply, Cut.LOOSE))


def percent(chances: Ends) -> tuple[float, float, float]:
    """Won by X, won by O, drawn."""
    by_winner = winners(chances)
    return tuple(round(float(100 * by_winner[winner]), 1) for winner in (X, O, None))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("x", "o", "row"),
    [
        (uniform, uniform, (58.5, 28.8, 12.7)),
        (uniform, minimax(5), (13.1, 76.0, 10.9)),
        (uniform, alphabeta(5), (13.1, 76.0, 10.9)),
        (uniform, alphabeta(10), (0.0, 80.6, 19.4)),
        (minimax(9), uniform, (99.5, 0.0, 0.5)),
        (alphabeta(9), uniform, (99.5, 0.0, 0.5)),
        (minimax(9), alphabeta(9), (0.0, 0.0, 100.0)),
        (minimax(3), alphabeta(3), (100.0, 0.0, 0.0)),
        (mixed(tuple(minimax(ply) for ply in range(1, 11))), uniform, (96.3, 1.9, 1.8)),
    ],
)
def test_exact_rows(x: Policy, o: Policy, row: tuple[float, float, float]) -> None:
    assert percent(ends(START, x, o)) == row


def test_three_plies_against_three_x_wins_in_seven() -> None:
    assert ends(START, minimax(3), alphabeta(3)) == {(X, 7): 1}
    record = play_game(bot("bragstad-minimax:3"), bot("bragstad-alphabeta:3"), START.rules)
    assert (record.winner, len(record.moves)) == (X, 7)


@pytest.mark.parametrize(("ply", "winner"), [(1, X), (2, X), (4, None), (5, X), (6, None), (7, None), (8, None)])
def test_too_few_plies_for_the_whole_tree_may_still_tie(ply: int, winner: Side | None) -> None:
    assert winners(ends(START, minimax(ply), alphabeta(ply)))[winner] == 1


MASKS = [sum(1 << cell for cell in line) for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))]
MASKS += [0b100_010_001, 0b001_010_100]


def wins(marks: int) -> bool:
    return any(marks & mask == mask for mask in MASKS)


class Reading:
    """His player by another reading: wins tested at the last ply only, or the plies counted from the root's moves."""

    def __init__(self, ply: int, anywhere: bool, more: int) -> None:
        self._depth = ply + more
        self._anywhere = anywhere
        self._value = cache(self._value_of)

    def _value_of(self, own: int, others: int, left: int) -> int:
        """For the side to move, whose marks are `own`."""
        if left == 0 or own | others == 511 or (self._anywhere and wins(others)):
            return wins(own) - wins(others)
        free = (cell for cell in range(9) if not (own | others) >> cell & 1)
        return max(-self._value(others, own | 1 << cell, left - 1) for cell in free)

    def __call__(self, position: Position) -> dict[Move, Fraction]:
        own, others = (
            sum(1 << cell for cell in range(9) if position.mark(cell) == side)
            for side in ((X, O) if position.to_move == X else (O, X))
        )
        values = {move: -self._value(others, own | 1 << move, self._depth - 1) for move in position.legal_moves()}
        return {max(values, key=lambda move: (values[move], -move)): Fraction(1)}


def test_his_reading_ends_a_game_where_it_is_won() -> None:
    """He measured 11/77/12 for random-minimax:5, 0/82/18 for random-alphabeta:10, 100/0/0 for minimax:9-random, and
    that X wins 3 against 3."""

    def results(anywhere: bool, more: int) -> list[tuple[float, float, float]]:
        def of(ply: int) -> Reading:
            return Reading(ply, anywhere, more)

        pairs: list[tuple[Policy, Policy]] = [(uniform, of(5)), (uniform, of(10)), (of(9), uniform), (of(3), of(3))]
        return [percent(ends(START, x, o)) for x, o in pairs]

    assert results(True, 0) == [(13.1, 76.0, 10.9), (0.0, 80.6, 19.4), (99.5, 0.0, 0.5), (100.0, 0.0, 0.0)]
    # One ply more below the root: 3 against 3 would be a draw, and 5 plies would never lose.
    assert results(True, 1) == [(0.0, 80.6, 19.4), (0.0, 80.6, 19.4), (99.5, 0.0, 0.5), (0.0, 0.0, 100.0)]
    # One ply less comes close, but is not what he says.
    assert results(True, -1) == [(14.0, 74.7, 11.3), (0.0, 80.6, 19.4), (99.5, 0.0, 0.5), (100.0, 0.0, 0.0)]
    # Tested at the last ply only, looking further makes it lose.
    assert results(False, 0) == [(14.2, 71.5, 14.3), (14.2, 72.2, 13.7), (88.3, 8.3, 3.4), (100.0, 0.0, 0.0)]


def test_the_first_move_of_nine_plies_sees_the_whole_tree() -> None:
    """549,946 positions with the root, of which 255,168 are ends."""
    found = decide(bot("bragstad-minimax"), START)
    assert (found.nodes, found.leaves, found.pruned) == (549_945, 255_168, 0)
    assert (found.move, found.value, found.proven, found.win_in) == (0, 0.0, True, None)
    assert decide(bot("bragstad-alphabeta"), START).nodes == 18_296


def test_the_first_best_move_is_played_row_by_row() -> None:
    assert decide(bot("bragstad-minimax:2"), START).move == 0
    assert decide(bot("bragstad-alphabeta:2"), rules("mnk:5,5,5").initial.play(0)).move == 1


class Die(Random):
    """A generator that throws what it is told, and remembers the ends of its range."""

    def __init__(self, throw: int) -> None:
        super().__init__(0)
        self._throw = throw
        self.ends: tuple[int, int] | None = None

    def randint(self, a: int, b: int) -> int:
        self.ends = (a, b)
        return self._throw


def test_the_variable_program_draws_its_plies_from_1_to_10_for_each_move() -> None:
    position = START.play(4).play(0)
    for throw in (1, 4, 10):
        die = Die(throw)
        found = bragstad.variable((), position, NO_LIMIT, die, NO_WATCH)
        assert die.ends == (1, 10)
        assert found == decide(bot(f"bragstad-minimax:{throw}"), position)
        assert found.depth == min(throw, 7)
    assert len({decide(bot("bragstad-variable"), position, seed=seed).depth for seed in range(50)}) == 7


@pytest.mark.parametrize("leaf", ["even", "half-won", "half-lost", "won"])
def test_a_reading_reports_a_win_that_it_sees_and_no_other(leaf: str) -> None:
    sees = START.play(0).play(3).play(1).play(4)  # X completes its row at 2
    found = decide(bot(f"bragstad-reading:1,last,{leaf}"), sees)
    assert found.move == (8 if leaf == "won" else 2)
    assert found.proven is (leaf != "won")
    open_ = decide(bot(f"bragstad-reading:2,first,{leaf}"), START)
    assert open_.value == {"even": 0, "half-won": 0.5, "half-lost": -0.5, "won": 1}[leaf]
    assert (open_.move, open_.win_in, open_.proven) == (0, None, False)


def test_the_last_of_equal_moves_on_a_larger_board() -> None:
    assert decide(bot("bragstad-reading:2,last,even"), rules("mnk:4,4,4").initial).move == 15
    assert decide(bot("bragstad-reading:2,first,even"), rules("mnk:4,4,4").initial).move == 0
