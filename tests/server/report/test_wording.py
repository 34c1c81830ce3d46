"""The report's sentences."""

from __future__ import annotations

from server.report.wording import say, sentences, took


def test_a_text_is_made_of_a_key_and_values() -> None:
    said = say("faults", count=1234, games=5000)
    assert said == "1,234 games of 5,000 lost by a fault."
    assert say("faults", count=1, games=5) == "1 game of 5 lost by a fault."


def test_several_texts_stand_in_a_row() -> None:
    assert say("results.alt", results=("a 1", "b 2")) == "Games won by X, drawn and won by O: a 1; b 2."


def test_sentences_follow_each_other() -> None:
    first, second, third = say("band"), say("scale"), say("shown", shown=30, count=31)
    assert sentences("", "") == ""
    assert sentences(first, "") is first
    assert sentences(first, second, third) == f"{first} {second} {third}"


def test_times_have_as_many_digits_as_they_tell() -> None:
    told = [took(ms) for ms in (0, 0.001, 0.047, 0.9994, 1.0, 3.2149, 47, 999.4, 999.5, 1_500, 61_234)]
    assert told == [
        "<1 ms", "1 µs", "47 µs", "999 µs", "1 ms", "3.21 ms", "47 ms", "999 ms", "1.00 s", "1.50 s", "61.23 s",
    ]  # fmt: skip
