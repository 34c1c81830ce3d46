"""The Gomocup protocol from the manager's side: without a brain, and with one of a page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.bots import match
from engine.bots.fault import BotFault
from engine.bots.match import Pairing, Played, tasks
from engine.bots.roster import bot
from engine.rules.registry import rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import Question, Ready
from server.workers.engines.engine import Engine
from server.workers.engines.gomocup import Gomocup
from tests.support.foreign_engines.scripts import question_of, said

BRAIN = Path(__file__).parents[3] / "support" / "foreign_engines" / "gomocup_brain.py"
LIMITS = [
    "INFO timeout_turn 1000",
    "INFO timeout_match 0",
    "INFO time_left 2147483647",
    "INFO max_memory 1073741824",
    "INFO game_type 1",
    "INFO rule 0",
]


def question(texts: str, game: str = "gomoku") -> Question:
    return question_of(game, texts)


def ready(game: str = "gomoku", **options: int) -> Gomocup:
    dialogue = Gomocup(Engine("mine", "mine", "/", "gomocup", options=tuple(options.items())))
    dialogue.begin(rules(game))
    assert dialogue.hear(b"OK - everything is good") == [Ready()]
    return dialogue


def test_a_board_is_begun_by_its_size() -> None:
    dialogue = Gomocup(Engine("mine", "mine", "/", "gomocup"))
    assert said(dialogue.begin(rules("gomoku"))) == ["START 15"]
    assert said(dialogue.begin(rules("mnk:20,20,5"))) == ["START 20"]
    assert said(dialogue.begin(rules("mnk:9,7,5"))) == ["RECTSTART 9,7"]


def test_the_first_move_of_a_game() -> None:
    dialogue = ready()
    assert said(dialogue.ask(question(""))) == [*LIMITS, "BEGIN"]
    assert dialogue.hear(b"7,7") == [Decision(7 + 15 * 7, pv=(7 + 15 * 7,))]
    assert said(ready().ask(question("h8"))) == [*LIMITS, "TURN 7,7"]


def test_an_exact_board_is_played_by_another_rule() -> None:
    exact = "mnk:15,15,5,exact"
    assert said(ready(exact).ask(question("", exact))) == [*LIMITS[:-1], "INFO rule 1", "BEGIN"]
    dialogue = ready()
    assert said(dialogue.ask(question("h8", exact))) == ["START 15"]
    assert said(dialogue.hear(b"OK"))[-2:] == ["INFO rule 1", "TURN 7,7"]


def test_options_are_keys_of_info() -> None:
    assert said(ready(a=True, b=False).ask(question("")))[-3:] == ["INFO a 1", "INFO b 0", "BEGIN"]
    assert said(ready(rule=1, threads=2).ask(question("")))[-3:] == ["INFO rule 1", "INFO threads 2", "BEGIN"]


def test_a_game_goes_on_by_turns() -> None:
    dialogue = ready()
    dialogue.ask(question("h8"))
    dialogue.hear(b"8,7")
    assert said(dialogue.ask(question("h8 i8 a2"))) == [*LIMITS, "TURN 0,1"]


def test_another_position_is_told_whole() -> None:
    dialogue = ready()
    assert said(dialogue.ask(question("h8 i8 a2"))) == [*LIMITS, "BOARD", "7,7,2", "8,7,1", "0,1,2", "DONE"]
    dialogue.hear(b"1,1")
    assert said(dialogue.ask(question("h8 i8"))) == ["RESTART"]
    assert said(dialogue.hear(b"OK")) == [*LIMITS, "BOARD", "7,7,1", "8,7,2", "DONE"]
    dialogue.hear(b"1,1")
    assert said(dialogue.ask(question(""))) == ["RESTART"]
    assert said(dialogue.hear(b"OK")) == [*LIMITS, "BEGIN"]


def test_another_board_is_begun() -> None:
    dialogue = ready()
    assert said(dialogue.ask(question("a1", "mnk:6,5,5"))) == ["RECTSTART 6,5"]
    assert said(dialogue.hear(b"OK")) == [*LIMITS, "TURN 0,0"]
    assert dialogue.hear(b"5,4") == [Decision(29, pv=(29,))]


@pytest.mark.parametrize("line", [b"", b"MESSAGE 7,7", b"DEBUG 7,7", b"SUGGEST 7,7", b"UNKNOWN INFO", b"OK", b"hello"])
def test_other_lines_are_passed_over(line: bytes) -> None:
    dialogue = ready()
    dialogue.ask(question(""))
    assert dialogue.hear(line) == []
    assert dialogue.hear(b" 7 , 7\r") == [Decision(112, pv=(112,))]


@pytest.mark.parametrize(
    ("line", "termination", "sentence"),
    [
        (b"7 7", "illegal_move", "wrote '7 7': a move is a column and a row, as in 7,7"),
        (b"15,0", "illegal_move", "played 15,0, which is off the board"),
        (b"7,7", "illegal_move", "played 7,7, which is taken"),
        (b"\xff", "illegal_move", "wrote what is not UTF-8"),
        (b"ERROR rectangular boards are not supported", "crash", "said 'ERROR rectangular boards are not supported'"),
    ],
)
def test_what_is_said_wrongly(line: bytes, termination: str, sentence: str) -> None:
    dialogue = ready()
    dialogue.ask(question("h8"))
    with pytest.raises(BotFault) as fault:
        dialogue.hear(line)
    assert sentence in str(fault.value)
    assert fault.value.termination == termination


def test_a_move_that_was_not_asked_for() -> None:
    dialogue = ready()
    with pytest.raises(BotFault, match="played 1,1 without being asked"):
        dialogue.hear(b"1,1")


@pytest.mark.parametrize("line", [b"UNKNOWN command", b"ERROR unsupported size"])
def test_a_board_that_it_does_not_know(line: bytes) -> None:
    dialogue = Gomocup(Engine("mine", "mine", "/", "gomocup"))
    dialogue.begin(rules("gomoku"))
    with pytest.raises(BotFault, match="said '"):
        dialogue.hear(line)


def played(mode: str, pairs: int = 1) -> list[Played]:
    engine = Engine("brain", sys.executable, str(BRAIN.parent), "gomocup", (BRAIN.name, mode), move_ms=10_000)
    return [match.play(task) for task in tasks(Pairing("gomoku", engine.bot, bot("random"), pairs))]


def test_a_brain_beats_random() -> None:
    games = played("good", 2)
    assert [(game.a_points, game.fault) for game in games] == [(1.0, None)] * 4


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        ("taken", "which is taken."),
        ("off", "brain (X) played 99,0, which is off the board."),
        ("words", "brain (X) wrote '7 7': a move is a column and a row, as in 7,7."),
        ("error", "brain (X) said 'ERROR I give up'."),
    ],
)
def test_what_a_brain_does_wrong_loses_its_game(mode: str, sentence: str) -> None:
    game = played(mode)[0]
    assert game.a_points == 0.0
    assert game.fault is not None
    assert game.fault.endswith(sentence)
