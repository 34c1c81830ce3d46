"""UGI from the arena's side: without an engine, with our own without a process, and with `noughts ugi`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from client.lab.brain.ugi import Dialogue, Search
from engine.bots import match
from engine.bots.fault import BotFault
from engine.bots.match import Task
from engine.bots.player import NO_LIMIT, decide
from engine.bots.roster import bot
from engine.rules.limit import Limit
from engine.rules.registry import rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import Question, Ready, Report, Say
from server.workers.engines.engine import Engine
from server.workers.engines.ugi import Ugi
from tests.support.foreign_engines.scripts import question_of, said

ROOT = Path(__file__).parents[4]


def ready(*lines: bytes, **options: Any) -> Ugi:
    """An engine that has introduced itself by these lines."""
    dialogue = Ugi(Engine("mine", "mine", "/", "ugi", options=tuple(options.items())))
    assert dialogue.begin(rules("tictactoe")) == [Say("ugi")]
    for line in lines:
        assert dialogue.hear(line) == []
    assert said(dialogue.hear(b"ugiok"))[-1] == "isready"
    assert dialogue.hear(b"readyok") == [Ready()]
    return dialogue


def test_readiness_that_nobody_has_asked_for_is_no_answer() -> None:
    dialogue = ready()
    assert dialogue.hear(b"readyok") == [Ready()], "which is passed over between two questions"
    position = rules("tictactoe").initial
    dialogue.ask(Question(position, (), NO_LIMIT, 1000, 1))
    assert dialogue.hear(b"readyok") == []


def test_the_first_lines_set_options_and_the_game() -> None:
    dialogue = Ugi(Engine("mine", "mine", "/", "ugi", options=(("Hash Size", 3), ("book", True))))
    dialogue.begin(rules("qubic"))
    for line in (
        b"id name Mine",
        b"option name hash size type spin",
        b"option name Book type check",
        b"option name game",
    ):
        assert dialogue.hear(line) == []
    assert said(dialogue.hear(b"ugiok")) == [
        "setoption name Hash Size value 3",
        "setoption name book value true",
        "setoption name game value qubic",
        "isready",
    ]


def test_an_option_that_it_does_not_know_is_a_fault() -> None:
    with pytest.raises(BotFault, match="has no option 'style': its options are hash") as fault:
        ready(b"option name hash type spin", style="calm")
    assert fault.value.termination == "crash"


def test_a_position_is_told_with_its_limit() -> None:
    dialogue = ready()
    assert said(dialogue.ask(question_of("tictactoe", ""))) == ["position startpos", "go movetime 1000"]
    assert said(dialogue.ask(question_of("tictactoe", "b2 a1", Limit(nodes=9)))) == [
        "position startpos moves b2 a1",
        "go nodes 9",
    ]
    assert said(dialogue.ask(question_of("tictactoe", "b2 a1 c3 b1", Limit(depth=2))))[-1] == "go depth 2"


def test_another_game_is_told_of() -> None:
    dialogue = ready(b"option name game type combo")
    dialogue.ask(question_of("tictactoe", "b2 a1"))
    assert said(dialogue.ask(question_of("tictactoe", "b2 a2")))[0] == "uginewgame"
    assert said(dialogue.ask(question_of("qubic", "")))[:2] == ["setoption name game value qubic", "uginewgame"]


def test_what_it_says_of_its_search_is_kept() -> None:
    dialogue = ready()
    dialogue.ask(question_of("tictactoe", "b2"))
    assert dialogue.hear(b"info depth 2 seldepth 3 score cp -107 time 1 nodes 50 tthits 1 pv a1 c3") == [
        Report(50, 2, -107.0, (0, 8))
    ]
    assert dialogue.hear(b"info string nodes 3 pv a1") == []
    assert dialogue.hear(b"info nodes 70 depth nan score 0.5") == []
    assert dialogue.hear(b"bestmove a1") == [Decision(0, nodes=70, depth=2, value=0.5, pv=(0, 8))]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"bestmove", "wrote a bestmove without a move"),
        (b"bestmove none", "played 'none': 'none' names no cell"),
        (b"bestmove b2", "played 'b2': b2 is taken by X."),
        (b"bestmove \xff", "wrote what is not UTF-8"),
    ],
)
def test_what_is_said_wrongly_is_an_illegal_move(line: bytes, sentence: str) -> None:
    dialogue = ready()
    dialogue.ask(question_of("tictactoe", "b2"))
    with pytest.raises(BotFault) as fault:
        dialogue.hear(line)
    assert sentence in str(fault.value)
    assert fault.value.termination == "illegal_move"


def test_a_second_move_was_not_asked_for() -> None:
    dialogue = ready()
    dialogue.ask(question_of("tictactoe", "b2"))
    dialogue.hear(b"bestmove a1")
    assert dialogue.hear(b"info depth 3") == []
    with pytest.raises(BotFault, match="wrote a bestmove without being asked"):
        dialogue.hear(b"bestmove a1")


def test_it_understands_the_engine_that_we_are() -> None:
    """Both sides of the protocol, line by line and without a process."""
    theirs, ours = Dialogue(), Ugi(Engine("mine", "mine", "/", "ugi", options=(("bot", "random"),)))
    asked = question_of("qubic", "d4.4", Limit(depth=1))
    to_do, found = ours.begin(asked.rules), None
    while to_do:
        event = to_do.pop(0)
        if isinstance(event, Ready):
            to_do += ours.ask(asked)
        elif isinstance(event, Decision):
            found = event
        elif isinstance(event, Say):
            for effect in theirs.hear(event.line):
                if isinstance(effect, Search):
                    lines = theirs.decided(decide(effect.bot, effect.position, effect.limit, effect.seed), 1)
                    to_do += [one for line in lines for one in ours.hear(line.encode())]
                elif isinstance(effect, str):
                    to_do += ours.hear(effect.encode())
    assert found is not None
    assert asked.position.is_legal(found.move)


def test_noughts_plays_as_an_engine_of_noughts() -> None:
    engine = Engine(
        "ours", sys.executable, str(ROOT), "ugi", ("-m", "client", "ugi", "--seed", "1"), options=(("bot", "random"),)
    )
    task = Task(0, 0, "x", "ultimate", engine.bot, bot("random"), NO_LIMIT, NO_LIMIT, (), 1)
    played = match.play(task)
    assert played.fault is None
    assert len(played.record.moves) > 16
