"""Engines in their processes: good ones, and every kind of bad one, each of which costs nobody but itself a game."""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path

import pytest

from engine.bots import match
from engine.bots.fault import BotFault
from engine.bots.match import Played, Task
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.bots.roster import bot
from engine.rules.registry import rules
from engine.rules.termination import Termination
from server.workers.engines import session
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import Engine
from server.workers.engines.leash import LeashedProcess
from server.workers.engines.session import Session, Unwanted
from tests.support.engine.watches import StopsAfter
from tests.support.foreign_engines.ended import assert_gone
from tests.support.foreign_engines.scripts import engine

FIRST = Question(rules("tictactoe").initial, (), NO_LIMIT, 60_000)


def play(bad: Engine) -> Played:
    """A game against `random`, which goes on as long as the engine does nothing wrong."""
    return match.play(Task(0, 0, "x", "tictactoe", bad.bot, bot("random"), NO_LIMIT, NO_LIMIT, (), 1))


def test_a_good_engine_plays_and_its_words_are_recorded() -> None:
    played = play(engine())
    assert (played.record.winner, played.record.termination, played.fault) == ("x", "line", None)
    first = played.record.moves[0]
    assert (first.cell, first.nodes, first.depth, first.value) == (0, 12, 3, 0.5)


@pytest.mark.parametrize(
    ("mode", "termination", "sentence"),
    [
        ("crash", "crash", "bad (X) ended with exit status 1: RuntimeError: a crash on command."),
        ("illegal", "illegal_move", "bad (X) played 'a1': a1 is taken by X."),
        ("twice", "illegal_move", "without being asked."),
    ],
)
def test_what_an_engine_does_wrong_loses_its_game(mode: str, termination: Termination, sentence: str) -> None:
    played = play(engine(mode))
    assert (played.record.winner, played.record.termination) == ("o", termination)
    assert played.fault is not None
    assert sentence in played.fault


@pytest.mark.parametrize("mode", ["hang", "stderr"])
def test_an_engine_that_hangs(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """Not in a whole game: its first move could be late where the machine is busy."""
    one = Session(engine(mode, "1"))
    one.prepare(FIRST.rules, NO_WATCH)
    monkeypatch.setattr(session, "HANG_MS", 0)
    with pytest.raises(BotFault, match=r"^did not answer within 200 ms and was ended$") as fault:
        one.decide(Question(FIRST.position.play(0), (0,), NO_LIMIT, 200), NO_WATCH)
    assert fault.value.termination == "stall"
    assert one.pid is None


def test_a_line_without_an_end_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Session(engine("half", "1"))
    one.prepare(FIRST.rules, NO_WATCH)
    monkeypatch.setattr(session, "HANG_MS", 0)
    quoted = r"""it wrote '\{"move": "b1"\}' and did not end the line"""
    with pytest.raises(BotFault, match=rf"^did not answer within 500 ms and was ended: {quoted}$"):
        one.decide(Question(FIRST.position.play(0), (0,), NO_LIMIT, 500), NO_WATCH)


def test_a_late_answer_loses_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HANG_MS", 60_000)
    played = play(engine("late", move_ms=100))
    assert played.record.termination == "flag"
    assert played.fault is not None
    assert played.fault.endswith(" ms of its 100.")


def test_one_that_is_never_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "START_MS", 100)
    assert play(engine("deaf")).fault == (
        "Game 1, move 1: bad (X) was not ready within 100 ms and was ended (it must flush each line that it writes)."
    )


def test_one_that_was_not_ready_is_not_waited_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "START_MS", 0)
    one = Session(engine("deaf"))
    with pytest.raises(BotFault) as unready:
        one.prepare(FIRST.rules, NO_WATCH)
    monkeypatch.setattr(session, "START_MS", 60_000)
    with pytest.raises(BotFault) as lost:
        one.decide(FIRST, NO_WATCH)
    assert lost.value is unready.value
    with pytest.raises(Unwanted):  # for the next game it is
        one.prepare(FIRST.rules, StopsAfter(3))


def test_one_that_could_not_be_started_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Session(engine())
    with monkeypatch.context() as failing:
        failing.setattr(session, "LeashedProcess", refuse)
        with pytest.raises(BotFault, match="cannot be started"):
            one.prepare(FIRST.rules, NO_WATCH)
    assert one.decide(FIRST, NO_WATCH).move in FIRST.position.legal_moves()
    one.end()


def refuse(engine: Engine) -> LeashedProcess:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def test_what_one_that_is_not_ready_said_last_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "START_MS", 0)
    heard = LeashedProcess.last_words

    def heard_in_the_end(process: LeashedProcess) -> str:
        while not heard(process):
            process.line(0.02)
        return heard(process)

    monkeypatch.setattr(LeashedProcess, "last_words", heard_in_the_end)
    assert play(engine("loading")).fault == (
        "Game 1, move 1: bad (X) was not ready within 0 ms and was ended: loads its tables."
    )


def test_a_start_that_is_no_longer_wanted_is_broken_off() -> None:
    one = Session(engine("deaf"))
    with pytest.raises(Unwanted):
        one.prepare(rules("tictactoe"), StopsAfter(3))
    assert one.pid is None


def test_one_that_cannot_be_started(tmp_path: Path) -> None:
    assert play(Engine("mine", "./mine", str(tmp_path), "json")).fault == (
        f"Game 1, move 1: mine (X) cannot be started: Engine mine: there is no program './mine' in {tmp_path}."
    )


def test_an_engine_stays_warm_between_games_and_comes_again_after_a_crash() -> None:
    one = Session(engine())
    one.decide(FIRST, NO_WATCH)
    pid = one.pid
    one.decide(FIRST, NO_WATCH)
    assert one.pid == pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert_gone(pid)
    with pytest.raises(BotFault, match="was ended by signal 9"):
        one.decide(FIRST, NO_WATCH)
    assert (one.pid, one._pauses.failures) == (None, 1)
    assert one.decide(FIRST, NO_WATCH).move == 0
    assert one._pauses.failures == 0
    one.end()


def test_pauses_grow_with_each_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    now = [1000.0]

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", sleep)
    one = Session(Engine("mine", "./none", "/", "json"))
    for _ in range(4):
        with pytest.raises(BotFault):
            one.prepare(rules("tictactoe"), NO_WATCH)
    assert sum(waited) == pytest.approx(0.05 + 0.1)


def test_an_engine_near_its_processor_time_is_started_anew() -> None:
    one = Session(engine(cpu_s=1))
    one.decide(FIRST, NO_WATCH)
    pid = one.pid
    one._thought_ms = 501
    one.decide(FIRST, NO_WATCH)
    assert one.pid != pid
    one.end()


def test_an_answer_that_is_not_wanted_ends_the_engine() -> None:
    one = Session(engine("hang", "1"))
    position = FIRST.position.play(0)
    with pytest.raises(Unwanted):
        one.decide(Question(position, (0,), NO_LIMIT, 60_000), StopsAfter(3))
    assert one.pid is None


def test_one_that_is_only_to_be_prepared_is_not_asked() -> None:
    one = Session(engine())
    with pytest.raises(Unwanted):
        one.decide(FIRST, StopsAfter(0))
    assert one.pid is not None
    one.end()
