"""The JSON lines of an engine, without one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.bots.fault import BotFault
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import rules
from engine.search.decision import Decision
from server.workers.engines.dialogue import Event, Ready, Report, Say
from server.workers.engines.engine import Engine
from server.workers.engines.json_lines import JsonLines
from tests.support.foreign_engines.scripts import question_of


def asked(game: str = "tictactoe", texts: str = "b2", limit: Limit = NO_LIMIT, **settings: Any) -> JsonLines:
    """A dialogue that has been asked for the move after these."""
    dialogue = JsonLines(Engine("mine", "mine", "/", "json", **settings))
    dialogue.begin(rules("tictactoe"))
    assert dialogue.hear(b'{"move": "a1"}') == [Ready()]
    said(dialogue.ask(question_of(game, texts, limit)))
    return dialogue


def said(events: list[Event]) -> dict[str, object]:
    [only] = events
    assert isinstance(only, Say)
    told: dict[str, object] = json.loads(only.line)
    return told


def test_a_question_tells_position_legal_moves_and_limits() -> None:
    dialogue = JsonLines(Engine("mine", "mine", "/", "json", options=(("style", "calm"),)))
    assert said(dialogue.ask(question_of("tictactoe", "b2 a1", Limit(nodes=7)))) == {
        "game": "tictactoe",
        "moves": ["b2", "a1"],
        "board": "o...x....",
        "to_move": "x",
        "legal": ["b1", "c1", "a2", "c2", "a3", "b3", "c3"],
        "move_ms": 1000,
        "nodes": 7,
        "options": {"style": "calm"},
    }


def test_a_forced_board_is_told() -> None:
    told = said(JsonLines(Engine("mine", "mine", "/", "json")).ask(question_of("ultimate", "5/3")))
    assert (told["forced"], told["legal"]) == (3, [f"3/{square}" for square in range(1, 10)])
    assert "forced" not in said(JsonLines(Engine("mine", "mine", "/", "json")).ask(question_of("ultimate", "")))


def test_what_an_engine_says_of_itself_is_kept() -> None:
    line = b'{"move": "a1", "value": -0.5, "win_in": -4, "depth": 6, "nodes": 90, "line": ["a1", "c3"], "mood": 3}'
    [decision] = asked().hear(line)
    assert decision == Decision(0, nodes=90, depth=6, value=-0.5, win_in=-4, pv=(0, 8))


def test_a_line_that_is_not_its_own_is_dropped() -> None:
    assert asked().hear(b'{"move": "a1", "line": ["c3", "a1"]}') == [Decision(0, pv=(0,))]
    assert asked().hear(b'{"move": "a1", "line": ["a1", "a1", "c3"]}') == [Decision(0, pv=(0,))]


def test_reports_come_before_the_move() -> None:
    dialogue = asked()
    assert dialogue.hear(b'{"depth": 2, "nodes": 5, "value": 1, "line": ["c3"]}') == [Report(5, 2, 1.0, (8,))]
    assert dialogue.hear(b"  ") == []
    assert dialogue.hear(b' {"move": "c3"} ') == [Decision(8, pv=(8,))]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"a1", "wrote 'a1' (This is not valid JSON from character 1 on"),
        (b'["a1"]', "This must be an object, not a list of 1"),
        (b'{"move": 1}', "move must be text, not 1): an answer is a line such as"),
        (b'{"move": "a1", "value": 2000000}', "value must be a number from -1000000 to 1000000, not 2000000"),
        (b'{"move": "a1", "value": NaN}', "JSON has no NaN"),
        (b'{"move": "a1", "nodes": -1}', "nodes must be a whole number from 0 to 1000000000000000, not -1"),
        (b'{"move": "a1", "depth": 1e9}', "depth must be a whole number from 0 to 1000, not 1000000000.0"),
        (b'{"move": "a1", "x": ' + b"[" * 30_000, "Brackets are nested too deeply"),
        (b'{"move": "b2"}', "played 'b2': b2 is taken by X."),
        (b'{"move": "\xff"}', "wrote what is not UTF-8"),
    ],
)
def test_what_is_said_wrongly_is_an_illegal_move(line: bytes, sentence: str) -> None:
    with pytest.raises(BotFault) as fault:
        asked().hear(line)
    assert sentence in str(fault.value)
    assert fault.value.termination == "illegal_move"


def test_a_second_answer_is_answered_to_nothing() -> None:
    dialogue = asked()
    dialogue.hear(b'{"move": "a1"}')
    with pytest.raises(BotFault, match="without being asked"):
        dialogue.hear(b'{"move": "a2"}')
