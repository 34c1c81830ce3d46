"""What connections share: one bound for all those of a player."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.play.rate_limit import TokenBucket
from server.rooms.connection_context import ConnectionContext, Limits

LIMITS = Limits(player_rate=2, connection_burst=3)
PLAYERS = "abcd"
NOTHING = cast(Any, None)


class Shared:
    """A context of nothing but limits, at a time that the test sets."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.now_ms = 1_000
        here = (NOTHING,) * 6
        self.context = ConnectionContext(
            *here, limits, NOTHING, lambda: self.now_ms, lambda: 0, lambda: 0, NOTHING, NOTHING
        )

    @property
    def kept(self) -> int:
        return len(self.context._by_player)


@given(st.lists(st.tuples(st.sampled_from(["come", "go", "ask", "wait"]), st.sampled_from(PLAYERS)), max_size=80))
def test_a_player_has_one_bound_however_often_they_come_and_go(steps: list[tuple[str, str]]) -> None:
    shared, present = Shared(), Counter[str]()
    alone = {player: TokenBucket(2, 3, shared.now_ms) for player in PLAYERS}
    buckets: dict[str, TokenBucket] = {}
    for step, player in steps:
        if step == "come":
            buckets[player] = shared.context.player_bucket(player)
            present[player] += 1
        elif step == "wait":
            shared.now_ms += 250
        elif present[player] and step == "go":
            shared.context.release(player)
            present[player] -= 1
        elif present[player]:
            assert buckets[player].take(shared.now_ms) == alone[player].take(shared.now_ms)
        assert shared.kept >= len(+present)


def test_the_bound_stays_until_the_last_connection_goes() -> None:
    shared = Shared()
    bound = shared.context.player_bucket("a")
    for _ in range(2):
        assert shared.context.player_bucket("a") is bound
    for _ in range(2):
        shared.context.release("a")
    assert shared.context.player_bucket("a") is bound


@pytest.mark.parametrize(("rate", "burst", "at_once"), [(2, 3, 3), (5, 3, 5)])
def test_a_player_may_send_a_burst_or_what_passes_in_a_second(rate: int, burst: int, at_once: int) -> None:
    shared = Shared(Limits(player_rate=rate, connection_burst=burst))
    bound = shared.context.player_bucket("a")
    assert [bound.take(shared.now_ms) for _ in range(6)].count(True) == at_once


def test_who_has_calmed_down_is_forgotten_while_others_go() -> None:
    shared = Shared()
    for number in range(20):
        shared.context.player_bucket(f"guest {number}").take(shared.now_ms)
    for number in range(20):
        shared.context.release(f"guest {number}")
    assert shared.kept == 20, "nobody has yet"
    shared.now_ms += 500
    shared.context.player_bucket("who stays")
    for number in range(25):
        shared.context.player_bucket(f"later {number}")
        shared.context.release(f"later {number}")
    assert shared.kept <= 2, "who stays, and perhaps the last to go"
