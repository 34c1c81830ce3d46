"""The JSON answers about bots and rules, made of the engine's lists."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine.bots.roster import Choice, bots
from engine.rules.registry import games
from server.http.answers.catalogue import ParameterAnswer, _parameter, bot_answer, rules_answer


def sent(answer: object) -> Any:
    return json.loads(msgspec.json.encode(answer))


@pytest.mark.parametrize("entry", bots(), ids=lambda entry: entry.family)
def test_bots(entry: Any) -> None:
    answer = bot_answer(entry)
    assert (answer.family, answer.name, answer.version) == (entry.family, entry.name, entry.version)
    assert [parameter.name for parameter in answer.parameters] == [parameter.name for parameter in entry.parameters]
    for parameter in answer.parameters:
        assert (parameter.choices is None) != (parameter.min is None), "numbers have bounds, the others choices"


def test_only_who_follows_games_from_their_start_has_a_longest_start() -> None:
    entry = bots()[0]
    assert "opening_plies" not in sent(bot_answer(entry))
    assert sent(bot_answer(replace(entry, opening_plies=0)))["opening_plies"] == 0


def test_a_parameter_of_words() -> None:
    choice = Choice(name="style", meaning="How it plays.", words=("calm", "wild"), default="calm")
    assert _parameter(choice) == ParameterAnswer(
        name="style", meaning="How it plays.", default="calm", choices=["calm", "wild"]
    )


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_rules(game: Any) -> None:
    answer = sent(rules_answer(game))
    assert answer["id"] == game.id
    assert len(answer["sentences"]) == 3
    assert answer["nested"] == game.nested
    cells = 1
    for size in answer["dimensions"]:
        cells *= size
    assert cells == game.cells
