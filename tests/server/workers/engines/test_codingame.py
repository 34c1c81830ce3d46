"""CodinGame's protocol from the arena's side: without a bot, and with one of a page."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.lab.brain import codingame as brain
from engine.bots import match
from engine.bots.fault import BotFault
from engine.bots.match import Pairing, Played, tasks
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.rules.registry import rules
from engine.search.decision import Decision
from server.workers.engines import session
from server.workers.engines.codingame import CodinGame
from server.workers.engines.dialogue import Question, Ready
from server.workers.engines.engine import Engine
from tests.support.foreign_engines.scripts import question_of, said

BOT = Path(__file__).parents[3] / "support" / "foreign_engines" / "codingame_bot.py"
GAMES = ("tictactoe", "ultimate", "ultimate:count")


def dialogue() -> CodinGame:
    made = CodinGame(Engine("mine", "mine", "/", "codingame"))
    assert made.begin(rules("ultimate")) == [Ready()]
    return made


def test_a_turn_is_the_opponents_move_and_the_valid_ones() -> None:
    assert said(dialogue().ask(question_of("tictactoe")))[:3] == ["-1 -1", "9", "0 0"]
    told = said(dialogue().ask(question_of("ultimate", "5/3")))
    assert told == ["3 5", "9", "0 6", "0 7", "0 8", "1 6", "1 7", "1 8", "2 6", "2 7", "2 8"]


@given(st.sampled_from(GAMES), st.booleans(), st.randoms(use_true_random=False))
def test_our_own_brain_follows_it_through_any_game(game: str, begins: bool, random: Random) -> None:
    asked = brain.CodinGame(rules(game), lambda position, move_ms, moves, game: Decision(position.legal_moves()[-1]))
    arena, position, moves = dialogue(), rules(game).initial, list[int]()
    while position.outcome is None:
        if (position.ply % 2 == 0) == begins:
            turn = said(arena.ask(Question(position, tuple(moves), NO_LIMIT, 100)))
            [answer] = [line for one in turn for line in asked.hear(one)]
            [decision] = arena.hear(answer.encode())
            assert isinstance(decision, Decision)
            assert decision.move == position.legal_moves()[-1]
            moves.append(decision.move)
        else:
            moves.append(random.choice(position.legal_moves()))
        position = position.play(moves[-1])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"b2", "wrote 'b2': a move is a row and a column, as in 4 7"),
        (b"1", "a move is a row and a column"),
        (b"1 1 1", "a move is a row and a column"),
        (b"-1 1", "a move is a row and a column"),
        (b"3 0", "played 3 0, which is off the board"),
        (b"1 1", "played 1 1: b2 is taken by X"),
        (b"\xff", "wrote what is not UTF-8"),
    ],
)
def test_what_is_said_wrongly(line: bytes, sentence: str) -> None:
    asked = dialogue()
    asked.ask(question_of("tictactoe", "b2"))
    with pytest.raises(BotFault) as fault:
        asked.hear(line)
    assert sentence in str(fault.value)
    assert fault.value.termination == "illegal_move"


def test_a_move_that_was_not_asked_for() -> None:
    asked = dialogue()
    asked.ask(question_of("tictactoe"))
    assert asked.hear(b"") == []
    assert asked.hear(b" 0 0 ") == [Decision(0, pv=(0,))]
    with pytest.raises(BotFault, match="wrote '0 1' without being asked"):
        asked.hear(b"0 1")


def played(mode: str, game: str = "tictactoe", pairs: int = 1) -> list[Played]:
    engine = Engine("mine", sys.executable, str(BOT.parent), "codingame", (BOT.name, mode), move_ms=10_000)
    return [match.play(task) for task in tasks(Pairing(game, engine.bot, bot("random"), pairs, plies=0))]


@pytest.mark.parametrize(("game", "pairs"), [("tictactoe", 3), ("ultimate:count", 1)])
def test_a_bot_beats_random(game: str, pairs: int) -> None:
    games = played("good", game, pairs)
    assert [game.fault for game in games] == [None] * 2 * pairs
    points = sum(game.a_points or 0.0 for game in games)
    assert points >= 1.5 * pairs


@pytest.mark.parametrize(
    ("mode", "termination", "sentence"),
    [
        ("crash", "crash", "mine (X) ended with exit status 1: RuntimeError: a crash on command."),
        ("illegal", "illegal_move", "is taken by O."),
        ("off", "illegal_move", "mine (X) played 9 9, which is off the board."),
        ("form", "illegal_move", "mine (X) wrote 'b2': a move is a row and a column, as in 4 7."),
        ("bytes", "illegal_move", "mine (X) wrote what is not UTF-8"),
        ("flood", "crash", "mine (X) was ended, since it wrote more than 1024 KB before its move."),
        ("endless-line", "crash", "mine (X) was ended, since it wrote a line of more than 64 KB."),
    ],
)
def test_what_a_bot_does_wrong_loses_its_game(mode: str, termination: str, sentence: str) -> None:
    lost, other = played(mode)
    assert (lost.record.termination, lost.a_points) == (termination, 0.0)
    assert sentence in str(lost.fault)
    assert other.fault is not None


def test_one_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine("mine", sys.executable, str(BOT.parent), "codingame", (BOT.name, "hang", "1"), move_ms=100)
    [task, _] = tasks(Pairing("tictactoe", engine.bot, bot("random"), 1, plies=0))
    monkeypatch.setattr(session, "HANG_MS", 0)
    assert match.play(task).fault == "Game 1, move 1: mine (X) did not answer within 1000 ms and was ended."


@pytest.mark.slow  # a late answer takes more than the tenth of a second that it has
def test_one_that_is_late_loses_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HANG_MS", 60_000)
    late = Engine("mine", sys.executable, str(BOT.parent), "codingame", (BOT.name, "late"), move_ms=100)
    [task, _] = tasks(Pairing("tictactoe", late.bot, bot("random"), 1, plies=0))
    lost = match.play(task)
    assert (lost.record.termination, str(lost.fault)[-15:]) == ("flag", " ms of its 100.")
