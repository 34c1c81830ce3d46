"""What a room was opened with."""

from __future__ import annotations

from server.play.room_spec import Pace


def test_bots_take_half_a_minute_at_most_and_keep_a_quarter_of_a_second_apart() -> None:
    assert Pace() == Pace(think_ms=30_000, between_ms=250)
