from __future__ import annotations

from engine.bots.roster import Choice


def test_a_choice_is_one_of_its_words() -> None:
    tie = Choice("tie", "how ties are broken", ("last", "coin"), "last")
    assert tie.range == "last|coin"
    assert tie.read("coin") == "coin"
    assert tie.read("Coin") is None
