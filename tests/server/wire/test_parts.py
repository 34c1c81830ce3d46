"""Parts of messages."""

from __future__ import annotations

import msgspec
import pytest

from server.wire import BotLimit, ClockSettings, Form, RatingChange, RatingView, rating_after
from server.wire.codec import encode


def test_a_seat_shows_what_a_rated_game_made_of_a_rating() -> None:
    for provisional in (False, True):
        change = RatingChange(before=1510, after=1498, deviation=62, provisional=provisional)
        assert rating_after(change) == RatingView(value=1498, deviation=62, provisional=provisional, change=-12)


def test_parts_of_requests_are_closed() -> None:
    for part in Form.__subclasses__():
        with pytest.raises(msgspec.ValidationError, match="unknown field"):
            msgspec.json.decode(b'{"colour":"red"}', type=part)


def test_what_is_not_set_is_not_written() -> None:
    assert encode(BotLimit(nodes=5)) == b'{"nodes":5}'
    assert encode(ClockSettings(move_ms=1_000)) == b'{"move_ms":1000}'
