from __future__ import annotations

import re

import hypothesis.strategies as st
import pytest
from hypothesis import given

from server.rooms.players.player_names import NAME_LENGTH, checked_name
from server.rooms.refused import Refused


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann \t\n", "Ann"),
        ("Ann Bo", "Ann Bo"),
        ("e\u0301", "\u00e9"),
        ("e\u0301" * NAME_LENGTH, "\u00e9" * NAME_LENGTH),
        ("<b>x</b>", "<b>x</b>"),
        ("\u738b", "\u738b"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("\u0915\u094d\u0937", "\u0915\u094d\u0937"),
        ("\U0001f600" * NAME_LENGTH, "\U0001f600" * NAME_LENGTH),
        ("\u3000Ann\u00a0", "Ann"),
        ("\u00a0Ann\t", "Ann"),
        ("n" * NAME_LENGTH, "n" * NAME_LENGTH),
        ("\u3042" * NAME_LENGTH, "\u3042" * NAME_LENGTH),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ],
)
def test_names_are_kept_trimmed_and_composed(given: str, kept: str) -> None:
    assert checked_name(given) == kept


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            " ",
            "   ",
            "\t",
            "a" * (NAME_LENGTH + 1),
            "a\nb",
            "a\x00b",
            "a\x7fb",
            "a\u200bb",
            "a\u202eb",
            "\u202eAnn",
            "a\u00a0b",
            "\ud800",
        ),
        *("\u3164", "Ann\u115f", "\u1160", "\u2800\u2800", "\uffa0", "\u034f", "\ufe0f", "\u0301\u0301"),
        *("\u200d", "\u200ca", "a\u200d", "a\u200c\u200db", "a\u200d \u200cb"),
    ],
)
def test_bad_names(name: str) -> None:
    with pytest.raises(Refused) as caught:
        checked_name(name)
    assert caught.value.code == "bad_name"


@given(st.text(max_size=30))
def test_a_name_that_is_kept_stays_as_it_is(text: str) -> None:
    try:
        name = checked_name(text)
    except Refused:
        return
    assert checked_name(name) == name
    assert re.sub("[\u200c\u200d]", "", name).isprintable()
    assert 1 <= len(name) <= NAME_LENGTH
