"""Names that a bot has, or that look like one's."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given

from engine.bots.roster import OUR_ROSTER, Roster, bots
from server.rooms.players.bot_names import BotNames
from tests.support.foreign_engines.scripts import engine

NAMES = BotNames(OUR_ROSTER.entries)


@pytest.mark.parametrize(
    "name",
    [
        *("Level 2", "level:2", "LEVEL2", "Level  10", "level-2", "Level", "Level 2!", "Bot Level 2", "Level 2 (bot)"),
        *("LeveI 2", "Leve1 2", "Level l", "Level I", "L3vel 2", "L\u00e9vel 2", "\uff2c\uff45\uff56\uff45\uff4c 2"),
        *(
            "\U0001d40b\U0001d41e\U0001d42f\U0001d41e\U0001d425 2",
            "L\u0435v\u0435l 2",
            "Lev\u0435\u04cf 2",
            "Le\u200dvel 2",
        ),
        *("Random", "random", "R\u0430ndom", "Rand0m", "Randorn", "R4ndom", "RANDOM 2", "\u0391lpha-beta 3"),
        *("strongest", "Str\u03bfngest", "STRONGEST!", "Perfect", "alphabeta:2", "Alpha-beta", "Alphabeta 3"),
        *("depth3", "Depth 3", "pawar-ren", "Pawar and Ren", "Osipa, tree", "Stufe 2", "St\u00e4rkster", "Zufall"),
    ],
)
def test_names_that_look_like_a_bots(name: str) -> None:
    assert NAMES.are_imitated_by(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ann",
            "Guest 1234",
            "Bot 1234",
            "Robot",
            "Levelheaded",
            "Eleven",
            "Perfecto",
            "Randomly",
            "Random Ann",
            "Lev",
        ),
        *(
            "The strongest",
            "Levi 2",
            "Depth of field",
            "\u041b\u0435\u0432\u0435\u043b",
            "\u738b",
            "\u2764\ufe0f",
            "42",
        ),
        *("Alpha", "Beta", "Ann (bot)", "bot", "...", "Stufenlos"),
    ],
)
def test_names_of_people(name: str) -> None:
    assert not NAMES.are_imitated_by(name)


@pytest.mark.parametrize(
    "name", ["Deep.Thought-2", "deep thought", "DeepThought 3", "Bot Deep-Thought", "D33p Thought"]
)
def test_names_that_look_like_another_engines(name: str) -> None:
    guest = replace(engine(), name="Deep.Thought-2").bot
    assert BotNames(Roster([guest]).entries).are_imitated_by(name)
    assert not NAMES.are_imitated_by(name)


def test_an_engine_whose_name_has_no_letter_takes_no_other() -> None:
    names = BotNames(Roster([replace(engine(), name="42").bot]).entries)
    assert names.are_imitated_by("42")
    assert not any(map(names.are_imitated_by, ("43", "...", "\u2764\ufe0f", "Ann")))


def test_every_bot_has_its_name_to_itself() -> None:
    for entry in bots():
        assert NAMES.are_imitated_by(entry.name)
        assert NAMES.are_imitated_by(entry.title)


@given(st.text(max_size=30))
def test_any_text_is_one_or_the_other(text: str) -> None:
    assert NAMES.are_imitated_by(text) in (True, False)
