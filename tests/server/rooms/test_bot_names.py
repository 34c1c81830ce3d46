"""Names that a bot has, or that look like one's."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from engine.bots.roster import bots
from server.rooms.bot_names import imitates_bot


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
    assert imitates_bot(name)


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
    assert not imitates_bot(name)


def test_every_bot_has_its_name_to_itself() -> None:
    for entry in bots():
        assert imitates_bot(entry.name)
        assert imitates_bot(entry.title)


@given(st.text(max_size=30))
def test_any_text_is_one_or_the_other(text: str) -> None:
    assert imitates_bot(text) in (True, False)
