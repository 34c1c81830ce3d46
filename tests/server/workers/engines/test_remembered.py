"""Engines that remember their games: which process answers for which game, and what is lost with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.position import play_all
from engine.rules.registry import rules
from server.workers.engines import remembered
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import Engine
from server.workers.engines.remembered import IDLE_S, LOST, RememberedGames
from server.workers.engines.session import Unwanted
from tests.support.engine.watches import Stop

BOT = Path(__file__).parents[3] / "support" / "foreign_engines" / "codingame_bot.py"
GAME = rules("tictactoe")


def engine(mode: str = "good") -> Engine:
    return Engine("mine", sys.executable, str(BOT.parent), "codingame", (BOT.name, mode), move_ms=10_000)


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def games(clock: Clock) -> Iterator[RememberedGames]:
    made = RememberedGames(clock)
    yield made
    made.end_begun()
    made.end_idle()


def question(*moves: int) -> Question:
    position = play_all(GAME.initial, moves)
    return Question(position, moves, NO_LIMIT, 10_000)


def pids(games: RememberedGames) -> list[int | None]:
    return [game.session.pid for game in games._games]


def test_a_game_stays_with_its_process(games: RememberedGames) -> None:
    first = games.decide(engine(), question(), NO_WATCH).move
    [pid] = pids(games)
    reply = next(move for move in range(9) if move != first)
    games.decide(engine(), question(first, reply), NO_WATCH)
    assert pids(games) == [pid]


def test_each_game_has_a_process_of_its_own_also_of_equal_moves(games: RememberedGames) -> None:
    first = games.decide(engine(), question(), NO_WATCH).move
    assert games.decide(engine(), question(), NO_WATCH).move == first
    one, other = pids(games)
    assert one != other
    reply = next(move for move in range(9) if move != first)
    for _ in range(2):
        games.decide(engine(), question(first, reply), NO_WATCH)
    assert {*pids(games)} == {one, other}
    assert [len(game.moves) for game in games._games] == [3, 3]


def test_asked_once_more_it_says_the_same(games: RememberedGames) -> None:
    first = games.decide(engine(), question(), NO_WATCH).move
    reply = next(move for move in range(9) if move != first)
    second = games.decide(engine(), question(first, reply), NO_WATCH)
    assert games.decide(engine(), question(first, reply), NO_WATCH) == second
    assert len(pids(games)) == 1


def test_what_it_does_not_remember_is_lost(games: RememberedGames) -> None:
    with pytest.raises(BotFault) as fault:
        games.decide(engine(), question(4, 0), NO_WATCH)
    assert (fault.value.termination, str(fault.value)) == ("crash", LOST)
    first = games.decide(engine(), question(), NO_WATCH).move
    replies = [move for move in range(9) if move != first]
    second = games.decide(engine(), question(first, replies[0]), NO_WATCH).move
    with pytest.raises(BotFault, match="has lost its game"):  # a move was taken back
        games.decide(engine(), question(first, next(move for move in replies[1:] if move != second)), NO_WATCH)
    games.end_begun()
    free = next(move for move in replies[1:] if move != second)
    with pytest.raises(BotFault, match="has lost its game"):
        games.decide(engine(), question(first, replies[0], second, free), NO_WATCH)


def test_one_is_prepared_for_a_game_that_begins(games: RememberedGames) -> None:
    games.prepare(engine(), GAME, (), NO_WATCH)
    [pid] = pids(games)
    assert pid is not None
    first = games.decide(engine(), question(), NO_WATCH).move
    reply = next(move for move in range(9) if move != first)
    games.prepare(engine(), GAME, (first, reply), NO_WATCH)
    games.prepare(engine(), GAME, (first, reply, 8, 7), NO_WATCH)  # lost, which it is told when it is asked
    assert pids(games) == [pid]
    games.prepare(engine(), GAME, (), NO_WATCH)
    assert len(pids(games)) == 2


def test_one_that_is_only_to_be_prepared_is_not_asked(games: RememberedGames) -> None:
    with pytest.raises(Unwanted):
        games.decide(engine(), question(), Stop())
    [pid] = pids(games)
    assert pid is not None
    games.decide(engine(), question(), NO_WATCH)
    assert pids(games) == [pid]


def test_a_fault_ends_its_game_alone_and_pauses_before_the_next(games: RememberedGames) -> None:
    first = games.decide(engine(), question(), NO_WATCH).move
    games.decide(engine("illegal"), question(), NO_WATCH)
    [_, bad] = games._games
    reply = next(move for move in range(9) if move != first)
    with pytest.raises(BotFault, match="is taken by O"):
        games.decide(engine("illegal"), question(first, reply), NO_WATCH)
    assert (bad.session.pid, bad.answer, bad.session._pauses.failures) == (None, None, 1)
    games.decide(engine(), question(first, reply), NO_WATCH)
    games.decide(engine("illegal"), question(), NO_WATCH)
    assert bad.answer is not None


def test_the_game_that_was_asked_for_longest_ago_makes_room(
    games: RememberedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MAX_GAMES", 1)
    first = games.decide(engine(), question(), NO_WATCH).move
    games.decide(engine(), question(), NO_WATCH)
    games.decide(engine(), question(4), NO_WATCH)
    assert [game.moves[:1] for game in games._games] == [(4,)]
    with pytest.raises(BotFault, match="has lost its game"):
        games.decide(engine(), question(first, 0 if first else 1), NO_WATCH)


def test_of_games_whose_end_is_told_each_has_its_own_process_until_then(
    games: RememberedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MAX_GAMES", 2)
    for seed in (1, 2, 3):
        games.prepare(engine(), GAME, (), NO_WATCH, seed)
        first = games.decide(engine(), question(), NO_WATCH).move
    assert [game.seed for game in games._games] == [1, 2, 3], "none ends for another"
    _, second, _ = pids(games)
    moves = (first, 0 if first else 1)
    games.prepare(engine(), GAME, moves, NO_WATCH, 2)
    games.decide(engine(), question(*moves), NO_WATCH)
    games.end_game(3)
    games.end_game(1)
    assert pids(games) == [second]
    games.prepare(engine(), GAME, moves, NO_WATCH, 1)
    with pytest.raises(BotFault, match="has lost its game"):
        games.decide(engine(), question(*moves), NO_WATCH)


def test_where_there_are_fewer_none_makes_room(games: RememberedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MAX_GAMES", 4)
    for _ in range(3):
        games.decide(engine(), question(), NO_WATCH)
    assert len(pids(games)) == 3


def test_idle_ones_end_and_games_after_an_hour(games: RememberedGames, clock: Clock) -> None:
    games.prepare(engine("illegal"), GAME, (), NO_WATCH)
    games.decide(engine(), question(), NO_WATCH)
    games.end_idle()
    assert [game.engine for game in games._games] == [engine()]
    clock.now_s = IDLE_S
    games.end_idle()
    assert games._games == []
