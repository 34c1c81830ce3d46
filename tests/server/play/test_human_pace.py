"""How long bots seem to ponder: bounds, order and repeatability, over games of every family."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from server.play.human_pace import LEAST_MS, MOST_MS, delay_ms, is_urgent, weight

GAMES = ("tictactoe", "mnk:5,5,4", "qubic", "gomoku", "nine-board", "ultimate", "super")


def after(game: str, moves: str) -> Position:
    return play_all(rules(game).initial, map(rules(game).parse_move, moves.split()))


def cell(position: Position, text: str) -> int:
    return position.rules.parse_move(text)


@st.composite
def running(draw: st.DrawFn) -> tuple[Position, int]:
    """A position that is not over and one of its moves."""
    position = rules(draw(st.sampled_from(GAMES))).initial
    for choice in draw(st.lists(st.integers(0, 400), max_size=60)):
        moves = position.legal_moves()
        following = position.play(moves[choice % len(moves)])
        if following.outcome is not None:
            break
        position = following
    moves = position.legal_moves()
    return position, moves[draw(st.integers(0, 400)) % len(moves)]


@given(running(), st.integers(0, 2**31), st.one_of(st.none(), st.integers(0, 10_000_000)))
def test_within_bounds_and_never_more_than_a_tenth_of_the_clock(
    turn: tuple[Position, int], seed: int, left_ms: int | None
) -> None:
    delay = delay_ms(*turn, seed, left_ms)
    assert 0 <= delay <= MOST_MS
    if left_ms is None:
        assert delay >= LEAST_MS
    else:
        assert delay <= left_ms / 10
        assert delay == min(delay_ms(*turn, seed, None), left_ms // 10)


@given(running(), st.integers(0, 2**31))
def test_the_same_arguments_give_the_same_delay(turn: tuple[Position, int], seed: int) -> None:
    assert delay_ms(*turn, seed, None) == delay_ms(*turn, seed, None)


@given(running(), running(), st.integers(0, 2**31))
def test_what_weighs_more_takes_longer(one: tuple[Position, int], two: tuple[Position, int], seed: int) -> None:
    """Other things being equal, which the ply's luck is not."""
    if one[0].ply == two[0].ply and weight(*one) <= weight(*two):
        assert delay_ms(*one, seed, None) <= delay_ms(*two, seed, None)


def test_seeds_and_plies_differ() -> None:
    position = after("qubic", "a1.1 b2.2 c3.3 d1.1 a2.2 b3.4")
    delays = {delay_ms(position, position.legal_moves()[0], seed, None) for seed in range(50)}
    assert len(delays) > 25
    assert max(delays) - min(delays) > 800


@pytest.mark.parametrize(
    ("game", "moves", "answer"),
    [
        ("tictactoe", "a1 b2 b1 c3", "c1"),  # wins
        ("tictactoe", "a1 b2 b1", "c1"),  # blocks
        ("tictactoe", "a1 b1 c1 b2 b3 a2 c2 a3", "c3"),  # the only move
        ("nine-board", "5/1 1/5 5/2 2/5 5/4 4/5", "5/7"),  # wins
    ],
)
def test_the_obvious_is_quick(game: str, moves: str, answer: str) -> None:
    position = after(game, moves)
    least = min(weight(position, move) for move in position.legal_moves())
    assert weight(position, cell(position, answer)) == least == 0.15
    assert delay_ms(position, cell(position, answer), 1, None) < 1_200


def test_a_quiet_move_is_not_urgent() -> None:
    position = after("tictactoe", "a1 b2 b1")
    assert not is_urgent(position, cell(position, "a3"))
    nested = after("ultimate", "5/5")
    assert not is_urgent(nested, cell(nested, "5/1"))


def test_openings_are_quicker_than_what_follows() -> None:
    opening, middle = after("gomoku", ""), after("gomoku", "h8 a1 j10 a15 c3 o15")
    quiet = cell(middle, "e12")
    assert weight(opening, quiet) < weight(middle, quiet)


def test_a_position_and_a_seed_have_one_delay_for_good() -> None:
    """So that a bot keeps its pace from one release to the next."""
    opening, forced, full = after("gomoku", ""), after("tictactoe", "a1 b1 a2"), after("gomoku", "a1 c1 e1 g1 i1 k1")
    assert weight(forced, cell(forced, "a3")) == 0.15
    assert weight(opening, 0) == pytest.approx(0.15 + 0.85 / 6)
    assert weight(full, cell(full, "a2")) == 1.0
    small = after("tictactoe", "a1")
    assert weight(small, cell(small, "b2")) == pytest.approx(0.15 + 0.85 * (1 / 2) * (2 / 6))
    assert [delay_ms(full, cell(full, "a2"), seed, None) for seed in range(4)] == [1714, 1718, 1706, 1705]
    assert [delay_ms(full, cell(full, "a2"), 0, left_ms) for left_ms in (0, 9, 10, 10_000)] == [0, 0, 1, 1_000]
