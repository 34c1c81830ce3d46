"""The report's sentences."""

from __future__ import annotations

from server.report.page.wording import say, sentences


def test_a_text_is_made_of_a_key_and_values() -> None:
    said = say("faults", count=1234, games=5000)
    assert said == "1,234 games of 5,000 lost by a fault."
    assert say("faults", count=1, games=5) == "1 game of 5 lost by a fault."


def test_a_database_with_a_game_a_day_grows_by_one() -> None:
    assert "; at 1 game a day it grows by 0.2 MB a day" in say("size", size="0.8", game="221.2", count=1, day="0.2")
    assert "; at 1,200 games a day" in say("size", size="0.8", game="0.9", count=1200, day="0.2")


def test_several_texts_stand_in_a_row() -> None:
    assert say("results.alt", results=("a 1", "b 2")) == "Games won by X, drawn and won by O: a 1; b 2."


def test_sentences_follow_each_other() -> None:
    first, second, third = say("band"), say("scale"), say("shown", shown=30, count=31)
    assert sentences("", "") == ""
    assert sentences(first, "") is first
    assert sentences(first, second, third) == f"{first} {second} {third}"
