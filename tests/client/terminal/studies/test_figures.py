"""Figures as the page writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.terminal.studies.figures import elo, limit_words, percent
from server.wire import BotLimit


@pytest.mark.parametrize(
    ("share", "words"),
    [(0, "0 %"), (0.0004, "0.1 %"), (0.005, "0.5 %"), (0.625, "62 %"), (0.9999, "99.9 %"), (1, "100 %")],
)
def test_shares(share: float, words: str) -> None:
    assert percent(share) == words


def test_differences_of_ratings() -> None:
    assert [elo(value) for value in (31.4, -180.2, 0.3)] == ["+31", "-180", "0"]


@given(st.floats(0, 1))
def test_only_all_and_none_are_whole(share: float) -> None:
    told = percent(share)
    assert (told == "100 %") is (share == 1)
    assert (told == "0 %") is (share == 0)
    assert abs(float(told.removesuffix(" %")) - 100 * share) <= 0.5


@given(st.floats(-4000, 4000))
def test_a_difference_has_a_sign_and_an_even_one_none(value: float) -> None:
    told = elo(value)
    assert int(told) == round(value)
    assert (told[0] in "+-") is (int(told) != 0)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (BotLimit(nodes=1), "1 position a move"),
        (BotLimit(nodes=500), "500 positions a move"),
        (BotLimit(depth=4), "4 plies deep"),
        (BotLimit(move_ms=250), "0.25 s a move"),
        (BotLimit(), "each bot’s own limit"),
        (None, "each bot’s own limit"),
    ],
)
def test_limits(limit: BotLimit | None, words: str) -> None:
    assert limit_words(limit) == words
