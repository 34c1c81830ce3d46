"""The nine-board protocol of UNSW from the server's side: without an agent, and with one of a page behind its port."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.lab.brain.servt import Servt as Brain
from engine.bots import match
from engine.bots.fault import BotFault
from engine.bots.match import Pairing, Played, tasks
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.bots.roster import bot
from engine.rules.registry import rules
from engine.search.decision import Decision
from server.workers.engines import session
from server.workers.engines.dialogue import Question, Ready
from server.workers.engines.engine import Engine
from server.workers.engines.servt import Servt, full_board
from server.workers.engines.session import Session
from tests.support.foreign_engines.scripts import question_of, said

AGENT = Path(__file__).parents[3] / "support" / "foreign_engines" / "servt_agent.py"
NINE = rules("nine-board")


def agent(mode: str, move_ms: int = 10_000) -> Engine:
    return Engine(
        "mine", sys.executable, str(AGENT.parent), "servt", (AGENT.name, "-p", "{port}", mode), move_ms=move_ms
    )


def dialogue() -> Servt:
    made = Servt(agent("good"))
    assert made.begin(NINE) == []
    assert made.hear(b"connected") == [Ready()]
    return made


def question(texts: str, seed: int = 0) -> Question:
    return question_of("nine-board", texts, seed=seed)


def test_a_game_begins_with_a_move_by_lot() -> None:
    lots = {dialogue().ask(question("", seed))[0] for seed in range(40)}
    assert len(lots) > 20
    assert dialogue().ask(question("", 1)) == dialogue().ask(question("", 1))


def test_the_questions_of_a_game() -> None:
    assert said(dialogue().ask(question("5/3"))) == ["init.", "start(o).", "second_move(5,3)."]
    asked = dialogue()
    assert said(asked.ask(question("5/3 3/9"))) == ["init.", "start(x).", "third_move(5,3,9)."]
    assert asked.hear(b"4\r") == [Decision(75, pv=(75,))]
    assert said(asked.ask(question("5/3 3/9 9/4 4/2"))) == ["next_move(2)."]


@given(st.booleans(), st.randoms(use_true_random=False))
def test_our_own_brain_follows_it_through_any_game(begins: bool, random: Random) -> None:
    brain = Brain(lambda position, move_ms, moves, game: Decision(position.legal_moves()[-1]), 1000)
    host, position, moves = dialogue(), NINE.initial, list[int]()
    while position.outcome is None and full_board(NINE, tuple(moves)) is None:
        if position.ply and (position.ply % 2 == 0) == begins:
            told = said(host.ask(Question(position, tuple(moves), NO_LIMIT, 100)))
            [answer] = [line for one in told for line in brain.hear(one)]
            [decision] = host.hear(answer.encode())
            assert isinstance(decision, Decision)
            assert decision.move == position.legal_moves()[-1]
            moves.append(decision.move)
        else:
            moves.append(random.choice(position.legal_moves()))
        position = position.play(moves[-1])


def test_a_full_board_ends_what_the_protocol_can_say() -> None:
    filling = "1/3 3/8 8/3 3/1 1/4 4/1 1/8 8/1 1/1 1/7 7/1 1/9 9/1 1/5 5/1 1/6 6/1 1/2 2/1"
    free = question(filling)
    assert free.position.forced is None
    assert full_board(NINE, free.moves[:-1]) is None
    for texts in (filling, f"{filling} 9/9"):
        with pytest.raises(
            BotFault, match="cannot go on: a move led to board 1, which is full, and that ends its game"
        ):
            dialogue().ask(question(texts))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"10", "wrote '10': a move is a square, 1 to 9"),
        (b"0", "a move is a square, 1 to 9"),
        (b"3/3", "a move is a square, 1 to 9"),
        (b"connected", "a move is a square, 1 to 9"),
        (b"5", "played 5: 5/5 is taken by X"),
        (b"\xff", "wrote what is not UTF-8"),
    ],
)
def test_what_is_said_wrongly(line: bytes, sentence: str) -> None:
    asked = dialogue()
    asked.ask(question("5/5"))
    with pytest.raises(BotFault) as fault:
        asked.hear(line)
    assert sentence in str(fault.value)
    assert fault.value.termination == "illegal_move"


def test_a_move_that_was_not_asked_for() -> None:
    asked = dialogue()
    assert asked.hear(b"") == []
    with pytest.raises(BotFault, match="wrote '3' without being asked"):
        asked.hear(b"3")


def played(mode: str, pairs: int = 1, plies: int = 1, move_ms: int = 10_000) -> list[Played]:
    return [
        match.play(task)
        for task in tasks(Pairing("nine-board", agent(mode, move_ms).bot, bot("random"), pairs, plies=plies))
    ]


@pytest.mark.parametrize("plies", [0, 1])
def test_an_agent_beats_random(plies: int) -> None:
    games = played("good", 1, plies)
    assert [game.fault for game in games] == [None] * 2
    assert sum(game.a_points or 0.0 for game in games) >= 1.5


@pytest.mark.parametrize(
    ("mode", "termination", "sentence"),
    [
        ("crash", "crash", "ended with exit status 1: RuntimeError: a crash on command."),
        ("illegal", "illegal_move", "is taken by "),
        ("form", "illegal_move", "wrote '10': a move is a square, 1 to 9."),
        ("bytes", "illegal_move", "wrote what is not UTF-8"),
        ("twice", "illegal_move", "wrote '1' without being asked."),
        ("flood", "crash", "was ended, since it wrote more than 1024 KB before its move."),
        ("endless-line", "crash", "was ended, since it wrote a line of more than 64 KB."),
        ("leaves", "crash", "ended with exit status 1: RuntimeError: a crash on command."),
    ],
)
def test_what_an_agent_does_wrong_loses_its_game(mode: str, termination: str, sentence: str) -> None:
    lost = played(mode)[0]
    assert (lost.record.termination, lost.a_points) == (termination, 0.0)
    assert sentence in str(lost.fault)


@pytest.mark.slow  # a late answer takes more than the second that it has at least
def test_one_that_is_late_loses_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HANG_MS", 60_000)
    assert played("late", move_ms=100)[0].record.termination == "flag"


def test_one_that_hangs_or_never_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HANG_MS", 0)
    assert "did not answer within 200 ms" in str(played("hang", move_ms=200)[0].fault)
    monkeypatch.setattr(session, "START_MS", 300)
    assert "was not ready within 300 ms and was ended" in str(played("deaf")[0].fault)


def test_its_port_is_reached_by_it_alone_and_ends_with_it() -> None:
    one = Session(agent("good"))
    one.prepare(NINE, NO_WATCH)
    assert one.decide(question("5/5"), NO_WATCH).move // 9 == 4
    one.end()
    assert one.pid is None
