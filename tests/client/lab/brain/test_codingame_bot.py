"""The bot in one file: the same rules and values as the engine's, whole games by its protocol, within its time."""

from __future__ import annotations

import io
import random
import sys
import time
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.lab.brain import codingame_bot
from client.lab.brain.codingame_bot import WIN, Game
from engine.rules.nested import NestedPosition
from engine.rules.registry import rules
from engine.search.evaluation import big_values, small_value
from tests.support.examples import examples

RULES = rules("ultimate:count")
BIG_VALUES = big_values()
NO_TIME_LIMIT_MS = 10**9


def played(moves: int, seed: int) -> tuple[NestedPosition, Game]:
    """A position after at most so many random moves, in the engine and in the bot."""
    drawn = random.Random(seed)
    position, game = RULES.initial, Game()
    for _ in range(moves):
        move = drawn.choice(position.legal_moves())
        after = position.play(move)
        if after.outcome is not None:
            break
        position = after
        game.play(move)
    assert isinstance(position, NestedPosition)
    return position, game


def value(position: NestedPosition, depth: int, ply: int = 0) -> int:
    """By plain minimax over the engine's rules and the engine's evaluation, for the side to move."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else ply - WIN if winner_moved(position) else WIN - ply
    if depth == 0:
        return static(position)
    return max(-value(position.play(move), depth - 1, ply + 1) for move in position.legal_moves())


def winner_moved(position: NestedPosition) -> bool:
    """Whether the side that would be to move has lost; by count the last move may lose."""
    assert position.outcome is not None
    return position.outcome.winner != position.to_move


def static(position: NestedPosition) -> int:
    own, others = (position.x, position.o) if position.to_move == "x" else (position.o, position.x)
    won, lost = (position.won_x, position.won_o) if position.to_move == "x" else (position.won_o, position.won_x)
    dead = position.closed & ~(won | lost)
    small = sum(
        small_value(own >> 9 * board & 511, others >> 9 * board & 511)
        for board in range(9)
        if not position.closed >> board & 1
    )
    return small + int(BIG_VALUES[won | dead | (lost | dead) << 9])


@given(st.integers(0, 70), st.integers(0, 10**6), st.integers(1, 2))
@examples(40)
def test_values_are_those_of_plain_minimax(moves: int, seed: int, depth: int) -> None:
    position, game = played(moves, seed)
    game.deadline_s = float("inf")
    small = sum(
        codingame_bot.VALUES[game.us[board] << 9 | game.them[board]]
        for board in range(9)
        if not game.closed >> board & 1
    )
    assert game.at_root(list(position.legal_moves()), depth, small)[0] == value(position, depth)


def test_a_win_at_once_is_taken() -> None:
    drawn = random.Random(5)
    wins = 0
    for seed in range(400):
        position, game = played(drawn.randrange(30, 70), seed)
        winning = [
            move
            for move in position.legal_moves()
            if (outcome := position.play(move).outcome) is not None and outcome.winner == position.to_move
        ]
        if winning:
            wins += 1
            assert game.choose(list(position.legal_moves()), NO_TIME_LIMIT_MS) in winning
    assert wins > 10


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes 20 ms, so that games are short and always the same."""
    looks = count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(looks) * 0.02)


@pytest.mark.usefixtures("slow_clock")
def test_it_beats_random_moves_from_both_sides() -> None:
    for seed in range(6):
        drawn = random.Random(seed)
        position, game = RULES.initial, Game()
        side = "xo"[seed % 2]
        while position.outcome is None:
            legal = list(position.legal_moves())
            move = game.choose(legal, 88) if position.to_move == side else drawn.choice(legal)
            assert move in legal
            position = position.play(move)
            game.play(move)
        assert position.outcome.winner == side


@pytest.mark.usefixtures("slow_clock")
def test_it_speaks_the_protocol(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    corner = "-1 -1\n2\n0 0\n8 8\n"
    reply = "4 4\n1\n3 4\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(corner + reply))
    codingame_bot.main()
    first, second = capsys.readouterr().out.splitlines()
    assert first in ("0 0", "8 8")
    assert second == "3 4"
