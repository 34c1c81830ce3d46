"""Places for games that engines follow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rooms.room import engine_games
from server.rooms.room.engine_games import FULL, GAMES_AN_ADDRESS, MANY, FollowedGames
from server.wire import Side
from server.workers.engines.remembered import IDLE_S

PLACES = 12
IDLE_US = round(IDLE_S * 1_000_000)


@pytest.fixture(autouse=True)
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_games, "MAX_GAMES", PLACES)


class Games:
    """As `FollowedGames`, at a time that the test sets."""

    def __init__(self) -> None:
        self.now_us = 5
        self.followed = FollowedGames(lambda: self.now_us)

    def take(self, seed: int, holder: str = "a", side: Side = "o") -> bool:
        return self.followed.take(seed, side, holder)


def test_each_holder_has_at_most_as_many_as_are_left_and_always_a_few() -> None:
    games = Games()
    taken = [[games.take(10 * number + seed, holder) for seed in range(8)].count(True)
             for number, holder in enumerate("abcd")]  # fmt: skip
    assert taken == [6, GAMES_AN_ADDRESS, 2, 0]
    assert [games.followed.refusal(holder) for holder in "ad"] == [FULL, FULL]
    games.followed.end(25)
    games.followed.end(20)
    assert [games.followed.refusal(holder) for holder in "abcd"] == [MANY, MANY, None, None]


def test_two_engines_of_one_game_have_a_place_each_and_end_with_it() -> None:
    games = Games()
    assert [games.take(1, side="x"), games.take(1, side="o")] == [True, True]
    assert [games.take(seed) for seed in range(2, 8)] == [True] * 4 + [False] * 2
    assert [games.followed.end(1), games.followed.end(1)] == [True, False]
    assert [games.take(seed) for seed in range(6, 9)] == [True, True, False]


def test_a_place_stays_that_of_who_took_it_whoever_asks_and_however_full_it_is() -> None:
    games = Games()
    assert [games.take(seed, "a") for seed in range(6)] == [True] * 6
    assert [games.take(seed, "b") for seed in range(10, 15)] == [True] * 4 + [False]
    assert [games.take(seed, "b") for seed in range(6)] == [True] * 6
    games.followed.end(10)
    assert [games.followed.refusal(holder) for holder in "ab"] == [MANY, None]


def test_who_is_not_asked_for_long_loses_the_place() -> None:
    games = Games()
    assert all(games.take(seed, holder=str(seed)) for seed in range(PLACES))
    games.now_us += IDLE_US - 1
    assert not games.take(99, holder="new")
    assert games.take(0)
    games.now_us += 1
    assert games.take(99, holder="new")
    assert [games.followed.end(seed) for seed in (0, 1, 99)] == [True, False, True]


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from("abc"), st.sampled_from(["take", "end", "wait"])), max_size=80
    )
)
def test_there_are_never_more_than_places(steps: list[tuple[int, str, str]]) -> None:
    games, asked = Games(), dict[int, int]()
    for seed, holder, step in steps:
        if step == "wait":
            games.now_us += IDLE_US // 8
        elif step == "end":
            games.followed.end(seed)
            asked.pop(seed, None)
        elif games.take(seed, holder):
            asked[seed] = games.now_us
        assert sum(at > games.now_us - IDLE_US for at in asked.values()) <= PLACES
